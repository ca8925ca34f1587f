package observe

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
	Call   string       // as Go source, with what prefix returns in place of the parameters
	Shown  string       // the call as the format of Printf, with a verb for each of Verbs
	Verbs  []string     // names of parameters
	Types  []types.Type // of the results
	Site   instrument.Site
	// Imports are those that Call needs.
	Imports []Import
}

// A Param is a parameter of a fuzz target.
type Param struct{ Name, Type string }

// FindDirect returns the Direct of a fuzz test, and nil if it is not so simple. field gives
// the source that stands for a parameter; reserved are names that Call may not refer to.
func FindDirect(r *load.Result, name string, field func(param string) string, reserved ...string) *Direct {
	rw := newRewriter(r, 0, reach(r))
	for _, t := range r.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == name && fd.Body != nil && isFuzzTest(t.Info, fd) {
					s := &directSearch{copier: &copier{rewriter: rw, t: t, out: new(Copy)}, file: f, field: field, reserved: reserved}
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
	field    func(string) string
	reserved []string
	direct   Direct
	params   map[types.Object]string
}

func (s *directSearch) find(fd *ast.FuncDecl) *Direct {
	s.rewriter.out = new(Output)
	fr := s.fileRewriter(s.t, s.file, "")
	fr.walk(fd.Body)
	lit := s.target(fd)
	if lit == nil || len(s.rewriter.out.Sites) != 1 || !s.readParams(lit) || len(lit.Body.List) == 0 {
		return nil
	}
	s.direct.Site = s.rewriter.out.Sites[0]
	call := firstCall(lit.Body.List[0])
	if call == nil {
		return nil
	}
	if fn, _ := fr.callee(call); fn == nil || fn.Signature().Recv() != nil || call.Ellipsis.IsValid() || s.direct.Site.View != "" {
		return nil
	}
	s.direct.Types = resultTypes(s.t.Info.TypeOf(call))
	if len(s.direct.Site.Values) != len(s.direct.Types) || !s.movable(call) {
		return nil
	}
	s.write(call)
	s.direct.Imports = s.out.Imports
	return &s.direct
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
			s.direct.Params = append(s.direct.Params, Param{Name: id.Name, Type: obj.Type().String()})
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

// movable says whether a call refers to nothing that is declared in the fuzz test, but for
// the parameters of the target, and notes the imports that it needs.
func (s *directSearch) movable(call *ast.CallExpr) bool {
	ok := true
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.AND && n.Op != token.ARROW
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
	case s.params[obj] != "":
		return true
	case obj.Parent() == types.Universe || obj.Parent() == nil: // nil: a field or a method
		return true
	}
	if _, ok := obj.(*types.PkgName); ok {
		return true
	}
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() && (obj.Pkg() != s.t.Types || !slices.Contains(s.reserved, id.Name))
}

// write writes the call: as source, and for messages.
func (s *directSearch) write(call *ast.CallExpr) {
	fr := s.fileRewriter(s.t, s.file, "")
	from, to := fr.offset(call.Pos()), fr.offset(call.End())
	var shown edit.List
	ast.Inspect(call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if name := s.params[s.t.Info.Uses[id]]; name != "" {
			lo, hi := fr.offset(id.Pos()), fr.offset(id.End())
			fr.edits.Replace(lo, hi, s.field(name))
			shown.Replace(lo, hi, verb(s.t.Info.TypeOf(id)))
			s.direct.Verbs = append(s.direct.Verbs, name)
		}
		return true
	})
	s.direct.Call = string(fr.edits.Render(s.file.Src, from, to))
	src := []byte(strings.ReplaceAll(string(s.file.Src), "%", "\x00"))
	s.direct.Shown = strings.ReplaceAll(string(shown.Render(src, from, to)), "\x00", "%%")
}

// verb is how Printf shows a value of a type.
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
