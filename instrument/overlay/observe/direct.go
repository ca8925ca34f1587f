package observe

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// A Direct is a fuzz test with one observed call, that of a function, at the beginning of
// its target, and with arguments that depend on nothing but those of the target. A test
// can make this call without the fuzz test.
type Direct struct {
	Params []Param
	// Before are statements before the call, as Go source in which a return is a failure of
	// a test t: they make values for it. Locals are the variables that they declare.
	Before string
	Locals []string
	Call   string       // as Go source, with what prefix returns in place of the parameters
	Shown  string       // the call as the format of Printf, with a verb for each of Verbs
	Verbs  []string     // names of parameters
	Types  []types.Type // of the results
	// Outputs are what the call may change of its receiver and its arguments, as far as those are Locals.
	Outputs []Changed
	Site    instrument.Site
	// Number says which call of the function it is in an execution, from 1.
	Number int
	// Imports are those that Before and Call need.
	Imports []Import
}

// A Changed is a variable of what is given to a call that changes it.
type Changed struct {
	Var       string // its name
	Of        types.Type
	Addressed bool   // the call has its address, and golden values show what is there
	Value     string // what golden values call it
}

// A Param is a parameter of a fuzz target. Its type is the one that the call asks for where all that
// happens to it is that it is converted to that.
type Param struct {
	Name, Type string     // the type as source
	Of         types.Type // the same
	Receiver   bool       // a method of it is called: a literal needs a conversion there
}

// FindDirect returns the Direct of a fuzz test, and nil if it is not so simple. field gives
// the source that stands for a parameter; reserved are names that Call may not refer to.
func FindDirect(r *load.Result, name string, field func(param string) string, reserved ...string) *Direct {
	return findDirect(r, name, directSearch{}, field, reserved)
}

// FindPrepared is FindDirect of fuzz tests that may make other calls before, as derived ones
// do for arguments whose fields nobody may set, and whose last call may be of a method. The
// results of the calls before are not compared.
func FindPrepared(r *load.Result, name string, field func(param string) string, reserved ...string) *Direct {
	return findDirect(r, name, directSearch{prepared: true}, field, reserved)
}

// FindFirst is FindPrepared of the first call whose results are compared, whatever the fuzz
// target does with them: calls that follow are left out.
func FindFirst(r *load.Result, name string, field func(param string) string, reserved ...string) *Direct {
	return findDirect(r, name, directSearch{prepared: true, first: true}, field, reserved)
}

func findDirect(r *load.Result, name string, search directSearch, field func(param string) string, reserved []string) *Direct {
	rw := newRewriter(r, 0, copied(r, reach(r, isFuzzTest)))
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == name && fd.Body != nil && isFuzzTest(t.Info, fd) {
					s := search
					s.copier, s.file = &copier{rewriter: rw, t: t, out: new(Copy)}, f
					s.field, s.reserved, s.locals = field, reserved, make(map[types.Object]shown)
					s.converted = make(map[*ast.CallExpr]*ast.Ident)
					return s.find(fd)
				}
			}
		}
	}
	return nil
}

type directSearch struct {
	*copier
	file     load.File
	prepared bool // statements before the call are taken in
	first    bool // the call is the first that is observed
	field    func(string) string
	reserved []string
	direct   Direct
	params   map[types.Object]string
	locals   map[types.Object]shown // declared by the statements before the call
	// converted are calls that convert a parameter to the type that it has in Direct.
	converted map[*ast.CallExpr]*ast.Ident
}

// shown is an expression as the format of Printf, with \x00 in place of each per cent sign
// of the source, and the parameters whose values it takes.
type shown struct {
	text  string
	verbs []string
}

