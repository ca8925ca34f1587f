package load

import (
	"bufio"
	"bytes"
	"go/build/constraint"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// withoutAssembly is the build tag with which a Go file that is left out now is in place of an assembly
// file, as noasm or purego; "" if there is none.
func withoutAssembly(files, leftOut []string) string {
	for _, path := range files {
		if filepath.Ext(path) != ".s" {
			continue
		}
		tag := leavesOut(constraintOf(path))
		if tag != "" && slices.ContainsFunc(leftOut, func(path string) bool { return filepath.Ext(path) == ".go" && comesIn(constraintOf(path), tag) }) {
			return tag
		}
	}
	return ""
}

// constraintOf is the build constraint of a file; nil if it has none that can be read: the build says what is
// wrong with it.
func constraintOf(path string) constraint.Expr {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if !constraint.IsGoBuild(lines.Text()) {
			continue
		}
		expr, err := constraint.Parse(lines.Text())
		if err != nil {
			return nil
		}
		return expr
	}
	return nil
}

// leavesOut is the tag that leaves a file out by its constraint; "": none does.
func leavesOut(expr constraint.Expr) string {
	if expr == nil {
		return ""
	}
	var tags []string
	expr.Eval(func(tag string) bool { tags = append(tags, tag); return !standsForGo(tag) })
	for _, tag := range slices.DeleteFunc(tags, func(tag string) bool { return !standsForGo(tag) }) {
		with := func(set bool) bool {
			return expr.Eval(func(t string) bool { return t == tag && set || !standsForGo(t) && t != "appengine" })
		}
		if with(false) && !with(true) {
			return tag
		}
	}
	return ""
}

// comesIn says whether a file that is left out is part of a build with a tag.
func comesIn(expr constraint.Expr, tag string) bool {
	return expr != nil && expr.Eval(func(t string) bool { return t == tag || !standsForGo(t) && t != "appengine" })
}

// standsForGo says whether a build tag, by custom, asks for Go code in place of assembly.
func standsForGo(tag string) bool {
	return tag == "purego" || tag == "generic" || strings.HasPrefix(tag, "no")
}
