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

// withoutAssembly is the build tag with which Go code is in place of assembly files, as noasm or
// purego; "" if none of them has a constraint with such a tag.
func withoutAssembly(files []string) string {
	for _, path := range files {
		if filepath.Ext(path) != ".s" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the build says what is wrong with it
		}
		if tag := leavesOut(text); tag != "" {
			return tag
		}
	}
	return ""
}

// leavesOut is the tag that leaves a file out by the constraint in its text.
func leavesOut(text []byte) string {
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if !constraint.IsGoBuild(lines.Text()) {
			continue
		}
		expr, err := constraint.Parse(lines.Text())
		if err != nil {
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
	return ""
}

// standsForGo says whether a build tag, by custom, asks for Go code in place of assembly.
func standsForGo(tag string) bool {
	return tag == "purego" || tag == "generic" || strings.HasPrefix(tag, "no")
}
