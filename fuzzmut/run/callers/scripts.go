package callers

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// Bounds on the scripts that are read.
const (
	doMost     = 200 // calls of one script
	rowsMost   = 8   // lines of a table that a script is repeated for
	linesMost  = 32  // likewise, if fields of the table are more than constants
	helperMost = 3   // helpers that call each other
)

// scripts reads what the tests of the package do with its values, one after the other.
func (g *graph) scripts() (list []sequence.Script) {
	for _, t := range g.loaded.Tests {
		helpers := declarations(t)
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil || fd.Recv != nil || !strings.HasPrefix(fd.Name.Name, "Test") && !strings.HasPrefix(fd.Name.Name, "Example") {
					continue
				}
				s := &scripter{
					graph: g, info: t.Info, helpers: helpers, made: make(map[types.Object]*sequence.Made), given: make(map[types.Object]string),
					known: make(map[types.Object]constant.Value), stands: make(map[types.Object]*types.Var),
				}
				s.walk(fd.Body)
				list = append(list, s.rows(g.bindings())...)
			}
		}
	}
	return list
}

// declarations are the functions that test files declare.
func declarations(t *load.TestFiles) map[*types.Func]*ast.FuncDecl {
	m := make(map[*types.Func]*ast.FuncDecl)
	for _, f := range t.Files {
		for _, d := range f.Syntax.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				if fn, ok := t.Info.Defs[fd.Name].(*types.Func); ok {
					m[fn] = fd
				}
			}
		}
	}
	return m
}

// scripter reads one test, in the order of the source: each branch and each loop once.
type scripter struct {
	graph   *graph
	info    *types.Info
	helpers map[*types.Func]*ast.FuncDecl
	depth   int
	list    []sequence.Do
	holes   []hole                          // arguments that depend on variables
	made    map[types.Object]*sequence.Made // by variables
	given   map[types.Object]string         // source of what helpers are given
	known   map[types.Object]constant.Value // of variables
	stands  map[types.Object]*types.Var     // for which variable a parameter of a helper stands
	result  []*sequence.Made                // of the helper in progress
}

// hole is an argument that is a variable.
type hole struct {
	do, arg int
	v       *types.Var
}

// rows are the script for lines of a table.
func (s *scripter) rows(b *constants.Bindings) []sequence.Script {
	if len(s.list) == 0 {
		return nil
	}
	var vars []*types.Var
	for _, h := range s.holes {
		if !slices.Contains(vars, h.v) {
			vars = append(vars, h.v)
		}
	}
	if lines := s.graph.literals().linesOf(vars); len(lines) > 0 {
		return s.filled(lines)
	}
	rows := b.Rows(vars)
	if len(rows) == 0 {
		return []sequence.Script{s.list}
	}
	var list []sequence.Script
	for i := range min(rowsMost, len(rows)) {
		row := rows[i*len(rows)/min(rowsMost, len(rows))]
		script := slices.Clone(s.list)
		for _, h := range s.holes {
			if c := row[h.v]; c != nil {
				args := slices.Clone(script[h.do].Args)
				args[h.arg].Constant = c
				script[h.do].Args = args
			}
		}
		list = append(list, script)
	}
	return list
}

// filled are the script for lines of a table whose fields are more than constants.
func (s *scripter) filled(lines []map[*types.Var]within) (list []sequence.Script) {
	for i := range min(linesMost, len(lines)) {
		line := lines[i*len(lines)/min(linesMost, len(lines))]
		script := slices.Clone(s.list)
		for _, h := range s.holes {
			if x, ok := line[h.v]; ok {
				script[h.do].Args = slices.Clone(script[h.do].Args)
				script[h.do].Args[h.arg] = s.graph.literals().given(x)
			}
		}
		list = append(list, script)
	}
	return list
}

// walk reads statements and expressions.
func (s *scripter) walk(n ast.Node) {
	ast.Inspect(n, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			s.assign(x.Lhs, x.Rhs)
			return false
		case *ast.ValueSpec:
			s.declare(x)
			return false
		case *ast.ReturnStmt:
			s.returns(x)
			return false
		case ast.Expr:
			s.values(x)
			return false
		}
		return true
	})
}

func (s *scripter) declare(spec *ast.ValueSpec) {
	var names []ast.Expr
	for _, id := range spec.Names {
		names = append(names, id)
	}
	s.assign(names, spec.Values)
}

