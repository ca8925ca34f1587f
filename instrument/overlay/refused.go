package overlay

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// refuse notes what is left out. A file stands for the functions in it.
func (b *builder) refuse(what, name string, e errorLine) {
	if what == instrument.RefusedFile {
		b.refused = slices.DeleteFunc(b.refused, func(r instrument.Refused) bool { return r.File == e.file })
	}
	b.refused = append(b.refused, instrument.Refused{What: what, Name: name, File: e.file, Line: e.line, Err: e.msg})
}

// refusedWarnings sums up what is left out: how much of each kind, and what the
// compiler said first.
func refusedWarnings(list []instrument.Refused) []string {
	if len(list) == 0 {
		return nil
	}
	kinds := []struct{ what, many, fate string }{
		{instrument.RefusedFile, "files", "neither mutated nor covered"},
		{instrument.RefusedFunction, "functions", "not mutated"},
		{instrument.RefusedInitialiser, "initializers", "not mutated"},
		{instrument.RefusedTestFile, "test files", "not observed"},
	}
	var parts []string
	for _, k := range kinds {
		n := 0
		for _, r := range list {
			if r.What == k.what {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, fmt.Sprintf("1 %s is %s", k.what, k.fate))
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s are %s", n, k.many, k.fate))
		}
	}
	first := list[0]
	return []string{fmt.Sprintf("%s, because the compiler rejects the rewritten code (%s:%d: %s): this is a bug in fuzzmut, please report it: %s",
		strings.Join(parts, ", "), filepath.Base(first.File), first.Line, first.Err, instrument.IssuePage)}
}
