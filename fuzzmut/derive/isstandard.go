package derive

import (
	"runtime/debug"
	"strings"
	"sync"
)

// isStandard reports whether a package is one of the standard library. That grows with
// Go: a package is of it whose path begins with no domain, unless it is of a module that
// the program is built from. Modules may have such paths, too.
func isStandard(path string) bool { return inNoModule(path, modules()) }

// modules are the paths of the modules that the program is built from, which the go
// command writes into it.
var modules = sync.OnceValue(func() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	list := []string{info.Main.Path}
	for _, m := range info.Deps {
		list = append(list, m.Path)
	}
	return list
})

// inNoModule reports whether a package is of the standard library, and not of modules.
func inNoModule(path string, modules []string) bool {
	root, _, _ := strings.Cut(path, "/")
	switch strings.TrimSuffix(root, "_test") { // which the path of an external test package ends in
	case "", "main", "command-line-arguments", "fuzzmutrt":
		return false // a type without a package, or one of files, or of what fuzzmut adds
	}
	if strings.Contains(root, ".") {
		return false
	}
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(path, m); ok && m != "" && (rest == "" || rest == "_test" || rest[0] == '/') {
			return false
		}
	}
	return true
}
