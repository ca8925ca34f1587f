package gogen_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/gogen"
)

// asks says whether a piece of the program uses up a step of the budget.
func asks(p *program, n ast.Node) bool {
	found := false
	if n != nil {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && slices.Contains([]string{"x_step", "x_count", "x_each"}, id.Name) && isFunc(p.info.Uses[id])
			return !found
		})
	}
	return found
}

// first returns the first statement of a list, nil if there is none.
func first(list []ast.Stmt) ast.Node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Every loop, also one by goto, asks for a step in each of its rounds.
func TestEveryLoopHasABudget(t *testing.T) {
	loops := 0
	bodies(t, func(p *program, _ *ast.FuncDecl, n ast.Node, around []ast.Node) {
		var asked bool
		switch n := n.(type) {
		case *ast.ForStmt:
			// The value of a condition that a call comes before may not be asked for.
			asked = n.Cond != nil && asks(p, n.Cond) || n.Cond == nil && asks(p, first(n.Body.List))
		case *ast.RangeStmt:
			basic, ok := p.info.TypeOf(n.X).Underlying().(*types.Basic)
			few := ok && basic.Info()&types.IsInteger != 0 && p.info.Types[n.X].Value != nil
			asked = few || asks(p, n.X) || asks(p, first(n.Body.List))
		case *ast.BranchStmt:
			if n.Tok != token.GOTO || p.fset.Position(labeled(n, around).Pos()).Offset > p.fset.Position(n.Pos()).Offset {
				return
			}
			asked = asks(p, around[1].(*ast.IfStmt).Cond)
		default:
			return
		}
		if loops++; !asked {
			t.Errorf("program %d, %s: a loop that may go on for ever", p.seed, p.at(n))
		}
	})
	if loops < 200 {
		t.Errorf("only %d loops", loops)
	}
}

// labeled finds the statement that a goto names.
func labeled(b *ast.BranchStmt, around []ast.Node) (found ast.Node) {
	ast.Inspect(around[len(around)-1], func(n ast.Node) bool {
		if s, ok := n.(*ast.LabeledStmt); ok && s.Label.Name == b.Label.Name {
			found = s
		}
		return true
	})
	return found
}

// Every function that is called by others asks for a step first. Those that Case calls, and
// initializers, are called once.
func TestEveryFunctionHasABudget(t *testing.T) {
	bodies(t, func(p *program, d *ast.FuncDecl, n ast.Node, around []ast.Node) {
		if n != d.Body || strings.HasPrefix(d.Name.Name, "xm") || d.Name.Name == "init" {
			return
		}
		s, ok := first(d.Body.List).(*ast.IfStmt)
		if !ok || !asks(p, s.Cond) || len(s.Body.List) != 1 {
			t.Errorf("program %d: %s does not begin with a step", p.seed, d.Name.Name)
		}
	})
}

// A function calls those before it, so that calls never go in a circle.
func TestCallsDoNotGoInACircle(t *testing.T) {
	for _, p := range programs(t) {
		for fn, d := range p.funcs {
			if !p.own(d) {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				callee, isFunc := p.info.Uses[id].(*types.Func)
				if ok && isFunc && callee.Pkg() == p.pkg && p.funcs[callee] != nil && p.own(p.funcs[callee]) && callee.Pos() >= fn.Pos() {
					t.Errorf("program %d: %s calls %s, which is not before it", p.seed, fn.Name(), callee.Name())
				}
				return true
			})
		}
	}
}

// alone says whether an expression is all that a statement does: what it declares, or calls.
func alone(e ast.Expr, around []ast.Node) bool {
	switch s := around[0].(type) {
	case *ast.AssignStmt:
		return len(s.Rhs) == 1
	case *ast.ExprStmt:
		return true
	case *ast.ValueSpec:
		return len(s.Values) == 1 && s.Values[0] == e
	}
	return false
}

// notZero says whether a divisor can't be zero: a constant, or y | 1.
func notZero(p *program, e ast.Expr) bool {
	e = ast.Unparen(e)
	if v := p.info.Types[e].Value; v != nil {
		return constant.Sign(v) != 0
	}
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == token.OR && notZero(p, b.Y)
}

