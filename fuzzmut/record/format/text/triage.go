package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Of a bucket in a text report that is not verbose.
const (
	repairsShown = 2
	inputsShown  = 3
	ringsShown   = 3
)

// noMutants counts, beside the statuses, inputs on which no mutants are tried.
const noMutants = ""

// sorted writes the result of sorting failing inputs.
func (t *text) sorted(r *report.TriageReport) {
	if !t.o.Quiet {
		for i := range r.Tests {
			t.triage(&r.Tests[i])
		}
	}
	t.triageVerdict(r)
}

func (t *text) triage(f *report.Triage) {
	t.linef("%s  %s  (%s)", f.Name, f.Package, f.Operators)
	if f.Cells != nil {
		t.cells(f)
		return
	}
	counts := make(map[string]int)
	for i := range f.Inputs {
		switch in := &f.Inputs[i]; {
		case in.Kind == report.CostKind:
		case in.Status == report.Unfinished && byOracle(in.Kind):
			counts[noMutants]++
		default:
			counts[in.Status]++
		}
	}
	failing, buckets := f.Counted(false)
	costly, loops := f.Counted(true)
	if failing > 0 || costly == 0 && f.Unsorted() == 0 {
		t.linef("  %s in %s; %s", report.Plural(failing, "failing input"), report.Plural(buckets, "bucket"), repairsOf(f))
	}
	if costly > 0 {
		t.linef("  %s in %s, one for each loop: what they cost grows faster than their length", report.Plural(costly, "costly input"), report.Plural(loops, "bucket"))
	}
	tests := ""
	if f.PackageTests > 0 {
		tests = " and " + report.Plural(f.PackageTests, "test") + " of the package"
	}
	t.linef("  a repair must not break: %s%s; %s in %.1f s", report.Plural(f.Passing, "passing input"), tests,
		report.Plural(int(f.MutantExecutions), "mutant execution"), f.WallSeconds)
	for _, s := range []struct{ status, what string }{
		{report.Unrepaired, "that no mutant repairs, sorted by stack and coverage"},
		{report.Unfinished, "not run with all mutants, sorted by what is known so far"},
		{noMutants, "found by -oracle, sorted by place: no mutants are tried on %s"},
		{report.NotRun, "given as failing but not run: out of time; raise -triagetime"},
		{report.Passes, "that no longer %s"},
		{report.Flaky, "flaky: not sorted; go test -race -count=100 shows more of them"},
		{report.Undecodable, "that can't be decoded for this fuzz test: not sorted"},
	} {
		if n := counts[s.status]; n > 0 {
			what := s.what
			switch s.status {
			case report.Passes:
				if what = fmt.Sprintf(what, report.Verb(n, "fails", "fail")); f.Raced {
					what = raceless(n, f.RaceRuns)
				}
			case noMutants:
				what = fmt.Sprintf(what, report.Verb(n, "it", "them"))
			}
			t.linef("  %s %s", report.Plural(n, "input"), what)
		}
	}
	if n := f.NotRun - counts[report.NotRun]; n > 0 {
		t.linef("  %s of the corpus not run: out of time; raise -triagetime", report.Plural(n, "input"))
	}
	for i := range f.Buckets {
		t.bucket(f, &f.Buckets[i])
	}
	t.leftOut(f)
	if f.Labels > 0 {
		t.linef("\n  labels: %d in %s; APFD %.4f", f.Labels, report.Plural(len(f.Discovery), "input"), f.APFD)
	}
	for _, w := range f.Warnings {
		t.linef("  warning: %s", w)
	}
	t.linef("")
}

// raceless says of n inputs that pass how often no race showed. It may be there all the same.
func raceless(n, runs int) string {
	if runs == 0 {
		return fmt.Sprintf("that %s, not run under the race detector: out of time; raise -triagetime", report.Verb(n, "passes", "pass"))
	}
	return fmt.Sprintf("that %s: no race showed in %s under the race detector, and one may show in another", report.Verb(n, "passes", "pass"), report.Plural(runs, "run"))
}

// cells writes what was found out of a part of the matrix.
func (t *text) cells(f *report.Triage) {
	if f.Cells.Part == 0 {
		t.linef("  the failing inputs are in %s", f.Cells.Place)
	} else {
		t.linef("  part %d of %d of the mutants: %d of %s in %s", f.Cells.Part, f.Cells.Parts, f.Cells.Found, report.Plural(f.Cells.Inputs, "failing input"), f.Cells.Place)
	}
	for _, w := range f.Warnings {
		t.linef("  warning: %s", w)
	}
	t.linef("")
}