func (s *directSearch) find(fd *ast.FuncDecl) *Direct {
	s.rewriter.out = new(Output)
	fr := s.fileRewriter(s.t, s.file, "")
	fr.walk(fd.Body)
	lit := s.target(fd)
	if lit == nil || !s.readParams(lit) {
		return nil
	}
	at, ok := s.observedCall(lit.Body.List)
	if !ok {
		return nil
	}
	call := firstCall(lit.Body.List[at])
	if call == nil {
		return nil
	}
	fn, _ := fr.callee(call)
	if fn == nil || !s.prepared && fn.Signature().Recv() != nil || s.spreads(call) || s.direct.Site.View != "" {
		return nil
	}
	if s.direct.Types = resultTypes(s.t.Info.TypeOf(call)); len(yielded(s.direct.Types)) > 0 {
		return nil // what is observed is no result
	}
	acts := s.prepared && len(s.direct.Types) == 0
	if n := len(s.direct.Site.Values); n != len(s.direct.Types) && (!s.prepared || n < len(s.direct.Types)) {
		return nil
	}
	if s.prepared {
		s.findConverted(append(nodes(lit.Body.List[:at]), call)...)
	}
	if !s.prepare(lit.Body.List[:at]) || !s.movable(call) {
		return nil
	}
	if s.findOutputs(fr, call, fn); acts && len(s.direct.Outputs) == 0 {
		return nil
	}
	s.write(call)
	s.direct.Imports = s.out.Imports
	return &s.direct
}

// spreads says whether a call spreads a list over its last arguments, other than none at all.
func (s *directSearch) spreads(call *ast.CallExpr) bool {
	return call.Ellipsis.IsValid() && !s.t.Info.Types[call.Args[len(call.Args)-1]].IsNil()
}

// findOutputs finds the outputs of a call, among the sites at its line.
func (s *directSearch) findOutputs(fr *fileRewriter, call *ast.CallExpr, fn *types.Func) {
	if !s.prepared || s.first {
		return
	}
	for _, o := range fr.outputs(call, fn) {
		if s.locals[o.obj].text == "" || types.IsInterface(o.obj.Type()) {
			continue
		}
		if slices.ContainsFunc(s.rewriter.out.Sites, func(site instrument.Site) bool {
			return site.Line == s.direct.Site.Line && site.GoldenName() == s.direct.Site.GoldenName() && slices.Contains(site.Values, o.name)
		}) {
			s.direct.Outputs = append(s.direct.Outputs, Changed{Var: o.obj.Name(), Of: o.obj.Type(), Addressed: o.addressed, Value: o.name})
		}
	}
}

func nodes(list []ast.Stmt) (all []ast.Node) {
	for _, stmt := range list {
		all = append(all, stmt)
	}
	return all
}

// observedCall finds the statement of a target with the observed call: the only one, or of
// several the last, or the first, if there may be statements before.
func (s *directSearch) observedCall(list []ast.Stmt) (at int, ok bool) {
	sites := slices.DeleteFunc(slices.Clone(s.rewriter.out.Sites), func(site instrument.Site) bool { return s.prepared && site.After })
	if len(list) == 0 || len(sites) == 0 || len(sites) > 1 && !s.prepared {
		return 0, false
	}
	last := len(sites) - 1
	if s.first {
		slices.Reverse(sites)
	}
	s.direct.Site, s.direct.Number = sites[last], 1
	for _, site := range sites[:last] {
		if site.Line == s.direct.Site.Line {
			return 0, false // which of them it is can't be told
		}
		if !s.first && site.GoldenName() == s.direct.Site.GoldenName() {
			s.direct.Number++
		}
	}
	if !s.prepared {
		return 0, true
	}
	at = slices.IndexFunc(list, func(stmt ast.Stmt) bool {
		call := firstCall(stmt)
		return call != nil && s.loaded.Position(call.Pos()).Line == s.direct.Site.Line
	})
	return at, at >= 0
}

// prepare takes in the statements before the call. It returns false if a test can't make
// them: they are calls whose results are declared, variables without a value, and conditions under
// which the target returns.
func (s *directSearch) prepare(list []ast.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	var edits edit.List
	fr := s.fileRewriter(s.t, s.file, "")
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if !s.declares(stmt) {
				return false
			}
		case *ast.DeclStmt:
			if !s.declaresZero(stmt) {
				return false
			}
		case *ast.IfStmt:
			leave := leaves(stmt)
			if leave == nil || !s.movable(stmt.Cond) {
				return false
			}
			edits.Replace(fr.offset(leave.Pos()), fr.offset(leave.End()), "t.Fatal("+s.reason(fr, stmt.Cond)+")")
		default:
			return false
		}
		s.substitute(stmt, &edits)
	}
	s.direct.Before = string(edits.Render(s.file.Src, fr.offset(list[0].Pos()), fr.offset(list[len(list)-1].End())))
	return true
}

// makes says whether an expression is a call, or a struct of fields with names, that a test
// can have as well.
func (s *directSearch) makes(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return s.movable(e)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); !ok || !s.movable(kv.Value) {
				return false
			}
		}
		return e.Type != nil && s.movable(e.Type)
	}
	return false
}