// assign gives variables what is made, and notes fields that are set.
func (s *scripter) assign(to, from []ast.Expr) {
	var values []*sequence.Made
	for _, e := range from {
		values = append(values, s.values(e)...)
	}
	for i, e := range to {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && s.object(id) != nil {
			obj := s.object(id)
			if i < len(values) && values[i] != nil {
				s.made[obj] = values[i]
			}
			if len(to) == len(from) {
				s.known[obj], _ = s.leaf(from[i])
			}
		}
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && i < len(from) {
			s.set(sel, from[i])
		}
	}
}

func (s *scripter) object(id *ast.Ident) types.Object {
	if obj := s.info.Defs[id]; obj != nil {
		return obj
	}
	return s.info.Uses[id]
}

// set notes that a field, or one of a struct in a value, is set to a constant.
func (s *scripter) set(sel *ast.SelectorExpr, to ast.Expr) {
	path := sel.Sel.Name
	x := ast.Unparen(sel.X)
	if inner, ok := x.(*ast.SelectorExpr); ok {
		path, x = inner.Sel.Name+"."+path, ast.Unparen(inner.X)
	}
	value := sequence.Arg{Constant: s.info.Types[to].Value}
	if value.Constant == nil {
		value.Source = s.source(to)
	}
	if value == (sequence.Arg{}) {
		s.values(to)
		return
	}
	if id, ok := x.(*ast.Ident); ok {
		if _, pkg := s.info.Uses[id].(*types.PkgName); pkg {
			s.do(sequence.Do{Field: sel.Sel.Name, Args: []sequence.Arg{value}})
			return
		}
	}
	if t := s.own(s.info.TypeOf(x)); t != "" {
		s.do(sequence.Do{Field: path, Type: t, Receiver: s.one(x), Args: []sequence.Arg{value}})
	}
}

// source is an expression as source, or what a helper was given for it; "": neither is known.
func (s *scripter) source(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && s.given[s.object(id)] != "" {
		return s.given[s.object(id)]
	}
	return s.graph.literals().source(s.info, e)
}

// own is the name of a type of the package under test, or of what a pointer points to; "": it is
// none.
func (s *scripter) own(t types.Type) string {
	if t == nil {
		return ""
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != s.graph.loaded.Packages[0].Types.Path() {
		return ""
	}
	return n.Obj().Name()
}

// one is the first value of an expression.
func (s *scripter) one(e ast.Expr) *sequence.Made {
	if list := s.values(e); len(list) > 0 {
		return list[0]
	}
	return nil
}

// values reads an expression, and returns what calls in it make.
func (s *scripter) values(e ast.Expr) []*sequence.Made {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj := s.object(e); obj != nil {
			return []*sequence.Made{s.ofVariable(obj)}
		}
	case *ast.UnaryExpr:
		return s.values(e.X)
	case *ast.StarExpr:
		return s.values(e.X)
	case *ast.SliceExpr:
		return s.values(e.X)
	case *ast.CallExpr:
		return s.call(e)
	case *ast.CompositeLit:
		return []*sequence.Made{s.literal(e)}
	case *ast.FuncLit:
		s.walk(e.Body)
	case *ast.BinaryExpr:
		s.values(e.X)
		s.values(e.Y)
	case *ast.SelectorExpr:
		s.values(e.X)
	case *ast.IndexExpr:
		s.values(e.X)
		s.values(e.Index)
	case *ast.TypeAssertExpr:
		return s.values(e.X)
	}
	return []*sequence.Made{nil}
}

// ofVariable is the value of a variable: a zero value, if nothing else was seen.
func (s *scripter) ofVariable(obj types.Object) *sequence.Made {
	v, ok := obj.(*types.Var)
	if !ok {
		return nil
	}
	if m := s.made[v]; m != nil {
		return m
	}
	if _, pointer := types.Unalias(v.Type()).(*types.Pointer); pointer || s.own(v.Type()) == "" || v.IsField() {
		return nil
	}
	m := new(sequence.Made)
	s.made[v] = m
	s.do(sequence.Do{Type: s.own(v.Type()), Results: []*sequence.Made{m}})
	return m
}

func (s *scripter) do(d sequence.Do) {
	if len(s.list) < doMost {
		s.list = append(s.list, d)
	}
}

// literal reads a literal of a struct.
func (s *scripter) literal(e *ast.CompositeLit) *sequence.Made {
	t := s.own(s.info.TypeOf(e))
	if t == "" {
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if _, inner := ast.Unparen(x).(*ast.CompositeLit); !inner { // the lines of a table are no steps
				s.values(x)
			}
		}
		return nil
	}
	d := sequence.Do{Type: t, Results: []*sequence.Made{new(sequence.Made)}}
	if len(e.Elts) > 0 {
		d.Args = []sequence.Arg{{Source: s.graph.literals().source(s.info, e)}}
	}
	s.do(d)
	return d.Results[0]
}

