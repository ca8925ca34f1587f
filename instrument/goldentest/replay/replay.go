// Package replay is what generated tests do with copies of fuzz tests: it calls their
// targets with the arguments of a table, gathers what is observed, and compares it with the
// texts of the table.
//
// Like that of package golden, the text of this file goes into generated files, with
// other names for what is declared at package level or imported, and is written in Go 1.18.
package replay

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// A Call is a place where values are observed.
type Call struct {
	Function string      // "gjson.Get", as golden files name it
	Values   []string    // their names; "" of what is no golden value
	Place    string      // "gjson_test.go:12"
	After    bool        // there is more of a call that was observed before
	Shown    golden.View // how much of the values
}

// Observing says that the fuzz target is running.
var Observing bool

// ObserveHook receives observed values while Observing.
var ObserveHook func(site uint32, vals []any)

// OpFirst is the site of the first of OpNames, the operations of the fuzz test in progress.
var (
	OpFirst uint32
	OpNames []string
)

// A Case is an entry of the corpus and what its run is to show.
type Case struct {
	name string
	args []any    // of the fuzz target, after its *testing.T
	want []string // see Lines
}

// A CopiedF stands for the *testing.F of a copied fuzz test.
type CopiedF struct {
	*testing.T
	fuzz    string // name of the fuzz test
	calls   []Call
	partial bool // some calls are observed by fuzzmut alone: they are in functions without a copy
	views   map[string]golden.View
	always  []string // what all cases show
	cases   []Case
}

// Name returns the name of the fuzz test.
func (f *CopiedF) Name() string { return f.fuzz }

// Add does nothing: seeds are among the cases.
func (f *CopiedF) Add(args ...any) {}

// FuzzmutObserve is called with the results of an operation of a sequence.
func (f *CopiedF) FuzzmutObserve(op string, results []any) {
	if !Observing {
		return
	}
	for i, name := range OpNames {
		if name == op {
			ObserveHook(OpFirst+uint32(i), results)
		}
	}
}

// FuzzmutUnobserve is called before what is not the same in each run of the case.
func (f *CopiedF) FuzzmutUnobserve() { Observing = false }

// Fuzz runs the fuzz target with each case.
func (f *CopiedF) Fuzz(target any) {
	for _, c := range f.cases {
		c := c
		f.Run(c.name, func(t *testing.T) { f.replay(t, reflect.ValueOf(target), c) })
	}
}

