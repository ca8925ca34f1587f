package text

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// part is a case of a part of a text, with what is shown.
type part struct {
	name  string
	o     Format
	write func(*text)
	want  string
}

// compareParts compares parts with what is wanted, which begins with a newline that is not
// there.
func compareParts(t *testing.T, parts []part) {
	t.Helper()
	for _, c := range parts {
		var b bytes.Buffer
		x := &text{w: bufio.NewWriter(&b), o: c.o}
		c.write(x)
		if err := x.w.Flush(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

var verbose = Format{Verbose: true}

// numbered lists n names.
func numbered(n int, format string) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(format, i+1))
	}
	return list
}

func TestBaselinePart(t *testing.T) {
	stale := func(n int) (list []report.Stale) {
		for _, id := range numbered(n, "m%d") {
			list = append(list, report.Stale{Package: "example.com/p", ID: id, Status: report.Gone})
		}
		return list
	}
	with := func(b report.Baseline) func(*text) { return func(x *text) { x.baseline(&b) } }
	compareParts(t, []part{
		{"no list", Format{}, with(report.Baseline{Accepted: 2}), ""},
		{"a list that fits", Format{}, with(report.Baseline{File: "b.txt", Accepted: 1, New: 2}), `
b.txt: 1 live mutant accepted, 0 of them without a reason; 2 new

`},
		{"mutants that are gone", Format{}, with(report.Baseline{File: "b.txt", Accepted: 3, Unexplained: 1, Stale: stale(1)}), `
b.txt: 3 live mutants accepted, 1 of them without a reason; 0 new
  no longer needed: m1 of example.com/p is gone
  -write-baseline removes them

`},
		{"more than are shown", Format{}, with(report.Baseline{File: "b.txt", Stale: stale(7)}), `
b.txt: 0 live mutants accepted, 0 of them without a reason; 0 new
  no longer needed: m1 of example.com/p is gone
  no longer needed: m2 of example.com/p is gone
  no longer needed: m3 of example.com/p is gone
  no longer needed: m4 of example.com/p is gone
  no longer needed: m5 of example.com/p is gone
  and 2 more; -v lists them
  -write-baseline removes them

`},
		{"all of them, and written", verbose, with(report.Baseline{File: "b.txt", Stale: stale(6), Written: true}), `
b.txt: 0 live mutants accepted, 0 of them without a reason; 0 new
  no longer needed: m1 of example.com/p is gone
  no longer needed: m2 of example.com/p is gone
  no longer needed: m3 of example.com/p is gone
  no longer needed: m4 of example.com/p is gone
  no longer needed: m5 of example.com/p is gone
  no longer needed: m6 of example.com/p is gone
  the list was updated: new mutants were added, entries no longer needed removed

`},
	})
}

