package memory

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// A setup is all that a run's verdicts may depend on. There is one mutant in each function.
type setup struct {
	code, test, data, mod, sum string
	dir                        string // of the package
	cache                      string
	self                       string // fuzzmut
	env                        []string
	tool                       gotool.Toolchain
	options                    Options
	share, binary              string   // a shared directory, and the test binary
	events                     []string // notes
	warnings                   []string
}

const code = `package p

import "strings"

const limit = 3

var names = []string{"a"}

type T struct{ n int }

func F(n int) int { return n + limit }

func G(s string) string { return strings.ToUpper(s) }
`

func newSetup(t *testing.T) *setup {
	t.Helper()
	return &setup{
		code: code, test: "package p\n\nfunc TestF() {}\n", data: "data", mod: "module p\n", sum: "a v1 h1:x\n",
		dir: t.TempDir(), cache: t.TempDir(), self: "fuzzmut",
		tool: gotool.Toolchain{Version: "go1.26.8"},
	}
}

// open writes the files and opens the memory, as a run does.
func (s *setup) open(t *testing.T) *Memory {
	t.Helper()
	for name, text := range map[string]string{"testdata/x": s.data, "go.mod": s.mod, "go.sum": s.sum} {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if old, err := os.ReadFile(path); err == nil && string(old) == text {
			continue // the time of the file counts
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	loaded := &load.Result{Fset: token.NewFileSet(), Toolchain: &s.tool}
	s.tool.Mod = filepath.Join(s.dir, "go.mod")
	file := func(name, text string) []load.File {
		path := filepath.Join(s.dir, name)
		syntax, err := parser.ParseFile(loaded.Fset, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return []load.File{{Path: path, Src: []byte(text), Syntax: syntax}}
	}
	loaded.Packages = []*load.Package{{ImportPath: "example.com/p", Mutated: true, Files: file("p.go", s.code)}}
	loaded.Tests = []*load.TestFiles{{Files: file("p_test.go", s.test)}}
	program := &instrument.Program{Test: instrument.TestPackage{ImportPath: "example.com/p", Dir: s.dir}}
	for i, place := range []string{"return n", "return strings"} {
		program.Mutants = append(program.Mutants, instrument.Mutant{
			Index: i + 1, ID: fmt.Sprintf("m%d", i+1), Package: "example.com/p",
			File: filepath.Join(s.dir, "p.go"), Offset: strings.Index(s.code, place),
		})
	}
	program.Sites = []instrument.Site{
		{Name: "p.G", File: filepath.Join(s.dir, "p_test.go"), Line: 3, Values: []string{"result 0 (string)", "result 1 (error)"}},
		{Name: "p.Err.Error", File: filepath.Join(s.dir, "p_test.go"), Line: 5, Values: []string{"result 0 (string)"}},
		{Name: "(*p.T).less", File: filepath.Join(s.dir, "p_test.go"), Line: 4, Values: []string{"result 0 (int)"}},
	}
	p := &project.Project{GoCache: s.cache}
	p.Options.Env = s.env
	if s.share != "" {
		var err error
		if p.Share, err = share.Open(s.share, true); err != nil {
			t.Fatal(err)
		}
	}
	k := &Keeper{Project: p, Options: s.options, self: []byte(s.self)}
	return k.Open(Package{
		Loaded: loaded, Program: program, Code: change.NewSources(loaded), Binary: s.binary,
		Note: func(format string, args ...any) { s.events = append(s.events, fmt.Sprintf(format, args...)) },
		Warn: func(text string) { s.warnings = append(s.warnings, text) },
	})
}

var reach = []string{"TestF", "TestG"}

func killed(mutant uint32) unittest.Verdict {
	return unittest.Verdict{
		Mutant: mutant, Status: unittest.StatusKilled, Kind: oracle.Panic, Test: "TestF", Detail: "index out of range",
		Tests: reach, Infected: reach[:1], Fresh: true,
	}
}

// run keeps verdicts in a separate run.
func (s *setup) run(t *testing.T, list ...unittest.Verdict) {
	t.Helper()
	m := s.open(t)
	defer m.Close()
	for _, v := range list {
		if got, ok := m.Known(m.mutant(v.Mutant), v.Tests); ok {
			t.Fatalf("mutant %d is known: %+v", v.Mutant, got)
		}
		m.Keep(v)
	}
}

func (m *Memory) mutant(index uint32) *instrument.Mutant { return &m.pkg.Program.Mutants[index-1] }

func TestAVerdictIsKnownToTheNextRun(t *testing.T) {
	s := newSetup(t)
	survived := unittest.Verdict{Mutant: 2, Status: unittest.StatusSurvived, Tests: reach, Infected: reach[1:], Reason: "why"}
	s.run(t, killed(1), survived)
	m := s.open(t)
	defer m.Close()
	for _, want := range []unittest.Verdict{killed(1), survived} {
		got, ok := m.Known(m.mutant(want.Mutant), reach)
		if !ok {
			t.Fatalf("mutant %d is not known", want.Mutant)
		}
		want.Reused, want.Infected = true, nil // it is not known which
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("mutant %d (-want +got):\n%s", want.Mutant, diff)
		}
		kept, reused, resumed := m.Verdict(got)
		if kept.Reached != 2 || kept.Infected != 1 || !reused || resumed {
			t.Errorf("mutant %d is reported as %+v, reused %v, resumed %v", want.Mutant, kept, reused, resumed)
		}
	}
	if _, reused, resumed := m.Verdict(unittest.Verdict{Mutant: 3}); reused || resumed {
		t.Error("a verdict of this run is said to be from another one")
	}
	if len(s.warnings)+len(s.events) > 0 {
		t.Errorf("warnings %q, notes %q", s.warnings, s.events)
	}
}

// What a verdict depends on, and what not.
func TestAVerdictHoldsAsLongAsWhatItDependsOn(t *testing.T) {
	replace := func(text *string, old, now string) {
		if !strings.Contains(*text, old) {
			panic(old)
		}
		*text = strings.Replace(*text, old, now, 1)
	}
	for _, c := range []struct {
		name   string
		change func(s *setup)
		tests  []string
		holds  bool // for the mutant of F
	}{
		{"nothing", func(*setup) {}, reach, true},
		{"its function", func(s *setup) { replace(&s.code, "n + limit", "n - limit") }, reach, false},
		{"a comment in its function", func(s *setup) { replace(&s.code, "int { return n", "int { /* x */ return n") }, reach, false},
		{"another function", func(s *setup) { replace(&s.code, "ToUpper", "ToLower") }, reach, true},
		{"lines before it", func(s *setup) { replace(&s.code, "const", "// A comment.\n\nconst") }, reach, true},
		{"a constant", func(s *setup) { replace(&s.code, "limit = 3", "limit = 4") }, reach, false},
		{"a variable", func(s *setup) { replace(&s.code, `"a"`, `"b"`) }, reach, false},
		{"a type", func(s *setup) { replace(&s.code, "n int }", "n int8 }") }, reach, false},
		{"a new function", func(s *setup) { s.code += "\nfunc H() {}\n" }, reach, true},
		{"an import", func(s *setup) { replace(&s.code, `import "strings"`, `import ("strings"; _ "embed")`) }, reach, true},
		{"the tests", func(s *setup) { s.test += "// more\n" }, reach, false},
		{"test data", func(s *setup) { s.data = "more data" }, reach, false},
		{"go.mod", func(s *setup) { s.mod += "\ngo 1.26\n" }, reach, false},
		{"go.sum", func(s *setup) { s.sum += "b v1 h1:y\n" }, reach, false},
		{"a test that reaches it", func(*setup) {}, []string{"TestF", "TestG", "TestH"}, false},
		{"one test fewer", func(*setup) {}, reach[:1], false},
		{"the names of tests run together", func(*setup) {}, []string{"TestFTestG"}, false},
		{"fuzzmut", func(s *setup) { s.self = "fuzzmut 2" }, reach, false},
		{"the version of Go", func(s *setup) { s.tool.Version = "go1.27" }, reach, false},
		{"the flags of the build", func(s *setup) { s.tool.Flags = []string{"-race=true"} }, reach, false},
		{"a variable of the go command", func(s *setup) { s.env = []string{"GOARCH=arm64"} }, reach, false},
		{"one of cgo", func(s *setup) { s.env = []string{"CGO_ENABLED=0"} }, reach, false},
		{"another variable", func(s *setup) { s.env = []string{"HOME=/x", "LOGO=1"} }, reach, true},
		{"-short", func(s *setup) { s.options.Short = true }, reach, false},
		{"arguments", func(s *setup) { s.options.Args = []string{"-x"} }, reach, false},
		{"-timeout", func(s *setup) { s.options.Timeout = time.Second }, reach, false},
		{"-memlimit", func(s *setup) { s.options.MemLimit = 1 << 30 }, reach, false},
		{"-run of tests", func(s *setup) { s.options.Run = "TestF|TestG" }, reach, true},
		{"-run of subtests", func(s *setup) { s.options.Run = "TestF/x" }, reach, false},
		{"-skip of subtests", func(s *setup) { s.options.Skip = "TestF/x" }, reach, false},
		{"which mutants are judged", func(s *setup) { s.options.Part = "1/2" }, reach, true},
		{"verdicts of other runs are not wanted", func(s *setup) { s.options.Fresh = true }, reach, false},
		{"another directory", func(s *setup) { s.dir += "2" }, reach, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSetup(t)
			s.run(t, killed(1))
			c.change(s)
			m := s.open(t)
			defer m.Close()
			if _, ok := m.Known(m.mutant(1), c.tests); ok != c.holds {
				t.Errorf("known: %v, want %v", ok, c.holds)
			}
		})
	}
}

// The same variables in another order are the same.
func TestTheOrderOfTheEnvironmentIsNothing(t *testing.T) {
	s := newSetup(t)
	s.env = []string{"GOARCH=amd64", "GOOS=linux"}
	s.run(t, killed(1))
	slices.Reverse(s.env)
	m := s.open(t)
	defer m.Close()
	if _, ok := m.Known(m.mutant(1), reach); !ok {
		t.Error("the verdict is not known")
	}
}

func TestARunThatIsResumed(t *testing.T) {
	s := newSetup(t)
	s.run(t, killed(1), killed(2))
	s.options.Resume = true
	m := s.open(t)
	got, ok := m.Known(m.mutant(1), reach[:1]) // whatever reaches it now
	if !ok || got.Status != unittest.StatusKilled || !got.Reused {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, reused, resumed := m.Verdict(got); reused || !resumed {
		t.Errorf("reused %v, resumed %v", reused, resumed)
	}
	m.Close()
	s.code += "\nvar another = 1\n"
	m = s.open(t)
	if _, ok := m.Known(m.mutant(1), reach); ok {
		t.Error("the verdict on other code is known")
	}
	m.Close()
	want := []string{
		"resuming the last run, which has 2 verdicts",
		"no earlier run of this code with these tests and flags: starting over",
	}
	if diff := cmp.Diff(want, s.events); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// Which tests judge is part of a run that goes on, but not of the verdicts of others.
func TestARunWithOtherTestsIsNotResumed(t *testing.T) {
	for _, change := range []func(o *Options){
		func(o *Options) { o.Run = "TestF" },
		func(o *Options) { o.Skip = "TestH" },
		func(o *Options) { o.Part = "1/2" },
	} {
		s := newSetup(t)
		s.run(t, killed(1))
		s.options.Resume = true
		change(&s.options)
		m := s.open(t)
		got, ok := m.Known(m.mutant(1), reach)
		if _, reused, resumed := m.Verdict(got); !ok || !reused || resumed {
			t.Errorf("%+v: known %v, reused %v, resumed %v", s.options, ok, reused, resumed)
		}
		m.Close()
	}
}

func TestVerdictsOfTestsThatAreSetAside(t *testing.T) {
	survived := unittest.Verdict{Mutant: 2, Status: unittest.StatusSurvived, Tests: reach}
	s := newSetup(t)
	s.run(t, killed(1), survived)
	m := s.open(t)
	m.SetAside([]unittest.SetAside{{Test: "TestF"}})
	for index := range uint32(2) {
		if got, ok := m.Known(m.mutant(index+1), reach); ok {
			t.Errorf("mutant %d is known: %+v", index+1, got)
		}
	}
	m.Close()

	// A test that is set aside later: what this run says counts.
	m = s.open(t)
	defer m.Close()
	if _, ok := m.Known(m.mutant(2), reach); !ok {
		t.Fatal("mutant 2 is not known")
	}
	m.SetAside([]unittest.SetAside{{Test: "TestG"}})
	now := unittest.Verdict{Mutant: 2, Status: unittest.StatusSurvived, Tests: reach[:1], Reused: true}
	got, reused, _ := m.Verdict(now)
	if want := (verdicts.Verdict{Status: "survived", Reached: 1, Tests: reach[:1]}); !reused || !cmp.Equal(want, got) {
		t.Errorf("reused %v:\n%s", reused, cmp.Diff(want, got))
	}
}

func TestAVerdictThatIsTakenBack(t *testing.T) {
	s := newSetup(t)
	s.run(t, killed(1), killed(2))
	m := s.open(t)
	got, _ := m.Known(m.mutant(1), reach)
	m.Withdraw([]uint32{1})
	if _, reused, resumed := m.Verdict(got); reused || resumed {
		t.Error("it is reported as known")
	}
	m.Close()
	for range 2 { // the second time after the store was rewritten
		m = s.open(t)
		if _, ok := m.Known(m.mutant(1), reach); ok {
			t.Error("it is known to the next run")
		}
		if _, ok := m.Known(m.mutant(2), reach); !ok {
			t.Error("another one is not known")
		}
		m.Close()
	}
	s.options.Resume = true
	m = s.open(t)
	defer m.Close()
	if _, ok := m.Known(m.mutant(1), reach); ok {
		t.Error("it is known to a run that goes on")
	}
	if len(s.warnings) > 0 {
		t.Errorf("%q", s.warnings)
	}
}

// After it was taken back, a mutant may be judged again in the same run.
func TestAVerdictThatIsTakenBackAndGivenAgain(t *testing.T) {
	s := newSetup(t)
	s.run(t, killed(1))
	m := s.open(t)
	m.Known(m.mutant(1), reach)
	m.Withdraw([]uint32{1})
	m.Keep(unittest.Verdict{Mutant: 1, Status: unittest.StatusSurvived, Tests: reach})
	m.Close()
	m = s.open(t)
	defer m.Close()
	if got, ok := m.Known(m.mutant(1), reach); !ok || got.Status != unittest.StatusSurvived {
		t.Errorf("%+v, %v", got, ok)
	}
}

func TestWhatIsNotKept(t *testing.T) {
	s := newSetup(t)
	s.run(t,
		unittest.Verdict{Mutant: 1, Status: unittest.StatusSkipped, Tests: reach},
		unittest.Verdict{Mutant: 2, Status: unittest.StatusNotRun, Tests: reach})
	m := s.open(t)
	defer m.Close()
	for index := range uint32(2) {
		if got, ok := m.Known(m.mutant(index+1), reach); ok {
			t.Errorf("%+v is kept", got)
		}
	}
}

// The tests that a run has left are known to the next one, under the same key, until there is a
// verdict. They are no verdict that counts, and nothing for other machines.
func TestWhatIsLeftIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share")
	s := sharing(t, dir)
	left := unittest.Verdict{Mutant: 1, Status: unittest.StatusNotRun, Reason: unittest.LongOverBudget, Tests: reach, Left: reach[:1]}
	s.run(t, left)
	m := s.open(t)
	got, ok := m.Known(m.mutant(1), reach)
	if !ok || got.Status != unittest.StatusNotRun || !slices.Equal(got.Left, reach[:1]) || got.Reused {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := m.Known(m.mutant(1), reach[:1]); ok {
		t.Error("it is known under another key")
	}
	if _, reused, resumed := m.Verdict(left); reused || resumed {
		t.Error("it counts as a verdict of an earlier run")
	}
	if sharing(t, dir).knows(t) {
		t.Error("it is left for others")
	}
	m.Known(m.mutant(1), reach)
	m.Keep(unittest.Verdict{Mutant: 1, Status: unittest.StatusSurvived, Tests: reach, Infected: reach})
	m.Close()
	m = s.open(t)
	defer m.Close()
	if got, ok := m.Known(m.mutant(1), reach); !ok || got.Status != unittest.StatusSurvived || !got.Reused {
		t.Errorf("after a verdict: %+v, %v", got, ok)
	}
}

// What was seen of a survivor is kept with the verdict, as it is reported.
func TestWhatWasSeenIsKept(t *testing.T) {
	for _, c := range []struct {
		name string
		seen unittest.Seen
		want report.Seen
		file string // of the test: its package clause, if it is another
	}{
		{
			"in a field of the package",
			unittest.Seen{Test: "TestF", Text: ".n: 1 vs 2", Field: "example.com/p.T.n"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".n: 1 vs 2", Inside: true},
			"",
		},
		{
			"in a field that the test can't name",
			unittest.Seen{Test: "TestF", Text: ".n: 1 vs 2", Field: "example.com/p.T.n"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".n: 1 vs 2", Inside: true, Weak: "unexported"},
			"package p_test",
		},
		{
			"in a field that it can name",
			unittest.Seen{Test: "TestF", Text: ".N: 1 vs 2", Plain: true, Field: "bufio.Reader.N"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".N: 1 vs 2"},
			"package p_test",
		},
		{
			"in a field of the standard library",
			unittest.Seen{Test: "TestF", Text: ".r.err: nil vs EOF", Field: "bufio.Reader.err"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".r.err: nil vs EOF", Inside: true, Weak: "unexported"},
			"",
		},
		{
			"in an unexported field of another module",
			unittest.Seen{Test: "TestF", Text: ".b.set[3]: 1 vs 2", Field: "gopkg.in/bitset.v2.Set.set[]"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".b.set[3]: 1 vs 2", Inside: true, Weak: "unexported"},
			"",
		},
		{
			"in an exported one",
			unittest.Seen{Test: "TestF", Text: ".b.N: 1 vs 2", Field: "gopkg.in/bitset.v2.Set.N"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".b.N: 1 vs 2", Inside: true},
			"",
		},
		{
			"in one of a type without a name",
			unittest.Seen{Test: "TestF", Text: ".b.n: 1 vs 2", Field: "..n"},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: ".b.n: 1 vs 2", Inside: true},
			"",
		},
		{
			"a value",
			unittest.Seen{Test: "TestF", Value: 1, Text: `"a" vs "b"`, Plain: true},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 1 (error)", Text: `"a" vs "b"`},
			"",
		},
		{
			"the text of an error, below an unexported field",
			unittest.Seen{Test: "TestF", Text: `.err: error "a" vs error "b"`, Weak: observe.Message},
			report.Seen{Test: "TestF", Call: "p.G", Line: 3, Value: "result 0 (string)", Text: `.err: error "a" vs error "b"`, Inside: true, Weak: "message"},
			"",
		},
		{
			"what an Error method returns",
			unittest.Seen{Test: "TestF", Site: 1, Text: `"a" vs "b"`, Plain: true},
			report.Seen{Test: "TestF", Call: "p.Err.Error", Line: 5, Value: "result 0 (string)", Text: `"a" vs "b"`, Weak: "message"},
			"",
		},
		{
			"other calls",
			unittest.Seen{Test: "TestG", Value: observe.WholeSite, Text: "value 0 of site 0 vs nothing more"},
			report.Seen{Test: "TestG", Call: "p.G", Line: 3},
			"",
		},
	} {
		s := newSetup(t)
		if c.file != "" {
			s.test = strings.Replace(s.test, "package p", c.file, 1)
		}
		c.want.File = filepath.Join(s.dir, "p_test.go")
		v := unittest.Verdict{Mutant: 2, Status: unittest.StatusSurvived, Tests: reach, Infected: reach[:1]}
		again := v
		again.Seen = &c.seen
		s.run(t, v, killed(1))
		s.options.Fresh = true
		s.run(t, v, again) // it is reported once more when something is seen
		s.options.Fresh = false
		m := s.open(t)
		known, ok := m.Known(m.mutant(2), reach)
		got, reused, _ := m.Verdict(known)
		if diff := cmp.Diff(&c.want, got.Seen); diff != "" || !ok || !reused {
			t.Errorf("%s: known %v, reused %v (-want +got):\n%s", c.name, ok, reused, diff)
		}
		m.Close()
	}
}

func TestFieldsOfTheStandardLibrary(t *testing.T) {
	for field, want := range map[string]bool{
		"": false, ".x": false, "bufio.Reader.err": true, "internal/poll.FD.isBlocking": true, "example.com/p.T.n": false, "tool.T.n": false, "tool/sub.T.n": false, "tools.T.n": true,
	} {
		if got := standard(field, "tool"); got != want {
			t.Errorf("%q: %v", field, got)
		}
	}
}

func TestAbridge(t *testing.T) {
	var tests []string
	for i := range testsKept + 5 {
		tests = append(tests, fmt.Sprintf("Test%d", i))
	}
	last := tests[testsKept+2:]
	v := abridge(unittest.Verdict{Status: unittest.StatusSurvived, Tests: tests, Infected: last})
	if want := slices.Concat(last, tests[:testsKept-3]); !slices.Equal(v.Tests, want) || v.Reached != testsKept+5 || v.Infected != 3 {
		t.Errorf("%d reached, %d infected: %v, want %v", v.Reached, v.Infected, v.Tests, want)
	}
	if v := abridge(unittest.Verdict{Status: unittest.StatusKilled, Kind: oracle.Fuel, Tests: tests}); v.Tests != nil || v.Kind != "fuel" || v.Reached != len(tests) {
		t.Errorf("of a kill: %+v", v)
	}
	for _, c := range []struct {
		name, detail string
		length       int
	}{
		{"short", strings.Repeat("a", detailKept), detailKept},
		{"long", strings.Repeat("a", detailKept+1), detailKept + 3},
		{"cut within a letter", strings.Repeat("a", detailKept-1) + "äöü", detailKept - 1 + 3},
	} {
		got := abridge(unittest.Verdict{Detail: c.detail}).Detail
		if len(got) != c.length || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, want %d: %q", c.name, len(got), c.length, got[max(0, len(got)-9):])
		}
	}
	infected := []string{"A"}
	abridge(unittest.Verdict{Status: unittest.StatusSurvived, Tests: []string{"B"}, Infected: infected[:1:1]})
	if infected[0] != "A" {
		t.Error("the verdict itself has changed")
	}
}

// Lines that are damaged are named, and the mutants judged again.
func TestDamagedVerdictsAreNamed(t *testing.T) {
	for _, c := range []struct {
		lines int
		want  string
	}{
		{1, ": damaged: the mutant is judged again"},
		{2, ": damaged, and so are 1 line below it: the mutants are judged again"},
		{3, ": damaged, and so are 2 lines below it: the mutants are judged again"},
	} {
		s := newSetup(t)
		s.run(t, killed(1), killed(2))
		m := s.open(t)
		m.Known(m.mutant(1), reach)
		dir := m.dir()
		m.Close()
		path := journal(t, dir)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := bytes.Cut(text, []byte("\n"))
		text = slices.Concat(head, []byte("\n"+strings.Repeat("{]\n", c.lines)), rest)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		m = s.open(t)
		if _, ok := m.Known(m.mutant(1), reach); !ok {
			t.Error("a verdict on another line is lost")
		}
		m.Close()
		if want := []string{fmt.Sprintf("%s:2%s", path, c.want)}; !slices.Equal(s.warnings, want) {
			t.Errorf("warnings %q, want %q", s.warnings, want)
		}
		s.open(t).Close()
		if len(s.warnings) > 1 {
			t.Errorf("after the store was rewritten: %q", s.warnings[1:])
		}
	}
}

// journal is the file with the verdicts.
func journal(t *testing.T, dir string) string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%q, %v", list, err)
	}
	return list[0]
}

