package goldentest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/named"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	"github.com/fuzzmut/fuzzmut/instrument/tables"
)

// Plain are test files for people to make their own: they need nothing but the standard
// library.
type Plain struct {
	Name, ExternalName string // of the package under test, and of its external test package
	Mark               string // their first lines, a comment
	// Apart has each case be a separate test.
	Apart bool
}

// A Written test has some of the cases of a fuzz test.
type Written struct {
	Name  string
	Fuzz  string
	Cases []int // in the order of Test.Cases
	// Calls and Results show each case for people: the call with its arguments, and what it
	// returns, errors by what they say.
	Calls, Results []string
	// Errors says of each case whether the call returns an error.
	Errors []bool
	Rows   []tables.Row // each case for a table that is there already; none for calls in turn
	// Printed are regular expressions of how a test that fails prints each call, without constants'
	// names; none for calls in turn.
	Printed []string
	// Parts name the parts of each case's results that the test compares, as Results does, by the
	// variable that an output is in, "" for a result. A test that fails tells them by their numbers.
	Parts []map[string][]string
	// Beside shows what is compared of each case's errors beside their texts; "": nothing.
	Beside []string
}

// A Left case is one that Plain does not write.
type Left struct {
	Test, Input, Why string // Input is Go source
	Case             int    // in the order of Test.Cases
}

// PlainTests is what Plain wrote.
type PlainTests struct {
	Files map[string][]byte // by path
	Tests []Written
	Left  []Left
}

// Names lists the tests.
func (p *PlainTests) Names() (names []string) {
	for _, t := range p.Tests {
		names = append(names, t.Name)
	}
	return names
}