// notNegative says whether a shift count can't be negative.
func notNegative(p *program, e ast.Expr) bool {
	e = ast.Unparen(e)
	if v := p.info.Types[e].Value; v != nil {
		return constant.Sign(v) >= 0
	}
	if b, ok := p.info.TypeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return true
	}
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op == token.AND && notNegative(p, b.Y) && p.info.Types[b.Y].Value != nil
}

// inRange says whether an index is always there: a constant of a literal or an array, or
// one that is taken modulo the array's length.
func inRange(p *program, e *ast.IndexExpr, around []ast.Node) bool {
	index := p.info.Types[e.Index].Value
	switch t := p.info.TypeOf(e.X).Underlying().(type) {
	case *types.Map:
		return true
	case *types.Array:
		if index != nil {
			return true // the compiler has checked it
		}
		b, ok := ast.Unparen(e.Index).(*ast.BinaryExpr)
		return ok && b.Op == token.REM && constant.Compare(p.info.Types[b.Y].Value, token.EQL, constant.MakeInt64(t.Len()))
	case *types.Slice:
		if lit, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok && index != nil {
			return constant.Compare(index, token.LSS, constant.MakeInt64(int64(len(lit.Elts))))
		}
		for _, a := range around { // if len(x) > 1 { return x[1] }
			if s, ok := a.(*ast.IfStmt); ok && index != nil {
				want := fmt.Sprintf("len(%s) > %s", types.ExprString(e.X), index)
				return types.ExprString(s.Cond) == want
			}
		}
	}
	return false
}

// panics says what of an expression may panic, "" if nothing but a function that it calls.
func panics(p *program, n ast.Node, around []ast.Node) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		b, ok := p.info.TypeOf(n.X).Underlying().(*types.Basic)
		integers := !ok || b.Info()&types.IsInteger != 0
		switch {
		case integers && (n.Op == token.QUO || n.Op == token.REM) && !notZero(p, n.Y):
			return "a division"
		case (n.Op == token.SHL || n.Op == token.SHR) && !notNegative(p, n.Y):
			return "a shift"
		case (n.Op == token.EQL || n.Op == token.NEQ) && hasInterface(p.info.TypeOf(n.X)) && !p.info.Types[n.Y].IsNil():
			return "a comparison of interfaces"
		}
	case *ast.AssignStmt:
		switch {
		case (n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN) && !notZero(p, n.Rhs[0]):
			return "a division"
		case (n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN) && !notNegative(p, n.Rhs[0]):
			return "a shift"
		}
	case *ast.IndexExpr:
		if p.info.Types[n.X].IsValue() && !typeIs[*types.Signature](p.info.TypeOf(n.X).Underlying()) && !inRange(p, n, around) {
			return "an index"
		}
	case *ast.SliceExpr:
		if types.ExprString(n.X) != "" && !strings.HasPrefix(types.ExprString(n.Low), "min(") {
			return "a slice expression"
		}
	case *ast.StarExpr:
		if p.info.Types[n].IsValue() {
			return "a dereference"
		}
	case *ast.TypeAssertExpr:
		if s, ok := around[0].(*ast.AssignStmt); n.Type != nil && !(ok && len(s.Lhs) == 2) {
			return "a type assertion"
		}
	}
	return ""
}

// hasInterface says whether comparing values of a type may panic.
func hasInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		_, parameter := types.Unalias(t).(*types.TypeParam)
		return !parameter
	case *types.Array:
		return hasInterface(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if hasInterface(f.Type()) {
				return true
			}
		}
	}
	return false
}

// Which of two operands is evaluated first makes no difference if neither panics. What may
// panic is a separate statement, with nothing beside it.
func TestOperandsDoNotPanic(t *testing.T) {
	alones := map[string]int{}
	bodies(t, func(p *program, _ *ast.FuncDecl, n ast.Node, around []ast.Node) {
		what := panics(p, n, around)
		if what == "" {
			return
		}
		alones[what]++
		e, ok := n.(ast.Expr)
		if !ok || !alone(e, around) {
			t.Errorf("program %d, %s: %s may panic within an expression", p.seed, p.at(n), what)
		}
	})
	for _, what := range []string{"a division", "a shift", "an index", "a slice expression", "a dereference", "a type assertion"} {
		if alones[what] == 0 {
			t.Errorf("%s never panics in %d programs", what, seeds)
		}
	}
}

