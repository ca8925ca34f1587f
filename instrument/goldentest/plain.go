package goldentest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// Names of the files of plain tests: of the package under test, and of its external test
// package.
const (
	PlainName         = "fuzzmut_diff_test.go"
	PlainExternalName = "fuzzmut_diff_x_test.go"
)

// plainMark begins such a file.
const plainMark = "// Inputs on which fuzzmut diff has seen a difference, by its -write-test.\n"

// A Left case is one that Plain does not write.
type Left struct {
	Test, Input, Why string // Input is Go source
}

// Plain returns the test files, by path, that make the one call of each fuzz test with the
// arguments of its cases, and compare the results with == or reflect.DeepEqual, errors by
// what they say, and values of unexported fields by their String method. They need nothing
// but the standard library, so that people can make them their own. Cases for which that is
// not possible are returned with the reason.
func Plain(r *load.Result, tests []Test) (files map[string][]byte, left []Left, err error) {
	files = make(map[string][]byte)
	for _, t := range r.Tests {
		c, lit := &clause{loaded: r, tests: t}, newLiterals(t.Types)
		var body bytes.Buffer
		imports := []observe.Import{{Path: "testing"}}
		for _, test := range tests {
			if observe.FileOf(t, test.Name) == "" {
				continue
			}
			p, no := plainPlan(r, t, test, lit)
			left = append(left, no...)
			if p == nil {
				continue
			}
			c.plans = append(c.plans, p)
			imports = append(imports, p.direct.Imports...)
			if count(p.columns, errorColumn)+count(p.columns, saidColumn) > 0 {
				imports = append(imports, observe.Import{Path: "fmt"})
			}
			if count(p.columns, valueColumn) > 0 {
				imports = append(imports, observe.Import{Path: "reflect"})
			}
			c.writeDirect(&body, p, c.freeName("Test", test.Name))
		}
		if len(c.plans) == 0 {
			continue
		}
		code, named := lit.unmark(body.Bytes())
		body.Reset()
		body.Write(code)
		imports = append(imports, named...)
		slices.SortFunc(imports, func(a, b observe.Import) int { return strings.Compare(a.Path+" "+a.Name, b.Path+" "+b.Name) })
		name := PlainName
		if t.External {
			name = PlainExternalName
		}
		path := filepath.Join(r.Test.Dir, name)
		if files[path], err = c.file(plainMark, &body, slices.Compact(imports)); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return files, left, nil
}

// plainPlan plans the table of the cases whose results are plain; nil: there is none.
func plainPlan(r *load.Result, t *load.TestFiles, test Test, lit *literals) (p *planned, left []Left) {
	var cases []Case
	for _, k := range test.Cases {
		with := plan(r, t, Test{Name: test.Name, Cases: append(slices.Clip(cases), k)}, lit)
		why := notPlain(with)
		if why == "" && k.Against != nil {
			why = same(r, t, test.Name, k, lit)
		}
		if why != "" {
			left = append(left, Left{test.Name, call(k.Args), why})
			continue
		}
		p, cases = with, append(cases, k)
	}
	return p, left
}

// same says why a test of a case would not distinguish the other values; "" if it would.
func same(r *load.Result, t *load.TestFiles, name string, k Case, lit *literals) string {
	other := k
	other.Values = k.Against
	a := plan(r, t, Test{Name: name, Cases: []Case{k}}, lit)
	b := plan(r, t, Test{Name: name, Cases: []Case{other}}, lit)
	if b.direct == nil || !slices.EqualFunc(a.columns, b.columns, func(x, y column) bool { return x.kind == y.kind && slices.Equal(x.cells, y.cells) }) {
		return ""
	}
	return "what differs is in no result that a test compares without fuzzmut"
}

// call is arguments as source.
func call(args []any) string {
	var list []string
	for _, arg := range args {
		list = append(list, argument(arg, false))
	}
	return strings.Join(list, ", ")
}

// notPlain says why the results of a case can't be compared as they are, "" if they can.
func notPlain(p *planned) string {
	if p.direct == nil {
		return "the fuzz target does not begin with one call of a function, whose results are compared"
	}
	for i, c := range p.columns {
		if c.kind == textColumn {
			return fmt.Sprintf("result %d, of type %s, has no literal", i, p.direct.Types[i])
		}
	}
	return ""
}
