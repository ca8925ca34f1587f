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
		if strings.HasSuffix(name, "_fuzzmut"+suffix) || strings.HasPrefix(name, "fuzzmutR"+suffix+"_") {
			return true
		}
	}
	return false
}

// genName returns a name for the added file that no file of the package has.
func (r *rewriter) genName() string {
	taken := map[string]bool{}
	for _, f := range r.Files {
		taken[filepath.Base(f.Path)] = true
	}
	name := "fuzzmut_gen.go"
	for n := 2; taken[name]; n++ {
		name = "fuzzmut_gen" + strconv.Itoa(n) + ".go"
	}
	return name
}
