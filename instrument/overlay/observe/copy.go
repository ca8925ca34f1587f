package observe

import (
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"path"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/constraints"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// A Copy is a copy of the fuzz tests of one package clause, and of the functions that
// only they call, with their calls observed as in a rewritten file. Each function has
// the name that CopyName gives; *testing.F is *CopiedF, and what the runtime declares
// has its names, all after the prefix.
type Copy struct {
	Package  string   // name in the package clause
	External bool     // package foo_test
	Tests    []string // names of the fuzz tests
	Imports  []Import // that Text uses, by path
	Text     []byte
	Sites    []instrument.Site // by number
	// Partial says that other calls are observed too, in declarations without a copy.
	Partial bool

	files []string // that Text comes from
}

// An Import is one of a copy's.
type Import struct {
	Name string // in the file; "" if it needs none there
	Path string
}

// Copies copies those fuzz tests of r that are needed.
func Copies(r *load.Result, prefix string, needed func(name string) bool) ([]*Copy, error) {
	reached := reach(r, isFuzzTest)
	rw := newRewriter(r, 0, copied(r, reached))
	all := Rewrite(r, 0, nil).Sites
	var copies []*Copy
	for _, t := range r.Tests {
		c := &copier{rewriter: rw, t: t, prefix: prefix, needed: needed, out: &Copy{Package: t.Types.Name(), External: t.External}}
		rw.out = &Output{Files: make(map[string][]byte)}
		for _, f := range t.Files {
			if r.DerivedFiles[f.Path] != nil {
				continue // it stands in no file
			}
			if err := c.file(f, reached); err != nil {
				return nil, err
			}
		}
		if len(c.out.Tests) == 0 {
			continue
		}
		c.out.Sites = rw.out.Sites
		c.out.Partial = partial(t, all)
		copies = append(copies, c.out)
	}
	return copies, nil
}

// partial says whether calls in declarations without a copy are observed. External
// tests can reach those of in-package ones.
func partial(t *load.TestFiles, sites []instrument.Site) bool {
	for _, f := range t.Files {
		for _, s := range sites {
			if s.In != "" && (t.External || s.File == f.Path) {
				return true
			}
		}
	}
	return false
}

// copier makes one Copy.
type copier struct {
	*rewriter
	t      *load.TestFiles
	prefix string
	needed func(name string) bool
	out    *Copy
}

func (c *copier) file(f load.File, reached map[ast.Node]bool) error {
	for _, d := range f.Syntax.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || !reached[d] || !c.copied[d] || fd.Body == nil || isFuzzTest(c.t.Info, fd) && !c.needed(fd.Name.Name) {
			continue
		}
		if err := c.function(f, fd); err != nil {
			return err
		}
	}
	return nil
}

// function copies one function.
func (c *copier) function(f load.File, fd *ast.FuncDecl) error {
	if !slices.Contains(c.out.files, f.Path) {
		c.out.files = append(c.out.files, f.Path)
	}
	fr := c.fileRewriter(c.t, f, c.prefix)
	if err := c.rename(fr, f, fd); err != nil {
		return err
	}
	fr.walk(fd.Body)
	if isFuzzTest(c.t.Info, fd) {
		c.out.Tests = append(c.out.Tests, fd.Name.Name)
	}
	c.out.Text = append(c.out.Text, '\n')
	c.out.Text = append(c.out.Text, fr.edits.Render(f.Src, fr.offset(fd.Pos()), fr.offset(fd.End()))...)
	c.out.Text = append(c.out.Text, '\n')
	return nil
}

// CopyName is the name of the copy of a function.
func CopyName(prefix, name string) string { return prefix + "Copy_" + name }

// rename gives what the copy refers to the names that it has there.
func (c *copier) rename(fr *fileRewriter, f load.File, fd *ast.FuncDecl) (err error) {
	replace := func(n ast.Node, text string) { fr.edits.Replace(fr.offset(n.Pos()), fr.offset(n.End()), text) }
	var stack []ast.Node
	ast.Inspect(fd, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return false
		}
		if err != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.StarExpr:
			if tv := c.t.Info.Types[n]; tv.IsType() && isPointerToF(tv.Type) {
				replace(n, "*"+c.prefix+"CopiedF")
				return false
			}
		case *ast.SelectorExpr:
			// Entries come one after the other.
			if n.Sel.Name == "Parallel" && isTesting(c.t.Info.TypeOf(n.X)) {
				replace(n.Sel, "Helper")
			}
		case *ast.CallExpr:
			err = c.passesF(n)
		case *ast.Ident:
			if n == fd.Name || c.isCopied(n) {
				replace(n, CopyName(c.prefix, n.Name))
				break
			}
			err = c.imports(f, n)
		}
		stack = append(stack, n)
		return err == nil
	})
	return err
}

func isPointerToF(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok || !isTesting(p) {
		return false
	}
	return types.Unalias(p.Elem()).(*types.Named).Obj().Name() == "F"
}

