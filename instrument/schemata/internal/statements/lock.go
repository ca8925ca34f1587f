package statements

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
)

// Locks offers the lock sets of a function that are pairs.
func Locks(cx *Function, body *ast.BlockStmt) {
	for _, set := range lockSets(cx, body) {
		if !set.locks || !set.unlocks {
			continue
		}
		cx.pairs = append(cx.pairs, set)
		if !set.escapes {
			cx.Offer(&locking{cx, set})
		}
	}
}

// locking is a lock set whose calls can be put under one condition.
type locking struct {
	*Function
	*lockSet
}

func (k *locking) Describe() (*operator.Site, ast.Node) {
	return &operator.Site{Kind: operator.Locking}, k.calls[0]
}

func (k *locking) Plain(operator.Change) (plain.Edit, reasons.Reason) {
	all := &ast.BlockStmt{Lbrace: k.calls[0].Pos(), List: k.calls}
	text, why := k.Context.Plain.KeepObjects(all, k.Uses.LostWith(k.Src.Tok, k.calls))
	done := k.calls[0].Pos()
	p := plain.Edit{Lo: done, Desc: "removed the locking of " + k.Src.Short(k.receiver)}
	for i, s := range k.calls {
		if i > 0 {
			text += k.Src.Text(done, s.Pos())
		}
		done = s.End()
	}
	p.Text, p.Hi = text, done
	return p, why
}

func (k *locking) Schemata(base int, _ []operator.Change) {
	for _, s := range k.calls {
		do(k.Function, s.Pos(), s.End(), base)
		k.Unit.Live = append(k.Unit.Live, s.Pos()) // it may stand in another function literal than the first
	}
}

// A lockSet is what a function, with the function literals in it, does with one
// mutex: all calls through the same expression, for writing or for reading.
// Leaving out all of them leaves no lock without its unlock, whichever way
// control goes.
type lockSet struct {
	receiver       ast.Expr
	calls          []ast.Stmt // in a statement list, by themselves or deferred
	locks, unlocks bool       // some call does
	escapes        bool       // something else is done: TryLock, a method value, a call that gives the mutex
}

// isHalf says whether a statement locks a mutex that the function unlocks elsewhere,
// or unlocks what it locks elsewhere.
func isHalf(cx *Function, s ast.Stmt) bool {
	for _, set := range cx.pairs {
		locks, unlocks := false, false
		for _, call := range set.calls {
			if s.Pos() <= call.Pos() && call.Pos() < s.End() {
				locks, unlocks = locks || isLock(cx, call), unlocks || !isLock(cx, call)
			}
		}
		if locks != unlocks {
			return true
		}
	}
	return false
}

// isLock says whether a call of a lock set locks.
func isLock(cx *Function, call ast.Stmt) bool {
	return strings.HasSuffix(lockMethod(cx, lockCall(call)), "Lock")
}

// lockSets collects the lock sets of a function, in the order of their first
// calls.
func lockSets(cx *Function, body *ast.BlockStmt) []*lockSet {
	var sets []*lockSet
	byKey := map[string]*lockSet{}
	get := func(sel *ast.SelectorExpr, reading bool) *lockSet {
		key := fmt.Sprintf("%t %s", reading, cx.Effects.Key(sel.X))
		set := byKey[key]
		if set == nil {
			set = &lockSet{receiver: sel.X}
			byKey[key] = set
			sets = append(sets, set)
		}
		return set
	}
	seen := map[*ast.SelectorExpr]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		for _, s := range statements(n) {
			sel := lockCall(s)
			method := lockMethod(cx, sel)
			if method == "" || strings.HasPrefix(method, "Try") {
				continue
			}
			seen[sel] = true
			set := get(sel, strings.HasPrefix(method, "R"))
			set.calls = append(set.calls, s)
			set.locks, set.unlocks = set.locks || isLock(cx, s), set.unlocks || !isLock(cx, s)
			set.escapes = set.escapes || cx.Effects.Calls(sel.X)
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && !seen[sel] {
			if method := lockMethod(cx, sel); method != "" {
				get(sel, strings.Contains(method, "RLock") || strings.Contains(method, "RUnlock")).escapes = true
			}
		}
		return true
	})
	for _, set := range sets { // a list was met before what is nested in its statements
		slices.SortFunc(set.calls, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	}
	return sets
}

// statements returns the statements of a list, without their labels, if n has one.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	case *ast.LabeledStmt:
		return []ast.Stmt{n.Stmt}
	}
	return nil
}

// lockCall returns what a statement calls without arguments, now or deferred, if
// that is a selector.
func lockCall(s ast.Stmt) *ast.SelectorExpr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = ast.Unparen(s.X)
	case *ast.DeferStmt:
		e = s.Call
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return sel
}

// lockMethod returns the name of a method of sync.Mutex or sync.RWMutex that locks
// or unlocks; "" for everything else.
func lockMethod(cx *Function, sel *ast.SelectorExpr) string {
	if sel == nil {
		return ""
	}
	fn, ok := cx.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || fn.Signature().Recv() == nil {
		return ""
	}
	ptr, ok := fn.Signature().Recv().Type().(*types.Pointer)
	if !ok {
		return ""
	}
	named, ok := ptr.Elem().(*types.Named)
	if !ok || named.Obj().Name() != "Mutex" && named.Obj().Name() != "RWMutex" {
		return ""
	}
	switch fn.Name() {
	case "Lock", "Unlock", "RLock", "RUnlock", "TryLock", "TryRLock":
		return fn.Name()
	}
	return ""
}