// writers are the functions that change a variable of the package, or call one that does.
func writers(p *program) map[types.Object]bool {
	set := map[types.Object]bool{}
	for changed := true; changed; {
		changed = false
		for fn, d := range p.funcs {
			if set[fn] || !p.own(d) {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, lhs := range n.Lhs {
						set[fn] = set[fn] || n.Tok != token.DEFINE && isGlobal(p, lhs)
					}
				case *ast.IncDecStmt:
					set[fn] = set[fn] || isGlobal(p, n.X)
				case *ast.Ident:
					set[fn] = set[fn] || set[p.info.Uses[n]]
				}
				return true
			})
			changed = changed || set[fn]
		}
	}
	return set
}

// isGlobal says whether assigning to an expression changes a variable of the package.
func isGlobal(p *program, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, ok := p.info.Uses[x].(*types.Var)
			return ok && v.Parent() == p.pkg.Scope()
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		default:
			return false
		}
	}
}

// What is called within an expression changes nothing that the rest of it may read.
func TestFunctionsThatChangeVariablesAreCalledAlone(t *testing.T) {
	sets := map[*program]map[types.Object]bool{}
	n := 0
	bodies(t, func(p *program, _ *ast.FuncDecl, node ast.Node, around []ast.Node) {
		if sets[p] == nil {
			sets[p] = writers(p)
		}
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return
		}
		id, ok := call.Fun.(*ast.Ident)
		if !ok || !sets[p][p.info.Uses[id]] {
			return
		}
		n++
		_, returned := around[0].(*ast.ReturnStmt)
		outer, isCall := around[0].(*ast.CallExpr)
		noted := isCall && types.ExprString(outer.Fun) == "x_note" && len(outer.Args) == 1
		if !alone(call, around) && !returned && !noted {
			t.Errorf("program %d, %s: %s changes variables, and is called within an expression", p.seed, p.at(call), id.Name)
		}
	})
	if n < 20 {
		t.Errorf("only %d calls", n)
	}
}

// shows says whether the text of a value of a type could differ from run to run: an address
// is in it. Of interfaces the programs print those that hold no pointers.
func shows(t types.Type, nested bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Signature, *types.Chan:
		return true
	case *types.Interface:
		_, parameter := types.Unalias(t).(*types.TypeParam)
		return nested && !parameter
	case *types.Slice:
		return shows(u.Elem(), true)
	case *types.Array:
		return shows(u.Elem(), true)
	case *types.Map:
		return shows(u.Elem(), true) || shows(u.Key(), true)
	case *types.Struct:
		for f := range u.Fields() {
			if shows(f.Type(), true) {
				return true
			}
		}
	}
	return false
}

// Where things are in memory, how much append allocates and the order of maps are nowhere
// in what a program says.
func TestWhatIsNotDeterminedIsNotShown(t *testing.T) {
	noted := 0
	bodies(t, func(p *program, _ *ast.FuncDecl, n ast.Node, _ []ast.Node) {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := types.ExprString(n.Fun)
			if calls("cap")(p, n, nil) {
				t.Errorf("program %d, %s: the capacity of a slice", p.seed, p.at(n))
			}
			if name != "x_note" && name != "fmt.Sprint" {
				return
			}
			for _, arg := range n.Args {
				if noted++; shows(p.info.TypeOf(arg), false) {
					t.Errorf("program %d, %s: the address in %s is shown", p.seed, p.at(n), types.ExprString(arg))
				}
			}
		case *ast.RangeStmt:
			if typeIs[*types.Map](p.info.TypeOf(n.X).Underlying()) {
				t.Errorf("program %d, %s: a map in its order", p.seed, p.at(n))
			}
		case *ast.SelectStmt:
			if len(n.Body.List) > 2 {
				t.Errorf("program %d, %s: a choice of channels", p.seed, p.at(n))
			}
		case *ast.GoStmt:
			t.Errorf("program %d, %s: a goroutine", p.seed, p.at(n))
		}
	})
	if noted < 1000 {
		t.Errorf("only %d values are shown", noted)
	}
}

