// Package names chooses the identifiers that rewritten code uses.
package names

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// Names are the identifiers that rewritten code uses. None of them occurs
// anywhere in the package: no scope can shadow them.
type Names struct {
	RT       string // the runtime core's import
	Counters string // [N]uint8
	Slow     string // [M]bool
	Label    string // appended to labels in the copied body
	Result   string // followed by a number: results of a call, and unnamed results
	Data     string // followed by a number: type that sets a file's variables
}

// Fresh returns names that the package does not use: neither its files nor, at package
// level, its tests, which are not among them.
func Fresh(pkg *types.Package, files []*ast.File) *Names {
	used := map[string]bool{}
	for _, name := range pkg.Scope().Names() { // in-package tests may declare more than files
		used[name] = true
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
	}
	suffix := ""
	for n := 2; collides(used, suffix); n++ {
		suffix = strconv.Itoa(n)
	}
	return &Names{
		RT: "fuzzmutrt" + suffix, Counters: "fuzzmutC" + suffix, Slow: "fuzzmutS" + suffix,
		Label: "_fuzzmut" + suffix, Result: "fuzzmutR" + suffix + "_",
		Data: "fuzzmutD" + suffix + "_",
	}
}

// collides says whether any of our names could be the program's.
func collides(used map[string]bool, suffix string) bool {
	for name := range used {
		for _, stem := range []string{"fuzzmutrt", "fuzzmutC", "fuzzmutS"} {
			if name == stem+suffix {
				return true
			}
		}
		if strings.HasSuffix(name, "_fuzzmut"+suffix) ||
			strings.HasPrefix(name, "fuzzmutR"+suffix+"_") || strings.HasPrefix(name, "fuzzmutD"+suffix+"_") {
			return true
		}
	}
	return false
}
