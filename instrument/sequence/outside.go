package sequence

import (
	"go/types"
	"path"
	"slices"
	"strings"
)

// Outside are those of some packages that files of a package may import for the values that its tests
// write down: they belong to no standard library, and each has a name that stands for nothing else.
func Outside(pkg *types.Package, from []*types.Package) (list []*types.Package) {
	for _, p := range from {
		first, _, _ := strings.Cut(p.Path(), "/")
		standard := !strings.Contains(first, ".")
		free := !slices.ContainsFunc(list, func(o *types.Package) bool { return o.Name() == p.Name() })
		if !standard && free && p.Path() != pkg.Path() && mayImport(pkg.Path(), p.Path()) && !reserved(pkg, p.Name()) {
			list = append(list, p)
		}
	}
	return list
}

// mayImport says whether a package may import another one, which may be internal.
func mayImport(from, to string) bool {
	parent, _, internal := strings.Cut("/"+to+"/", "/internal/")
	return !internal || strings.HasPrefix("/"+from+"/", parent+"/")
}

// reserved says whether a name stands for something else in a file of a package.
func reserved(pkg *types.Package, name string) bool {
	return pkg.Scope().Lookup(name) != nil || slices.Contains(importNames, name) || slices.Contains(locals, name) || slices.ContainsFunc(optional, func(p string) bool { return path.Base(p) == name })
}

// canName says whether the file can name what a package declares.
func (s *Sequence) canName(importPath string) bool {
	return importPath == s.pkg.Path() || s.outside[importPath] != ""
}

// ImportName is the name in an import of a package: "" if its path ends with it.
func (s *Sequence) ImportName(importPath string) string {
	if name := s.outside[importPath]; name != path.Base(importPath) {
		return name
	}
	return ""
}

// packageName is what source calls a package.
func (s *Sequence) packageName(importPath string) string {
	if name := s.outside[importPath]; name != "" {
		return name
	}
	return path.Base(importPath)
}
