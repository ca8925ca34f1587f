package corpora

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/worth"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument"
)

func TestLostIsWhatTheSmallerCorpusLacks(t *testing.T) {
	kills := func(kinds map[string][]string) *worth.Worth { return &worth.Worth{Kills: kinds} }
	for _, c := range []struct {
		name          string
		before, after *worth.Worth
		want          int
	}{
		{"nothing", kills(map[string][]string{"panic": {"a"}}), kills(map[string][]string{"panic": {"a"}}), 0},
		{"by another kind", kills(map[string][]string{"panic": {"a"}}), kills(map[string][]string{"fuel": {"a"}}), 0},
		{"more than before", kills(nil), kills(map[string][]string{"fuel": {"a"}}), 0},
		{"one of each kind", kills(map[string][]string{"panic": {"a", "b"}, "fuel": {"c"}}), kills(map[string][]string{"panic": {"b"}}), 2},
	} {
		if got := missingKills(c.before, c.after); got != c.want {
			t.Errorf("%s: %d lost, want %d", c.name, got, c.want)
		}
	}
}

func TestEntriesOfTheCacheBecomeManaged(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "fuzz")
	for name, text := range map[string]string{"b": "go test fuzz v1\nint(1)\n", "a": "go test fuzz v1\nint(2)\n", "same": "go test fuzz v1\nint(1)\n"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := manage(to, from); err != nil {
		t.Fatal(err)
	}
	entries, bad, err := corpus.ReadDir(to, []string{"int"}, 0)
	if err != nil || len(bad) > 0 || len(entries) != 2 {
		t.Fatalf("%d entries, bad %v, %v", len(entries), bad, err)
	}
	for _, e := range entries {
		if want := e.Input.Found().Name; filepath.Base(e.Path) != want {
			t.Errorf("%s, want %s", e.Path, want)
		}
	}
}

func mutants(verdicts ...caughtMutant) []caughtMutant { return verdicts }

func TestShareCountsVerdictsByKind(t *testing.T) {
	list := mutants(caughtMutant{"a", "panic", fails}, caughtMutant{"b", "panic", hangs}, caughtMutant{"c", "fuel", fails}, caughtMutant{"d", "fuel", passes})
	isPanic := func(kind string) bool { return kind == "panic" }
	for _, c := range []struct {
		v     verdict
		kinds func(string) bool
		n, of int
	}{{fails, nil, 2, 4}, {passes, nil, 1, 4}, {fails, isPanic, 1, 2}, {passes, isPanic, 0, 2}, {hangs, isPanic, 1, 2}} {
		if n, of := share(list, c.v, c.kinds); n != c.n || of != c.of {
			t.Errorf("verdict %d: %d of %d, want %d of %d", c.v, n, of, c.n, c.of)
		}
	}
}

