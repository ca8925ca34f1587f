// Package observe rewrites the test files of the package under test so that the
// results of their calls into observed packages pass through the runtime, which
// shows them to the differential oracle.
//
// A call f(x) becomes fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](f(x)), where 7 is the
// number of the site. This keeps the meaning of any program:
//
//   - Wherever a call with results may stand (as a statement, an operand, the
//     sole argument of a call, in a return or an assignment of several values), a
//     call of another function with the same results may stand. The exceptions
//     are go and defer, whose calls are left alone.
//   - The types of the results are inferred, so they need no names here. A call's
//     results are never untyped, so inference gives exactly their types.
//   - The only names used are the import's, which is chosen to clash with nothing
//     in the file. (byte could be shadowed, fuzzmutrt.Byte can't.)
//   - Go orders calls left to right, and a wrapped call still comes before what
//     followed it. Constant expressions are left alone.
//
// An iterator that a call returns passes through the runtime as well, by Yield1 or Yield2: it
// yields the same, and what it has yielded is shown when an iteration ends.
//
// Variables whose address a call is given are observed after it: beside a single
// result (Obs1P), after the statement, or in an if statement between the call and
// the condition. Statement lists may grow anywhere, since what is added declares
// nothing and is never the last statement of a function with results.
//
// Only functions that a fuzz test refers to, or a test of any kind, directly or through other
// functions, variables and types of the test files, are rewritten.
package observe

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// maxResults is the largest N of the runtime's ObsN.
const maxResults = 8

// Output is what Rewrite made.
type Output struct {
	Files map[string][]byte // rewritten files by path; the others stay as they are
	Sites []instrument.Site // in the order of files and positions
}

// Rewrite rewrites what the fuzz tests in r's test files refer to. Sites are numbered from
// firstSite. Files whose paths are in skip are left alone.
func Rewrite(r *load.Result, firstSite int, skip map[string]bool) *Output {
	reached := reach(r, isFuzzTest)
	return newRewriter(r, firstSite, copied(r, reached)).files(reached, skip)
}

// RewriteTests is Rewrite for all tests of the package: its Test functions, its examples and
// its fuzz tests.
func RewriteTests(r *load.Result, firstSite int, skip map[string]bool) *Output {
	return newRewriter(r, firstSite, nil).files(reach(r, isTest), skip)
}

// files rewrites the files. What is not reached in them is left alone.
func (rw *rewriter) files(reached map[ast.Node]bool, skip map[string]bool) *Output {
	for _, t := range rw.loaded.Tests {
		for _, f := range t.Files {
			if !skip[f.Path] {
				rw.file(t, f, reached)
			}
		}
	}
	return rw.out
}

// Called lists the packages r.Observe whose functions the fuzz tests call, sorted, and
// the package under test if it is one of r.Observe, or there is no other.
func Called(r *load.Result) []string {
	var list []string
	for _, s := range Rewrite(r, 0, nil).Sites {
		list = append(list, s.Package)
	}
	if len(list) == 0 || slices.Contains(r.Observe, r.Test.ImportPath) {
		list = append(list, r.Test.ImportPath)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func newRewriter(r *load.Result, firstSite int, copied map[ast.Node]bool) *rewriter {
	rw := &rewriter{
		loaded: r, first: firstSite, out: &Output{Files: make(map[string][]byte)},
		observed: make(map[string]bool), aliases: make(map[*types.Var]*types.Func),
		copied: copied, sequences: make(map[string]bool), flat: make(map[string]bool),
	}
	for i := range r.Derived {
		if s := r.Derived[i].Sequence; s != nil {
			rw.sequences[s.Function] = true
		}
		rw.flat[r.Derived[i].File] = r.Derived[i].Flat
	}
	for _, path := range r.Observe {
		rw.observed[path] = true
	}
	rw.findAliases()
	return rw
}

type rewriter struct {
	loaded   *load.Result
	first    int
	out      *Output
	observed map[string]bool // import paths of packages

	// aliases are package-level variables of test files that stand for an
	// observed function, as export_test.go files make them.
	aliases map[*types.Var]*types.Func

	copied map[ast.Node]bool // declarations that are part of a copy of a fuzz test

	// sequences are the functions that make sequences of calls for derived fuzz tests. The
	// package declares nothing else of these names.
	sequences map[string]bool
	// flat are the files of fuzz tests whose inputs become test cases.
	flat map[string]bool
}

// fileRewriter rewrites one file.
type fileRewriter struct {
	*rewriter
	info  *types.Info
	path  string
	tf    *token.File
	rt    string // what stands before the runtime's names: its import and a dot
	edits edit.List
	scope *types.Scope // of the package
	// writers are the variables that take what values write that were made with their addresses.
	writers map[*types.Var][]*types.Var
	in      string     // the declaration in progress, if it is not copied
	pkg     string     // import path of the function whose call is in progress
	stack   []ast.Node // from the declaration down to the node in progress
}

func (rw *rewriter) file(t *load.TestFiles, f load.File, reached map[ast.Node]bool) {
	alias := uniqueName(f.Syntax, t.Types.Scope())
	fr := rw.fileRewriter(t, f, alias+".")
	for _, d := range f.Syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if reached[d] && d.Body != nil && !(d.Recv == nil && rw.sequences[d.Name.Name]) {
				fr.in = ""
				if fn, ok := t.Info.Defs[d.Name].(*types.Func); ok && !rw.copied[d] {
					fr.in = funcName(fn)
				}
				fr.walk(d.Body)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if vs, ok := s.(*ast.ValueSpec); ok && reached[vs] && d.Tok == token.VAR {
					fr.in = vs.Names[0].Name
					fr.walk(vs)
				}
			}
		}
	}
	if fr.edits.Len() == 0 {
		return
	}
	fr.edits.Insert(fr.offset(f.Syntax.Name.End()), `; import `+alias+` "fuzzmutrt"`)
	fr.raiseVersion(f, t.Info.FileVersions[f.Syntax])
	rw.out.Files[f.Path] = fr.edits.Render(f.Src, 0, len(f.Src))
}

