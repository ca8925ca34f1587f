package callers

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

const (
	seedsMost  = 32   // for one function
	depthMost  = 3    // helpers of tests that call each other
	rawMost    = 4096 // seeds that are looked at
	columnsFew = 16   // arguments that are looked at
)

// seeds returns values for the parameters of a function: constants that tests pass to it,
// and after these what they pass to functions above it. Of more than there may be, it
// returns some from all parts of the tests.
func (g *graph) seeds(n *node) [][]constant.Value {
	above := g.callersOf(n)
	b := g.bindings()
	var exact, other [][]constant.Value
	for _, t := range g.nodes {
		if !t.test {
			continue
		}
		ast.Inspect(t.decl, func(x ast.Node) bool {
			call, ok := x.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := callee(t.info, call)
			if fn == nil || !above[fn.FullName()] {
				return true
			}
			for _, values := range b.arguments(t.info, call, fn, 0) {
				if fn.FullName() == n.name {
					exact = append(exact, values)
				} else {
					other = append(other, translated(values, fn.Signature(), n.fn.Signature())...)
				}
			}
			return len(exact)+len(other) < rawMost
		})
	}
	list := spread(exact, seedsMost)
	return append(list, spread(without(other, list), seedsMost-len(list))...)
}

// callersOf returns the full names of a function and of those above it that name each
// other, tests left out.
func (g *graph) callersOf(n *node) map[string]bool {
	set := map[string]bool{n.name: true}
	for todo := []*node{n}; len(todo) > 0; todo = todo[1:] {
		for i, cost := range todo[0].from {
			if from := g.nodes[i]; cost == named && !from.test && !set[from.name] {
				set[from.name] = true
				todo = append(todo, from)
			}
		}
	}
	return set
}

// spread returns n different ones of a list at most, from all parts of it.
func spread(list [][]constant.Value, n int) [][]constant.Value {
	list = without(list, nil)
	if len(list) <= n {
		return list
	}
	few := make([][]constant.Value, n)
	for i := range few {
		few[i] = list[i*len(list)/n]
	}
	return few
}

// without returns those of a list that another does not have, each once.
func without(list, other [][]constant.Value) (kept [][]constant.Value) {
	seen := make(map[string]bool)
	for _, v := range other {
		seen[seedKey(v)] = true
	}
	for _, v := range list {
		if k := seedKey(v); !seen[k] {
			seen[k] = true
			kept = append(kept, v)
		}
	}
	return kept
}

func seedKey(values []constant.Value) string {
	var b strings.Builder
	for _, v := range values {
		if v != nil {
			b.WriteString(v.ExactString())
		}
		b.WriteByte(0)
	}
	return b.String()
}

// translated makes seeds of a function from what a function above it is given: from
// parameters of the same name, and from each text if it takes just one.
func translated(values []constant.Value, from, to *types.Signature) (list [][]constant.Value) {
	seed := make([]constant.Value, to.Params().Len())
	text, texts, some := -1, 0, false
	for i := range seed {
		p := to.Params().At(i)
		if isText(p.Type()) {
			text = i
			texts++
		}
		for k, v := range values {
			if q := from.Params().At(k); v != nil && q.Name() == p.Name() && isText(q.Type()) == isText(p.Type()) {
				seed[i] = v
				some = true
			}
		}
	}
	if texts != 1 {
		if some {
			list = append(list, seed)
		}
		return list
	}
	for _, v := range values {
		if v != nil && v.Kind() == constant.String {
			own := slices.Clone(seed)
			own[text] = v
			list = append(list, own)
		}
	}
	return list
}

// isText says whether a parameter is a text, or is read as one.
func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		e, ok := u.Elem().Underlying().(*types.Basic)
		return ok && e.Kind() == types.Byte
	}
	return types.TypeString(t, nil) == "io.Reader"
}

// A row is some variables that have values together: a line of a table.
type row map[*types.Var]constant.Value

// A helperCall is a call of a function of the test files.
type helperCall struct {
	info *types.Info
	call *ast.CallExpr
	fn   *types.Func
}

// bindings says which constants the variables of the test files get.
type bindings struct {
	rows  []row
	at    map[*types.Var][]int // rows that have a variable
	inits map[*types.Var]ast.Expr
	calls map[*types.Var][]helperCall // of the functions that a parameter is of
	busy  map[*ast.CallExpr]bool
}

// bindings reads the test files, once.
func (g *graph) bindings() *bindings {
	if g.bound != nil {
		return g.bound
	}
	b := &bindings{
		at: make(map[*types.Var][]int), inits: make(map[*types.Var]ast.Expr),
		calls: make(map[*types.Var][]helperCall), busy: make(map[*ast.CallExpr]bool),
	}
	g.bound = b
	for _, t := range g.loaded.Tests {
		for _, f := range t.Files {
			b.assignments(t, f)
		}
	}
	for _, t := range g.loaded.Tests {
		for _, f := range t.Files {
			b.tables(g, t, f)
		}
	}
	return b
}

