package callers

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/constants"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// Bounds on the literals of tests.
const (
	literalMost  = 160 // bytes
	literalsMost = 12  // of one type
	throughMost  = 3   // variables that lead to a literal
)

// literals are values that the tests of the package write down, as source for a file of the
// package that imports little: what variables of tests hold is put in their place.
type literals struct {
	graph *graph
	pkg   string // path
	inits map[*types.Var]ast.Expr
	by    map[string][]string // source, by type
	// values are what tests put into fields of tables, parameters of helpers and variables of
	// loops, and args is source of what they give to functions, by function and parameter.
	values map[*types.Var][]within
	args   map[string][]string
	lines  map[*types.Var][]map[*types.Var]within // of tables, by field
	// decls are the right sides of declarations of types in tests.
	decls   map[types.Object]types.Type
	checked map[string]bool // whether source compiles
	file    token.Pos       // see inFile
}

// literals reads the test files, once.
func (g *graph) literals() *literals {
	if g.lits != nil {
		return g.lits
	}
	l := &literals{
		graph: g, pkg: g.loaded.Packages[0].Types.Path(), inits: make(map[*types.Var]ast.Expr), by: make(map[string][]string),
		values: make(map[*types.Var][]within), args: make(map[string][]string), lines: make(map[*types.Var][]map[*types.Var]within),
		decls: make(map[types.Object]types.Type), checked: make(map[string]bool),
	}
	g.lits = l
	for _, t := range g.loaded.Tests {
		for _, f := range t.Files {
			l.variables(t.Info, f.Syntax)
		}
	}
	for _, t := range g.loaded.Tests {
		for _, f := range t.Files {
			l.collect(t.Info, f.Syntax)
			l.flows(t.Info, f.Syntax)
		}
	}
	for _, t := range g.loaded.Tests {
		for _, f := range t.Files {
			l.calls(t.Info, f.Syntax)
		}
	}
	return l
}

// variables notes what variables and types are declared with.
func (l *literals) variables(info *types.Info, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && info.Defs[spec.Name] != nil {
			l.decls[info.Defs[spec.Name]] = info.TypeOf(spec.Type)
		}
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Lhs {
			if id, ok := e.(*ast.Ident); ok {
				if v, ok := info.Defs[id].(*types.Var); ok {
					l.inits[v] = a.Rhs[i]
				}
			}
		}
		return true
	})
}

// collect notes the literals of structs, pointers to these, lists and maps.
func (l *literals) collect(info *types.Info, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.UnaryExpr:
			if lit, ok := e.X.(*ast.CompositeLit); ok && e.Op == token.AND {
				l.note(info, e, lit)
			}
		case *ast.CompositeLit:
			l.note(info, e, e)
		}
		return true
	})
}

func (l *literals) note(info *types.Info, e ast.Expr, lit *ast.CompositeLit) {
	t := info.TypeOf(e)
	if t == nil || len(lit.Elts) == 0 {
		return
	}
	key := types.TypeString(t, nil)
	source := l.source(info, e)
	if source != "" && !slices.Contains(l.by[key], source) {
		l.by[key] = append(l.by[key], source)
	}
}

// of lists a few literals of a type, or of types that implement it, from all parts of the tests.
func (l *literals) of(t types.Type) (list []string) {
	list = slices.Clone(l.by[types.TypeString(t, nil)])
	if i, ok := t.Underlying().(*types.Interface); ok && !i.Empty() {
		for _, key := range slices.Sorted(maps.Keys(l.by)) {
			if implements(l.graph.loaded.Packages[0].Types, key, i) {
				list = append(list, l.by[key]...)
			}
		}
		key := types.TypeString(t, nil)
		for _, source := range l.args[key] {
			if !slices.Contains(list, source) {
				list = append(list, source)
			}
		}
		return append(spread(list, literalsMost), spread(l.args[key+holes], holedMost)...)
	}
	return spread(list, literalsMost)
}

// implements says whether a type of a package, by its text, implements an interface.
func implements(pkg *types.Package, text string, i *types.Interface) bool {
	name, pointer := strings.CutPrefix(text, "*")
	name, own := strings.CutPrefix(name, pkg.Path()+".")
	obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !own || !ok {
		return false
	}
	if pointer {
		return types.Implements(types.NewPointer(obj.Type()), i)
	}
	return types.Implements(obj.Type(), i)
}