func (rw *rewriter) fileRewriter(t *load.TestFiles, f load.File, rt string) *fileRewriter {
	return &fileRewriter{rewriter: rw, info: t.Info, scope: t.Types.Scope(), writers: make(map[*types.Var][]*types.Var), path: f.Path, tf: rw.loaded.Fset.File(f.Syntax.FileStart), rt: rt}
}

func (fr *fileRewriter) offset(pos token.Pos) int { return fr.tf.Offset(pos) }

// uniqueName returns a name for the runtime's import that neither the file nor
// its package uses.
func uniqueName(f *ast.File, pkg *types.Scope) string {
	used := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	name := "fuzzmutrt"
	for i := 2; used[name] || pkg.Lookup(name) != nil; i++ {
		name = "fuzzmutrt" + strconv.Itoa(i)
	}
	return name
}

// byteOrderMark may begin a source file, and stand nowhere else in it.
var byteOrderMark = []byte("\ufeff")

// raiseVersion gives a file of a module from before type parameters the language
// version that the runtime's functions need, by a build constraint; the version
// that it then has, Go 1.21, means the same for older code.
func (fr *fileRewriter) raiseVersion(f load.File, v string) {
	if v == "" || version.Compare(v, "go1.18") >= 0 {
		return
	}
	for _, g := range f.Syntax.Comments {
		for _, c := range g.List {
			if c.Pos() < f.Syntax.Package && constraint.IsGoBuild(c.Text) {
				expr := strings.TrimPrefix(c.Text, "//go:build")
				lo := fr.offset(c.Pos())
				fr.edits.Replace(lo, lo+len(strings.TrimRight(c.Text, "\r")), "//go:build ("+strings.TrimSpace(expr)+") && go1.18")
				return
			}
		}
	}
	head := fr.offset(f.Syntax.FileStart)
	if bytes.HasPrefix(f.Src, byteOrderMark) {
		head += len(byteOrderMark)
	}
	fr.edits.Insert(head, "//go:build go1.18\n\n//line "+filepath.ToSlash(f.Path)+":1\n")
}

// walk rewrites the calls below n.
func (fr *fileRewriter) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			fr.stack = fr.stack[:len(fr.stack)-1]
			return false
		}
		if e, ok := n.(ast.Expr); ok && fr.info.Types[e].Value != nil {
			return false // constants, unsafe.Sizeof(f()) among them
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			fr.call(n)
		case *ast.AssignStmt:
			fr.noteWriters(n)
		}
		fr.stack = append(fr.stack, n)
		return true
	})
}

// parent returns the nearest node above that is not a parenthesis, and its place
// in the stack.
func (fr *fileRewriter) parent() (ast.Node, int) {
	i := len(fr.stack) - 1
	for ; i >= 0; i-- {
		if _, ok := fr.stack[i].(*ast.ParenExpr); !ok {
			return fr.stack[i], i
		}
	}
	return nil, -1
}

