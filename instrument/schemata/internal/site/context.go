// Package site has what the kinds of sites share.
package site

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/arid"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/chance"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/enum"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/names"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/value"
)

// Context is what a kind of site is given: what is known of the code around, and what
// writes its edits.
type Context struct {
	Src       *source.File
	Info      *typing.Info
	Effects   *effects.Effects
	Nils      *nilness.Facts
	Stored    *stored.Facts
	Logic     *logic.Logic
	Flow      *control.Flow
	Logs      *logs.Loggers
	Arid      *arid.Code
	Chance    *chance.Values
	Uses      *uses.Uses
	Enums     enum.Enums
	Operators []*operator.Operator
	Race      bool // the binary is built with -race

	Names  *names.Names
	Types  *typename.Namer
	Calls  *helper.Writer
	Plain  *plain.Writer
	Values *value.Writer
	Slow   *edit.List // the edits of the copied bodies, which Calls writes to

	File        *mutants.File
	Unit        *mutants.Unit
	Comparisons *Comparisons
	Recursive   map[*ast.FuncDecl]bool // functions that may call themselves

	Taken   map[*ast.CallExpr][]operator.Action // changes of lengths not to offer: another site has the same
	Deleted map[*ast.CallExpr]bool              // calls that are offered as the statements they make

	// What the walk is in.
	Results *types.Tuple   // of the innermost function; nil in an initializer
	Block   *ast.BlockStmt // the innermost function's body
	Within  ast.Stmt       // the statement that is walked; nil in an initializer
	Written ast.Expr       // the operand that is assigned to
	Quiet   reasons.Reason // why there are no mutants here, if there are none
}

// Comparisons numbers the comparisons whose operands are recorded.
type Comparisons struct {
	First int
	N     int
}

// Offer offers a site.
func (c *Context) Offer(s mutants.Site) (base int) { return c.Unit.Offer(s, c.Quiet) }

// Order returns why operands can't be handed to a helper where they stand; nil if they
// can.
func (c *Context) Order(list ...ast.Expr) reasons.Reason { return c.Effects.Order(c.Within, list...) }

// Lost says whether all uses of an import or of a variable are in an expression.
func (c *Context) Lost(e ast.Expr) bool { return len(c.Uses.Lost(c.Src.Tok, e.Pos(), e.End())) > 0 }

// Applies says whether an operator with this name is among those to apply.
func (c *Context) Applies(name string) bool {
	for _, op := range c.Operators {
		if op.Name == name {
			return true
		}
	}
	return false
}

// Guards says whether there are guards among the operators to apply.
func (c *Context) Guards() bool {
	for _, op := range c.Operators {
		if op.Group == operator.GroupGuards {
			return true
		}
	}
	return false
}

// Place is what the place of an expression demands.
type Place struct {
	Operand bool // of a binary or unary operator: a replacement may need parentheses
	Decided bool // a boolean whose truth is another site's: a condition, a term, a result
	// Limit returns why a constant here can't be v; nil allows every value of the
	// type. The compiler checks constants where it leaves variables alone.
	Limit func(v constant.Value) reasons.Reason
	// Compared is the operator of a comparison that a constant here is the right operand of, if it is one.
	Compared token.Token
}

// Position is what the place of a statement allows.
type Position struct {
	InList bool // in a statement list, where other statements can be put
	Last   bool // its function needs it to be a terminating statement
}
