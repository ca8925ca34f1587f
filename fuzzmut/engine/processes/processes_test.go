package processes

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func newTestSet(cfg Config) *Set {
	cfg.Fuzz = instrument.FuzzTest{Name: "FuzzX"}
	cfg.Program = &instrument.Program{
		Blocks: []instrument.Block{{Func: 0}, {Func: 1}, {Func: 1}},
		Mutants: []instrument.Mutant{
			{Index: 1, ID: "one", File: "dir/x.go", Line: 7}, {Index: 2, Status: instrument.StatusStatic, FuncIndex: 1}, {Index: 3, FuncIndex: 1},
		},
		Funcs: make([]instrument.Func, 2),
	}
	return New(cfg)
}

func TestInitLeavesOutWhatDoesNotCount(t *testing.T) {
	s := newTestSet(Config{Dict: [][]byte{[]byte("a")}})
	s.Exclude(wire.Unstable{Value: wire.Value{Site: 4, Value: 1}})
	s.Exclude(wire.Unstable{Outcome: true})
	s.AddTokens([][]byte{[]byte("b")})
	init := s.Init(func(m uint32) bool { return m != 2 })
	if !slices.Equal(init.Dead, []uint32{1, 3}) {
		t.Errorf("excluded are the mutants %v", init.Dead)
	}
	if want := []wire.Value{{Site: 4, Value: 1}}; !slices.Equal(init.Excluded, want) {
		t.Errorf("excluded are the values %v, want %v", init.Excluded, want)
	}
	if got := string(bytes.Join(init.Dict, nil)); got != "ab" {
		t.Errorf("the dictionary is %q", got)
	}
	if want := []int32{0, -1, 1}; !slices.Equal(init.MutantFunc, want) {
		t.Errorf("functions of the mutants: %v, want %v: a static one can't be switched", init.MutantFunc, want)
	}
	if want := []int32{0, 1, 1}; !slices.Equal(init.CounterFunc, want) {
		t.Errorf("functions of the counters: %v, want %v", init.CounterFunc, want)
	}
}

// A worker gets the places of changed functions, what they return, and how much golden texts
// hold of what others do.
func TestInitTellsOfChangedFunctionsAndViews(t *testing.T) {
	s := New(Config{Program: &instrument.Program{
		Test:     instrument.TestPackage{ImportPath: "example.com/m/p", ModulePath: "example.com/m"},
		Packages: []instrument.Package{{ImportPath: "example.com/m/p"}, {ImportPath: "other.org/q"}},
		Funcs:    []instrument.Func{{File: "a.go", Line: 3}, {File: "a.go", Line: 9, EndLine: 12}, {File: "b.go", Line: 9}},
		Blocks:   []instrument.Block{{Func: 1}, {Func: 0}, {Func: 2}, {Func: 1}},
		Sites: []instrument.Site{
			{Name: "p.F", File: "p_test.go", Line: 9, Values: []string{"result 0 (int)"}},
			{Name: "p.changed", File: "a.go", Line: 9, Inner: true, Values: []string{"result 0 (int)"}},
			{Name: "p.G", Values: []string{"receiver t", "result 0 (int)"}},
			{Name: "p.Target", Target: true, Values: []string{"result 0 (int)"}},
		},
	}})
	init := s.Init(Nothing)
	if want := (wire.IDs{1}); !slices.Equal(init.Inner, want) {
		t.Errorf("sites of changed functions: %v, want %v", init.Inner, want)
	}
	if want := (wire.IDs{0, 3}); !slices.Equal(init.Traced, want) {
		t.Errorf("counters of changed functions: %v, want %v", init.Traced, want)
	}
	if want := (wire.Place{File: "a.go", Line: 9, EndLine: 12}); len(init.Places) != 3 || init.Places[1] != want {
		t.Errorf("functions %v", init.Places)
	}
	if want := map[uint32][]golden.View{2: {golden.ViewNone, ""}, 3: {golden.ViewNone}}; !reflect.DeepEqual(init.SiteViews, want) {
		t.Errorf("views of sites: %v, want %v", init.SiteViews, want)
	}
	if want := []string{"example.com/m", "example.com/m/p", "other.org/q"}; !slices.Equal(init.UserPackages, want) {
		t.Errorf("packages of the user: %q, want %q", init.UserPackages, want)
	}
	if init.Inputs != "default" || New(Config{Program: s.Program(), Inputs: "bytes"}).Init(Nothing).Inputs != "bytes" {
		t.Errorf("inputs are bred by %q", init.Inputs)
	}
}

