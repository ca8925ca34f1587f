package trial

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// bare is a trial without an engine, in a directory.
func bare(dir string) *Trial {
	return &Trial{
		Project: &project.Project{Options: project.Options{Dir: dir}, GoCache: filepath.Join(dir, "cache")},
		Package: &project.Package{Program: &instrument.Program{Test: instrument.TestPackage{ImportPath: "example.com/p", Dir: dir, ModuleDir: dir}}},
		Test:    instrument.FuzzTest{Name: "FuzzX", File: "x_test.go"},
		hello:   new(wire.Hello),
	}
}

func TestOutcomesHaveNames(t *testing.T) {
	for kind, want := range map[wire.OutcomeKind][2]string{
		wire.Panic: {"panic", "panic: one"},
		wire.Fail:  {"failure", "one"},
		wire.Fuel:  {"hang", "it does not end"},
		wire.Exit:  {"exit", "one"},
		wire.Death: {"death", "one"},
	} {
		o := wire.Outcome{Kind: kind, Message: "\n one\ntwo"}
		if got := [2]string{FailureKind(o), DescribeOutcome(o)}; got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
}

func TestFramesHavePositions(t *testing.T) {
	for frame, want := range map[string]string{
		"example.com/m/p.f /m/p/f.go:7":      "p.f /m/p/f.go 7",
		"p.(*T).f C:/m/f.go:12":              "p.(*T).f C:/m/f.go 12",
		"main.main.func1 /with space/x.go:3": "main.main.func1 /with space/x.go 3",
		"odd":                                "odd  0",
		"example.com/p/v6.(*T).f /m/f.go:7":  "p.(*T).f /m/f.go 7", // a major version is no name
		"example.com/p/v1.f /m/f.go:7":       "v1.f /m/f.go 7",
		"v2.f /m/f.go:7":                     "v2.f /m/f.go 7",
		"gopkg.in/yaml%2ev2.F /m/f.go:8":     "yaml.v2.F /m/f.go 8",
	} {
		file, line := PositionOf(frame)
		if got := fmt.Sprintf("%s %s %d", FunctionOf(frame), file, line); got != want {
			t.Errorf("%q: %q, want %q", frame, got, want)
		}
	}
	if got := Frames("/m", slices.Repeat([]string{"p.f /m/f.go:1"}, 9)); len(got) != 5 {
		t.Errorf("%d frames", len(got))
	}
	if got := Frames("/m", nil); got == nil {
		t.Error("no frames are null in JSON")
	}
}

func TestACorpusIsCounted(t *testing.T) {
	for _, c := range []struct {
		given, cached int
		want          string
	}{
		{1, 0, "1 seed and corpus entry"},
		{0, 0, "0 seeds and corpus entries"},
		{2, 3, "2 seeds and corpus entries, 3 more from Go's fuzz cache"},
	} {
		if got := DescribeCorpus(c.given, c.cached); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestTheFirstBadEntriesAreNamed(t *testing.T) {
	var bad []corpus.BadEntry
	for i := range 7 {
		bad = append(bad, corpus.BadEntry{Path: fmt.Sprintf("e%d", i), Err: errors.New("wrong"), Fix: "do this"})
	}
	lines := strings.Split(BadEntries(bad).Error(), "\n")
	if len(lines) != 6 || !strings.Contains(lines[4], "e4") || !strings.Contains(lines[4], "do this") || lines[5] != "and 2 more" {
		t.Errorf("%q", lines)
	}
	if lines = strings.Split(BadEntries(bad[:5]).Error(), "\n"); len(lines) != 5 {
		t.Errorf("%q", lines)
	}
	// An entry of other types can be removed if fuzzmut wrote it.
	dir := t.TempDir()
	data := corpus.Marshal([]any{"a"})
	for _, name := range []string{"mine", corpus.ManagedName(data)} {
		if _, err := corpus.WriteFile(dir, name, data); err != nil {
			t.Fatal(err)
		}
	}
	_, stale, err := corpus.ReadDir(dir, []string{"int"}, 0)
	if err != nil || len(stale) != 2 {
		t.Fatal(stale, err)
	}
	lines = strings.Split(BadEntries(stale).Error(), "\n")
	for i, managed := range []bool{true, false} {
		if strings.Contains(lines[i], "-prune removes it") != managed {
			t.Errorf("%q", lines[i])
		}
	}
	if exit.CodeOf(BadEntries(stale)) != exit.Baseline {
		t.Error("of another class")
	}
}

func TestErrorsOfTheEngineHaveAClass(t *testing.T) {
	x := bare(t.TempDir())
	for _, c := range []struct {
		name string
		err  error
		code exit.Code
		text string
	}{
		{"none", nil, exit.OK, ""},
		{"fuzzmut's own", &worker.Death{Internal: true, Cause: "a panic"}, exit.Internal, "example.com/p.FuzzX: worker ended: a panic"},
		{"a mistake of the user's", fmt.Errorf("it: %w", &engine.MistakeError{What: "fuzzmut: wrong type\n"}), exit.Baseline, "example.com/p.FuzzX: wrong type"},
		{"another", io.ErrUnexpectedEOF, exit.Internal, "unexpected EOF"},
	} {
		err := x.EngineError(c.err)
		if exit.CodeOf(err) != c.code || err != nil && !strings.HasPrefix(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAFuzzTestThatDoesNotBegin(t *testing.T) {
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	for _, c := range []struct {
		name   string
		target string
		death  worker.Death
		code   exit.Code
		want   []string
		not    string
	}{
		{"it panics", "", worker.Death{Cause: "panic: bad", Output: long.String()}, exit.Baseline, []string{"does not reach f.Fuzz: panic: bad", "go test -run='^FuzzX$'", "line 11"}, "line 12"},
		{"it skips itself", "", worker.Death{Cause: "exit status 0", Output: "PASS\n"}, exit.Baseline, []string{"FuzzX ends without calling f.Fuzz: it skips itself or returns", "go test -v -run='^FuzzX$'"}, "PASS"},
		{"derived, with a reason", "Parse", worker.Death{Cause: "exit status 2", Output: "x\nfuzzmut: no values of io.Reader\ny\n"}, exit.Usage, []string{"derived for Parse, can't be run: no values of io.Reader; or write it"}, "exit status"},
		{"derived, without", "Parse", worker.Death{Cause: "exit status 2", Output: long.String()}, exit.Usage, []string{"can't be run: exit status 2\nline 0", "line 11"}, "line 12"},
		{"a fault of fuzzmut's", "", worker.Death{Internal: true, Cause: "no memory"}, exit.Internal, []string{"no memory"}, "f.Fuzz"},
	} {
		x := bare(t.TempDir())
		x.Test.Target = c.target
		err := x.startError(&c.death)
		if exit.CodeOf(err) != c.code || strings.Contains(err.Error(), c.not) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q is not in %v", c.name, want, err)
			}
		}
	}
	if err := bare("").startError(io.EOF); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}

// Who asks why a function is left out reads of its arguments, as they are declared, and not of the struct that was written
// for them.
func TestADerivedFuzzTestWithoutValuesNamesTheArgument(t *testing.T) {
	const ways = "leave the field at its zero value"
	for _, c := range []struct{ said, why, short string }{
		{
			"no inputs can be derived: R is of type http.Request of the standard library, whose fields can't be set. To fix this: " + ways,
			"no inputs can be derived: its argument r is of type http.Request of the standard library, whose fields can't be set. To fix this: " + ways,
			"its argument r is of type http.Request of the standard library, whose fields can't be set; a fuzz test that you write can make one",
		},
		{
			"no inputs can be derived: TArg.c is of type chan int, which bytes can't represent. To fix this: " + ways,
			"no inputs can be derived: its argument t.c is of type chan int, which bytes can't represent. To fix this: " + ways,
			"its argument t.c is of type chan int, which bytes can't represent; a fuzz test that you write can make one",
		},
		{
			"no inputs can be derived: Receiver.c[] is of type chan int, which bytes can't represent. To fix this: " + ways,
			"no inputs can be derived: its receiver.c[] is of type chan int, which bytes can't represent. To fix this: " + ways,
			"its receiver.c[] is of type chan int, which bytes can't represent; a fuzz test that you write can make one",
		},
		{
			"no inputs of type d.I can be derived: d.I is of the interface type d.I, and no implementations of it are known. To fix this: " + ways,
			"no inputs of type d.I can be derived: d.I is of the interface type d.I, and no implementations of it are known. To fix this: " + ways,
			"d.I is of the interface type d.I, and no implementations of it are known; a fuzz test that you write can make one",
		},
		{"what else went wrong", "what else went wrong", "what else went wrong"},
	} {
		x := bare(t.TempDir())
		x.Test.Target = "Req"
		err := x.startError(&worker.Death{Cause: "exit status 2", Output: "fuzzmut: " + c.said + "\n"})
		var no *UnderivedError
		if !errors.As(err, &no) || exit.CodeOf(err) != exit.Usage {
			t.Fatalf("%v", err)
		}
		if want := "FuzzX, derived for Req, can't be run: " + c.why + "; or write it"; !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if no.Short() != c.short {
			t.Errorf("%q, want %q", no.Short(), c.short)
		}
	}
}

func TestInputsThatAreNoValues(t *testing.T) {
	for _, c := range []struct {
		hello  wire.Hello
		inputs string
		want   string
	}{
		{wire.Hello{Values: "T"}, "mutagen", ""},
		{wire.Hello{}, "", ""},
		{wire.Hello{}, "mutagen", "-inputs mutagen does not apply"},
		{wire.Hello{Values: "T", NoBreeder: true}, "", "its inputs are values but are fuzzed as bytes"},
	} {
		x := bare("")
		x.hello, x.Project.Options.Inputs = &c.hello, c.inputs
		CheckInputs(x)
		if w := x.Warnings(); (len(w) == 1) != (c.want != "") || len(w) == 1 && !strings.HasPrefix(w[0], c.want) {
			t.Errorf("%+v: %q", c.hello, w)
		}
	}
}

func TestEntriesOfOtherVersionsAreNamed(t *testing.T) {
	entries := []corpus.Entry{{Name: "seed#0"}, {Name: "b", Path: "/c/b"}, {Name: "c", Path: "/c/c"}}
	for _, c := range []struct {
		rest []int
		want string
	}{
		{[]int{0, 0, 0}, ""},
		{[]int{1, 0, 0}, "trailing bytes are ignored in 1 corpus entry, perhaps written for another version of T: seed#0"},
		{[]int{0, 2, 1}, "trailing bytes are ignored in 2 corpus entries, perhaps written for another version of T, the first: /c/b"},
	} {
		x := bare("")
		x.hello.Values = "T"
		ev := new(evaluate.Evaluation)
		for _, n := range c.rest {
			ev.Results = append(ev.Results, wire.Result{Rest: n})
		}
		ReportVersions(x, entries, ev)
		if got := strings.Join(x.Warnings(), "\n"); got != c.want {
			t.Errorf("%v: %q", c.rest, got)
		}
	}
}

func TestOnlyPassingEntriesGiveTokens(t *testing.T) {
	ev := new(evaluate.Evaluation)
	var inputs []*corpus.Input
	for i, kind := range []wire.OutcomeKind{wire.Pass, wire.Skip, wire.Panic, wire.Pass} {
		inputs = append(inputs, corpus.Of(i))
		ev.Results = append(ev.Results, wire.Result{Outcome: wire.Outcome{Kind: kind}})
	}
	if got := passing(inputs, ev); len(got) != 2 || got[0].Input != inputs[0] || got[1].Input != inputs[3] {
		t.Errorf("%v", got)
	}
}

func TestUnstableValuesHaveNames(t *testing.T) {
	x := bare("")
	x.Package.Program.Sites = []instrument.Site{{Name: "p.F", File: "/m/x_test.go", Line: 5, Values: []string{"result 0 (int)"}}}
	for want, u := range map[string]processes.Unstable{
		"result 0 (int) of p.F (x_test.go:5) differs from run to run and is not compared: 1 and 2":                 {Text: "1 and 2"},
		"values of p.F (x_test.go:5) differ from run to run and are not compared: other":                           {Text: "other", Value: wire.Value{Value: 1}},
		"values of p.F (x_test.go:5) differ from run to run and are not compared: all":                             {Text: "all", Value: wire.Value{Value: -1}},
		"the order of p.T.A in result 0 (int) of p.F (x_test.go:5) differs from run to run and is not compared: b": {Text: "b", Value: wire.Value{Field: "example.com/p.T.A[]"}},
		"the order of result 0 (int) of p.F (x_test.go:5) differs from run to run and is not compared: c":          {Text: "c", Value: wire.Value{Field: "[]"}},
		"p.T.A in result 0 (int) of p.F (x_test.go:5) differs from run to run and is not compared: .A: 1 vs 2":     {Text: ".A: 1 vs 2", Value: wire.Value{Field: "example.com/p.T.A"}},
		"of no site":                            {Text: "of no site", Value: wire.Value{Site: 1}},
		"it passes and fails on the same input": {Text: "it passes and fails", Outcome: true},
	} {
		if got := describeUnstable(x, u); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Each function is named once, at its first value.
func TestUnstableFunctionsAreNamedOnce(t *testing.T) {
	x := bare("")
	site := func(name string, line int) instrument.Site {
		return instrument.Site{Name: name, File: "/m/x_test.go", Line: line, Values: []string{"result 0 (int)", "result 1 (int)"}}
	}
	x.Package.Program.Sites = []instrument.Site{site("p.F", 5), site("p.G", 6), site("p.F", 7)}
	at := func(site uint32, value int) processes.Unstable {
		return processes.Unstable{Text: "1 and 2", Value: wire.Value{Site: site, Value: value}}
	}
	list := []processes.Unstable{at(0, 0), at(0, 1), at(1, 0), at(2, 0), {Text: "of no site", Value: wire.Value{Site: 9}}, {Text: "it fails", Outcome: true}}
	want := []string{
		"result 0 (int) of p.F (x_test.go:5) differs from run to run and is not compared: 1 and 2; 2 more values of p.F are not compared",
		"result 0 (int) of p.G (x_test.go:6) differs from run to run and is not compared: 1 and 2",
		"of no site", "it fails on the same input",
	}
	if got := unstableFunctions(x, list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAFlakyFailureIsDescribed(t *testing.T) {
	for _, c := range []struct {
		x    report.Flake
		want []string
	}{
		{report.Flake{Kind: "panic", Message: "boom", Frames: []string{"p.F f.go:1", "p.G g.go:2"}, Entry: "/e"}, []string{"not reproduced: boom (p.F f.go:1): ", "; the input is kept in /e"}},
		{report.Flake{Kind: "hang"}, []string{"not reproduced: hang: "}},
	} {
		got := describeFlake(&c.x)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in %q", want, got)
			}
		}
		if strings.Contains(got, "kept in") != (c.x.Entry != "") {
			t.Errorf("%q", got)
		}
	}
}

// The rarer a failure is, the more runs it takes to see it.
func TestARareFailureIsRunOften(t *testing.T) {
	for _, c := range []struct {
		repeats, failures int64
		want              string
	}{
		{1000, 0, "-count=100000 "},
		{10, 10, "-count=100 "},
		{1000, 10, "-count=500 "},
		{1000, 3, "-count=1667 "},
		{10_000_000, 1, "-count=100000 "},
	} {
		x := bare(t.TempDir())
		f := &report.Flake{Repeats: c.repeats, Failures: c.failures}
		keepFlaky(x, f, corpus.Of("a"))
		if !strings.Contains(f.Repro, c.want+"-failfast -run='^FuzzX$/^") {
			t.Errorf("%d of %d: %s", c.failures, c.repeats, f.Repro)
		}
		if vals, err := readEntry(f.Entry); err != nil || vals[0] != "a" {
			t.Errorf("kept %v, %v", vals, err)
		}
		in := filepath.Join(x.Testdata(), filepath.Base(f.Entry))
		if !strings.HasPrefix(f.Repro, "mkdir -p "+x.Testdata()+" && cp "+f.Entry+" "+in+" && ") || !strings.HasSuffix(f.Repro, "; rm "+in) {
			t.Errorf("%s", f.Repro)
		}
	}
}

func readEntry(path string) ([]any, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return corpus.Unmarshal(data)
}

func TestWhatIsNotJudgedIsPending(t *testing.T) {
	ms := []report.Mutant{{Status: report.Killed, Diff: "a"}, {Status: report.Survived, Diff: "b"}, {Status: report.NotCovered}, {Status: report.Skipped}}
	leaveUnjudged(ms)
	var got []string
	for _, m := range ms {
		got = append(got, m.Status+m.Diff)
	}
	if want := []string{report.Killed + "a", report.Pending, report.Pending, report.Skipped}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestStaticMutantsAreJudgedByTheStart(t *testing.T) {
	start := &evaluate.Starting{
		Judged: map[uint32]bool{1: true, 4: true}, Reached: map[uint32]bool{1: true, 2: true}, Infected: map[uint32]bool{1: true},
		Left: map[uint32]string{2: evaluate.KilledFromOutside, 3: "not run: interrupted"}, Processes: map[uint32]int{1: 2},
	}
	for index, c := range map[uint32]struct{ status, want, reason string }{
		1: {report.Static, report.Pending, ""},
		2: {report.Static, report.Pending, evaluate.KilledFromOutside},
		3: {report.Static, report.Static, "not run: interrupted"},
		4: {report.Survived, report.Survived, "before"},
		5: {report.Static, report.Static, "before"},
	} {
		m := report.Mutant{Status: c.status, Reason: "before"}
		enterStart(&m, index, start)
		if m.Status != c.want || m.Reason != c.reason {
			t.Errorf("mutant %d: %s, %q", index, m.Status, m.Reason)
		}
		if m.Start.Reached != (index <= 2) || m.Start.Infected != (index == 1) || m.Start.Processes != start.Processes[index] {
			t.Errorf("mutant %d: %+v", index, m.Start)
		}
	}
}

func TestEntriesThatGitIgnoresAreTold(t *testing.T) {
	dir := t.TempDir()
	env := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := exec.CommandContext(t.Context(), "git", "init", "--quiet", dir).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	repo, err := git.Find(t.Context(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	for rules, want := range map[string]string{
		"":                          "",
		"*.test\n":                  "",
		"testdata/fuzz/\n":          "new entries are not committed",
		"testdata/fuzz-golden/**\n": "new golden values are not committed",
	} {
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(rules), 0o666); err != nil {
			t.Fatal(err)
		}
		x := bare(dir)
		got := IgnoredByGit(t.Context(), repo, x.Testdata(), x.GoldenFile())
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", rules, got)
		}
	}
}
