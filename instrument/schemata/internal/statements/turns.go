package statements

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// turnGuard is a guard in a loop that counts its turns in one call. What is nested too deep, or
// has too many parts, is most often refused so. The statement before which turns are counted is
// the loop, or has it under a label.
type turnGuard struct {
	*Function
	s, before ast.Stmt
	body      *ast.BlockStmt
	leave     string // a return from the function, or why there can't be one
	cant      reasons.Reason
	fail      string // a return with an error, or why there can't be one
	cantFail  reasons.Reason
}

// guardTurns offers the guard of a loop. Where a goto could jump to the loop or over the count,
// there is none.
func guardTurns(cx *Function, s, before ast.Stmt) {
	body := bodyOfLoop(s)
	if body == nil || cx.jumps() {
		return
	}
	k := &turnGuard{Function: cx, s: s, before: before, body: body}
	k.leave, k.cant = leaveWith(cx, body.Lbrace+1, operator.Zero)
	if cx.Fails() {
		k.fail, k.cantFail = leaveWith(cx, body.Lbrace+1, operator.NewError)
	}
	cx.Offer(k)
}

func bodyOfLoop(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	}
	return nil
}

// jumps says whether the function has a goto.
func (cx *Function) jumps() (found bool) {
	ast.Inspect(cx.Block, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

func (k *turnGuard) Describe() (*operator.Site, ast.Node) {
	endless, ok := k.s.(*ast.ForStmt)
	ends := !ok || endless.Cond != nil // else the function may need the loop to be its end
	return &operator.Site{Kind: operator.Guard, Risk: operator.ManyTurns, Skippable: ends, Fails: k.Fails()}, header(k.s.Pos(), k.body.Lbrace+1)
}

func (k *turnGuard) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	turns := k.counter()
	what, desc, why := k.end(ch)
	hi := k.body.Lbrace + 1
	text := fmt.Sprintf("%s := 0; %s if %[1]s++; %[1]s > %[3]d { %[4]s }; ", turns, k.Src.Text(k.before.Pos(), hi), codes.MostTurns, what)
	return plain.Replace(k.before.Pos(), hi, text, desc+" after 1,000 turns of the loop in one call"), why
}

// counter is the name of the variable that counts turns: one that the function does not have.
func (k *turnGuard) counter() string {
	name := "turns"
	scope := k.Info.Pkg.Scope().Innermost(k.before.Pos())
	taken := scope == nil || strings.Contains(k.leave+k.fail, name)
	if !taken {
		_, obj := scope.LookupParent(name, token.NoPos)
		taken = obj != nil
	}
	ast.Inspect(k.Block, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		taken = taken || ok && id.Name == name
		return !taken
	})
	if taken {
		return k.Names.Result + name
	}
	return name
}

// end is the statement that ends the loop, and what it does.
func (k *turnGuard) end(ch operator.Change) (text, desc string, why reasons.Reason) {
	switch ch.Do {
	case operator.Skip:
		return "break", "ended the loop", nil
	case operator.NewError:
		return k.fail, "returned an error", k.cantFail
	}
	return k.leave, "returned early", k.cant
}

func (k *turnGuard) Schemata(base int, live []operator.Change) {
	turns := fmt.Sprintf("%st%d", k.Names.Result, k.Src.Off(k.s.Pos()))
	text := " " + turns + "++; "
	for i, ch := range live {
		what, _, _ := k.end(ch)
		text += "if " + k.Calls.Begin("Turns", "", "%d, ", base+i) + turns + ") { " + what + " }; "
	}
	k.Calls.Wrap(k.before.Pos(), k.before.End(), "{ "+turns+" := 0; ", " }")
	k.Slow.Wrap(k.Src.Off(k.body.Lbrace)+1, k.Src.Off(k.body.Rbrace), text, "") // after the turn has burned its fuel
}