func TestTableOfWhatGoTestCatches(t *testing.T) {
	b := &corpusBench{mutants: 4}
	b.Time = time.Minute
	b.Targets = []arena.Target{{Name: "json", Fuzz: "FuzzA"}, {Name: "failed", Fuzz: "FuzzB"}, {Name: "uuid", Fuzz: "FuzzC"}}
	one := &catches{mutants: 9, noCompile: 1}
	one.caught[0] = mutants(caughtMutant{"a", "difference", passes}, caughtMutant{"b", "panic", fails})
	one.caught[1] = mutants(caughtMutant{"a", "difference", passes}, caughtMutant{"b", "panic", fails})
	one.caught[2] = mutants(caughtMutant{"a", "difference", fails}, caughtMutant{"b", "panic", fails})
	two := &catches{mutants: 1}
	for k := range two.caught {
		two.caught[k] = mutants(caughtMutant{"z", "fuel", hangs}, caughtMutant{"y", "difference", passes})
	}
	var out strings.Builder
	if err := b.printCaught(&out, []*shrunk{{caught: one}, nil, {caught: two}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"drawn among", "go test -fuzz leaves in 1m0s",
		"json.FuzzA 9 2 1 1 50.0 0 1 50.0 0 2 100.0 0",
		"uuid.FuzzC 1 2 1 0 0.0 1 0 0.0 1 0 0.0 1",
		"in all 10 4 2 1 25.0 1 1 25.0 1 2 50.0 1",
		"panic 1+0 of 1; fuel 0+1 of 1; difference 1+0 of 2; 1 plain edits do not compile",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "failed.FuzzB") {
		t.Error("a target without a result has a line")
	}
}

func TestTableOfMinimisation(t *testing.T) {
	b := &corpusBench{}
	b.Targets = []arena.Target{{Name: "json", Fuzz: "FuzzA"}, {Name: "none", Fuzz: "FuzzB"}}
	r := &shrunk{seconds: 3, lostKills: 2, lostBlocks: 1}
	r.Before.Files, r.Before.Bytes, r.After.Files, r.After.Bytes = 200, 5000, 15, 700
	r.before.Kills, r.before.Covered = map[string][]string{"panic": {"a", "b"}, "fuel": {"c"}}, 77
	r.before.Replay, r.after.Replay = 1.5, 0.25
	var out strings.Builder
	if err := b.print(&out, []*shrunk{r, {}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	rows := lines[len(lines)-2:]
	if want := strings.Fields("json.FuzzA 200 15 7.5 5.0 0.7 3 2 77 1 3.0 1.50 0.25"); !slices.Equal(strings.Fields(rows[0]), want) {
		t.Errorf("got %q, want %q", rows[0], want)
	}
	if fields := strings.Fields(rows[1]); fields[0] != "none.FuzzB" || fields[3] != "0.0" {
		t.Errorf("of an empty corpus: %q", rows[1])
	}
}

func TestSamplesAreDrawnBySeedAmongTheKilled(t *testing.T) {
	e := &editor{t: arena.Target{Name: "json", Fuzz: "FuzzA"}, program: &instrument.Program{}}
	killed := make(map[string]string)
	for i := range 40 {
		m := instrument.Mutant{ID: fmt.Sprint("m", i), Index: i + 1}
		e.program.Mutants = append(e.program.Mutants, m)
		if i%2 == 0 {
			killed[m.ID] = "panic"
		}
	}
	drawn := func(n int, seed uint64) (ids []string) {
		for _, m := range e.draw(killed, n, seed) {
			if killed[m.ID] == "" {
				t.Errorf("%s is not killed", m.ID)
			}
			ids = append(ids, m.ID)
		}
		return ids
	}
	a, b, c := drawn(10, 1), drawn(10, 1), drawn(10, 2)
	if len(a) != 10 || !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("drawn %v, again %v, with another seed %v", a, b, c)
	}
	if all := drawn(100, 1); len(all) != 20 {
		t.Errorf("%d of 20 are drawn", len(all))
	}
}

func TestTestBinariesPassFailOrHang(t *testing.T) {
	// The shell plays the test binary. It gets the limits as its last argument.
	for _, c := range []struct {
		script string
		want   verdict
	}{
		{"exit 0", passes},
		{"echo '--- FAIL: FuzzX'; exit 1", fails},
		{"echo 'panic: test timed out after 3s' >&2; exit 2", hangs},
		{"kill -9 $$", fails},
	} {
		got, err := testVerdict(t.Context(), arena.AnyCore, t.TempDir(), time.Minute, "sh", "-c", c.script)
		if err != nil || got != c.want {
			t.Errorf("%q: %d, %v; want %d", c.script, got, err, c.want)
		}
	}
}

func TestGoldenTableCountsByKind(t *testing.T) {
	m := &instrument.Mutant{ID: "4jhg", File: "/x/p.go", Line: 3, Column: 5, Description: "changed + to -"}
	list := []caught{
		{mutant: m, kind: "difference", noCompile: true},
		{mutant: m, kind: "difference", plain: true},
		{mutant: m, kind: "difference", golden: true},
		{mutant: m, kind: "difference", plain: true, golden: true},
		{mutant: m, kind: "difference"},
		{mutant: m, kind: "fuel", plain: true},
	}
	var table, missed strings.Builder
	target := arena.Target{Name: "json", Fuzz: "FuzzA"}
	printCaught(&table, target, list)
	if want := "json FuzzA\tdifference\t5\t1\t2\t3\t1\t\njson FuzzA\tfuel\t1\t0\t1\t1\t0\t\n"; table.String() != want {
		t.Errorf("got\n%swant\n%s", &table, want)
	}
	describeMissed(&missed, target, list)
	if m := missed.String(); strings.Count(m, "\n") != 1 || !strings.Contains(m, "missed: difference 4jhg p.go:3:5: changed + to -") {
		t.Errorf("missed %q", m)
	}
}

func TestAMutantOfAnotherSourceIsNotApplied(t *testing.T) {
	e := &editor{t: arena.Target{Dir: t.TempDir()}, sources: map[string][]byte{"p.go": []byte("x + y")}}
	m := &instrument.Mutant{ID: "4jhg", File: "p.go", Original: "-", Offset: 2, End: 3}
	_, err := e.build(t.Context(), arena.AnyCore, m, "out")
	if err == nil || !strings.Contains(err.Error(), "not of this source") || errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