// call observes call if it is a static call into an observed package.
func (fr *fileRewriter) call(call *ast.CallExpr) {
	if fr.operations(call) {
		return
	}
	fn, name := fr.callee(call)
	if fn == nil {
		return
	}
	view := fr.loaded.Views.Funcs[viewKey(fn)]
	if view == golden.ViewNone {
		return
	}
	what := seen{name: name, called: fr.called(call, fn), view: view}
	fr.pkg = fn.Pkg().Path()
	parent, _ := fr.parent()
	switch parent.(type) {
	case *ast.GoStmt, *ast.DeferStmt:
		return
	case *ast.AssignStmt:
		if fr.flat[fr.path] {
			return // it makes an argument, which no test case compares
		}
	}
	results := resultTypes(fr.info.TypeOf(call))
	elements := yielded(results)
	if !worthWrapping(results) {
		results = nil
	}
	vars := fr.outputs(call, fn)
	if len(elements) > 0 {
		fr.wrap(call, "Yield"+strconv.Itoa(len(elements)), what.with(elements, nil).iterated())
		what.more = true
	}
	if len(results) == 1 && len(vars) > 0 && allAddressed(vars) {
		// Beside a single result there is room for two variables, anywhere.
		n := min(len(vars), 2)
		fr.wrap(call, "Obs1"+strings.Repeat("P", n), what.with(results, vars[:n]))
		if vars = vars[n:]; len(vars) == 0 {
			return
		}
	} else if len(results) > 0 {
		fr.wrap(call, "Obs"+strconv.Itoa(len(results)), what.with(results, nil))
	}
	if len(vars) > 0 {
		what.more = what.more || len(results) > 0
		fr.after(call, what.with(nil, vars))
	}
}

// seen is what a site shows of a call.
type seen struct {
	name, called string      // of the function: see instrument.Site
	view         golden.View // of all values
	results      []types.Type
	vars         []output
	more         bool // another site shows the results
	yields       bool // results are what an iterator yields
}

// with is what a site shows of the same call.
func (s seen) with(results []types.Type, vars []output) seen {
	s.results, s.vars = results, vars
	return s
}

// iterated is what a site shows of an iteration over the elements that are its results.
func (s seen) iterated() seen {
	s.yields = true
	return s
}

// wrap puts call into a call of the runtime's function fn.
func (fr *fileRewriter) wrap(call *ast.CallExpr, fn string, what seen) {
	site := fr.site(call, what)
	after := ""
	for _, v := range what.vars {
		after += ", " + v.expr
	}
	fr.edits.Wrap(fr.offset(call.Pos()), fr.offset(call.End()),
		fr.rt+fn+"[["+strconv.Itoa(site)+"]"+fr.rt+"Byte](", after+")")
}

// site adds a site and returns its number.
func (fr *fileRewriter) site(call *ast.CallExpr, what seen) int {
	s := instrument.Site{
		Name: what.name, In: fr.in, File: fr.path, Line: fr.loaded.Position(call.Pos()).Line,
		Called: what.called, After: what.more, View: what.view, Receiver: fr.flat[fr.path],
	}
	var shown []string
	for _, t := range what.results {
		shown = append(shown, types.TypeString(t, (*types.Package).Name))
	}
	if what.yields {
		s.Values, shown = []string{"elements (" + strings.Join(shown, ", ") + ")"}, nil
	}
	for i, t := range shown {
		s.Values = append(s.Values, "result "+strconv.Itoa(i)+" ("+t+")")
	}
	for _, v := range what.vars {
		s.Values = append(s.Values, v.name)
	}
	s.Package = fr.pkg
	fr.out.Sites = append(fr.out.Sites, s)
	return fr.first + len(fr.out.Sites) - 1
}

// resultTypes returns the types of a call's results.
func resultTypes(t types.Type) []types.Type {
	switch t := t.(type) {
	case nil:
		return nil
	case *types.Tuple:
		var list []types.Type
		for v := range t.Variables() {
			list = append(list, v.Type())
		}
		return list
	}
	return []types.Type{t}
}

// yielded returns the types of what an iterator yields, if that is a call's only result: of values, or of
// keys and values. The runtime's functions have to infer them.
func yielded(results []types.Type) (elements []types.Type) {
	if len(results) != 1 {
		return nil
	}
	return target.Yielded(results[0])
}

// worthWrapping says whether the runtime has a function for that number of results, and
// any of them is a value to compare.
func worthWrapping(results []types.Type) bool {
	if len(results) > maxResults {
		return false
	}
	for _, t := range results {
		switch types.Unalias(t).Underlying().(type) {
		case *types.Signature, *types.Chan:
		default:
			return true
		}
	}
	return false
}