// repairsOf counts the repairs, and those of them that break nothing. Where nothing that was run and passes reaches one,
// that is not known.
func repairsOf(f *report.Triage) string {
	tried, unreached := 0, 0
	for i := range f.Repairs {
		switch r := &f.Repairs[i]; {
		case r.Unreached:
			unreached++
		case r.Counts:
			tried++
		}
	}
	all := len(f.Repairs)
	text := report.Plural(all, "mutant") + report.Verb(all, " makes", " make") + " some of them pass"
	if tried > 0 || unreached == 0 {
		text += ", " + report.Group(int64(tried)) + " without breaking anything"
	}
	which := report.Verb(unreached, "it breaks", "they break")
	if unreached < all {
		which = report.Group(int64(unreached)) + report.Verb(unreached, " of them breaks", " of them break")
	}
	if unreached > 0 {
		text += fmt.Sprintf("; what %s is not known, since nothing that was run and passes reaches %s", which, report.Verb(unreached, "it", "them"))
	}
	return text
}

// inBuckets is the number of inputs in buckets.
func inBuckets(f *report.Triage) int {
	n := 0
	for i := range f.Buckets {
		n += len(f.Buckets[i].Inputs)
	}
	return n
}

func (t *text) bucket(f *report.Triage, b *report.Bucket) {
	t.linef("\n  bucket %d: %s%s", b.Number, report.Plural(len(b.Inputs), "input"), howTried(f, b))
	t.linef("    %s: %s", b.Kind, b.Message)
	t.framesOf(b.Kind, b.Frames)
	for _, end := range b.Ends {
		t.linef("      each turn ends in %s", end)
	}
	if b.Cost != nil {
		for _, line := range b.Cost.Lines() {
			t.linef("      %s", line)
		}
	}
	guarded := len(b.Guards) == 0
	for _, r := range t.changes(b) {
		if m := &f.Repairs[r.Repair]; !m.Counts {
			t.noisy(b, m, r)
			continue
		}
		t.repair(f, b, r)
		guarded = guarded || r.Repair == b.Guards[0].Repair
	}
	if !guarded {
		t.linef("      guard:")
		t.repair(f, b, b.Guards[0])
	}
	t.wayOut(f, b)
	if t.o.Verbose {
		for _, p := range b.Places {
			t.linef("      %s suspects %s:%s  (%.3f)", p.Localiser, t.file(p.File), lineRange(p.Line, p.EndLine), p.Score)
		}
	}
	t.rings(b)
	switch {
	case b.FirstFailing != "":
		t.linef("      passes at %s; fails since %s", b.Revision, b.FirstFailing)
	case b.AtRevision == report.FailsThere:
		t.linef("      fails at %s, too", b.Revision)
	case b.AtRevision != "":
		t.linef("      at %s: %s", b.Revision, b.AtRevision)
	}
	if b.InputsRun > 0 {
		also := ""
		if b.AtRevision == report.FailsThere {
			also = "also "
		}
		t.linef("      %d of %s %s%s at %s%s", b.InputsFailing, report.Plural(b.InputsRun, "input"), also, report.Verb(b.InputsFailing, "fails", "fail"), b.Revision, notRun(len(b.Inputs)-b.InputsRun))
	}
	if b.Cost == nil {
		t.linef("      input %s", inlineInput(b.Representative))
	}
	if b.Path != "" {
		t.linef("      in    %s", b.Path)
	}
	names := b.Inputs
	if !t.o.Verbose {
		names = names[:min(inputsShown, len(names))]
	}
	more := ""
	if n := len(b.Inputs) - len(names); n > 0 {
		more = fmt.Sprintf(", and %s", report.Plural(n, "more"))
	}
	t.linef("      first %s%s", strings.Join(names, ", "), more)
	switch {
	case b.Repro != "":
		t.linef("      %s", b.Repro)
	case byOracle(b.Kind):
		t.linef("      -write writes it where fuzzmut -oracle=%s runs it; go test passes with it", b.Kind)
	default:
		t.linef("      -write writes it where go test runs it")
	}
}

// changes lists the changes that are shown: all of them if asked for, and otherwise a few repairs, or, if
// there is none, a few of those near the failure that break something.
func (t *text) changes(b *report.Bucket) []report.RankedRepair {
	switch near := b.Near(); {
	case t.o.Verbose:
		return b.Reading()
	case len(b.Repairs) > 0:
		return b.Repairs[:min(repairsShown, len(b.Repairs))]
	default:
		return near[:min(repairsShown, len(near))]
	}
}

// noisy shows a change that breaks something.
func (t *text) noisy(b *report.Bucket, m *report.Repair, r report.RankedRepair) {
	which := ""
	if r.Decides {
		which = " of what decides whether the failing line is reached"
	}
	t.linef("      this change%s makes %d of %s %s, but it %s:", which, r.Here, report.Plural(len(b.Inputs), "input"), better(b), breaks(m))
	t.change(m)
}