// assignments notes what variables are declared with.
func (b *bindings) assignments(t *load.TestFiles, f load.File) {
	note := func(id *ast.Ident, e ast.Expr) {
		if v, ok := t.Info.Defs[id].(*types.Var); ok {
			b.inits[v] = e
			if c, _ := leaf(t.Info, e); c != nil {
				b.add(row{v: c})
			}
		}
	}
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					note(id, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
					note(id, n.Rhs[i])
				}
			}
		}
		return true
	})
}

// tables notes the lines of tables, and the calls of helpers.
func (b *bindings) tables(g *graph, t *load.TestFiles, f load.File) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			b.structure(t.Info, n)
		case *ast.RangeStmt:
			b.ranged(t.Info, n)
		case *ast.CallExpr:
			fn := callee(t.Info, n)
			if fn == nil {
				break
			}
			if to := g.names[fn.FullName()]; to != nil && to.test {
				for p := range fn.Signature().Params().Variables() {
					b.calls[p] = append(b.calls[p], helperCall{t.Info, n, fn})
				}
			}
		}
		return true
	})
}

func (b *bindings) add(r row) {
	for v := range r {
		b.at[v] = append(b.at[v], len(b.rows))
	}
	b.rows = append(b.rows, r)
}

// structure notes the constant fields of a struct.
func (b *bindings) structure(info *types.Info, lit *ast.CompositeLit) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem() // of an element whose type is left out
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	r := make(row)
	for i, e := range lit.Elts {
		var field *types.Var
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = info.Uses[id].(*types.Var)
			}
			e = kv.Value
		} else if i < s.NumFields() {
			field = s.Field(i)
		}
		if c, _ := leaf(info, e); c != nil && field != nil {
			r[field] = c
		}
	}
	if len(r) > 0 {
		b.add(r)
	}
}

// ranged notes the constants that a loop goes over.
func (b *bindings) ranged(info *types.Info, loop *ast.RangeStmt) {
	e := ast.Unparen(loop.X)
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := info.Uses[id].(*types.Var); ok && b.inits[v] != nil {
			e = ast.Unparen(b.inits[v])
		}
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	key, value := defined(info, loop.Key), defined(info, loop.Value)
	for _, e := range lit.Elts {
		r := make(row)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if c, _ := leaf(info, kv.Key); c != nil && key != nil {
				r[key] = c
			}
			e = kv.Value
		}
		if c, _ := leaf(info, e); c != nil && value != nil {
			r[value] = c
		}
		if len(r) > 0 {
			b.add(r)
		}
	}
}

func defined(info *types.Info, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.Defs[id].(*types.Var)
	return v
}

// readers are functions whose result stands for the text that they are given.
const readers = " strings.NewReader bytes.NewReader bytes.NewBuffer bytes.NewBufferString errors.New "

// leaf returns the constant that an expression is, or the variable that it is made of.
func leaf(info *types.Info, e ast.Expr) (constant.Value, *types.Var) {
	e = ast.Unparen(e)
	if tv := info.Types[e]; tv.Value != nil {
		return tv.Value, nil
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		fn := callee(info, e)
		reader := fn != nil && fn.Pkg() != nil && strings.Contains(readers, " "+fn.FullName()+" ")
		if len(e.Args) == 1 && (reader || info.Types[e.Fun].IsType()) {
			return leaf(info, e.Args[0])
		}
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return nil, v
	case *ast.SelectorExpr:
		v, _ := info.Uses[e.Sel].(*types.Var)
		return nil, v
	}
	return nil, nil
}

// arguments returns what the parameters of a function may be in a call, as far as one can
// tell; unknown lists are left out.
func (b *bindings) arguments(info *types.Info, call *ast.CallExpr, fn *types.Func, depth int) (list [][]constant.Value) {
	args := passed(info, call)
	params := min(fn.Signature().Params().Len(), len(args), columnsFew)
	if depth > depthMost || b.busy[call] {
		return nil
	}
	b.busy[call] = true
	defer delete(b.busy, call)
	fixed := make([]constant.Value, params)
	vars := make([]*types.Var, params)
	known, open := false, false
	for i := range params {
		fixed[i], vars[i] = leaf(info, args[i])
		known = known || fixed[i] != nil
		open = open || vars[i] != nil && (len(b.at[vars[i]]) > 0 || len(b.calls[vars[i]]) > 0)
	}
	if !open {
		if known {
			list = append(list, fixed)
		}
		return list
	}
	for _, r := range b.rowsOf(vars, depth) {
		values := slices.Clone(fixed)
		for i, v := range vars {
			if c := r[v]; c != nil {
				values[i] = c
			}
		}
		list = append(list, values)
	}
	return list
}

// rowsOf returns the rows that have one of the variables.
func (b *bindings) rowsOf(vars []*types.Var, depth int) (rows []row) {
	seen := make(map[int]bool)
	called := make(map[*ast.CallExpr]bool)
	for _, v := range vars {
		for _, at := range b.at[v] {
			if v != nil && !seen[at] {
				seen[at] = true
				rows = append(rows, b.rows[at])
			}
		}
		for _, c := range b.calls[v] {
			if v == nil || called[c.call] || len(rows) > rawMost {
				continue
			}
			called[c.call] = true
			for _, values := range b.arguments(c.info, c.call, c.fn, depth+1) {
				r := make(row)
				for i, value := range values {
					if value != nil {
						r[c.fn.Signature().Params().At(i)] = value
					}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}
