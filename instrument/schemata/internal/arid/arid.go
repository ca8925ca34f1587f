// Package arid finds uninteresting code: code that does nothing but write logs, metrics and
// traces or reserve space, and what only such code depends on. Nobody would write a test for a
// mutant of it.
//
// It is the search for dead code, with such calls taken for no effects: a statement is alive
// if it has another effect, or gives a variable a value that a statement needs which is alive,
// or decides whether one runs. What is in doubt is alive. Of the dead statements those are
// uninteresting that hold such a call or make values for one; what is dead for another reason
// is left to others.
//
// Handing a value to a sync.Pool is uninteresting by itself: see keeps.
//
// The idea, that uninteresting nodes make uninteresting what is made of them, is that of
// arid nodes: Petrović and others, "Practical Mutation Testing at Scale", section 4.
package arid

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Code is the uninteresting code of a package.
type Code struct {
	regions []region // apart from each other, in the order of the source
}

// region is uninteresting code in [lo, hi).
type region struct {
	lo, hi token.Pos
	why    reasons.Reason
}

// In returns why all code in [lo, hi) is uninteresting; nil if some is not.
func (c *Code) In(lo, hi token.Pos) reasons.Reason {
	i := sort.Search(len(c.regions), func(i int) bool { return c.regions[i].hi > lo })
	if i < len(c.regions) && c.regions[i].lo <= lo && hi <= c.regions[i].hi {
		return c.regions[i].why
	}
	return nil
}

// Find finds the uninteresting code of a package's files. There is none in a package whose
// purpose is to log, to measure or to trace.
func Find(info *typing.Info, files []*ast.File, l *logs.Loggers) *Code {
	c := new(Code)
	if isPurpose(info.Pkg.Path()) {
		return c
	}
	k := &knowledge{info: info, logs: l, pure: map[*types.Func]bool{}, quiet: map[*types.Func]bool{}, keeper: map[*types.Func]bool{}}
	k.learn(files)
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					c.add(k.analyse(d, d.Type, d.Body))
				}
			case *ast.GenDecl:
				c.literals(k, d)
			}
		}
	}
	slices.SortFunc(c.regions, func(a, b region) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.hi, a.hi)) })
	c.regions = outermost(c.regions)
	return c
}

// literals adds what is uninteresting in the function literals of a declaration.
func (c *Code) literals(k *knowledge, d *ast.GenDecl) {
	ast.Inspect(d, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			c.add(k.analyse(lit, lit.Type, lit.Body))
		}
		return !ok
	})
}

func (c *Code) add(b *body) { c.regions = append(c.regions, b.regions()...) }

// outermost leaves out regions within others.
func outermost(list []region) []region {
	var out []region
	for _, r := range list {
		if len(out) == 0 || r.lo >= out[len(out)-1].hi {
			out = append(out, r)
		}
	}
	return out
}

// purposes are parts of names of packages whose purpose is to log, to measure or to trace.
var purposes = []string{"log", "metric", "prom", "statsd", "telemetry", "trace", "tracing"}

// isPurpose says whether the name of a package says that its purpose is to log, to measure
// or to trace. A name like catalog holds one, too: then mutants are shown that need not be.
func isPurpose(importPath string) bool {
	name := path.Base(importPath)
	return slices.ContainsFunc(purposes, func(s string) bool { return strings.Contains(name, s) })
}