// Which mutants are shown: those that nobody asked for are left out, and killed ones never.
func TestShownMutants(t *testing.T) {
	list := []report.Mutant{
		{ID: "killed", Status: report.Killed, Baseline: report.Accepted},
		{ID: "new", Status: report.Survived, Baseline: report.New},
		{ID: "accepted", Status: report.Survived, Baseline: report.Accepted},
		{ID: "not covered", Status: report.NotCovered, Baseline: report.Accepted},
		{ID: "elsewhere", Status: report.Survived},
		{ID: "changed", Status: report.Survived, Baseline: report.New, Changed: true},
	}
	for _, c := range []struct {
		name    string
		x       text
		changed int
		want    string
	}{
		{"all but accepted ones", text{}, 0, "killed, new, elsewhere, changed"},
		{"verbose", text{o: verbose}, 0, "killed, new, accepted, not covered, elsewhere, changed"},
		{"new ones decide", text{newOnly: true}, 0, "killed, new, changed"},
		{"new ones decide, verbose", text{newOnly: true, o: verbose}, 0, "killed, new, changed"},
		{"for changed code", text{}, 1, "killed, changed"},
	} {
		var ids []string
		f := &report.FuzzTest{Mutants: list, Regenerated: report.Regenerated{Functions: c.changed}}
		for _, m := range chosen(f.Mutants, c.x.shown(f)) {
			ids = append(ids, m.ID)
		}
		if got := strings.Join(ids, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if len(f.Mutants) != 6 || f.Mutants[2].ID != "accepted" {
			t.Fatalf("%s: the result was changed", c.name)
		}
	}
}

func TestFindingPart(t *testing.T) {
	at := func(file string, line int) *report.Mutant {
		return &report.Mutant{ID: fmt.Sprintf("m%d", line), File: file, Line: line, Column: 2, Operator: "negate", Description: "negated the condition", Function: "F"}
	}
	same := func(n int) (list []report.Finding) {
		for i := range n {
			list = append(list, report.Finding{Mutant: at("p.go", 20+i)})
		}
		return list
	}
	in := func(functions ...string) (list []report.Finding) {
		for i, fn := range functions {
			m := at("p.go", 30+i)
			m.Function = fn
			list = append(list, report.Finding{Mutant: m})
		}
		return list
	}
	with := func(f report.Finding) func(*text) { return func(x *text) { x.finding(&f, "seen") } }
	compareParts(t, []part{
		{"alone", Format{}, with(report.Finding{Mutant: at("p.go", 10)}), `
    p.go:10:2  negate: negated the condition
      in F; seen  [m10]
`},
		{"others of its line", Format{}, with(report.Finding{Mutant: at("p.go", 10), More: []*report.Mutant{at("p.go", 10), at("p.go", 10)}}), `
    p.go:10:2  negate: negated the condition
      in F; seen; 2 more here  [m10]
`},
		{"a function that no test checks", Format{}, with(report.Finding{Mutant: at("p.go", 10), Whole: true, More: []*report.Mutant{at("p.go", 11)}}), `
    p.go: no test seems to check F: 2 of its mutants were run, and all survive; one of them:
    p.go:10:2  negate: negated the condition
      in F; seen  [m10]
`},
		{"the same change in other lines", Format{}, with(report.Finding{Mutant: at("p.go", 10), Same: same(2)}), `
    p.go:10:2  negate: negated the condition
      in F; seen; the same in lines 20, 21  [m10]
`},
		{"in another file", Format{}, with(report.Finding{Mutant: at("q.go", 10), Same: same(1)}), `
    q.go:10:2  negate: negated the condition
      in F; seen; the same in line p.go:20  [m10]
`},
		{"in more lines than are shown", Format{}, with(report.Finding{Mutant: at("p.go", 10), Same: same(7)}), `
    p.go:10:2  negate: negated the condition
      in F; seen; the same in lines 20, 21, 22, 23, 24 and 2 more  [m10]
`},
		{"in other functions", Format{}, with(report.Finding{Mutant: at("p.go", 10), Same: append(same(1), in("G", "H", "G")...)}), `
    p.go:10:2  negate: negated the condition
      in F; seen; the same in 2 more functions: G, H; the same in line 20  [m10]
`},
		{"in one other function", Format{}, with(report.Finding{Mutant: at("p.go", 10), Same: in("G")}), `
    p.go:10:2  negate: negated the condition
      in F; seen; the same in 1 more function: G  [m10]
`},
		{"in more functions than are shown", Format{}, with(report.Finding{Mutant: at("p.go", 10), Same: in("G", "H", "I", "J", "K", "L", "M")}), `
    p.go:10:2  negate: negated the condition
      in F; seen; the same in 7 more functions: G, H, I, J, K and 2 more  [m10]
`},
	})
}

func TestMutantsBeforeTheFirstInput(t *testing.T) {
	ms := []report.Mutant{
		{ID: "m1", Function: "init", Status: report.Killed, Start: report.Start{Infected: true, Processes: 1, Killed: 1}},
		{ID: "m2", File: "p.go", Line: 3, Column: 1, Operator: "o", Description: "d", Function: "table", Status: report.Survived, Executed: 7, Start: report.Start{Infected: true, Processes: 2}},
		{ID: "m3", File: "p.go", Line: 2, Column: 1, Operator: "o", Description: "d", Function: "table", Status: report.Survived, Start: report.Start{Processes: 1}},
	}
	// Of unit tests, processes are not counted.
	uncounted := append([]report.Mutant(nil), ms...)
	for i := range uncounted {
		uncounted[i].Start.Processes = 0
	}
	compareParts(t, []part{
		{"none", Format{}, func(x *text) { x.starting(nil, nil, &elsewhere{}, "input") }, ""},
		{"all are killed", Format{}, func(x *text) { x.starting(ms[:1], ms[:1], &elsewhere{}, "input") }, `

  mutants that act only before the first input: 1, killed in 1 of 1 process started for them
`},
		{"some survive", Format{}, func(x *text) { x.starting(ms, ms, &elsewhere{}, "input") }, `

  mutants that act only before the first input: 3, killed in 1 of 4 processes started for them
    2 survived, 1 of them with a changed value, in 1 function: table (2); -v shows them
`},
		{"in the order of the source", verbose, func(x *text) { x.starting(ms, ms, &elsewhere{}, "input") }, `

  mutants that act only before the first input: 3, killed in 1 of 4 processes started for them
    2 survived, 1 of them with a changed value, in 1 function: table (2)
    p.go:2:1  o: d
      in table; reached before the first input, no effect  [m3]
    p.go:3:1  o: d
      in table; changed a value before the first input; undetected by 7 executions in 2 processes  [m2]
`},
		{"of unit tests", verbose, func(x *text) { x.starting(uncounted, uncounted, &elsewhere{}, "test") }, `

  mutants that act only before the first test: 3, 1 killed
    2 survived, 1 of them with a changed value, in 1 function: table (2)
    p.go:2:1  o: d
      in table; reached before the first test, no effect  [m3]
    p.go:3:1  o: d
      in table; changed a value before the first test; no test failed  [m2]
`},
		{"that were not run", verbose, func(x *text) { x.starting(uncounted[1:2], uncounted[1:2], &elsewhere{}, "input") }, `

  mutants that act only before the first input: 1, 0 killed
    1 survived, 1 of them with a changed value, in 1 function: table (1)
    p.go:3:1  o: d
      in table; changed a value before the first input; not run  [m2]
`},
	})
}

func TestCrashesPart(t *testing.T) {
	with := func(f report.FuzzTest) func(*text) { return func(x *text) { x.crashes(&f) } }
	crash := report.Crash{
		Kind: "panic", Message: "\nindex out of range\nmore", Count: 1200, Stacks: 2, Before: true, Entries: numbered(5, "testdata/%d"), Repro: "go test -run=FuzzX/1",
		Frames: []string{"example.com/m/p.F p.go:3", "example.com/m/p.G p.go:7", "p.H p.go:9", "p.I p.go:11"},
	}
	compareParts(t, []part{
		{"none", Format{}, with(report.FuzzTest{}), ""},
		{"fixed ones", Format{}, with(report.FuzzTest{Fixed: []string{"panic: boom"}}), `

  fixed: panic: boom
    it passes now: -write-known removes it from the list of known failures
`},
		{"fixed ones that were removed", Format{}, with(report.FuzzTest{Fixed: []string{"panic: boom"}, KnownWritten: true}), `

  fixed: panic: boom
    it passes now: it is no longer on the list of known failures
`},
		{"as much as is shown", Format{}, with(report.FuzzTest{Crashes: []report.Crash{crash}}), `

  failing inputs: 1 bucket
    panic: index out of range  (1,200 executions, 2 stacks, fails since before this run)
      at   p.F  p.go:3
      from p.G  p.go:7
      from p.H  p.go:9
      input testdata/1
      also  testdata/2
      also  testdata/3
      and 2 more; -v lists them
      go test -run=FuzzX/1
`},
		{"all of it", verbose, with(report.FuzzTest{Crashes: []report.Crash{crash}}), `

  failing inputs: 1 bucket
    panic: index out of range  (1,200 executions, 2 stacks, fails since before this run)
      at   p.F  p.go:3
      from p.G  p.go:7
      from p.H  p.go:9
      from p.I  p.go:11
      input testdata/1
      also  testdata/2
      also  testdata/3
      also  testdata/4
      also  testdata/5
      go test -run=FuzzX/1
`},
		{"what an input does", Format{}, with(report.FuzzTest{Crashes: []report.Crash{{Kind: "panic", Message: "no", Count: 1, Source: "s := New(1)\ns.Push(" + strings.Repeat("1", 200) + ")"}}}), `

  failing inputs: 1 bucket
    panic: no  (1 execution)
      as Go source:
        s := New(1)
        s.Push(` + strings.Repeat("1", 153) + `...
`},
		{"the calls of a long sequence that fail", Format{}, with(report.FuzzTest{Crashes: []report.Crash{{Kind: "panic", Message: "no", Count: 1, Source: strings.Join(numbered(20, "s.Push(%d)"), "\n")}}}), `

  failing inputs: 1 bucket
    panic: no  (1 execution)
      as Go source:
        s.Push(1)
        ... 9 lines more; -v shows all
` + "        " + strings.Join(numbered(20, "s.Push(%d)")[10:], "\n        ") + "\n"},
		{"what is known is not said to have been there before", Format{}, with(report.FuzzTest{Crashes: []report.Crash{{Kind: "hang", Message: "no end", Count: 1, Stacks: 1, Known: true, Before: true}, {Kind: "exit", Message: "code 3", Count: 2}}}), `

  failing inputs: 2 buckets, 1 of them known
    hang: no end  (1 execution, known)
    exit: code 3  (2 executions)
`},
	})
	for _, c := range []struct {
		n, known int
		want     string
	}{{1, 0, "1 bucket"}, {2, 2, "2 buckets, known"}, {3, 1, "3 buckets, 1 of them known"}} {
		if got := Buckets(c.n, c.known); got != c.want {
			t.Errorf("%d, %d known: %s, want %s", c.n, c.known, got, c.want)
		}
	}
}

func TestLatePart(t *testing.T) {
	with := func(l report.Late) func(*text) { return func(x *text) { x.late(&report.FuzzTest{Late: l}) } }
	compareParts(t, []part{
		{"nothing", Format{}, with(report.Late{}), ""},
		{"one thing", Format{}, with(report.Late{Unconfirmed: 1}), "  left for another run, since the time or budget was over: 1 kill to be confirmed\n"},
		{
			"after an interrupt",
			Format{},
			func(x *text) { x.late(&report.FuzzTest{Interrupted: true, Late: report.Late{Golden: 2}}) },
			"  left for another run, since this one was interrupted: 2 entries to get golden values, or to be compared with them\n",
		},
		{"one static mutant", Format{}, with(report.Late{Static: 1}), "  left for another run, since the time or budget was over: 1 mutant that acts before the first input\n"},
		{"everything", Format{}, with(report.Late{Cached: 1, Entries: 2, Unconfirmed: 3, Mutants: 4, Static: 5, Golden: 6}), "  left for another run, since the time or budget was over: 1 input in Go's fuzz cache, 2 new entries that may not be needed, 3 kills to be confirmed, " +
			"4 mutants to be run on all entries, 5 mutants that act before the first input, 6 entries to get golden values, or to be compared with them\n"},
	})
}

func TestWorkPart(t *testing.T) {
	compareParts(t, []part{
		{"without fuzzing", Format{}, func(x *text) {
			x.work(&report.FuzzTest{Executions: 1234, WallSeconds: 2.04, MutantExecutions: 56})
		}, "  1,234 executions in 2.0 s, 56 mutant executions\n"},
		{"with it", Format{}, func(x *text) {
			x.work(&report.FuzzTest{Executions: 1234, FuzzSeconds: 1, ExecsPerSecond: 1234.5, WallSeconds: 2.06, MutantExecutions: 56, Ended: "nothing new"})
		}, "  1,234 executions in 1.0 s of fuzzing (1,234/s); 2.1 s in total; 56 mutant executions\n  nothing new\n"},
		{"a heading", Format{}, func(x *text) {
			x.heading(&report.FuzzTest{Name: "FuzzX", Package: "example.com/p", Engine: "guided", Filter: "all", Seed: 7, Interrupted: true})
		}, "FuzzX  example.com/p  (guided, filter all, seed 7)\n  interrupted: the figures cover only part of the run\n"},
		{"a heading without a filter or a seed", Format{}, func(x *text) {
			x.heading(&report.FuzzTest{Name: "FuzzX", Package: "example.com/p", Engine: "merge"})
		}, "FuzzX  example.com/p  (merge)\n"},
	})
}

func TestCorpusPart(t *testing.T) {
	with := func(f report.FuzzTest) func(*text) { return func(x *text) { x.corpus(&f) } }
	full := report.FuzzTest{
		Corpus: report.Corpus{
			Before: 4, Added: 2, After: 5, Found: 9, Dir: "testdata/fuzz/FuzzX", Files: []string{"a", "b"}, Removed: []string{"c"}, Unwritten: 1, LeftOut: 3, LeftOutKills: 1, Own: 2, Golden: 2, GoldenValues: 8,
		},
		Coverage: report.Coverage{Blocks: 3, Covered: 2}, Regenerated: report.Regenerated{Functions: 1, Mutants: 4, Gained: 2, Lost: []string{"m1", "m2"}},
	}
	merged := report.FuzzTest{Engine: "merge", Corpus: report.Corpus{Before: 1, After: 1, Found: 1, Removed: []string{"c"}}, Coverage: report.Coverage{Blocks: 3, Covered: 3}, NotMeasured: "interrupted"}
	compareParts(t, []part{
		{"all there is to say", Format{}, with(full), `
  corpus: 4 entries before, 2 added, 1 removed, 5 after; 9 inputs found
    added to testdata/fuzz/FuzzX
    1 new entry could not be written; the figures exclude them
    2 of 5 entries kept; the other 3, with 1 kill, stay in Go's fuzz cache: see -corpus-size
    8 golden values of 2 entries written; fuzzmut corpus verify compares them
  changed: 1 function with 4 mutants; 2 newly killed
    2 mutants that the corpus killed after the last run now live: m1, m2
    removed, since the others do what they did or more; they are in Go's fuzz cache now
  coverage: 2 of 3 blocks (66.6 %)
`},
		{"with the names", verbose, with(report.FuzzTest{Corpus: report.Corpus{Added: 1, After: 1, Dir: "d", Files: []string{"a"}, Removed: []string{"c"}}}), `
  corpus: 0 entries before, 1 added, 1 removed, 1 after; 0 inputs found
    added to d
      a
    removed, since the others do what they did; they are in Go's fuzz cache now
      c
`},
		{"of a merge that was not measured", Format{}, with(merged), `
  corpus: 1 entry before, 0 added, 1 removed, 1 after; 1 input given to merge
    removed, since the others do what they did; they are in Go's fuzz cache now
`},
	})
}

func TestVerificationPart(t *testing.T) {
	with := func(v report.Verification) func(*text) { return func(x *text) { x.verification(&v) } }
	quiet := Format{Quiet: true}
	files := func(n int) (list []report.FileProblem) {
		for _, path := range numbered(n, "f%d") {
			list = append(list, report.FileProblem{Path: path, Kind: report.FileMissing, Text: "no golden values"})
		}
		return list
	}
	same := report.VerifiedTest{Package: "example.com/p", Name: "FuzzX", Entries: 3, Values: 1}
	compareParts(t, []part{
		{"nothing is there", quiet, with(report.Verification{Next: "fuzzmut corpus verify -update ./..."}), "no golden values; fuzzmut corpus verify -update ./... records them\n"},
		{"nothing can be there", Format{}, with(report.Verification{Tests: []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", None: true, Nothing: "it has no entries"}}}), `
FuzzX  example.com/p  no golden values: it has no entries
no golden values: it has no entries
`},
		{"one can have none", quiet, with(report.Verification{Next: "fuzzmut corpus verify -update .", Tests: []report.VerifiedTest{{Name: "FuzzX", None: true, Nothing: "it has no entries"}, {Name: "FuzzY", None: true}}}), "no golden values; fuzzmut corpus verify -update . records them\n"},
		{"an interrupt", Format{}, with(report.Verification{Tests: []report.VerifiedTest{same, {Package: "example.com/p", Name: "FuzzX", Entries: 118, Cut: true}}}), `
FuzzX  example.com/p  3 entries, 1 value unchanged
FuzzX  example.com/p  not verified to its end
golden values not verified: the run did not reach its end
`},
		{"one has none", Format{}, with(report.Verification{Next: "fuzzmut corpus verify -update .", Tests: []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", None: true}, same}}), `
FuzzX  example.com/p  no golden values
FuzzX  example.com/p  3 entries, 1 value unchanged
golden values verified: 1 value of 3 entries
1 fuzz test without golden values; fuzzmut corpus verify -update . records them
`},
		{"quiet", quiet, with(report.Verification{Tests: []report.VerifiedTest{same, same}}), "golden values verified: 2 values of 6 entries\n"},
		{"everything in one line", Format{}, with(report.Verification{Tests: []report.VerifiedTest{{
			Package: "example.com/p", Name: "FuzzX", Entries: 9, Values: 8, Unstable: 1, Changed: 2, Failing: 1, Known: []string{"k1", "k2"},
			Changes: make([]report.ValueChange, 2), Files: []report.FileProblem{{Path: "f", Line: 3, Kind: report.FileDamaged, Text: "not as it was written"}},
		}}}), `
FuzzX  example.com/p  9 entries, 8 values unchanged, 1 unstable, 2 changed, 1 entry fails, 2 known failures skipped
  f:3: damaged: not as it was written
3 differences from the golden values
`},
		{"known failures are listed", verbose, with(report.Verification{Tests: []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", Entries: 1, Known: []string{"k1"}}}}), `
FuzzX  example.com/p  1 entry, 0 values unchanged, 1 known failure skipped
  known failure: k1
golden values verified: 0 values of 1 entry
`},
		{"more files than are shown", Format{}, with(report.Verification{Tests: []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", Files: files(7)}}}), `
FuzzX  example.com/p  0 entries, 0 values unchanged
  f1: missing: no golden values
  f2: missing: no golden values
  f3: missing: no golden values
  f4: missing: no golden values
  f5: missing: no golden values
  2 more like these; -v shows them
7 differences from the golden values
`},
		{"of an earlier version", Format{}, with(report.Verification{Tests: []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", Files: []report.FileProblem{{Path: "f", Kind: report.FileOutdated, Text: "old"}}}}}), `
FuzzX  example.com/p  golden values of an earlier fuzzmut
  f: outdated: old
1 difference from the golden values
`},
		{"accepted", Format{}, with(report.Verification{
			Tests:     []report.VerifiedTest{{Package: "example.com/p", Name: "FuzzX", Entries: 2, Values: 4, Updated: true, Written: []string{"a"}, Removed: []string{"b"}, Files: files(1)}},
			Generated: []string{"p/x_test.go", "p/fuzzmut_golden_test.go"},
		}), `
FuzzX  example.com/p  2 entries, 4 values unchanged, 1 entry written, 1 removed
p/x_test.go written: go test compares the golden values, without fuzzmut
p/fuzzmut_golden_test.go written: helpers of these tests
golden values accepted: 1 entry written, 1 removed
`},
		{
			"accepted, but an entry fails", quiet, with(report.Verification{Tests: []report.VerifiedTest{{Updated: true, Written: []string{"a"}, Changes: []report.ValueChange{{Failure: "panic"}, {}}}}}),
			"1 entry fails\n",
		},
	})
}

// Whether a value differs is not known of a mutant that takes a statement away.
func TestSeenByInputs(t *testing.T) {
	value := report.Mutant{Operator: "conditional-boundary", Status: report.Survived, Class: report.NotSeen, Reached: 3, Infected: 2, Observed: true}
	call, block, same := value, value, value
	call.Operator, block.Operator = "void-call-removal", "empty-then"
	same.Class, same.Infected = report.NotInfected, 0
	for want, m := range map[string]*report.Mutant{
		"changed a value 2 times but went undetected":  &value,
		"removed what ran 2 times but went undetected": &call,
		"reached 3 times with no effect":               &same,
	} {
		if got := seenByInputs(m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, survivors := range map[string][]*report.Mutant{
		"    2 changed a value but went undetected; 1 had no effect\n":                      {&value, &same, &value},
		"    1 changed a value, 2 removed what ran, but went undetected; 0 had no effect\n": {&call, &value, &block},
	} {
		var b strings.Builder
		x := &text{w: bufio.NewWriter(&b)}
		x.classes(nil, survivors)
		x.w.Flush()
		if got := b.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	call.Start = report.Start{Infected: true}
	if got, want := seenAtStart(&call, "test"), "removed what ran before the first test; no test failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSeenByTests(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Format
		m    report.Mutant
		want string
	}{
		{"a value differed", Format{}, report.Mutant{Tests: []string{"TestA", "TestB", "TestC"}, Infected: 2}, "TestA, TestB computed a different value but still passed"},
		{"in more tests than are shown", Format{}, report.Mutant{Tests: []string{"TestA", "TestB", "TestC"}, Infected: 5}, "TestA, TestB and 3 more computed a different value but still passed"},
		{"in all tests that are known", verbose, report.Mutant{Tests: []string{"TestA", "TestB", "TestC"}, Infected: 5}, "TestA, TestB, TestC and 2 more computed a different value but still passed"},
		{"in tests that are not known", Format{}, report.Mutant{Infected: 2}, "2 tests computed a different value but still passed"},
		{"a statement is gone", Format{}, report.Mutant{Operator: "statement-deletion", Tests: []string{"TestA", "TestB", "TestC"}, Infected: 2}, "TestA, TestB ran without it and still passed"},
		{"with a reason", Format{}, report.Mutant{Tests: []string{"TestA"}, Infected: 1, Reason: "one test was not run"}, "TestA computed a different value but still passed; one test was not run"},
		{"no value differed", Format{}, report.Mutant{Tests: []string{"example.com/m/p.TestA"}, Reached: 1}, "reached by p.TestA with no effect"},
		{"it was not run", Format{}, report.Mutant{Reason: "its turn did not come"}, "its turn did not come"},
		{"it was run alone", Format{}, report.Mutant{}, "run in a separate process; no test failed"},
	} {
		x := &text{o: c.o}
		if got := x.seenByTests(&c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPercentages(t *testing.T) {
	for fraction, want := range map[float64]string{0: "0.0 %", 1: "100.0 %", 0.9999: "99.9 %", 2.0 / 3: "66.6 %", 0.29: "29.0 %", 0.0005: "0.0 %"} {
		if got := percent(fraction); got != want {
			t.Errorf("%v: %s, want %s", fraction, got, want)
		}
	}
}

// A function that was warned of while the run went on is named once in the result.
func TestUnstableFunctionsAreNamedOnce(t *testing.T) {
	f := &report.FuzzTest{
		Unstable: []string{"result 0 of m.Now", "result 1 of m.Now", "result 2 of m.Now"}, UnstableFunctions: []string{"result 0 of m.Now; 2 more"},
		Warnings: []string{"result 0 of m.Now; 1 more", "no space"},
	}
	compareParts(t, []part{
		{"", Format{}, func(x *text) { x.remarks(f) }, "  unstable, not compared: result 0 of m.Now; 2 more\n  warning: no space\n"},
		{
			"",
			Format{Verbose: true},
			func(x *text) { x.remarks(f) },
			"  unstable, not compared: result 0 of m.Now\n  unstable, not compared: result 1 of m.Now\n  unstable, not compared: result 2 of m.Now\n  warning: no space\n",
		},
	})
}

// One empty line stands between what comes next and the last line.
func TestNextOfTestsEndsWithOneEmptyLine(t *testing.T) {
	var b bytes.Buffer
	x := &text{w: bufio.NewWriter(&b)}
	x.tested(&report.TestReport{Mutants: []report.Mutant{{Package: "p"}}, Next: []string{"fuzzmut suggest ."}})
	x.w.Flush()
	if got := b.String(); !strings.Contains(got, "next:\n  fuzzmut suggest .\n\np: ") {
		t.Error(got)
	}
}