// declares takes in a statement that declares the results of one call, or a struct.
func (s *directSearch) declares(stmt *ast.AssignStmt) bool {
	if stmt.Tok != token.DEFINE || len(stmt.Rhs) != 1 {
		return false
	}
	if !s.makes(stmt.Rhs[0]) {
		return false
	}
	for i, e := range stmt.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" || id.Name != "err" && slices.Contains(s.reserved, id.Name) {
			return false
		}
		obj := s.t.Info.Defs[id]
		if obj == nil {
			continue // declared before
		}
		s.locals[obj] = shown{text: id.Name}
		if i == 0 {
			s.locals[obj] = s.show(stmt.Rhs[0])
		}
		s.direct.Locals = append(s.direct.Locals, id.Name)
	}
	return true
}

// declaresZero takes in a statement that declares one variable without a value: what a call writes to.
func (s *directSearch) declaresZero(stmt *ast.DeclStmt) bool {
	gd, ok := stmt.Decl.(*ast.GenDecl)
	if !ok || gd.Tok != token.VAR || len(gd.Specs) != 1 {
		return false
	}
	vs := gd.Specs[0].(*ast.ValueSpec)
	if len(vs.Names) != 1 || len(vs.Values) > 0 || vs.Names[0].Name == "_" || slices.Contains(s.reserved, vs.Names[0].Name) || !s.movable(vs.Type) {
		return false
	}
	s.locals[s.t.Info.Defs[vs.Names[0]]] = shown{text: vs.Names[0].Name}
	s.direct.Locals = append(s.direct.Locals, vs.Names[0].Name)
	return true
}

// leaves returns the return statement that is all that a condition leads to; nil: there is
// more, or something else.
func leaves(stmt *ast.IfStmt) *ast.ReturnStmt {
	if stmt.Init != nil || stmt.Else != nil || len(stmt.Body.List) != 1 {
		return nil
	}
	ret, _ := stmt.Body.List[0].(*ast.ReturnStmt)
	if ret != nil && len(ret.Results) > 0 {
		return nil
	}
	return ret
}

// reason is what a test says when the condition holds: the error that it is about, or the
// condition.
func (s *directSearch) reason(fr *fileRewriter, cond ast.Expr) string {
	if cmp, ok := cond.(*ast.BinaryExpr); ok && cmp.Op == token.NEQ && types.Identical(s.t.Info.TypeOf(cmp.X), types.Universe.Lookup("error").Type()) {
		if id, ok := cmp.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return strconv.Quote(string(s.file.Src[fr.offset(cond.Pos()):fr.offset(cond.End())]))
}

// target returns the function literal that is given to f.Fuzz, in a statement of the body.
func (s *directSearch) target(fd *ast.FuncDecl) *ast.FuncLit {
	for _, stmt := range fd.Body.List {
		es, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := es.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			continue
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Fuzz" && isPointerToF(s.t.Info.TypeOf(sel.X)) {
			lit, _ := call.Args[0].(*ast.FuncLit)
			return lit
		}
	}
	return nil
}

// readParams takes the parameters of a target, after its *testing.T. It returns false if
// one has no name.
func (s *directSearch) readParams(lit *ast.FuncLit) bool {
	s.params = make(map[types.Object]string)
	for i, field := range lit.Type.Params.List {
		if i == 0 {
			if len(field.Names) > 1 {
				return false
			}
			continue
		}
		for _, id := range field.Names {
			if id.Name == "_" {
				return false
			}
			obj := s.t.Info.Defs[id]
			s.params[obj] = id.Name
			s.direct.Params = append(s.direct.Params, Param{Name: id.Name, Type: obj.Type().String(), Of: obj.Type()})
		}
	}
	return len(s.direct.Params) > 0
}

// firstCall returns the call that a statement makes before all else, if it is nothing but a
// call, or takes what one returns.
func firstCall(stmt ast.Stmt) *ast.CallExpr {
	var e ast.Expr
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		e = stmt.X
	case *ast.AssignStmt:
		if len(stmt.Rhs) == 1 && (stmt.Tok == token.DEFINE || stmt.Tok == token.ASSIGN) {
			e = stmt.Rhs[0]
		}
	case *ast.IfStmt:
		if stmt.Init != nil {
			return firstCall(stmt.Init)
		}
	}
	call, _ := e.(*ast.CallExpr)
	return call
}

