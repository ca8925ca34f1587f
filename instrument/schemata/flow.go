package schemata

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// flow makes the edits that follow control flow in one of a body's two versions:
// fuel and replaced exits in both, coverage counters and the branch between the
// bodies in the fast one, renamed labels in the copy.
//
// The slow version must be complete before the fast one, which renders it.
type flow struct {
	u    *unit
	f    *file
	list *edit.List
	fast bool
	top  *ast.BlockStmt // the unit's body
}

// body edits the body of the function itself or of a function literal in it.
//
// The user's body comes first, since the compiler numbers function literals in the
// order of the text. It stands in a block that is never left at its end, and the
// copy in the function's own scope, where := assigns to parameters and named
// results. In a block it would declare new variables instead: see reassign.
func (w *flow) body(b *ast.BlockStmt, sig *ast.FuncType) {
	f, u := w.f, w.u
	head := f.Off(b.Lbrace) + 1
	switched := w.fast && u.hasLive(b)
	if switched {
		types := ""
		if b == w.top {
			types = u.types.text
		}
		w.list.Insert(head, fmt.Sprintf(" %sif %s { %s", types, f.r.quick(u.index), f.LineDirective(b.Lbrace+1)))
		u.w.reassign(b)
	}
	if w.callsSomething(b) {
		w.list.Insert(head, " "+f.r.burn())
	}
	w.counter(head, b.Lbrace, b.Rbrace)
	ast.Inspect(b, w.visit)
	if switched {
		end := "}; "
		if sig.Results == nil || len(sig.Results.List) == 0 {
			end = "; return }; "
		}
		slow := f.Slow.Render(f.Src, head, f.Off(b.Rbrace))
		w.list.Insert(f.Off(b.Rbrace), fmt.Sprintf("%s%s%s%s", end, f.LineDirective(b.Lbrace+1), slow, f.LineDirective(b.Rbrace)))
	}
}

// callsSomething says whether a body outside its function literals has calls;
// without, it can't recurse and its loops burn fuel enough.
func (w *flow) callsSomething(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv := w.f.r.pkg.Info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				found = true
			}
		}
		return !found
	})
	return found
}

// counter inserts a counter at an offset for the code in [pos, end).
func (w *flow) counter(at int, pos, end token.Pos) {
	if w.fast {
		w.list.Insert(at, " "+w.f.r.count(w.f.r.newBlock(w.u.index, pos, end)))
	}
}

// turns inserts the counter of a loop's body at an offset.
func (w *flow) turns(at int, loop ast.Stmt, body *ast.BlockStmt) {
	if w.fast {
		r := w.f.r
		block := r.newBlock(w.u.index, body.Lbrace, body.Rbrace)
		r.out.Blocks[block].Loop = r.Fset.PositionFor(loop.Pos(), false).Line
		w.list.Insert(at, " "+r.count(block))
	}
}

func (w *flow) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		ast.Inspect(n.Type, w.visit)
		w.body(n.Body, n.Type)
		return false
	case *ast.ForStmt:
		w.loop(n, n.Body)
	case *ast.RangeStmt:
		w.loop(n, n.Body)
	case *ast.IfStmt:
		w.ifStmt(n)
	case *ast.SwitchStmt:
		w.clauses(n.Body, true)
	case *ast.TypeSwitchStmt:
		w.clauses(n.Body, true)
	case *ast.SelectStmt:
		w.clauses(n.Body, false) // an added default would make it non-blocking
	case *ast.BinaryExpr:
		w.shortCircuit(n)
	case *ast.LabeledStmt:
		w.label(n.Label)
	case *ast.BranchStmt:
		if n.Tok == token.GOTO && w.goesBack(n) {
			w.list.Wrap(w.f.Off(n.Pos()), w.f.Off(n.End()), w.f.r.burn(), "") // inside of what makes it conditional
		}
		w.branchLabel(n)
	case *ast.CallExpr:
		w.exit(n)
		w.room(n)
	}
	return true
}

func (w *flow) loop(loop ast.Stmt, body *ast.BlockStmt) {
	at := w.f.Off(body.Lbrace) + 1
	w.list.Insert(at, " "+w.f.r.burn())
	w.turns(at, loop, body)
}

// goesBack says whether a goto jumps to a label before it: such a jump is a loop.
func (w *flow) goesBack(n *ast.BranchStmt) bool {
	label, ok := w.f.r.pkg.Info.Uses[n.Label].(*types.Label)
	return ok && label.Pos() < n.Pos()
}

