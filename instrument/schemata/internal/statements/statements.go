// Package statements has the kinds of sites at statements. A kind is a file: it finds its
// sites, and has their plain edits and their schemata.
package statements

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

// Function is the function that is walked, or an initializer, with what the kinds of
// sites note for each other.
type Function struct {
	*site.Context

	Ends  map[ast.Stmt]bool       // statements that the function needs to be terminating
	Moved map[types.Object]string // what break and continue call a label in the copied body

	sole       map[ast.Stmt]bool // that make up what a condition that is always false leaves out
	own        map[ast.Stmt]*ownLabel
	pairs      []*lockSet                   // with calls that lock and calls that unlock
	conditions map[*types.Var]conditionUses // filled by countConditions
}

// New returns a function without notes.
func New(cx *site.Context) *Function {
	return &Function{
		Context: cx, Ends: map[ast.Stmt]bool{}, Moved: map[types.Object]string{}, sole: map[ast.Stmt]bool{},
		own: map[ast.Stmt]*ownLabel{},
	}
}

// A kind offers all sites at a statement, if the statement is of the right form.
type kind func(cx *Function, s ast.Stmt, p site.Position)

// before are the kinds of sites that are asked before the parts of a statement are
// walked, in the order in which their mutants are numbered.
var before = []kind{deletion, commaOk, received, operation, step, elsewhere, jump, results, rangeLoop}

// Offer offers all sites at a statement, or at a clause of a select statement, before
// its parts are walked.
func Offer(cx *Function, s ast.Stmt, p site.Position) {
	for _, k := range before {
		k(cx, s, p)
	}
}

// operation offers x op= y.
func operation(cx *Function, s ast.Stmt, p site.Position) {
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok != token.ASSIGN && a.Tok != token.DEFINE {
		expressions.OpAssign(cx.Context, a, p)
	}
}

// step offers x++ and x--.
func step(cx *Function, s ast.Stmt, p site.Position) {
	if i, ok := s.(*ast.IncDecStmt); ok {
		expressions.IncDec(cx.Context, i, p)
	}
}

// header stands for the part of a statement before its body, which names the
// mutants of the body: their IDs survive edits inside.
func header(lo, hi token.Pos) ast.Node {
	return &ast.BlockStmt{Lbrace: lo, Rbrace: hi - 1}
}

// do puts code under a condition that holds unless a mutant is active.
func do(cx *Function, lo, hi token.Pos, id int) {
	cx.Calls.Wrap(lo, hi, "if "+cx.Calls.Begin("Do", "", "%d", id)+") { ", " }")
}