// source is an expression of a test as source; "": it depends on more than the package, or is
// long.
func (l *literals) source(info *types.Info, e ast.Expr) string {
	text, _ := l.written(info, e, 0, literalMost)
	return text
}

// written is source, with a hole in place of the text of that number, from 1 on; and how many
// texts there are. Source of more than most bytes is none.
func (l *literals) written(info *types.Info, e ast.Expr, hole, most int) (string, int) {
	w := &literalWriter{literals: l, info: info, holes: hole, most: most}
	w.expr(e, throughMost)
	if w.bad || w.b.Len() > most || !l.compiles(w.b.String()) {
		return "", 0
	}
	return w.b.String(), hole - w.holes
}

// literalWriter writes one expression.
type literalWriter struct {
	*literals
	info  *types.Info
	b     strings.Builder
	bad   bool
	most  int  // bytes
	fixed bool // in arguments of another module's function: no text is the search's
	holes int  // how many texts there are up to the one that the search may change; 0 at the start: all stay
}

// through is how many more variables of tests may be replaced by what they are declared with.
func (w *literalWriter) expr(e ast.Expr, through int) {
	if w.bad || w.b.Len() > w.most {
		w.bad = true
		return
	}
	if w.varies(e) {
		w.bad = w.bad || w.fixed
		w.b.WriteString(sequence.TextHole)
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.all("(", through, e.X)
		w.b.WriteString(")")
	case *ast.BasicLit:
		w.basic(e)
	case *ast.Ident:
		w.ident(e, through)
	case *ast.SelectorExpr:
		w.selector(e)
	case *ast.UnaryExpr:
		_, literal := w.operand(e).(*ast.CompositeLit)
		w.all(e.Op.String(), through, w.operand(e))
		w.bad = w.bad || e.Op == token.ARROW || e.Op == token.AND && !literal
	case *ast.StarExpr:
		w.all("*", through, e.X)
	case *ast.BinaryExpr:
		w.expr(e.X, through)
		w.all(" "+e.Op.String()+" ", through, e.Y)
	case *ast.KeyValueExpr:
		w.key(e.Key, through)
		w.all(": ", through, e.Value)
	case *ast.ArrayType:
		w.b.WriteString("[")
		if e.Len != nil {
			w.expr(e.Len, through)
		}
		w.all("]", through, e.Elt)
	case *ast.MapType:
		w.all("map[", through, e.Key)
		w.all("]", through, e.Value)
	case *ast.InterfaceType, *ast.StructType:
		w.b.WriteString(w.typeSource(w.info.TypeOf(e)))
	case *ast.CompositeLit:
		w.composite(e, through)
	case *ast.CallExpr:
		w.call(e, through)
	default:
		w.bad = true
	}
}

// variable is the variable or field that an expression names; nil: it names none.
func variable(info *types.Info, e ast.Expr) (v *types.Var) {
	switch e := e.(type) {
	case *ast.Ident:
		v, _ = info.Uses[e].(*types.Var)
	case *ast.SelectorExpr:
		v, _ = info.Uses[e.Sel].(*types.Var)
	}
	return v
}

// varies says whether an expression is a text that nothing tells: that of a line of a table, or a
// parameter of a helper. The search chooses one.
func (w *literalWriter) varies(e ast.Expr) bool {
	v := variable(w.info, e)
	return v != nil && types.Identical(v.Type(), types.Typ[types.String]) && w.inits[v] == nil && !w.known(v)
}

func (w *literalWriter) all(before string, through int, e ast.Expr) {
	w.b.WriteString(before)
	w.expr(e, through)
}

// basic writes a text in one line.
func (w *literalWriter) basic(e *ast.BasicLit) {
	if e.Kind == token.STRING {
		s, err := strconv.Unquote(e.Value)
		w.bad = w.bad || err != nil
		if w.holes--; w.holes == 0 && types.Identical(w.info.TypeOf(e), types.Typ[types.String]) {
			w.b.WriteString(sequence.TextHole)
			return
		}
		w.b.WriteString(strconv.Quote(s))
		return
	}
	w.b.WriteString(e.Value)
}

