package load

import (
	"go/types"
	"slices"
	"strings"
)

// helpers are packages of the standard library that a fuzz test calls to prepare its inputs and
// to compare results.
var helpers = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "context": true, "errors": true, "fmt": true, "io": true, "maps": true, "math": true, "os": true,
	"path/filepath": true, "reflect": true, "runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true, "sync": true, "time": true,
	"unicode": true, "unicode/utf8": true,
}

// Elsewhere lists the packages that a fuzz test calls and that are not mutated, sorted: those
// that it tests, if nothing that is mutated does any work. Where there are others, those of the
// standard library that nearly every test calls are not among them.
func (r *Result) Elsewhere(fuzz string) []string {
	var tested, common []string
	for _, path := range reachedFrom(r, func(fn *types.Func) bool { return fn.Name() == fuzz && IsFuzzTest(fn) }) {
		path = strings.TrimSuffix(path, "_test")
		switch {
		case path == "" || path == r.Test.ImportPath || isTesting(path) || slices.Contains(r.Mutate, path):
		case helpers[path]:
			common = append(common, path)
		default:
			tested = append(tested, path)
		}
	}
	if len(tested) == 0 {
		tested = common
	}
	slices.Sort(tested)
	return slices.Compact(tested)
}