func (t *text) repair(f *report.Triage, b *report.Bucket, r report.RankedRepair) {
	m := &f.Repairs[r.Repair]
	t.linef("      this change makes %d of %s in this bucket %s, and %d of %d overall  (score %.2f)", r.Here, report.Plural(len(b.Inputs), "input"),
		better(b), m.Inputs, inBuckets(f), r.Score)
	t.remedy(m)
}

// breaks says what a change breaks.
func breaks(m *report.Repair) string {
	if m.Test != "" {
		return "breaks " + m.Test
	}
	return m.Reason
}

// better says what a repair does to the inputs of a bucket.
func better(b *report.Bucket) string {
	if b.Cost != nil {
		return "cheap"
	}
	return "pass"
}

// change shows what a repair changes.
func (t *text) change(m *report.Repair) {
	t.linef("        %s:%d in %s: %s  [%s]", t.file(m.File), m.Line, functionName(m.Function), m.Description, m.ID)
	for _, line := range shortDiff(m.Diff, t.o.Verbose) {
		t.linef("          %s", line)
	}
}

// remedy shows a change that breaks nothing, and what to know before that is believed.
func (t *text) remedy(m *report.Repair) {
	t.change(m)
	for _, line := range m.Remarks() {
		t.linef("          %s", line)
	}
}

func (t *text) rings(b *report.Bucket) {
	rings := b.Rings
	if !t.o.Verbose {
		rings = rings[:min(ringsShown, len(rings))]
	}
	for _, r := range rings {
		numbers := make([]string, len(r.Buckets))
		for i, n := range r.Buckets {
			numbers[i] = fmt.Sprint(n)
		}
		t.linef("      shares repairs with bucket %s, distance %.2f", strings.Join(numbers, ", "), r.Distance)
	}
}

// leftOut lists the inputs that are in no bucket.
func (t *text) leftOut(f *report.Triage) {
	const most = 10
	n := 0
	for i := range f.Inputs {
		in := &f.Inputs[i]
		if in.Sorted() {
			continue
		}
		if n++; n > most && !t.o.Verbose {
			continue
		}
		if n == 1 {
			t.linef("\n  in no bucket:")
		}
		reason := in.Status
		if in.Reason != "" {
			reason += ": " + in.Reason
		}
		t.linef("    %s  %s", in.Name, reason)
	}
	if n > most && !t.o.Verbose {
		t.linef("    and %s; -v lists them", report.Plural(n-most, "more"))
	}
}

// inputLength bounds the source of an input in a line, in runes.
const inputLength = 160

func inlineInput(src string) string {
	src = strings.ReplaceAll(src, "\n", " ")
	if r := []rune(src); len(r) > inputLength {
		return string(r[:inputLength-1]) + "…"
	}
	return src
}

// triageVerdict writes the last line: all fuzz tests together.
func (t *text) triageVerdict(r *report.TriageReport) {
	inputs, buckets, costly, loops, unsorted, notRun := 0, 0, 0, 0, 0, 0
	for i := range r.Tests {
		n, b := r.Tests[i].Counted(false)
		inputs, buckets = inputs+n, buckets+b
		n, b = r.Tests[i].Counted(true)
		costly, loops = costly+n, loops+b
		unsorted += r.Tests[i].Unsorted()
		notRun += r.Tests[i].NotRun
	}
	switch {
	case len(r.Tests) == 0:
		t.linef("no failing inputs were sorted")
	case inputs > 0 && unsorted > 0:
		t.linef("%s in %s, and %s not sorted", report.Plural(inputs, "failing input"), report.Plural(buckets, "bucket"), report.Group(int64(unsorted)))
	case inputs > 0:
		t.linef("%s in %s", report.Plural(inputs, "failing input"), report.Plural(buckets, "bucket"))
	case unsorted > 0:
		t.linef("%s not sorted", report.Plural(unsorted, "failing input"))
	case notRun > 0:
		t.linef("no failing inputs in those that were run; %s %s not", report.Plural(notRun, "input"), report.Verb(notRun, "was", "were"))
	default:
		t.linef("no failing inputs")
	}
	if costly > 0 {
		t.linef("%s in %s", report.Plural(costly, "costly input"), report.Plural(loops, "bucket"))
	}
}

// notRun says how many inputs were not run.
func notRun(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; %d %s not run there", n, report.Verb(n, "was", "were"))
}

// lineRange writes lines as 7, or 7-9.
func lineRange(first, last int) string {
	if last <= first {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