// key writes the key of an element: a field has no meaning but its name.
func (w *literalWriter) key(e ast.Expr, through int) {
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := w.info.Uses[id].(*types.Var); ok && v.IsField() {
			w.b.WriteString(id.Name)
			return
		}
	}
	holes := w.holes
	w.holes = 0 // names of entries stay
	w.expr(e, through)
	w.holes = holes
}

func (w *literalWriter) ident(id *ast.Ident, through int) {
	switch obj := w.info.Uses[id].(type) {
	case *types.Nil:
		w.b.WriteString("nil")
		return
	case *types.Const, *types.TypeName, *types.Func, *types.Builtin:
		if w.known(obj) {
			w.b.WriteString(id.Name)
			return
		}
		if tn, ok := obj.(*types.TypeName); ok {
			w.b.WriteString(w.typeSource(tn.Type()))
			return
		}
		if c := w.info.Types[id].Value; c != nil && (c.Kind() == constant.String || c.Kind() == constant.Int) {
			w.b.WriteString(c.ExactString())
			return
		}
	case *types.Var:
		if w.known(obj) {
			w.b.WriteString(id.Name)
			return
		}
		if init := w.inits[obj]; init != nil && through > 0 {
			w.expr(init, through-1)
			return
		}
	}
	w.bad = true
}

// known says whether the package or the language declares something, and not a test.
func (w *literalWriter) known(obj types.Object) bool {
	if obj.Pkg() == nil {
		return obj.Parent() == types.Universe
	}
	_, isType := obj.(*types.TypeName) // test files of the package may declare it
	return obj.Pkg().Path() == w.pkg && obj.Parent() == obj.Pkg().Scope() && (isType || w.graph.loaded.Packages[0].Types.Scope().Lookup(obj.Name()) != nil)
}

// imported are packages that the file of a fuzz test may import, in addition to those of package
// sequence.
var imported = []string{"bytes", "errors", "strings", "time"}

// imports says whether the file may import a package.
func (l *literals) imports(path string) bool {
	return slices.Contains(imported, path) || slices.Contains(sequence.Optional(l.graph.loaded.Packages[0].Types), path) || l.outside(path)
}

// outside says whether the file may import a package of another module.
func (l *literals) outside(path string) bool {
	return slices.ContainsFunc(l.graph.outside(), func(p *types.Package) bool { return p.Path() == path })
}

// outside are packages of other modules that the package under test, or a test of the same package, imports.
func (g *graph) outside() []*types.Package {
	if g.others == nil {
		from := slices.Clone(g.loaded.Packages[0].Types.Imports())
		for _, t := range g.loaded.Tests {
			if !t.External {
				from = append(from, t.Types.Imports()...)
			}
		}
		slices.SortFunc(from, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
		from = slices.CompactFunc(from, func(a, b *types.Package) bool { return a.Path() == b.Path() })
		g.others = append([]*types.Package{}, sequence.Outside(g.loaded.Packages[0].Types, from)...)
	}
	return g.others
}

func (w *literalWriter) selector(e *ast.SelectorExpr) {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		w.bad = true
		return
	}
	pkg, ok := w.info.Uses[id].(*types.PkgName)
	switch {
	case ok && pkg.Imported().Path() == w.pkg:
		w.b.WriteString(e.Sel.Name)
	case ok && w.imports(pkg.Imported().Path()):
		w.b.WriteString(pkg.Imported().Name() + "." + e.Sel.Name)
	default:
		w.bad = true
	}
}

func (w *literalWriter) composite(e *ast.CompositeLit, through int) {
	if e.Type != nil {
		w.expr(e.Type, through)
	} else if w.b.Len() == 0 {
		w.elided(w.info.TypeOf(e))
	}
	w.b.WriteString("{")
	for i, x := range e.Elts {
		if i > 0 {
			w.b.WriteString(", ")
		}
		w.b.WriteString(w.fieldName(e, i))
		w.expr(x, through)
		w.bad = w.bad || w.losesIn(e, i)
	}
	w.b.WriteString("}")
}

// literalType is the type of a literal.
func (w *literalWriter) literalType(lit *ast.CompositeLit) types.Type {
	t := w.info.TypeOf(lit)
	if t == nil {
		t = w.info.TypeOf(lit.Type) // one of a single entry, which is not in the tests
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem() // of an element whose type is left out
	}
	return t
}