// movable says whether an expression refers to nothing that is declared in the fuzz test, but
// for the parameters of the target and what stands before the call, and notes the imports
// that it needs.
func (s *directSearch) movable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && (n.Op != token.AND || s.isLocal(n.X))
		case *ast.Ident:
			ok = ok && s.known(n) && s.imports(s.file, n) == nil
		}
		return ok
	})
	return ok && !slices.ContainsFunc(s.out.Imports, func(i Import) bool { return i.Name == "." || slices.Contains(s.reserved, nameInFile(i)) })
}

// known says whether an identifier stands for a parameter of the target, or for something
// outside functions.
func (s *directSearch) known(id *ast.Ident) bool {
	obj := s.t.Info.Uses[id]
	switch {
	case obj == nil:
		return false
	case s.params[obj] != "" || s.locals[obj].text != "":
		return true
	case obj.Parent() == types.Universe || obj.Parent() == nil: // nil: a field or a method
		return true
	}
	if _, ok := obj.(*types.PkgName); ok {
		return true
	}
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() && (obj.Pkg() != s.t.Types || !slices.Contains(s.reserved, id.Name))
}

// isLocal says whether an expression is a variable declared before the call.
func (s *directSearch) isLocal(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && s.locals[s.t.Info.Uses[id]].text != ""
}

// write writes the call: as source, and for messages.
func (s *directSearch) write(call *ast.CallExpr) {
	fr := s.fileRewriter(s.t, s.file, "")
	var edits edit.List
	s.substitute(call, &edits)
	s.direct.Call = string(edits.Render(s.file.Src, fr.offset(call.Pos()), fr.offset(call.End())))
	how := s.show(call)
	s.direct.Shown, s.direct.Verbs = strings.ReplaceAll(how.text, "\x00", "%%"), how.verbs
}

// substitute replaces the parameters below a node.
func (s *directSearch) substitute(n ast.Node, edits *edit.List) {
	fr := s.fileRewriter(s.t, s.file, "")
	ast.Inspect(n, func(n ast.Node) bool {
		if id := s.parameter(n); id != nil {
			edits.Replace(fr.offset(n.Pos()), fr.offset(n.End()), s.field(s.params[s.t.Info.Uses[id]]))
			return false
		}
		return true
	})
}

// parameter is the parameter of the target that a node is, or converts to the type that it has in
// Direct; nil: it is something else.
func (s *directSearch) parameter(n ast.Node) *ast.Ident {
	switch n := n.(type) {
	case *ast.Ident:
		if s.params[s.t.Info.Uses[n]] != "" {
			return n
		}
	case *ast.CallExpr:
		return s.converted[n]
	}
	return nil
}

// show is an expression as messages show it. In place of a variable that was declared before stands
// the call that made it.
func (s *directSearch) show(e ast.Expr) shown {
	fr := s.fileRewriter(s.t, s.file, "")
	var edits edit.List
	var how shown
	ast.Inspect(e, func(n ast.Node) bool {
		if id := s.parameter(n); id != nil {
			edits.Replace(fr.offset(n.Pos()), fr.offset(n.End()), s.verb(n.(ast.Expr)))
			how.verbs = append(how.verbs, s.params[s.t.Info.Uses[id]])
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			if local, ok := s.locals[s.t.Info.Uses[id]]; ok && local.text != "" {
				edits.Replace(fr.offset(id.Pos()), fr.offset(id.End()), local.text)
				how.verbs = append(how.verbs, local.verbs...)
			}
		}
		return true
	})
	src := []byte(strings.ReplaceAll(string(s.file.Src), "%", "\x00"))
	how.text = string(edits.Render(src, fr.offset(e.Pos()), fr.offset(e.End())))
	return how
}

// verb is how Printf shows a value.
func (s *directSearch) verb(e ast.Expr) string {
	t := s.t.Info.TypeOf(e)
	if s.prepared {
		return Verb(t)
	}
	return verb(t)
}

// Verb is how Printf shows a value of a type: characters as such.
func Verb(t types.Type) string {
	if b, ok := types.Unalias(t).(*types.Basic); ok && (b.Name() == "byte" || b.Name() == "rune") {
		return "%q"
	}
	return verb(t)
}

func verb(t types.Type) string {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return "%q"
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return "%q"
		}
	}
	return "%v"
}
