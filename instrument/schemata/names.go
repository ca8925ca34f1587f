package schemata

import (
	"go/ast"
	"path/filepath"
	"strconv"
	"strings"
)

// names are the identifiers that rewritten code uses, none of which occurs
// anywhere in the package: no scope can shadow them.
type names struct {
	rt       string // the runtime core's import
	counters string // [N]uint8
	slow     string // [M]bool
	label    string // appended to labels in the copied body
	result   string // followed by a number: results of a call, and unnamed results
	data     string // followed by a number: type that sets a file's variables
}

func freshNames(in *Input) names {
	used := map[string]bool{}
	for _, name := range in.Pkg.Scope().Names() { // in-package tests may declare more than Files
		used[name] = true
	}
	for _, f := range in.Files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
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
	return names{
		rt: "fuzzmutrt" + suffix, counters: "fuzzmutC" + suffix, slow: "fuzzmutS" + suffix,
		label: "_fuzzmut" + suffix, result: "fuzzmutR" + suffix + "_",
		data: "fuzzmutD" + suffix + "_",
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

// genName returns a name for the added file that comes before those of the
// package's files. The variables declared there then come first in the order of
// initialisation, and that of the user's variables stays what it was: a variable
// whose initialiser calls a rewritten function has to wait for nothing that other
// variables don't wait for.
func (r *rewriter) genName() string {
	const name = "fuzzmut_gen.go"
	first := "1"
	for _, f := range r.Files {
		first = min(first, filepath.Base(f.Path))
	}
	// The go command takes no file whose name begins with less than a digit.
	return "0" + strings.Repeat("!", len(first)-1) + name
}