func TestTheSameChoicesGiveTheSameProgram(t *testing.T) {
	other := 0
	for seed := range uint64(40) {
		a := gogen.File("p", "x", choices(seed, 400))
		if !bytes.Equal(a, gogen.File("p", "x", choices(seed, 400))) {
			t.Errorf("seed %d: two programs of the same choices differ", seed)
		}
		if !bytes.Equal(a, gogen.File("p", "x", choices(seed+1, 400))) {
			other++
		}
	}
	if other != 40 {
		t.Errorf("only %d of 40 seeds give different programs", other)
	}
}

// declarations are the texts of what a program declares, by name.
func declarations(t *testing.T, choices []byte) (texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	fset, f := parsed(t, gogen.File("p", "x", choices))
	src := gogen.File("p", "x", choices)
	for _, d := range f.Decls {
		text := string(src[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset])
		switch d := d.(type) {
		case *ast.FuncDecl:
			texts[d.Name.Name] += text
		case *ast.GenDecl:
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
				texts[s.Name.Name] = text
			}
		}
	}
	return texts
}

// A fuzzer that changes one part of the choices keeps what the others made.
func TestPartsOfTheChoicesArePartsOfTheProgram(t *testing.T) {
	for seed := range uint64(20) {
		all := choices(seed, 600)
		before := declarations(t, all)
		changed := slices.Concat(all[:400], choices(seed+1000, 200))
		after := declarations(t, changed)
		for name := range before {
			if kept := strings.HasPrefix(name, "xf") || strings.HasPrefix(name, "xT") || strings.HasPrefix(name, "xP"); !kept {
				delete(before, name)
				delete(after, name)
			}
		}
		for name, text := range before {
			if diff := cmp.Diff(text, after[name]); diff != "" {
				t.Errorf("seed %d: %s is not what it was (-before +after):\n%s", seed, name, diff)
			}
		}
		changed = slices.Concat(all[:100], choices(seed+2000, 500))
		after = declarations(t, changed)
		for name, text := range before {
			if strings.HasPrefix(name, "xT") && strings.HasPrefix(text, "type") && !strings.Contains(text, "interface{ xI") && after[name] != text {
				t.Errorf("seed %d: the functions have changed type %s", seed, name)
			}
		}
	}
}

// Programs with different prefixes are files of one package.
func TestPrefixesKeepProgramsApart(t *testing.T) {
	seen := map[string]string{}
	for i, prefix := range []string{"a", "b", "c1", "c2"} {
		_, f := parsed(t, gogen.File("p", prefix, choices(uint64(i%2), 500)))
		cases := 0
		for _, name := range declaredNames(f) {
			switch {
			case name == "Case"+prefix:
				cases++
			case !strings.HasPrefix(name, prefix) && name != "init":
				t.Errorf("prefix %s: %s is declared", prefix, name)
			case seen[name] != "":
				t.Errorf("%s is declared with the prefixes %s and %s", name, seen[name], prefix)
			}
			if name != "init" {
				seen[name] = prefix
			}
		}
		if cases != 1 {
			t.Errorf("prefix %s: %d functions Case", prefix, cases)
		}
	}
}

// declaredNames are the names at package level. Methods are not there.
func declaredNames(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						if id.Name != "_" {
							names = append(names, id.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// Without choices each choice is the simplest, and more choices make no smaller programs.
func TestFewerChoicesMakeSmallerPrograms(t *testing.T) {
	last := 0
	for _, n := range []int{0, 60, 600, 6000} {
		size := 0
		for seed := range uint64(10) {
			size += len(gogen.File("p", "x", choices(seed, n)))
		}
		if size <= last {
			t.Errorf("%d choices make %d bytes, fewer make %d", n, size, last)
		}
		last = size
	}
	if empty := gogen.File("p", "x", nil); !bytes.Equal(empty, gogen.File("p", "x", make([]byte, 50))) {
		t.Error("what is chosen after the end is not what zeros choose")
	}
}
