package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// What is listed of packages where cgo makes a part of their source, and of those that they import.
const (
	compiledMode = graphMode | packages.NeedCompiledGoFiles
	exportMode   = packages.NeedName | packages.NeedExportFile
)

// source lists packages, parses and type-checks them. What they import comes from export data.
// packages.Load would have the go command compile the packages themselves as well, which takes
// longer than all else here when they have changed, and nobody needs: the test binary is built
// of rewritten code. With an overlay it would even parse and type-check all that they need, the
// standard library included.
func (l *loader) source(overlay map[string][]byte, tests bool, patterns ...string) ([]*packages.Package, error) {
	pkgs, err := l.list(graphMode, overlay, tests, patterns...)
	if err != nil {
		return nil, err
	}
	return l.typed(pkgs, overlay, tests, patterns...)
}

// typed is source for packages that are listed already, by graphMode.
func (l *loader) typed(pkgs []*packages.Package, overlay map[string][]byte, tests bool, patterns ...string) ([]*packages.Package, error) {
	c, err := l.parsed(overlay, pkgs)
	if err != nil {
		return nil, err
	}
	again := func(mode packages.LoadMode) error {
		if pkgs, err = l.list(mode, overlay, tests, patterns...); err == nil {
			c, err = l.parsed(overlay, pkgs)
		}
		return err
	}
	if c.unclear() {
		// Such a list takes the go command twice as long.
		if err := again(compiledMode); err != nil {
			return nil, err
		}
	}
	if c.imported() {
		err = l.export(c)
	} else {
		err = again(compiledMode | packages.NeedExportFile)
	}
	if err != nil {
		return nil, err
	}
	for p := range c.needed {
		if p.ExportFile == "" {
			// Something that they need does not compile. Its source says why.
			return l.list(syntaxMode, overlay, tests, patterns...)
		}
	}
	for _, p := range pkgs {
		if c.roots[p] {
			if err := c.check(p); err != nil {
				return nil, l.blameAgeForTypes(err)
			}
		}
	}
	return pkgs, nil
}

