package revert

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// checksMost bounds the parts that Minimal has type-checked.
const checksMost = 1000

// texts are the files that a part reverts, by path, and what is left of each.
func (b *Builder) texts(p Part) map[string][]byte {
	hunks := make(map[int][]int)
	for _, ref := range p {
		hunks[ref.File] = append(hunks[ref.File], ref.Hunk)
	}
	texts := make(map[string][]byte)
	for i, list := range hunks {
		f := &b.Pair.Files[i]
		texts[f.Path] = f.Revert(list...)
	}
	return texts
}

// fits says whether new code with a part as it was before passes the type checker, as far
// as this process can tell: the go command needs a hundred times as long to refuse it. What
// can't be told here fits.
func (b *Builder) fits(p Part) bool {
	if b.Whole == nil || b.Whole.Loaded == nil {
		return true
	}
	if b.fitting == nil {
		b.fitting = make(map[string]bool)
	}
	key := p.key()
	fits, known := b.fitting[key]
	if !known {
		fits = b.check(p)
		b.fitting[key] = fits
	}
	return fits
}

func (b *Builder) check(p Part) bool {
	texts := b.texts(p)
	for i, pkg := range b.Whole.Loaded.Packages {
		c := b.checkerOf(i, pkg)
		files, ok := c.files(texts)
		fails := ok && c.fails(files)
		c.forget()
		if fails {
			return false
		}
	}
	return true
}

// checkerOf is the checker of a package of the new code, which is made once.
func (b *Builder) checkerOf(i int, pkg *load.Package) *checker {
	if b.checkers == nil {
		b.checkers = make([]*checker, len(b.Whole.Loaded.Packages))
	}
	if b.checkers[i] == nil {
		c := &checker{
			pkg: pkg, fset: b.Whole.Loaded.Fset, sizes: b.sizes(),
			imports: make(map[string]*types.Package), names: make(map[string]string), dirs: make(map[string]string),
		}
		for _, o := range b.Whole.Loaded.Packages {
			c.dirs[o.Dir] = o.ImportPath
		}
		for k := range b.Pair.Files {
			for importPath, name := range b.Pair.Files[k].Names {
				c.names[importPath] = name
			}
		}
		c.take(pkg.Types)
		c.addGone(b.Pair)
		c.unsure = len(pkg.Cgo) > 0 || c.fails(c.asItIs())
		b.checkers[i] = c
	}
	return b.checkers[i]
}

// sizes are those of the types of the program.
func (b *Builder) sizes() types.Sizes {
	arch := build.Default.GOARCH
	for _, setting := range b.Load.Env {
		if value, ok := strings.CutPrefix(setting, "GOARCH="); ok && value != "" {
			arch = value
		}
	}
	return types.SizesFor("gc", arch)
}

// A checker type-checks a package of the new code with other texts of its files.
type checker struct {
	pkg     *load.Package
	fset    *token.FileSet
	sizes   types.Sizes
	imports map[string]*types.Package // what the new code needs, by import path
	names   map[string]string         // of packages, by import path
	dirs    map[string]string         // import paths of rewritten packages, by directory
	gone    map[string]string         // directories of packages that only old code has, by import path
	unsure  bool                      // the checker fails on the new code as it is
	back    map[string]bool           // directories of the texts that are checked
	parsed  []*ast.File               // since forget
}

// take notes what a package imports.
func (c *checker) take(p *types.Package) {
	for _, i := range p.Imports() {
		if _, known := c.imports[i.Path()]; !known {
			c.imports[i.Path()] = i
			c.take(i)
		}
	}
}

// addGone notes the packages of the module that only old code has.
func (c *checker) addGone(pair *versions.Pair) {
	c.gone = make(map[string]string)
	for i := range pair.Files {
		f := &pair.Files[i]
		dir := filepath.Dir(f.Path)
		rel, err := filepath.Rel(c.pkg.ModuleDir, dir)
		if f.New != nil || c.pkg.ModuleDir == "" || err != nil || !filepath.IsLocal(rel) || c.dirs[dir] != "" {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), "", f.Old, parser.PackageClauseOnly)
		importPath := path.Join(c.pkg.ModulePath, filepath.ToSlash(rel))
		if err == nil && c.imports[importPath] == nil {
			c.gone[importPath], c.names[importPath] = dir, syntax.Name.Name
		}
	}
}

func (c *checker) asItIs() (files []*ast.File) {
	for i := range c.pkg.Files {
		files = append(files, c.pkg.Files[i].Syntax)
	}
	return files
}

// files are those of the package, with some texts in place of theirs. It is not ok if the
// texts are none of the package's, or if nobody knows here what the package is with them: it
// has other files then, or it needs a package that also differs.
func (c *checker) files(texts map[string][]byte) (files []*ast.File, ok bool) {
	mine := 0
	c.back = make(map[string]bool)
	for name := range texts {
		dir := filepath.Dir(name)
		c.back[dir] = true
		if dir == c.pkg.Dir {
			mine++
		} else if c.imports[c.dirs[dir]] != nil {
			return nil, false
		}
	}
	if mine == 0 || c.unsure {
		return nil, false
	}
	for i := range c.pkg.Files {
		f := &c.pkg.Files[i]
		text, differs := texts[f.Path]
		if !differs {
			files = append(files, f.Syntax)
			continue
		}
		mine--
		syntax, err := parser.ParseFile(c.fset, f.Path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return []*ast.File{nil}, true
		}
		c.parsed = append(c.parsed, syntax)
		if builds(syntax) {
			files = append(files, syntax)
		}
	}
	return files, mine == 0
}

// forget takes the files that were parsed out of the positions.
func (c *checker) forget() {
	for _, f := range c.parsed {
		c.fset.RemoveFile(c.fset.File(f.FileStart))
	}
	c.parsed = nil
}

// builds says whether a file has no constraint on builds, since it stood in the package.
// The text that stands for a file that was not there has one.
func builds(f *ast.File) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, line := range group.List {
			if strings.HasPrefix(line.Text, "//go:build ignore") {
				return false
			}
		}
	}
	return true
}

// errMissing is about a package that the new code does not need. What it declares is unknown.
var errMissing = errors.New("not known without the go command")

// fails says whether files are not a package. nil among them is one that is not Go.
func (c *checker) fails(files []*ast.File) bool {
	failed, unnamed := false, false
	config := types.Config{
		GoVersion: c.pkg.Types.GoVersion(), Sizes: c.sizes,
		Importer: imports(func(importPath string) (*types.Package, error) {
			if importPath == "unsafe" {
				return types.Unsafe, nil
			}
			if p := c.imports[importPath]; p != nil && p.Complete() {
				return p, nil
			}
			if dir := c.gone[importPath]; dir != "" && !c.back[dir] {
				failed = true
			}
			name := c.names[importPath]
			if name == "" {
				unnamed, name = true, path.Base(importPath)
			}
			return types.NewPackage(importPath, name), errMissing
		}),
		Error: func(err error) {
			failed = failed || !strings.Contains(err.Error(), errMissing.Error())
		},
	}
	for _, f := range files {
		if f == nil {
			return true
		}
	}
	_, _ = config.Check(c.pkg.ImportPath, c.fset, files, nil) // Error has seen all
	return failed && !unnamed
}

// imports finds packages by their import paths.
type imports func(importPath string) (*types.Package, error)

func (f imports) Import(importPath string) (*types.Package, error) { return f(importPath) }
