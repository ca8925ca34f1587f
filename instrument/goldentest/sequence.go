package goldentest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
)

// sequence writes the tests of a fuzz test over sequences of calls: for each case the
// statements that it makes.
func (w *plainWriter) sequence(s *sequence.Sequence, test Test, apart bool) {
	direct := directOf(w.loaded, w.tests, test.Name, w.lit)
	t := Written{Fuzz: test.Name}
	var cases []sequence.Case
	var all []*sequence.Steps
	begin := ""
	for i, k := range test.Cases {
		p := plan(direct, Test{Name: test.Name, Cases: []Case{k}}, w.lit)
		steps, why := stepsOf(s, p, k, w.lit)
		if steps == nil {
			w.all.Left = append(w.all.Left, Left{Test: test.Name, Input: call(k.Args), Why: why, Case: i})
			continue
		}
		c := steps.Case()
		for _, name := range c.Imports {
			w.imports = append(w.imports, observe.Import{Name: s.ImportName(name), Path: name})
		}
		if c.Begins {
			begin = w.freeName("begin", strings.TrimSuffix(test.Name, "_sequence"))
			c.Body = begin + "(t)\n" + c.Body
		}
		if apart {
			t.Name, t.Cases, t.Calls, t.Results, t.Errors = w.newName(s.NameOf([]*sequence.Steps{steps})+"_"+strconv.Itoa(i+1)), nil, nil, nil, nil
		}
		t.Cases, t.Calls, t.Results, t.Errors = append(t.Cases, i), append(t.Calls, c.Call), append(t.Results, c.Result), append(t.Errors, steps.Fails())
		if apart {
			w.all.Tests = append(w.all.Tests, t)
			fmt.Fprintf(&w.body, "\nfunc %s(t *testing.T) {\n%s}\n", t.Name, c.Body)
			continue
		}
		c.Title = cmp.Or(c.Title, k.Name)
		cases, all = append(cases, c), append(all, steps)
	}
	if begin != "" {
		defer w.begin(s, begin)
	}
	if len(cases) > 0 {
		t.Name = w.newName(s.NameOf(all))
		w.all.Tests = append(w.all.Tests, t)
		fmt.Fprintf(&w.body, "\nfunc %s(t *testing.T) {\n", t.Name)
		sequence.Entitle(cases)
		for i, c := range cases {
			for _, line := range test.Cases[t.Cases[i]].Comment {
				w.body.WriteString("// " + line + "\n")
			}
			fmt.Fprintf(&w.body, "t.Run(%s, func(t *testing.T) {\n%s})\n", literals.Quoted(c.Title), c.Body)
		}
		w.body.WriteString("}\n")
	}
}

// begin writes the function that sets what cases of a fuzz test begin with.
func (w *plainWriter) begin(s *sequence.Sequence, name string) {
	source, imports := s.Begin(name)
	w.body.WriteString(source)
	for _, path := range imports {
		w.imports = append(w.imports, observe.Import{Name: s.ImportName(path), Path: path})
	}
}

// fitOf says what a test makes of a case of a sequence.
func fitOf(s *sequence.Sequence, p *planned, k Case, lit *literals.Literals) Fitting {
	steps, why := stepsOf(s, p, k, lit)
	if steps == nil {
		return Fitting{Why: why}
	}
	return Fitting{Plain: true, Error: steps.Fails()}
}

// stepsOf reads what a case does; nil: a test can't do it, with the reason.
func stepsOf(s *sequence.Sequence, p *planned, k Case, lit *literals.Literals) (steps *sequence.Steps, why string) {
	if why := notPlain(p); why != "" {
		return nil, why
	}
	if len(p.columns) == 1 && p.columns[0].kind == valueColumn {
		text, _ := lit.Unmark([]byte(p.columns[0].cells[0]))
		steps, ok := s.Read(k.Args, textsOf(string(text)))
		switch {
		case ok && steps.Wide():
			return nil, wideReason
		case ok:
			return steps, ""
		}
	}
	return nil, "what its calls return has no literal"
}

// textsOf are the elements of a literal of texts.
func textsOf(src string) (list []string) {
	e, err := parser.ParseExpr(src)
	lit, ok := e.(*ast.CompositeLit)
	if err != nil || !ok {
		return nil
	}
	for _, elt := range lit.Elts {
		if b, ok := elt.(*ast.BasicLit); ok {
			s, _ := strconv.Unquote(b.Value) // the parser has read it
			list = append(list, s)
		}
	}
	return list
}