// isCopied says whether an identifier stands for a function that has a copy.
func (c *copier) isCopied(id *ast.Ident) bool {
	fn, ok := c.t.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() != c.t.Types {
		return false
	}
	return c.declares(fn.Origin())
}

// declares says whether a function of this package clause has a copy.
func (c *copier) declares(fn *types.Func) bool {
	for _, f := range c.t.Files {
		for _, d := range f.Syntax.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && c.copied[fd] && c.t.Info.Defs[fd.Name] == fn {
				return true
			}
		}
	}
	return false
}

// passesF returns an error if a call is given the *testing.F by a function without a
// copy.
func (c *copier) passesF(call *ast.CallExpr) error {
	for _, arg := range call.Args {
		id := calleeIdent(call.Fun)
		if t := c.t.Info.TypeOf(arg); t == nil || !isPointerToF(t) || id != nil && c.isCopied(id) || c.takesTB(call) {
			continue
		}
		pos := c.loaded.Position(call.Pos())
		what := "a function"
		if id != nil {
			what = id.Name
		}
		return fmt.Errorf("%s:%d: %s takes the *testing.F and can't be copied: call f.Fuzz in the fuzz test itself or in a function of the test files, or don't use -write-test",
			pos.Filename, pos.Line, what)
	}
	return nil
}

// takesTB says whether what is called takes no *testing.F, but an interface that one
// has.
func (c *copier) takesTB(call *ast.CallExpr) bool {
	sig, ok := c.t.Info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return false
	}
	for p := range sig.Params().Variables() {
		if isPointerToF(p.Type()) {
			return false
		}
	}
	return true
}

// imports notes the import that an identifier refers to.
func (c *copier) imports(f load.File, id *ast.Ident) error {
	var imp Import
	switch obj := c.t.Info.Uses[id].(type) {
	case nil:
		return nil
	case *types.PkgName:
		imp = Import{Name: obj.Name(), Path: obj.Imported().Path()}
	default:
		if !c.dotImported(f, id, obj) {
			return nil
		}
		imp = Import{Name: ".", Path: obj.Pkg().Path()}
	}
	if imp.Name == path.Base(imp.Path) {
		imp.Name = ""
	}
	if slices.Contains(c.out.Imports, imp) {
		return nil
	}
	for _, other := range c.out.Imports {
		if imp.Name != "." && nameInFile(imp) == nameInFile(other) {
			return fmt.Errorf("%s: %s is imported as %s here, and %s in another file: give one of them another name, for -write-test to put both into one file",
				f.Path, imp.Path, nameInFile(imp), other.Path)
		}
	}
	c.out.Imports = append(c.out.Imports, imp)
	slices.SortFunc(c.out.Imports, func(a, b Import) int { return strings.Compare(a.Path+" "+a.Name, b.Path+" "+b.Name) })
	return nil
}

func nameInFile(imp Import) string {
	if imp.Name == "" {
		return path.Base(imp.Path)
	}
	return imp.Name
}

// dotImported says whether an identifier comes from a dot import.
func (c *copier) dotImported(f load.File, id *ast.Ident, obj types.Object) bool {
	if obj.Pkg() == nil || obj.Pkg() == c.t.Types || obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	for _, spec := range f.Syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." && strings.Trim(spec.Path.Value, "`\"") == obj.Pkg().Path() {
			return !c.qualified(f, id)
		}
	}
	return false
}

// qualified says whether an identifier stands after the name of its package.
func (c *copier) qualified(f load.File, id *ast.Ident) bool {
	found := false
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel == id {
			found = true
		}
		return !found
	})
	return found
}

// FileOf returns the path of the file of a package clause that declares a fuzz test, or "".
func FileOf(t *load.TestFiles, name string) string {
	for _, f := range t.Files {
		if declaresFuzzTest(t, f, name) {
			return f.Path
		}
	}
	return ""
}

func declaresFuzzTest(t *load.TestFiles, f load.File, names ...string) bool {
	for _, d := range f.Syntax.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && slices.Contains(names, fd.Name.Name) && isFuzzTest(t.Info, fd) {
			return true
		}
	}
	return false
}

// Constraint is what the files ask for that declare the fuzz tests, and those that a copy
// comes from.
func Constraint(t *load.TestFiles, fuzzTests []string, copied *Copy) (c constraints.Conjunction, err error) {
	for _, f := range t.Files {
		if declaresFuzzTest(t, f, fuzzTests...) || copied != nil && slices.Contains(copied.files, f.Path) {
			if err := constrain(&c, t, f); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// constrain adds what a file asks for. A module from before type parameters needs a version
// to have them.
func constrain(c *constraints.Conjunction, t *load.TestFiles, f load.File) error {
	if v := t.Info.FileVersions[f.Syntax]; v != "" && version.Compare(v, "go1.18") < 0 {
		c.AddTag("go1.18")
	}
	return c.AddFile(f.Path, f.Syntax)
}