// Where tests are left out, what reaches a mutant is not known. What all tests have said of the same code counts, and
// that nothing reaches a mutant is no verdict.
func TestVerdictsOfARunThatLeavesOutTests(t *testing.T) {
	notCovered := unittest.Verdict{Mutant: 2, Status: unittest.StatusNotCovered}
	for name, c := range map[string]struct {
		part          string
		change        func(s *setup)
		first, second bool
	}{
		"all tests":        {part: Whole, first: true, second: true},
		"some of them":     {part: "suggest"},
		"other code":       {part: Whole, change: func(s *setup) { s.code += "\nfunc H() {}\n" }},
		"other tests":      {part: Whole, change: func(s *setup) { s.options.Skip = "TestG" }},
		"not to be reused": {part: Whole, change: func(s *setup) { s.options.Fresh = true }},
	} {
		s := newSetup(t)
		s.options.Part = c.part
		s.run(t, killed(1), notCovered)
		s.options.Part = "suggest"
		if c.change != nil {
			c.change(s)
		}
		m := s.open(t)
		m.LeaveOut()
		v, first := m.Known(m.mutant(1), reach[:1])
		_, second := m.Known(m.mutant(2), nil)
		m.Close()
		if first != c.first || second != c.second || first && (v.Status != unittest.StatusKilled || v.Test != "TestF") {
			t.Errorf("%s: known %v (%+v) and %v", name, first, v, second)
		}
	}
	// What the same tests reach again has the same key.
	s := newSetup(t)
	s.run(t, killed(1))
	m := s.open(t)
	defer m.Close()
	m.LeaveOut()
	if v, ok := m.Known(m.mutant(1), reach); !ok || v.Status != unittest.StatusKilled {
		t.Errorf("with the same tests: %+v, %v", v, ok)
	}
}

// A verdict that says which tests are left to run is not of all tests.
func TestAVerdictThatIsNotFinalIsNotOfAllTests(t *testing.T) {
	s := newSetup(t)
	s.options.Part = Whole
	s.run(t, unittest.Verdict{Mutant: 1, Status: unittest.StatusNotRun, Tests: reach, Left: reach[1:]})
	m := s.open(t)
	defer m.Close()
	m.LeaveOut()
	if v, ok := m.Known(m.mutant(1), reach[:1]); ok {
		t.Errorf("%+v", v)
	}
}