func (w *flow) ifStmt(n *ast.IfStmt) {
	w.counter(w.f.Off(n.Body.Lbrace)+1, n.Body.Lbrace, n.Body.Rbrace)
	switch e := n.Else.(type) {
	case *ast.BlockStmt:
		w.counter(w.f.Off(e.Lbrace)+1, e.Lbrace, e.Rbrace)
	case nil:
		if w.fast {
			block := w.f.r.newBlock(w.u.index, n.Body.Rbrace, n.Body.Rbrace)
			w.list.Insert(w.f.Off(n.Body.Rbrace)+1, fmt.Sprintf(" else { %s}", w.f.r.count(block)))
		}
	}
}

// clauses counts each clause of a switch or select, and with implicit the
// missing default of a switch.
func (w *flow) clauses(b *ast.BlockStmt, implicit bool) {
	if !w.fast {
		return
	}
	for _, s := range b.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			w.counter(w.f.Off(c.Colon)+1, c.Colon, c.End())
			implicit = implicit && c.List != nil
		case *ast.CommClause:
			w.counter(w.f.Off(c.Colon)+1, c.Colon, c.End())
		}
	}
	if implicit {
		// As the first clause it needs no separator, and nothing falls through into it.
		block := w.f.r.newBlock(w.u.index, b.Rbrace, b.Rbrace)
		w.list.Insert(w.f.Off(b.Lbrace)+1, fmt.Sprintf(" default: %s", w.f.r.count(block)))
	}
}

// shortCircuit counts the evaluation of the right operand of && and ||. The
// operator binds less tightly than everything the operand can be without
// parentheses, so `hit && ` can stand right before it.
func (w *flow) shortCircuit(n *ast.BinaryExpr) {
	if !w.fast || n.Op != token.LAND && n.Op != token.LOR {
		return
	}
	tv := w.f.r.pkg.Info.Types[n]
	if tv.Value != nil || !typing.PlainBool(tv.Type) {
		return
	}
	block := w.f.r.newBlock(w.u.index, n.Y.Pos(), n.Y.End())
	w.list.Insert(w.f.Off(n.Y.Pos()), w.f.r.countTrue(block))
}

// label renames a label in the copy: labels have the scope of the whole function,
// which holds both bodies.
func (w *flow) label(id *ast.Ident) {
	if !w.fast && id != nil && id.Name != "_" {
		w.list.Wrap(w.f.Off(id.Pos()), w.f.Off(id.End()), "", w.f.r.pkg.Names.Label)
	}
}

// branchLabel renames the label that a jump names. One that only gotos can use is
// called otherwise by break and continue.
func (w *flow) branchLabel(n *ast.BranchStmt) {
	if n.Label != nil && n.Tok != token.GOTO && !w.fast {
		if moved := w.u.w.Moved[w.f.r.pkg.Info.Uses[n.Label]]; moved != "" {
			w.list.Replace(w.f.Off(n.Label.Pos()), w.f.Off(n.Label.End()), moved)
			return
		}
	}
	w.label(n.Label)
}

// exit turns the calls that end the process into calls that end the execution, and those
// whose work one number decides into ones that burn fuel for it.
func (w *flow) exit(call *ast.CallExpr) {
	info := w.f.r.pkg.Info
	if helper := cmp.Or(helper.Exit(info, call), helper.Costly(info, call)); helper != "" {
		w.f.standIn(w.list, call, helper)
	}
}

// room has a make burn fuel for the memory that it allocates.
func (w *flow) room(call *ast.CallExpr) {
	if size, bytes := helper.Room(w.f.r.pkg.Info, call); size != nil {
		end := fmt.Sprintf(", %d)", bytes)
		w.list.Enclose(w.f.Off(size.Pos()), w.f.Off(size.End()), w.f.r.pkg.Names.RT+".Room(", end)
	}
}

// standIn has a helper called in place of a function. That stays an operand, so that its import
// stays used.
func (f *file) standIn(list *edit.List, call *ast.CallExpr, helper string) {
	list.Wrap(f.Off(call.Fun.Pos()), f.Off(call.Fun.End()), f.r.pkg.Names.RT+"."+helper+"(", "")
	list.Replace(f.Off(call.Lparen), f.Off(call.Lparen)+1, ", ")
}
