package schemata

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
)

// A guard stands right before a statement in a list. Its condition is evaluated
// while tracing, too, so it must not panic itself nor have effects: it is made of
// variables, fields, elements and their lengths, and asks first what has to hold
// for them to be there. Only what a statement evaluates in any case is guarded,
// neither the right operand of && nor a function literal.

// guards offers guards for the statements of a function's body.
func (w *walker) guards(list []ast.Stmt) {
	for _, op := range w.Operators {
		if op.Group == operator.GroupGuards {
			w.guardList(list, nilness.Vars{})
			return
		}
	}
}

func (w *walker) guardList(list []ast.Stmt, notNil nilness.Vars) {
	notNil = maps.Clone(notNil)
	dead := false
	for _, s := range list {
		if l, ok := s.(*ast.LabeledStmt); ok {
			dead = false
			clear(notNil) // a goto may come here another way
			w.guardLabeled(l, notNil)
			continue
		}
		if dead {
			continue
		}
		w.guardStmt(s, s, notNil)
		w.guardBodies(s, notNil)
		dead = w.Flow.JumpsAway(s)
	}
}

// guardLabeled guards a statement with a label. A label that break or continue may
// name has to stay where it is, so the guard comes before it.
func (w *walker) guardLabeled(l *ast.LabeledStmt, notNil nilness.Vars) {
	switch s := l.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		w.guardStmt(s, l, notNil)
		w.guardBodies(s, notNil)
	default:
		w.guardList([]ast.Stmt{s}, notNil)
	}
}

// guardBodies guards the statements in the bodies of a statement. What a
// condition says about its branches, and about what follows, is added to notNil.
func (w *walker) guardBodies(s ast.Stmt, notNil nilness.Vars) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.guardList(s.List, notNil)
	case *ast.IfStmt:
		body, rest := maps.Clone(notNil), maps.Clone(notNil)
		w.Nils.Compared(s.Cond, token.NEQ, body)
		w.Nils.Compared(s.Cond, token.EQL, rest)
		w.guardList(s.Body.List, body)
		if s.Else != nil {
			w.guardBodies(s.Else, rest)
		} else if n := len(s.Body.List); n > 0 && w.Flow.JumpsAway(s.Body.List[n-1]) {
			maps.Copy(notNil, rest)
		}
	case *ast.ForStmt:
		w.guardList(s.Body.List, notNil)
	case *ast.RangeStmt:
		w.guardList(s.Body.List, notNil)
	case *ast.SwitchStmt:
		w.guardClauses(s.Body, notNil)
	case *ast.TypeSwitchStmt:
		w.guardClauses(s.Body, notNil)
	case *ast.SelectStmt:
		w.guardClauses(s.Body, notNil)
	}
}

func (w *walker) guardClauses(b *ast.BlockStmt, notNil nilness.Vars) {
	for _, s := range b.List {
		switch c := s.(type) {
		case *ast.CaseClause:
			w.guardList(c.Body, notNil)
		case *ast.CommClause:
			w.guardList(c.Body, notNil)
		}
	}
}

// guardStmt offers guards of s, to stand before a statement that is s or has it
// under a label.
func (w *walker) guardStmt(s, before ast.Stmt, notNil nilness.Vars) {
	found := &risks{w: w, at: before.Pos(), notNil: notNil}
	found.stmt(s)
	for _, r := range found.list {
		w.guard(r, s, before)
		if r.proves != nil {
			notNil[r.proves] = true
		}
	}
}

// guard offers one guard.
func (w *walker) guard(r risk, s, before ast.Stmt) {
	site := &operator.Site{Kind: operator.Guard, Risk: r.kind, Skippable: w.skippable(s) && r.simple() && r.why == ""}
	leave, cant := w.leave(before.Pos())
	ok := "ok"
	if strings.Contains(leave, ok) || site.Skippable && strings.Contains(w.Src.Node(s), ok) {
		ok = w.Names.Result + ok
	}
	base, live := w.offer(site, r.node, func(ch operator.Change) (plain.Edit, string) {
		if ch.Do == operator.Skip {
			head, tail := r.branch(ok, "", "", true)
			return plain.Replace(s.Pos(), s.End(), head+w.Src.Node(s)+tail, "skipped the statement if "+r.String()), r.why
		}
		head, tail := r.branch(ok, "", "", false)
		return plain.Replace(before.Pos(), before.Pos(), head+leave+tail+"; ", "returned early if "+r.String()), cmp.Or(r.why, cant)
	})
	for i, ch := range live {
		gate, test := w.Calls.Begin("Guards", "", "%d)", base+i), w.Calls.Begin("Guard", "", "%d, ", base+i)
		if ch.Do == operator.Skip {
			head, tail := r.branch(ok, gate, test, true)
			w.Calls.Wrap(s.Pos(), s.End(), head, tail)
		} else {
			head, tail := r.branch(ok, gate, test, false)
			w.Calls.Wrap(before.Pos(), before.End(), head+leave+tail+"; ", "")
		}
	}
}

// skippable says whether a statement can be left out: it declares nothing, and
// its function does not end with it.
func (w *walker) skippable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return !w.Info.IsPanic(s)
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// leave is the statement that returns zero values from the function around.
func (w *walker) leave(pos token.Pos) (text, why string) {
	if w.Results.Len() == 0 {
		return "return", ""
	}
	var zeros []string
	for i := range w.Results.Len() {
		zero, why := w.Values.Zero(w.Results.At(i).Type(), pos)
		if why != "" {
			return "", why
		}
		zeros = append(zeros, zero)
	}
	return "return " + strings.Join(zeros, ", "), ""
}