// parsed prepares for the check of packages that are listed, and parses them.
func (l *loader) parsed(overlay map[string][]byte, pkgs []*packages.Package) (*checker, error) {
	c := l.checker(overlay, pkgs)
	for _, p := range pkgs {
		if c.roots[p] {
			if err := c.parseFiles(p); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// checker prepares for the check of packages that are listed.
func (l *loader) checker(overlay map[string][]byte, pkgs []*packages.Package) *checker {
	c := &checker{
		ctx: l.ctx, fset: l.fset, overlay: overlay, parse: l.parse, sizes: l.tool.Sizes(),
		roots: make(map[*packages.Package]bool), needed: make(map[*packages.Package]bool), done: make(map[*packages.Package]bool),
	}
	for _, p := range pkgs {
		if !isTestMain(p, pkgs) {
			c.roots[p] = true
		}
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		p.Types = types.NewPackage(p.PkgPath, p.Name) // reading export data creates no other ones
		if p.PkgPath == "unsafe" {
			p.Types = types.Unsafe
		}
		for _, q := range p.Imports {
			if c.roots[p] && !c.roots[q] && q.PkgPath != "unsafe" {
				c.needed[q] = true
			}
		}
	})
	return c
}

// isTestMain says that p is the main function that the go command makes for the tests of
// another of the packages.
func isTestMain(p *packages.Package, pkgs []*packages.Package) bool {
	tested, ok := strings.CutSuffix(p.PkgPath, ".test")
	return ok && p.Name == "main" && slices.ContainsFunc(pkgs, func(q *packages.Package) bool { return q.PkgPath == tested })
}

// export finds the export data of the packages that are needed.
func (l *loader) export(c *checker) error {
	made, standard := madeWith(l.tool), l.standard(c.overlay)
	others := exportData.find(made, c.needed, standard)
	if len(others) == 0 {
		return nil
	}
	listed, err := l.list(exportMode, c.overlay, false, slices.Sorted(maps.Keys(others))...)
	if err != nil {
		return err
	}
	files := make(map[string]string)
	for _, p := range listed {
		files[p.ID] = p.ExportFile
	}
	for p := range c.needed {
		if others[p.ID] {
			p.ExportFile = files[p.ID]
		}
	}
	exportData.keep(made, c.needed, standard)
	return nil
}

// imported says that the import paths of the packages that are needed name them. It is not so where a test has
// variants of them, which no pattern names.
func (c *checker) imported() bool {
	for p := range c.needed {
		if p.ID != p.PkgPath {
			return false
		}
	}
	return true
}

// unclear says that what the go command has listed may not be all: there is cgo in a root, which
// has generated source, or something is wrong with it.
func (c *checker) unclear() bool {
	for p := range c.roots {
		if p.CompiledGoFiles == nil && (len(p.Errors) > 0 || slices.ContainsFunc(p.Syntax, ImportsC)) {
			return true
		}
	}
	return false
}

// checker type-checks packages that are listed, the roots, with what they import.
type checker struct {
	ctx     context.Context
	sizes   types.Sizes
	fset    *token.FileSet
	overlay map[string][]byte
	parse   func(fset *token.FileSet, path string, src []byte) (*ast.File, error)
	roots   map[*packages.Package]bool
	needed  map[*packages.Package]bool // roots import them, and they are no roots
	done    map[*packages.Package]bool
}

// check gives a package its types: a root from its source, any other from export data. What is
// wrong with source stands in p.Errors.
func (c *checker) check(p *packages.Package) error {
	if c.done[p] || p.PkgPath == "unsafe" {
		return nil
	}
	c.done[p] = true
	if !c.roots[p] {
		return c.read(p)
	}
	for _, q := range p.Imports {
		if err := c.check(q); err != nil {
			return err
		}
	}
	p.Fset, p.TypesSizes = c.fset, c.sizes
	if p.CompiledGoFiles == nil {
		p.CompiledGoFiles = p.GoFiles
	}
	p.TypesInfo = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	cfg := &types.Config{Importer: importer(p.Imports), Sizes: p.TypesSizes, Error: func(err error) { blame(p, err) }}
	if p.Module != nil && p.Module.GoVersion != "" {
		cfg.GoVersion = "go" + p.Module.GoVersion
	}
	if err := types.NewChecker(cfg, c.fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 {
		blame(p, err)
	}
	p.IllTyped = len(p.Errors) > 0
	for _, q := range p.Imports {
		p.IllTyped = p.IllTyped || q.IllTyped
	}
	return c.ctx.Err()
}

// read gives a package its types from export data.
func (c *checker) read(p *packages.Package) error {
	view := make(map[string]*types.Package) // by import path: another test has another variant of a package
	var err error
	packages.Visit([]*packages.Package{p}, func(q *packages.Package) bool {
		if q != p {
			if (c.roots[q] || c.needed[q]) && err == nil {
				err = c.check(q) // it has to be complete before other packages refer to it
			}
			view[q.PkgPath] = q.Types
		}
		return true
	}, nil)
	if err != nil {
		return err
	}
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return fmt.Errorf("types of %s: %w", p.PkgPath, err)
	}
	defer f.Close()
	//lint:ignore SA1019 up to Go 1.27 go list names archives, which nothing else reads; after that it is unnecessary
	r, err := gcexportdata.NewReader(f)
	if err == nil {
		p.Types, err = gcexportdata.Read(r, c.fset, view, p.PkgPath)
	}
	if err != nil {
		return &typesError{path: p.PkgPath, file: p.ExportFile, err: err}
	}
	return nil
}

// typesError says that export data can't be read.
type typesError struct {
	path, file string
	err        error
}

func (e *typesError) Error() string { return fmt.Sprintf("types of %s: %s: %v", e.path, e.file, e.err) }
func (e *typesError) Unwrap() error { return e.err }

// parseFiles parses the files of a package side by side.
func (c *checker) parseFiles(p *packages.Package) error {
	paths := p.CompiledGoFiles
	if paths == nil {
		paths = p.GoFiles
	}
	files, errs := make([]*ast.File, len(paths)), make([]error, len(paths))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, path := range paths {
		g.Go(func() error {
			src, ok := c.overlay[path]
			if !ok {
				var err error
				if src, err = os.ReadFile(path); err != nil {
					return err
				}
			}
			files[i], errs[i] = c.parse(c.fset, path, src)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, f := range files {
		if errs[i] != nil {
			blame(p, errs[i])
		}
		if f != nil {
			p.Syntax = append(p.Syntax, f)
		}
	}
	return nil
}

// importer finds the packages that one imports, by the paths in its source.
type importer map[string]*packages.Package

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := i[path]; p != nil && p.Types.Complete() {
		return p.Types, nil
	}
	return nil, errors.New("it is not there")
}

// blame adds what the parser or the type checker says to the errors of a package, as
// packages.Load does.
func blame(p *packages.Package, err error) {
	var parsed scanner.ErrorList
	var typed types.Error
	switch {
	case errors.As(err, &parsed):
		for _, e := range parsed {
			p.Errors = append(p.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &typed):
		p.Errors = append(p.Errors, packages.Error{Pos: typed.Fset.Position(typed.Pos).String(), Msg: typed.Msg, Kind: packages.TypeError})
	default:
		p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError})
	}
}