// call reads a call: of the package, of a helper of the tests, or of anything else with what
// it is given.
func (s *scripter) call(e *ast.CallExpr) []*sequence.Made {
	fn := constants.Callee(s.info, e)
	if s.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
		return s.values(e.Args[0])
	}
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && id.Name == "new" && len(e.Args) == 1 {
		return []*sequence.Made{s.zero(s.info.TypeOf(e))}
	}
	if fd := s.helpers[fn]; fd != nil && fn != nil && s.depth < helperMost {
		return s.helper(fd, e)
	}
	if fn == nil || s.graph.names[fn.FullName()] == nil && !s.ofInterface(fn) {
		return s.foreign(e)
	}
	d := sequence.Do{Function: fn.FullName()}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		d.Type, d.Receiver = s.own(s.info.TypeOf(sel.X)), s.one(sel.X)
	}
	var vars []*types.Var
	for _, arg := range constants.Passed(s.info, e) {
		a, v := s.argument(arg)
		d.Args, vars = append(d.Args, a), append(vars, v)
	}
	for range fn.Signature().Results().Len() {
		d.Results = append(d.Results, new(sequence.Made))
	}
	if len(s.list) < doMost {
		for i, v := range vars {
			if v != nil {
				s.holes = append(s.holes, hole{len(s.list), i, v})
			}
		}
	}
	s.do(d)
	return d.Results
}

// ofInterface says whether a function is a method of an interface of the package.
func (s *scripter) ofInterface(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type()) && s.own(recv.Type()) != ""
}

// zero is a zero value of a type of the package.
func (s *scripter) zero(t types.Type) *sequence.Made {
	name := s.own(t)
	if name == "" {
		return nil
	}
	m := new(sequence.Made)
	s.do(sequence.Do{Type: name, Results: []*sequence.Made{m}})
	return m
}

// foreign reads a call of something else.
func (s *scripter) foreign(e *ast.CallExpr) []*sequence.Made {
	s.values(e.Fun)
	for _, arg := range e.Args {
		s.values(arg)
	}
	return []*sequence.Made{nil}
}

// argument is an argument, or the variable that it is.
func (s *scripter) argument(e ast.Expr) (sequence.Arg, *types.Var) {
	c, v := s.leaf(e)
	if c != nil {
		return sequence.Arg{Constant: c}, nil
	}
	if v != nil && s.made[v] == nil && s.own(v.Type()) == "" {
		return sequence.Arg{Source: s.source(e)}, v
	}
	a := sequence.Arg{Source: s.source(e)}
	a.Made = s.one(e)
	return a, nil
}

// leaf is the constant that an expression is, or the variable.
func (s *scripter) leaf(e ast.Expr) (constant.Value, *types.Var) {
	c, v := constants.Leaf(s.info, e)
	if v == nil {
		return c, nil
	}
	if other := s.stands[v]; other != nil {
		v = other
	}
	return s.known[v], v
}

// helper reads what a helper of the tests does.
func (s *scripter) helper(fd *ast.FuncDecl, e *ast.CallExpr) []*sequence.Made {
	var params []*types.Var
	for _, f := range fd.Type.Params.List {
		for _, id := range f.Names {
			v, _ := s.info.Defs[id].(*types.Var)
			params = append(params, v)
		}
	}
	for i, arg := range e.Args {
		source, m := s.source(arg), s.one(arg)
		if i < len(params) && params[i] != nil {
			s.given[params[i]], s.made[params[i]] = source, m
			s.known[params[i]], s.stands[params[i]] = s.leaf(arg)
		}
	}
	before := s.result
	s.result = nil
	s.depth++
	s.walk(fd.Body)
	s.depth--
	result := s.result
	s.result = before
	return result
}

// returns reads what a helper returns. In the test itself it is nothing.
func (s *scripter) returns(r *ast.ReturnStmt) {
	var list []*sequence.Made
	for _, e := range r.Results {
		if v := s.values(e); len(r.Results) == 1 {
			list = v
		} else if len(v) > 0 {
			list = append(list, v[0])
		}
	}
	if s.depth > 0 && slices.ContainsFunc(list, func(m *sequence.Made) bool { return m != nil }) {
		s.result = list
	}
}