// CheckFree returns an error if one of both files is in a directory already, where it may have become
// somebody's own, or if none can be written there.
func (f *Plain) CheckFree(dir string) error {
	for _, name := range []string{f.Name, f.ExternalName} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s exists and is not overwritten: move its tests to a file of your own, or remove it", path)
		}
	}
	probe, err := os.CreateTemp(dir, "."+f.Name+".*.tmp")
	if err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return fmt.Errorf("%s can't be written: %w; allow it, or leave -write-test out", filepath.Join(dir, f.Name), err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Write returns test files that make the one call of each fuzz test with the
// arguments of its cases, and compare the results with == or reflect.DeepEqual, errors by
// what they say, and values of unexported fields by their String method. Other results are not
// compared, nor are those that differ from run to run. Cases with no result to compare are left with the reason.
func (f *Plain) Write(r *load.Result, tests []Test) (*PlainTests, error) {
	all := &PlainTests{Files: make(map[string][]byte)}
	for _, t := range r.Tests {
		w := &plainWriter{clause: &clause{loaded: r, tests: t}, all: all, lit: literals.New(t.Types, ownNames...), imports: []observe.Import{{Path: "testing"}}}
		for _, test := range tests {
			if observe.FileOf(t, test.Name) != "" {
				w.write(test, f.Apart)
			}
		}
		if len(w.plans) == 0 && w.body.Len() == 0 {
			continue
		}
		code, named := w.lit.Unmark(w.body.Bytes())
		imports := append(w.imports, named...)
		slices.SortFunc(imports, func(a, b observe.Import) int { return strings.Compare(a.Path+" "+a.Name, b.Path+" "+b.Name) })
		name := f.Name
		if t.External {
			name = f.ExternalName
		}
		path := filepath.Join(r.Test.Dir, name)
		var err error
		if all.Files[path], err = w.file(f.Mark, bytes.NewBuffer(code), slices.Compact(imports)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

// plainWriter writes the tests of one package clause.
type plainWriter struct {
	*clause
	all     *PlainTests
	lit     *literals.Literals
	imports []observe.Import
	body    bytes.Buffer
}

// write writes the tests of one fuzz test.
func (w *plainWriter) write(test Test, apart bool) {
	if s := w.loaded.Sequence(test.Name); s != nil {
		w.sequence(s, test, apart)
		return
	}
	direct := directOf(w.loaded, w.tests, test.Name, w.lit)
	if direct == nil && !slices.ContainsFunc(test.Cases, func(k Case) bool { return k.Against == nil }) {
		direct = firstOf(w.loaded, w.tests, test.Name) // if that distinguishes the cases
	}
	p, cases := w.planAll(direct, test)
	if p == nil {
		return
	}
	name := w.newName(test.Name)
	if !apart {
		w.add(p, Written{Name: name, Fuzz: test.Name, Cases: cases})
		return
	}
	for i, k := range p.test.Cases {
		one := plan(direct, Test{Name: test.Name, Cases: []Case{k}}, w.lit)
		w.add(one, Written{Name: w.newName(test.Name + "_" + strconv.Itoa(i+1)), Fuzz: test.Name, Cases: cases[i : i+1]})
	}
}

// newName is the name of a test about what a fuzz test is named after, which neither the package has nor a test that is
// written already.
func (w *plainWriter) newName(about string) string {
	return w.unused("Test", about, func(name string) bool {
		return slices.ContainsFunc(w.all.Tests, func(t Written) bool { return t.Name == name })
	})
}

// add writes one test.
func (w *plainWriter) add(p *planned, t Written) {
	w.plans = append(w.plans, p)
	for i := range p.test.Cases {
		t.Calls, t.Results, t.Errors = append(t.Calls, p.shownCall(i)), append(t.Results, p.shownResults(i, w.lit)), append(t.Errors, p.returnsError(i))
		t.Beside = append(t.Beside, p.shownBeside(i, w.lit))
		t.Rows, t.Printed, t.Parts = append(t.Rows, p.row(i)), append(t.Printed, p.printed(i)), append(t.Parts, p.parts(i))
	}
	w.all.Tests = append(w.all.Tests, t)
	w.imports = append(w.imports, p.direct.Imports...)
	if count(p.columns, errorColumn)+count(p.columns, saidColumn) > 0 {
		w.imports = append(w.imports, observe.Import{Path: "fmt"})
	}
	if count(p.columns, valueColumn)+count(p.columns, partsColumn) > 0 {
		w.imports = append(w.imports, observe.Import{Path: "reflect"})
	}
	w.writeDirect(&w.body, p, t.Name)
}

// planAll plans the table of the cases whose results are plain, and returns their places;
// nil: there is none.
func (w *plainWriter) planAll(direct *observe.Direct, test Test) (p *planned, places []int) {
	var cases []Case
	for i, k := range test.Cases {
		with := plan(direct, Test{Name: test.Name, Cases: append(slices.Clip(cases), k)}, w.lit)
		why := notPlain(with)
		if why == "" && p != nil && count(p.columns, noColumn) != count(with.columns, noColumn) {
			why = "one of its results has a literal only here, or only in the cases before"
		}
		if why == "" && k.Against != nil {
			if why = same(direct, k, w.lit); why != "" {
				k.Beside = true
				if why = same(direct, k, w.lit); why == "" {
					with = plan(direct, Test{Name: test.Name, Cases: append(slices.Clip(cases), k)}, w.lit)
				}
			}
		}
		if why != "" {
			w.all.Left = append(w.all.Left, Left{Test: test.Name, Input: call(k.Args), Why: why, Case: i})
			continue
		}
		p, cases, places = with, append(cases, k), append(places, i)
	}
	return p, places
}

// same says why a test of a case would not distinguish the other values; "" if it would.
func same(direct *observe.Direct, k Case, lit *literals.Literals) string {
	other := k
	other.Values = k.Against
	a := plan(direct, Test{Cases: []Case{k}}, lit)
	b := plan(direct, Test{Cases: []Case{other}}, lit)
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

// Unfit says why no plain test can be made of a fuzz test, whatever its cases are, by the results of the function that
// it is derived for, or else by the call; "" if one can.
func Unfit(r *load.Result, name string) string {
	for _, t := range r.Tests {
		if observe.FileOf(t, name) == "" || directOf(r, t, name, literals.New(t.Types, ownNames...)) != nil {
			continue
		}
		if d := r.DerivedTest(name); d != nil && d.Mute != "" {
			return d.Mute
		}
		return "a test can't make the call: its arguments can't be held by a test, or other calls come between"
	}
	return ""
}

// A Fitting says what a plain test makes of a case.
type Fitting struct {
	Plain bool   // it can hold the case
	Error bool   // which has an error as a result then
	Why   string // it can't hold the case
}

// Fit returns what a plain test makes of each case of a fuzz test.
func Fit(r *load.Result, test Test) []Fitting {
	fit := make([]Fitting, len(test.Cases))
	for _, t := range r.Tests {
		if observe.FileOf(t, test.Name) == "" {
			continue
		}
		lit := literals.New(t.Types, ownNames...)
		direct := directOf(r, t, test.Name, lit)
		for i, k := range test.Cases {
			p := plan(direct, Test{Name: test.Name, Cases: []Case{k}}, lit)
			if why := notPlain(p); why != "" {
				fit[i].Why = why
				continue
			}
			fit[i] = Fitting{Plain: true, Error: p.returnsError(0)}
			if s := r.Sequence(test.Name); s != nil {
				fit[i] = fitOf(s, p, k, lit)
			}
		}
	}
	return fit
}

// returnsError says whether the call of a case returns an error.
func (p *planned) returnsError(i int) bool {
	return slices.ContainsFunc(p.columns, func(c column) bool { return c.kind == errorColumn && c.cells[i] != literals.Quoted("<nil>") })
}

// shownCall is the call of a case as source: what stands for values is replaced by them.
func (p *planned) shownCall(i int) string {
	field := make(map[string]string)
	for at, param := range p.direct.Params {
		field[param.Name] = strings.ReplaceAll(p.argument(i, at), literals.Mark, "")
		if param.Receiver {
			field[param.Name] = asReceiver(field[param.Name], param.Type)
		}
	}
	args := make([]any, len(p.direct.Verbs))
	for at, name := range p.direct.Verbs {
		args[at] = field[name]
	}
	return fmt.Sprintf(withoutVerbs(p.format()), args...)
}

// asReceiver is a value that a method is called of: a constant by its name as it is, others with their type.
func asReceiver(src, typ string) string {
	e, _ := parser.ParseExpr(src)
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return src
	case *ast.BinaryExpr: // flags
		return "(" + src + ")"
	}
	return typ + "(" + src + ")"
}

// row is a case for a table that somebody has written.
func (p *planned) row(i int) tables.Row {
	k := &p.test.Cases[i]
	row := tables.Row{Line: p.direct.Site.Line, Args: make(map[string]string), Title: p.title(i), Comment: k.Comment}
	for at, param := range p.direct.Params {
		src := p.argument(i, at)
		if _, ok := types.Unalias(param.Of).(*types.Named); ok {
			if !strings.Contains(src, literals.Mark) {
				row.Named = withNamed(row.Named, param.Name, tables.Named{Source: src, Type: param.Of})
			}
			src = argument(k.Args[at], true)
		}
		row.Args[param.Name] = src
	}
	for _, c := range p.columns[:len(p.direct.Types)] {
		r := tables.Result{Error: c.kind == errorColumn, Said: c.kind == saidColumn}
		if r.Error || r.Said || c.kind == plainColumn || c.kind == valueColumn && !strings.ContainsAny(c.cells[i], literals.Mark+"\n") {
			r.Source = c.cells[i]
		}
		row.Results = append(row.Results, r)
	}
	return row
}

func withNamed(m map[string]tables.Named, param string, n tables.Named) map[string]tables.Named {
	if m == nil {
		m = make(map[string]tables.Named)
	}
	m[param] = n
	return m
}

// shownResults are the results of a case as source.
func (p *planned) shownResults(i int, lit *literals.Literals) string {
	var cells []string
	for _, col := range p.columns {
		if col.kind == noColumn {
			cells = append(cells, "_") // the next one is not the first
			continue
		}
		text, _ := lit.Unmark([]byte(col.cells[i]))
		switch {
		case col.beside:
			continue
		case col.kind == partsColumn:
			text, _ = lit.Unmark([]byte(literals.ShownParts(col.parts[i])))
		case col.kind == errorColumn && col.cells[i] == literals.Quoted("<nil>"):
			text = []byte("nil")
		case col.kind == errorColumn:
			text = append([]byte("error "), text...)
		}
		if col.out != "" {
			text = append([]byte(col.out+" then "), text...)
		}
		cells = append(cells, literals.Joined(string(text)))
	}
	return strings.Join(cells, ", ")
}

// shownBeside is what is compared of the errors of a case beside their texts.
func (p *planned) shownBeside(i int, lit *literals.Literals) string {
	var list []string
	for _, col := range p.columns {
		if col.beside && len(col.parts[i]) > 0 {
			text, _ := lit.Unmark([]byte(literals.ShownParts(col.parts[i])))
			list = append(list, literals.Joined(string(text)))
		}
	}
	return strings.Join(list, ", ")
}

// notPlain says why the results of a case can't be compared as they are, "" if they can.
func notPlain(p *planned) string {
	if p.direct == nil {
		if p.why != "" {
			return p.why
		}
		return NoCall
	}
	for _, k := range p.test.Cases {
		if slices.ContainsFunc(k.Args, isWide) {
			return wideReason
		}
	}
	for i, c := range p.columns[:len(p.direct.Types)] {
		if c.kind == textColumn {
			return fmt.Sprintf("result %d, of type %s, has no literal", i, p.direct.Types[i])
		}
	}
	return ""
}

// NoCall says why a case is left whose fuzz target makes no call that a test can make.
const NoCall = "the fuzz target does not begin with one call of a function, whose results are compared"

// wideReason says why a case is left that a file would have which does not compile for all systems.
const wideReason = "an int or uint of it does not fit into 32 bits, which some systems have"

// isWide says whether an argument is an int or uint of more than 32 bits.
func isWide(arg any) bool {
	switch arg.(type) {
	case int:
		return !named.Narrow(types.Typ[types.Int], fmt.Sprint(arg))
	case uint:
		return !named.Narrow(types.Typ[types.Uint], fmt.Sprint(arg))
	}
	return false
}
