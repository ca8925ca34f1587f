package schemata

import (
	"go/ast"
)

// The compiler is free to read variables after it has made the calls behind them
// in the same statement, and it does. Handed to a helper, a variable is read where
// it stands.

// enter notes the statement that is walked, until the function it returns is called.
func (w *walker) enter(s ast.Stmt) (leave func()) {
	saved := w.within
	w.within = s
	return func() { w.within = saved }
}
