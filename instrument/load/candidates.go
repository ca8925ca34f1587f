package load

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// candidates lists the packages of the module, sorted, that may be mutated in addition
// to the one under test: those that its code needs. If its code needs none, they are
// those that its tests need and that are no helpers of tests: the package may be
// nothing but a test.
func (g *graph) candidates() []string {
	needed := closure(g.test)
	var code, tests []string
	for _, path := range g.sameModule() {
		p := g.deps[path]
		switch {
		case path == g.test.PkgPath:
		case needed[path]:
			code = append(code, path)
		case !isTestHelper(p, g.test.Module.Path):
			tests = append(tests, path)
		}
	}
	list := code
	if len(code) == 0 {
		list = tests
	}
	slices.Sort(list)
	return list
}

// isTestHelper says that a package of the module is there for tests: it imports package
// testing, or a directory that it is in is called so.
func isTestHelper(p *packages.Package, module string) bool {
	for path := range p.Imports {
		if isTesting(path) {
			return true
		}
	}
	for _, name := range strings.Split(strings.TrimPrefix(p.PkgPath, module), "/") {
		switch name {
		case "mock", "mocks", "fake", "fakes":
			return true
		}
		if strings.HasPrefix(name, "test") {
			return true
		}
	}
	return false
}

// closure is the set of packages that p needs, with itself. A nil p needs none.
func closure(p *packages.Package) map[string]bool {
	set := make(map[string]bool)
	var add func(p *packages.Package)
	add = func(p *packages.Package) {
		if p == nil || set[p.PkgPath] {
			return
		}
		set[p.PkgPath] = true
		for _, imp := range p.Imports {
			add(imp)
		}
	}
	add(p)
	return set
}

// observed returns the packages whose calls are observed if those given are, or may be,
// mutated, sorted. A package under test that is nothing but tests has no calls, and is
// observed only if nothing else is.
func (g *graph) observed(mutate []string) []string {
	list := append(slices.Clone(mutate), g.test.PkgPath)
	slices.Sort(list)
	list = slices.Compact(list)
	hasCode := slices.ContainsFunc(g.test.GoFiles, func(path string) bool { return !isTestFile(path) })
	if !hasCode && len(list) > 1 {
		list = slices.DeleteFunc(list, func(path string) bool { return path == g.test.PkgPath })
	}
	return list
}

// MayMutate lists the packages that are mutated, or may be, and have code, sorted.
func (r *Result) MayMutate() []string {
	list := slices.Clone(r.Candidates)
	for _, p := range r.Packages {
		if p.Mutated && len(p.Files) > 0 {
			list = append(list, p.ImportPath)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// SetMutated has those packages mutated, and no others.
func (r *Result) SetMutated(paths []string) {
	r.Mutate = slices.Clone(paths)
	slices.Sort(r.Mutate)
	for _, p := range r.Packages {
		_, p.Mutated = slices.BinarySearch(r.Mutate, p.ImportPath)
	}
}

// Clone returns a copy of r with the same syntax, for mutating other packages of it.
func (r *Result) Clone() *Result {
	c := *r
	c.Packages = make([]*Package, len(r.Packages))
	for i, p := range r.Packages {
		own := *p
		c.Packages[i] = &own
	}
	return &c
}