// fieldName is what a field without a name needs before it: go vet refuses such a literal of another package's
// struct, and an alias does not make that the package's own.
func (w *literalWriter) fieldName(lit *ast.CompositeLit, i int) string {
	n, ok := types.Unalias(w.literalType(lit)).(*types.Named)
	if _, keyed := lit.Elts[i].(*ast.KeyValueExpr); !ok || keyed || n.Obj().Pkg().Path() == w.pkg || w.decls[n.Obj()] != nil {
		return "" // it has a name, or the type is one of the tests, which is written out
	}
	if s, ok := n.Underlying().(*types.Struct); ok {
		return s.Field(i).Name() + ": "
	}
	return ""
}

// losesIn says whether an element of a literal loses methods that it needs there.
func (w *literalWriter) losesIn(lit *ast.CompositeLit, i int) bool {
	t, e := w.literalType(lit), lit.Elts[i]
	kv, keyed := e.(*ast.KeyValueExpr)
	if keyed {
		e = kv.Value
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		field := variable(w.info, keyOf(kv))
		if !keyed {
			field = u.Field(i)
		}
		return field != nil && w.loses(w.info.TypeOf(e), field.Type())
	case *types.Map:
		return w.loses(w.info.TypeOf(e), u.Elem()) || keyed && w.loses(w.info.TypeOf(kv.Key), u.Key())
	case interface{ Elem() types.Type }:
		return w.loses(w.info.TypeOf(e), u.Elem())
	}
	return false
}

func keyOf(kv *ast.KeyValueExpr) ast.Expr {
	if kv == nil {
		return nil
	}
	return kv.Key
}

// elided writes the type of an element whose literal has none.
func (w *literalWriter) elided(t types.Type) {
	prefix := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		prefix, t = "&", p.Elem()
	}
	w.b.WriteString(prefix + w.typeSource(t))
}

// call writes a conversion, or a call of a function that changes nothing.
func (w *literalWriter) call(e *ast.CallExpr, through int) {
	fn := constants.Callee(w.info, e)
	if !w.info.Types[e.Fun].IsType() {
		if fn == nil || fn.Signature().Recv() != nil || e.Ellipsis.IsValid() || !w.quiet(fn) {
			w.bad = true
			return
		}
		if w.graph.names[fn.FullName()] == nil && w.outside(fn.Pkg().Path()) {
			holes, fixed := w.holes, w.fixed
			w.holes, w.fixed = 0, true
			defer func() { w.holes, w.fixed = holes, fixed }()
		}
	}
	w.expr(e.Fun, through)
	for i, arg := range e.Args {
		w.all(map[bool]string{true: "(", false: ", "}[i == 0], through, arg)
		w.bad = w.bad || w.loses(w.info.TypeOf(arg), paramAt(w.info.TypeOf(e.Fun), i))
	}
	if len(e.Args) == 0 {
		w.b.WriteString("(")
	}
	w.b.WriteString(")")
}

// paramAt is the type that an argument of a call has to have. A conversion asks for its own type.
func paramAt(called types.Type, i int) types.Type {
	sig, ok := called.Underlying().(*types.Signature)
	if !ok {
		return called
	}
	return target.ParamAt(sig, i)
}

// quietFunctions are those of the standard library.
var quietFunctions = []string{
	"errors.New", "strings.NewReader", "strings.Repeat", "bytes.NewReader", "bytes.NewBuffer", "bytes.NewBufferString", "time.Unix", "time.Date",
	"bufio.NewReader", "bufio.NewScanner", "encoding/csv.NewReader", "encoding/json.NewDecoder", "math.Inf", "math.NaN", "math/big.NewInt", "math/big.NewFloat", "math/big.NewRat",
}

// quiet says whether a function changes nothing outside, and returns the same each time. What tests call of
// another module is called with the very arguments that it has there.
func (w *literalWriter) quiet(fn *types.Func) bool {
	n := w.graph.names[fn.FullName()]
	if n == nil {
		return slices.Contains(quietFunctions, fn.FullName()) || fn.Exported() && fn.Pkg() != nil && w.outside(fn.Pkg().Path())
	}
	_, e := w.graph.effectOf(n)
	return e == "" && !n.test && (n.own || fn.Exported() && w.outside(fn.Pkg().Path())) && !w.graph.fromOutside(n)
}