// An input in a message is short, and no letter of it is cut in two.
func TestInputsInMessages(t *testing.T) {
	letters := strings.Repeat("é", 200)
	for _, c := range []struct {
		values []any
		want   string
	}{
		{[]any{"a\n", 3, true}, `"a\n", 3, true`},
		{[]any{[]byte("a\xff")}, `[]byte("a\xff")`},
		{[]any{strings.Repeat("x", 118)}, `"` + strings.Repeat("x", 118) + `"`},
		{[]any{strings.Repeat("x", 119)}, `"` + strings.Repeat("x", 119) + "…"},
		{[]any{letters, letters}, `"` + strings.Repeat("é", 59) + `…, "` + strings.Repeat("é", 59) + "…"},
	} {
		if got := Describe(corpus.Of(c.values...)); got != c.want || !utf8.ValidString(got) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Each worker tells of the values that it finds unstable.
func TestUnstableValuesCountOnce(t *testing.T) {
	s := newTestSet(Config{})
	for _, u := range []wire.Unstable{
		{Value: wire.Value{Site: 2, Value: 1}, Text: "first"},
		{Outcome: true, Text: "passes or fails"},
		{Value: wire.Value{Site: 2, Value: 0}},
		{Value: wire.Value{Site: 2, Value: 1}, Text: "second"},
		{Outcome: true, Value: wire.Value{Site: 9}},
		{Value: wire.Value{Site: 1, Value: 5}},
	} {
		s.Exclude(u)
	}
	want := []Unstable{
		{Outcome: true, Text: "passes or fails"},
		{Value: wire.Value{Site: 1, Value: 5}},
		{Value: wire.Value{Site: 2, Value: 0}},
		{Value: wire.Value{Site: 2, Value: 1}, Text: "first"},
	}
	if got := s.Unstable(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestDeathsHaveKindsAndOutcomes(t *testing.T) {
	doomed := func(doom fuzzmutrt.Doom) *worker.Death {
		d := &worker.Death{Cause: "exit status 2"}
		d.State.Doom = uint8(doom)
		return d
	}
	for _, c := range []struct {
		name string
		d    *worker.Death
		kill oracle.Kind
		kind wire.OutcomeKind
	}{
		{"by itself", doomed(0), oracle.Exit, wire.Death},
		{"ended by the clock", &worker.Death{Cause: "not finished within 10s", TimedOut: true}, oracle.Fuel, wire.Fuel},
		{"out of fuel", doomed(fuzzmutrt.OutOfFuel), oracle.Fuel, wire.Fuel},
		{"os.Exit", doomed(fuzzmutrt.Exited), oracle.Exit, wire.Exit},
	} {
		if got := KillKind(c.d); got != c.kill {
			t.Errorf("%s: a kill of kind %s, want %s", c.name, got, c.kill)
		}
		if got := newTestSet(Config{}).Outcome(c.d); got.Kind != c.kind {
			t.Errorf("%s: the outcome is %v, want %v", c.name, got.Kind, c.kind)
		}
	}
	d := &worker.Death{}
	if got := Suspects(d); len(got) > 0 {
		t.Errorf("suspects where no mutant was run: %v", got)
	}
	d.State.Last, d.State.Before = 5, 3
	if got := Suspects(d); !slices.Equal(got, []uint32{5, 3}) {
		t.Errorf("suspects %v", got)
	}
}

func TestTheFirstDeathFromOutsideIsKept(t *testing.T) {
	s := newTestSet(Config{})
	for _, cause := range []string{"signal: killed", "another"} {
		d := &worker.Death{Cause: cause, Killed: true}
		d.State.Input = corpus.Of(cause)
		s.FromOutside(d)
	}
	if o := s.Outside(); o.Deaths != 2 || o.Cause != "signal: killed" || !o.Input.Equal(corpus.Of("signal: killed")) {
		t.Errorf("%+v", o)
	}
}

func TestAWarningIsToldOnce(t *testing.T) {
	var told []string
	var log bytes.Buffer
	s := newTestSet(Config{OnWarning: func(text string) { told = append(told, text) }, Log: &log})
	for _, n := range []int{1, 2, 1} {
		s.Warn("number %d", n)
	}
	if want := []string{"number 1", "number 2"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	d := &worker.Death{Cause: "exit status 3"}
	s.LogDeath(d)
	s.LogDeathOf(d, 1)
	d.State.Mutant = 1
	for range 9 {
		s.LogDeath(d)
	}
	const of1 = "worker of FuzzX ended with mutant one (x.go:7): exit status 3"
	const want = "worker of FuzzX ended with the original: exit status 3\n" + of1 + "\n" + of1 + " (10 times)\n"
	if log.String() != want {
		t.Errorf("the log is %q", log.String())
	}
}

func TestDefaults(t *testing.T) {
	s := newTestSet(Config{})
	if s.Parallel() != 1 || s.Worker().Timeout != worker.DefaultTimeout || s.Init(Nothing).Inputs != "default" {
		t.Errorf("%d workers, timeout %v, inputs %q", s.Parallel(), s.Worker().Timeout, s.Init(Nothing).Inputs)
	}
	if s = newTestSet(Config{Parallel: 3, Worker: worker.Config{Timeout: time.Second}}); s.Parallel() != 3 || s.Worker().Timeout != time.Second {
		t.Errorf("%d workers, timeout %v", s.Parallel(), s.Worker().Timeout)
	}
	if s.Hurry() || !s.Hurry() {
		t.Error("the first input that blocks is new, the second is not")
	}
	s.AddInputs(3)
	s.AddInputs(4)
	if n := s.Counts().Inputs; n != 7 {
		t.Errorf("%d inputs", n)
	}
}

// Frames name functions by the paths of their packages as the linker has them.
func TestUserPackagesAsFramesNameThem(t *testing.T) {
	got := UserPackages(&instrument.Program{
		Test:     instrument.TestPackage{ImportPath: "gopkg.in/yaml.v3/in", ModulePath: "gopkg.in/yaml.v3"},
		Packages: []instrument.Package{{ImportPath: "gopkg.in/yaml.v3"}},
	})
	for function, want := range map[string]bool{
		"gopkg.in/yaml%2ev3.(*parser).parse": true,
		"gopkg.in/yaml%2ev3_test.FuzzX":      true,
		"gopkg.in/yaml.v3/in.F":              true,
		"gopkg.in/yaml%2ev2.F":               false,
		"gopkg.in/yaml.v3x.F":                false,
	} {
		if failure.InPackages(function, got) != want {
			t.Errorf("%s is the user's: %v, by %q", function, !want, got)
		}
	}
}