// replay runs the fuzz target with one case.
func (f *CopiedF) replay(t *testing.T, target reflect.Value, c Case) {
	typ := target.Type()
	if len(c.args) != typ.NumIn()-1 {
		t.Fatalf("%s takes %d arguments, and the case has %d; fuzzmut corpus verify -write-test writes the test again", f.fuzz, typ.NumIn()-1, len(c.args))
	}
	values := []reflect.Value{reflect.ValueOf(t)}
	for i, arg := range c.args {
		if got := reflect.TypeOf(arg); got != typ.In(i+1) {
			t.Fatalf("%s takes a %v, and the case has a %v; fuzzmut corpus verify -write-test writes the test again", f.fuzz, typ.In(i+1), got)
		}
		values = append(values, reflect.ValueOf(arg))
	}
	var mu sync.Mutex // the target may have goroutines
	log := golden.Log{Whole: f.partial}
	renderer := golden.Renderer{Views: f.views}
	ObserveHook = func(site uint32, vals []any) {
		mu.Lock()
		defer mu.Unlock()
		call := f.calls[site]
		if !call.After {
			log.Begin(call.Function)
		}
		Observing = false // a method of a value is not the target's doing
		for i, name := range call.Values {
			if name != "" {
				log.Add(call.Function, name, WriteWithin(renderer, vals[i], call.Shown))
			}
		}
		Observing = true
	}
	ended := false
	defer func() { // also after t.Skip
		Observing = false
		if t.Failed() || !ended && !t.Skipped() {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		log.Skipped = t.Skipped()
		want := append(append([]string(nil), f.always...), c.want...)
		f.compare(t, want, Lines(log.Values(), want))
	}()
	Observing = true
	target.Call(values)
	ended = true
}

// compare reports the calls that do not show what they are to.
func (f *CopiedF) compare(t *testing.T, want, got []string) {
	now, before := byCall(got), byCall(want)
	changed := false
	report := func(call, want, got string) {
		changed = true
		place := f.fuzz
		function, _, _ := strings.Cut(call, " #")
		for _, c := range f.calls {
			if c.Function == function {
				place = c.Place
				break
			}
		}
		t.Errorf("%s: %s\n%s", place, call, difference(want, got))
	}
	for _, line := range want {
		if call, text := cutLine(line); call != varies && !golden.Matches(text, now[call]) {
			report(call, text, now[call])
		}
	}
	for _, line := range got {
		if call, text := cutLine(line); before[call] == "" && !f.partial {
			report(call, "", text)
		}
	}
	if changed {
		t.Log("- before, + now: fix the code, or accept with: fuzzmut corpus verify -update")
	}
}

// varies begins the line of a table that names a value which differs from run to run.
const varies = "unstable"

// between stands between a call and its values.
const between = " = "

// Lines returns values as the lines of a table: one for each call, "p.Parse = int 1, nil",
// or "p.Parse #2 = ..." for a later one, and one for each value that is unstable, there or
// in the lines of another table.
func Lines(values []golden.Value, other []string) []string {
	var lines, ends []string
	omitted := make(map[string]bool)
	for _, line := range other {
		if call, name := cutLine(line); call == varies {
			omitted[name] = true
		}
	}
	last := ""
	for _, v := range values {
		if v.Text == golden.Unstable {
			omitted[v.Name] = true
		}
		if omitted[v.Name] {
			ends = append(ends, varies+between+v.Name)
			continue
		}
		call, part := CallOf(v.Name)
		text := golden.Flat(v.Text)
		if part != "" {
			text = part + ": " + text
		}
		if call == last && len(lines) > 0 {
			lines[len(lines)-1] += "; " + text
		} else {
			lines = append(lines, call+between+text)
		}
		last = call
	}
	return append(lines, ends...)
}

// CallOf divides the name of a value into the call and what is said of the value in
// addition: nothing for results.
func CallOf(name string) (call, part string) {
	i := strings.LastIndex(name, " #")
	if i < 0 {
		return name, ""
	}
	number, part, _ := strings.Cut(name[i+2:], " ")
	if call = name[:i]; number != "1" {
		call += " #" + number
	}
	if strings.HasPrefix(part, "result ") {
		part = ""
	}
	return call, part
}

// cutLine divides a line into the call and its values.
func cutLine(line string) (call, text string) {
	call, text, _ = strings.Cut(line, between)
	return call, text
}

// byCall returns the values of calls.
func byCall(lines []string) map[string]string {
	m := make(map[string]string, len(lines))
	for _, line := range lines {
		call, text := cutLine(line)
		m[call] = text
	}
	return m
}

// patience is how long the text of one value may take. It is not part of the result: a test
// that waits longer ends with the reason, in place of the limit of go test.
var patience = time.Minute

// WriteWithin writes a value. If one of its methods does not return, the process ends.
func WriteWithin(r golden.Renderer, v any, shown golden.View) string {
	watch := time.AfterFunc(patience, func() {
		panic(fmt.Sprintf("fuzzmut: the text of a %T has taken more than %v: one of its exported methods without parameters does not return; mark the type with //fuzzmut:opaque and run fuzzmut corpus verify -update", v, patience))
	})
	defer watch.Stop()
	return r.Write(v, shown)
}

// nearby is how much of two long lines is shown beside what differs, in bytes.
const nearby = 60

// difference shows two lines, of long ones the part that differs.
func difference(want, got string) string {
	from, to := 0, 0
	for from < len(want) && from < len(got) && want[from] == got[from] {
		from++
	}
	for to < len(want)-from && to < len(got)-from && want[len(want)-1-to] == got[len(got)-1-to] {
		to++
	}
	return "- " + around(want, from, len(want)-to) + "\n+ " + around(got, from, len(got)-to)
}

// around returns a line without what is far from a part of it.
func around(line string, from, to int) string {
	before, after := "", ""
	if from -= nearby; from > 0 {
		before = "... "
	} else {
		from = 0
	}
	if to += nearby; to < len(line) {
		after = " ... " + strconv.Itoa(len(line)) + " bytes"
	} else {
		to = len(line)
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	return before + line[from:to] + after
}
