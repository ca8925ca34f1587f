package statements

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/risk"
)

// A guard stands right before a statement in a list. Its condition is evaluated
// while tracing, too, so it must not panic itself nor have effects: it is made of
// variables, fields, elements and their lengths, and asks first what has to hold
// for them to be there. Only what a statement evaluates in any case is guarded here,
// neither the right operand of &&, which package expressions guards, nor a function literal.

// guard is a guard of a statement, to stand before one that is the statement itself or
// has it under a label.
type guard struct {
	*Function
	risk.Risk
	s, before ast.Stmt
	skippable bool
	leave     string // a return from the function, or why there can't be one
	cant      reasons.Reason
	fail      string // a return with an error, or why there can't be one
	cantFail  reasons.Reason
	ok        string // name of a variable
}

func offerGuard(cx *Function, r risk.Risk, s, before ast.Stmt) {
	k := &guard{Function: cx, Risk: r, s: s, before: before, ok: "ok"}
	k.skippable = skippable(cx, s) && r.Simple() && r.Why == nil && r.Kind != operator.BadResult
	k.leave, k.cant = leaveWith(cx, before.Pos(), operator.Zero)
	if cx.Fails() {
		k.fail, k.cantFail = leaveWith(cx, before.Pos(), operator.NewError)
	}
	if strings.Contains(k.leave+k.fail, k.ok) || k.skippable && strings.Contains(cx.Src.Node(s), k.ok) {
		k.ok = cx.Names.Result + k.ok
	}
	cx.Offer(k)
}

func (k *guard) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Guard, Risk: k.Kind, Skippable: k.skippable, Fails: k.Fails()}, k.Node
}

func (k *guard) Plain(ch operator.Change) (plain.Edit, reasons.Reason) {
	s, at := k.s, k.before.Pos()
	if ch.Do == operator.Skip {
		head, tail := k.Branch(k.ok, "", "", true)
		return plain.Replace(s.Pos(), s.End(), head+k.Src.Node(s)+tail, "skipped the statement if "+k.String()), k.Why
	}
	head, tail := k.Branch(k.ok, "", "", false)
	if ch.Do == operator.NewError {
		return plain.Replace(at, at, head+k.fail+tail+"; ", "returned an error if "+k.String()), cmp.Or(k.Why, k.cantFail)
	}
	return plain.Replace(at, at, head+k.leave+tail+"; ", "returned early if "+k.String()), cmp.Or(k.Why, k.cant)
}

func (k *guard) Schemata(base int, live []operator.Change) {
	for i, ch := range live {
		gate, test := k.Calls.Begin("Guards", "", "%d)", base+i), k.Calls.Begin("Guard", "", "%d, ", base+i)
		if ch.Do == operator.Skip {
			head, tail := k.Branch(k.ok, gate, test, true)
			k.Calls.Wrap(k.s.Pos(), k.s.End(), head, tail)
			continue
		}
		text := k.leave
		if ch.Do == operator.NewError {
			text = k.fail
		}
		head, tail := k.Branch(k.ok, gate, test, false)
		k.Calls.Wrap(k.before.Pos(), k.before.End(), head+text+tail+"; ", "")
	}
}

// Guards offers guards for the statements of a function's body.
func Guards(cx *Function, list []ast.Stmt) {
	if cx.Guards() {
		guardList(cx, list, nilness.Vars{})
	}
}

func guardList(cx *Function, list []ast.Stmt, notNil nilness.Vars) {
	notNil = maps.Clone(notNil)
	dead := false
	for i, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			dead = false
			clear(notNil) // a goto may come here another way
			guardLabeled(cx, l, notNil)
			continue
		}
		if dead {
			continue
		}
		if i > 0 {
			guardResults(cx, list[i-1], s)
		}
		guardStmt(cx, s, s, notNil)
		guardTurns(cx, s, s)
		guardBodies(cx, s, notNil)
		dead = cx.Flow.JumpsAway(s)
	}
}

// guardLabeled guards a statement with a label. A label that break or continue may
// name has to stay where it is, so the guard comes before it.
func guardLabeled(cx *Function, l *ast.LabeledStmt, notNil nilness.Vars) {
	switch s := l.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		guardStmt(cx, s, l, notNil)
		guardTurns(cx, s, l)
		guardBodies(cx, s, notNil)
	default:
		guardList(cx, []ast.Stmt{s}, notNil)
	}
}

// guardBodies guards the statements in the bodies of a statement. What a
// condition says about its branches, and about what follows, is added to notNil.
func guardBodies(cx *Function, s ast.Stmt, notNil nilness.Vars) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		guardList(cx, s.List, notNil)
	case *ast.IfStmt:
		body, rest := maps.Clone(notNil), maps.Clone(notNil)
		cx.Nils.Compared(s.Cond, token.NEQ, body)
		cx.Nils.Compared(s.Cond, token.EQL, rest)
		guardList(cx, s.Body.List, body)
		if s.Else != nil {
			guardBodies(cx, s.Else, rest)
		} else if n := len(s.Body.List); n > 0 && cx.Flow.JumpsAway(s.Body.List[n-1]) {
			maps.Copy(notNil, rest)
		}
	case *ast.ForStmt:
		guardList(cx, s.Body.List, notNil)
	case *ast.RangeStmt:
		guardList(cx, s.Body.List, notNil)
	case *ast.SwitchStmt:
		guardClauses(cx, s.Body, notNil)
	case *ast.TypeSwitchStmt:
		guardClauses(cx, s.Body, notNil)
	case *ast.SelectStmt:
		guardClauses(cx, s.Body, notNil)
	}
}

func guardClauses(cx *Function, b *ast.BlockStmt, notNil nilness.Vars) {
	for _, s := range b.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			guardList(cx, c.Body, notNil)
		case *ast.CommClause:
			guardList(cx, c.Body, notNil)
		}
	}
}

// guardStmt offers guards of s, to stand before a statement that is s or has it
// under a label.
func guardStmt(cx *Function, s, before ast.Stmt, notNil nilness.Vars) {
	for _, r := range risk.Find(cx.Context, s, before.Pos(), notNil) {
		offerGuard(cx, r, s, before)
		if r.Proves != nil {
			notNil[r.Proves] = true
		}
	}
}

// guardResults offers guards that stand between a call and the next statement.
func guardResults(cx *Function, call, next ast.Stmt) {
	for _, r := range risk.Results(cx.Context, call, next) {
		offerGuard(cx, r, next, next)
	}
}

// skippable says whether a statement can be left out: it declares nothing, and
// its function does not end with it.
func skippable(cx *Function, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return !cx.Info.IsPanic(s)
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// Fails says whether the last result of the function is an error.
func (cx *Function) Fails() bool {
	n := cx.Results.Len()
	return n > 0 && types.Identical(cx.Results.At(n-1).Type(), types.Universe.Lookup("error").Type())
}

// leaveWith is the statement that returns zero values from the function around, but for the
// last of them.
func leaveWith(cx *Function, pos token.Pos, last operator.Action) (text string, why reasons.Reason) {
	if cx.Results.Len() == 0 {
		return "return", nil
	}
	var zeros []string
	for i := range cx.Results.Len() {
		do := operator.Zero
		if i == cx.Results.Len()-1 {
			do = last
		}
		zero, why := cx.Values.Result(cx.Results.At(i).Type(), operator.Change{Do: do}, pos)
		if why != nil {
			return "", why
		}
		zeros = append(zeros, zero)
	}
	return "return " + strings.Join(zeros, ", "), nil
}
