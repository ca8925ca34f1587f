package diff

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The test binary is a small fuzzmut when this variable says what it does.
const fakeVariable = "FUZZMUT_BENCH_FAKE"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeVariable); mode != "" {
		os.Exit(fake(mode, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fake does what a run of fuzzmut would: a search finds two causes, unless
// coverage alone leads it, and golden values differ.
func fake(mode string, args []string) int {
	if mode == "fail" {
		os.Stderr.WriteString("loading ./p\nfuzzmut: no such version\n")
		return 2
	}
	file := ""
	if i := slices.Index(args, "-json"); i >= 0 {
		file = args[i+1]
	}
	text := ""
	switch {
	case args[0] == "diff" && slices.Contains(args, coverageOnly):
		text = `{"fuzz_tests": [{"name": "FuzzA", "execs": 50}], "causes": []}`
	case args[0] == "diff":
		text = `{"fuzz_tests": [{"name": "FuzzA", "execs": 50}, {"name": "FuzzB", "execs": 50, "first_difference_execs": 7}],
			"causes": [{"kind": "value", "hunks": ["a.go:1-2"]}, {"kind": "panic"}]}`
	case args[0] == "corpus":
		// One entry fails with both versions, and another one with the new one alone.
		text = `{"tests": [{"name": "FuzzA", "failing": 1, "changes": [{"entry": "a", "failure": "panic"}]}]}`
		if mod, err := os.ReadFile("go.mod"); err == nil && strings.Contains(string(mod), "example.com/dep v1.1.0") && mode != "same" {
			text = strings.ReplaceAll(text, "]}]}", `, {"entry": "b", "failure": "panic"}]}]}`)
		}
	default: // the corpus grows
		return 0
	}
	if mode == "silent" {
		return 1
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return 2
	}
	if strings.Contains(text, `"causes": []`) {
		return 0
	}
	return 1
}

// newFake returns a bench with the small fuzzmut, and a table of one pair: two releases
// of a module that a module proxy in a directory serves.
func newFake(t *testing.T, mode string) (*bench, pair, *strings.Builder) {
	command, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeVariable, mode)
	proxy := t.TempDir()
	for _, version := range []string{"v1.0.0", "v1.1.0"} {
		publish(t, proxy, version)
	}
	for name, value := range map[string]string{
		"GOPROXY": "file://" + filepath.ToSlash(proxy), "GOSUMDB": "off", "GOMODCACHE": t.TempDir(),
		"GOFLAGS": "-modcacherw", "GOENV": "off", "GOTOOLCHAIN": "local", "GOWORK": "off",
	} {
		t.Setenv(name, value)
	}
	data := t.TempDir()
	write(t, filepath.Join(data, "p", "p.go"), "package p\n\nimport \"example.com/dep/sub\"\n\nvar X = sub.X\n")
	var out strings.Builder
	b := &bench{time: time.Second, parallel: 2, seed: 1, lines: allLines, data: data, work: t.TempDir(), command: command, out: &out}
	return b, pair{Name: "p", Module: "example.com/dep", Old: "v1.0.0", New: "v1.1.0", Kind: change, Causes: 2, Fuzz: "test", Derivable: true}, &out
}

// publish writes one version of example.com/dep to a module proxy.
func publish(t *testing.T, proxy, version string) {
	dir := filepath.Join(proxy, "example.com", "dep", "@v")
	write(t, filepath.Join(dir, version+".info"), `{"Version": "`+version+`", "Time": "2026-01-01T00:00:00Z"}`)
	write(t, filepath.Join(dir, version+".mod"), "module example.com/dep\n")
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	archive := zip.NewWriter(f)
	for name, text := range map[string]string{"go.mod": "module example.com/dep\n", "sub/sub.go": "package sub\n\nvar X = \"" + version + "\"\n"} {
		w, err := archive.Create("example.com/dep@" + version + "/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestAPairIsMeasuredWithBothVersions(t *testing.T) {
	b, p, out := newFake(t, "works")
	b.keep = t.TempDir()
	r := b.measure(context.Background(), p)
	for _, m := range r.all() {
		if m.err != nil || !m.ran {
			t.Fatalf("not measured: %+v", r)
		}
	}
	if d := r.diff; !d.found || d.inputs != 7 || d.causes != 2 {
		t.Errorf("the search: %+v", d.outcome)
	}
	if !r.replay.found || r.coverage.found || !r.mutants.found {
		t.Errorf("replay %+v, coverage alone %+v, without mutants %+v", r.replay.outcome, r.coverage.outcome, r.mutants.outcome)
	}
	writeRow(out, r, true)
	if got, want := strings.Fields(out.String()), []string{"p", "2", "causes", "yes", "7", "2/2"}; !slices.Equal(got[:len(want)], want) || !slices.Equal(got[len(got)-3:], []string{"yes", "no", "yes"}) {
		t.Errorf("row %q", out)
	}
	for _, name := range []string{"p.json", "p-coverage.json", "p-nomutants.json"} {
		if _, err := os.Stat(filepath.Join(b.keep, name)); err != nil {
			t.Errorf("not kept: %v", err)
		}
	}
	if left, err := os.ReadDir(b.work); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestOnlyTheLinesAskedForAreMeasured(t *testing.T) {
	b, p, out := newFake(t, "works")
	b.lines = []string{lineReplay, lineCoverage}
	r := b.measure(context.Background(), p)
	if r.diff.ran || r.mutants.ran || !r.replay.ran || !r.coverage.ran || !b.plain() {
		t.Errorf("%+v", r)
	}
	writeSummary(out, []result{r}, true)
	if want := "changes found: none measured; of those that derivable arguments reach: none measured\nfound by replaying a corpus: 1 of 1 (100 %); by coverage alone: 0 of 1 (0 %); without mutants: none measured\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	b.lines = []string{lineDiff}
	if b.plain() {
		t.Error("the command alone is compared with something")
	}
	if err := RunDiff([]string{"-lines", "diff,ladder"}); err == nil || !strings.Contains(err.Error(), `"ladder" is none of diff, coverage, mutants, replay`) {
		t.Errorf("an unknown line: %v", err)
	}
}

func TestEntriesThatFailWithBothVersionsAreNoDifference(t *testing.T) {
	b, p, _ := newFake(t, "same")
	ctx := context.Background()
	w, err := newWorkspace(ctx, b.data, b.work, p)
	if err != nil {
		t.Fatal(err)
	}
	if m := b.replay(ctx, w); m.err != nil || m.found {
		t.Errorf("replay: %+v", m)
	}
	changed := verification{changed: 1}
	if !changed.differs(verification{}) || changed.differs(changed) {
		t.Error("changed values are no difference, or the same ones are")
	}
}

func TestAWorkspaceHasTheVersionOfTheRow(t *testing.T) {
	b, p, _ := newFake(t, "works")
	ctx := context.Background()
	w, err := newWorkspace(ctx, b.data, b.work, p)
	if err != nil {
		t.Fatal(err)
	}
	required := func(version string) {
		if mod, err := os.ReadFile(filepath.Join(w.dir, "go.mod")); err != nil || !strings.Contains(string(mod), "example.com/dep "+version) {
			t.Errorf("%v, not %s in\n%s", err, version, mod)
		}
	}
	required("v1.0.0")
	packages, err := w.packages(ctx)
	if want := []string{"./p", "example.com/dep/sub"}; err != nil || !slices.Equal(packages, want) {
		t.Errorf("packages %q, %v; want %q", packages, err, want)
	}
	if err := w.require(ctx, p.New); err != nil {
		t.Fatal(err)
	}
	required("v1.1.0")
	if err := w.require(ctx, "v1.2.0"); err == nil {
		t.Error("a version that is not there is required")
	}
}

func TestAPairThatFailsDoesNotEndTheBench(t *testing.T) {
	for _, test := range []struct{ mode, want, found string }{
		{"fail", "fuzzmut: no such version", "0 of 1 (0 %)"}, {"silent", "diff.json", "none measured"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			b, p, out := newFake(t, test.mode)
			missing := p
			missing.Old = "v0.9.0"
			err := b.run(context.Background(), []pair{missing, p})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(out.String(), "  diff: ") {
				t.Errorf("error %v\n%s", err, out)
			}
			// A version that is not there was not measured, a command that fails has found nothing.
			if !strings.Contains(out.String(), "\nchanges found: "+test.found+";") {
				t.Errorf("changes found are not %s:\n%s", test.found, out)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	ran := func(found bool, causes int) measurement {
		return measurement{ran: true, outcome: outcome{found: found, causes: causes}}
	}
	var out strings.Builder
	writeSummary(&out, []result{
		{pair: pair{Kind: change, Causes: 2, Derivable: true}, diff: ran(true, 2), replay: ran(true, 0), coverage: ran(false, 0)},
		{pair: pair{Kind: change, Causes: 1, Derivable: true}, diff: ran(true, 3), coverage: ran(true, 1), mutants: ran(true, 1)},
		{pair: pair{Kind: change, Causes: 1}, diff: ran(false, 0)},
		{pair: pair{Kind: change}, diff: ran(true, 4)},
		{pair: pair{Kind: change}, diff: measurement{failed: true}},
		{pair: pair{Kind: change}, diff: measurement{err: errors.New("no")}},
		{pair: pair{Kind: refactoring}, diff: ran(false, 0)},
		{pair: pair{Kind: refactoring}, diff: ran(true, 2)},
		{pair: pair{Kind: refactoring}, diff: measurement{err: errors.New("no")}},
	}, true)
	want := `
the command ended with an error on 1 of 9 pairs
changes found: 3 of 5 (60 %); of those that derivable arguments reach: 2 of 2 (100 %)
found by replaying a corpus: 1 of 1 (100 %); by coverage alone: 1 of 2 (50 %); without mutants: 1 of 1 (100 %)
the first difference, against coverage alone: after fewer inputs on 0, after as many on 1, after more on 0
refactorings without a difference: 1 of 2 (50 %); false differences: 2
as many buckets as causes, of the found ones whose causes are known: 1 of 2 (50 %)
`
	if out.String() != want {
		t.Errorf("summary\n%s\nwant\n%s", &out, want)
	}
}

// What the command was tuned on says nothing about other changes.
func TestPairsOnWhichNothingWasTunedAreSummedUpApart(t *testing.T) {
	row := func(apart, found bool) result {
		return result{pair: pair{Kind: change, Apart: apart}, diff: measurement{ran: true, outcome: outcome{found: found}}}
	}
	const title = "On 1 of the pairs nothing was tuned:"
	for _, c := range []struct {
		results []result
		want    []string // in this order
		not     string
	}{
		{nil, []string{"changes found: none measured"}, title},
		{[]result{row(false, true), row(false, false)}, []string{"changes found: 1 of 2"}, title},
		{[]result{row(false, true), row(true, false)}, []string{"changes found: 1 of 1", title, "changes found: 0 of 1"}, "1 of 2"},
		{[]result{row(true, true)}, []string{title, "changes found: 1 of 1"}, "none measured; of"},
	} {
		var out strings.Builder
		writeSummaries(&out, c.results, false)
		rest, ok := out.String(), true
		for _, want := range c.want {
			var found bool
			_, rest, found = strings.Cut(rest, want)
			ok = ok && found
		}
		if !ok || strings.Contains(out.String(), c.not) {
			t.Errorf("%d rows: want %q, and not %q, in\n%s", len(c.results), c.want, c.not, &out)
		}
	}
}

func TestTheTableIsOneRowAtATime(t *testing.T) {
	var out strings.Builder
	writeHeader(&out, false)
	writeRow(&out, result{pair: pair{Name: "a", Kind: refactoring}, diff: measurement{ran: true, wall: 61400 * time.Millisecond, cpu: 2 * time.Minute}}, false)
	writeRow(&out, result{pair: pair{Name: "b", Kind: change}, diff: measurement{err: errors.New("one\ntwo\n")}}, false)
	want := `pair         expected     found     inputs  buckets  false   wall s    CPU s
a            nothing      no             -        0      0       61      120
b            some         -              -        -      -        -        -
  diff: two
`
	if out.String() != want {
		t.Errorf("table\n%s\nwant\n%s", &out, want)
	}
}

func TestWhoIsSooner(t *testing.T) {
	at := func(inputs int64) measurement {
		return measurement{ran: true, outcome: outcome{found: inputs > 0, inputs: inputs}}
	}
	var r, all race
	for _, c := range [][2]int64{{1, 2}, {2, 1}, {3, 4}, {5, 5}, {0, 1}, {1, 0}} {
		r.count(at(c[0]), at(c[1]))
	}
	all.add(r)
	all.add(r)
	if all != (race{sooner: 4, later: 2, same: 2}) {
		t.Errorf("%+v", all)
	}
}
