package diff

import (
	"context"
	"go/ast"
	"go/parser"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// value is what the smallest input of a cause stands for, as Go source: people have to see the arguments.
// "": it stands for no other value, or that can't be shown.
func (c *comparison) value(ctx context.Context, d *difference) string {
	return withoutType(trial.Source(ctx, c.trials[after], d.Input, d.Runs[after].Kind))
}

// withoutType leaves out the type of a struct that has no name: the names of its fields, those
// of a function's parameters, say enough.
func withoutType(source string) string {
	e, err := parser.ParseExpr(source)
	lit, ok := e.(*ast.CompositeLit)
	if err != nil || !ok {
		return source
	}
	if _, ok := lit.Type.(*ast.StructType); !ok {
		return source
	}
	return source[lit.Lbrace-1:] // positions of an expression count from 1
}
