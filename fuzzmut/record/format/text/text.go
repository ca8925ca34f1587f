// Package text writes results as text, for a terminal.
package text

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// entriesShown bounds the inputs named for a bucket of failing inputs, likewise.
const entriesShown = 3

// framesShown bounds the frames shown of a failing input, likewise.
const framesShown = 3

// Format writes results as text.
type Format struct {
	Verbose bool // everything, not the most important
	Quiet   bool // the last line only
	// Short leaves out what of a change was not looked at.
	Short bool
	// File is what a file is called where the result is read; a result has its name from the root of the module,
	// with slashes. nil: that.
	File func(name string) string
}

// file is what a file is called where the result is read.
func (t *text) file(name string) string {
	if t.o.File == nil {
		return name
	}
	return t.o.File(name)
}

// Write writes a result.
func (o Format) Write(w io.Writer, r report.Result) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	switch r := r.(type) {
	case *report.Report:
		t.fuzzed(r)
	case *report.TestReport:
		t.tested(r)
	case *report.TriageReport:
		t.sorted(r)
	case *report.Verification:
		t.verification(r)
	case *report.EntryList:
		t.entries(r)
	case *report.Minimization:
		t.minimization(r)
	case *report.Export:
		t.exported(r)
	case *report.Written:
		t.written(r)
	case *behavior.Report:
		t.behavior(r)
	case *suggestion.Report:
		t.suggestion(r)
	case *report.Listing:
		t.listing(r)
	case *report.Vetting:
		t.vetted(r)
	default:
		return fmt.Errorf("write text: there is none for a %T", r)
	}
	return t.w.Flush()
}

// fuzzed writes the result of runs of fuzz tests.
func (t *text) fuzzed(r *report.Report) {
	t.newOnly = r.Baseline.NewOnly
	t.beside = besides(r.Tests)
	if !t.o.Quiet {
		for i := range r.Tests {
			t.test(&r.Tests[i])
		}
		t.baseline(&r.Baseline)
		t.next(r.Next)
	}
	t.verdict(r.Tests)
}

// Failing writes the failing inputs of r, and nothing else.
func Failing(w io.Writer, r *report.Report) error {
	t := &text{w: bufio.NewWriter(w)}
	for i := range r.Tests {
		if f := &r.Tests[i]; len(f.Crashes) > 0 {
			t.linef("%s  %s", f.Name, f.Package)
			t.crashes(f)
		}
	}
	return t.w.Flush()
}

// text writes a report. Errors stay with the writer until it is flushed.
type text struct {
	w       *bufio.Writer
	o       Format
	newOnly bool    // of the mutants that live, only those that are New
	beside  *beside // nil if tests are written, not fuzz tests
}

func (t *text) linef(format string, args ...any) {
	fmt.Fprintf(t.w, format+"\n", args...)
}

func (t *text) test(f *report.FuzzTest) {
	t.heading(f)
	t.crashes(f)
	t.flakes(f)
	t.costs(f)
	shown, atStart := apart(f.Mutants, t.shown(f))
	inputs, start := shown, atStart
	var rest, restAtStart elsewhere
	t.beside.of = f
	if !t.o.Verbose {
		inputs, rest = t.beside.toList(shown)
		start, restAtStart = t.beside.toList(atStart)
	}
	t.survivors(inputs, &rest, seenByInputs)
	t.starting(atStart, start, &restAtStart, "input")
	t.notCovered(inputs, &rest)
	t.killedElsewhere(f)
	t.onlyInside(f.Mutants)
	t.excluded(f.Mutants)
	t.linef("")
	t.work(f)
	t.measured(f)
	t.late(f)
	t.sites(&f.Sites)
	t.corpus(f)
	t.shared(&f.Shared)
	t.remarks(f)
	t.linef("")
}

// remarks says what was not compared, and what else was wrong.
func (t *text) remarks(f *report.FuzzTest) {
	unstable := f.UnstableFunctions
	if t.o.Verbose {
		unstable = f.Unstable
	}
	for _, u := range unstable {
		t.linef("  unstable, not compared: %s", u)
	}
	for _, w := range f.OtherWarnings() {
		t.linef("  warning: %s", w)
	}
}

// next lists the commands that come next.
func (t *text) next(commands []string) {
	if len(commands) == 0 {
		return
	}
	t.linef("next:")
	for _, c := range commands {
		t.linef("  %s", c)
	}
	t.linef("")
}

// measured writes the score, or why there is none.
func (t *text) measured(f *report.FuzzTest) {
	if f.NotMeasured != "" {
		t.linef("  mutation score and coverage not measured: %s", f.NotMeasured)
		return
	}
	t.score(&f.Score)
	if n := f.Score.Pending; n > 0 {
		t.linef("  not judged, and not counted: %s", report.Plural(n, "mutant"))
	}
}

// late says what there was no time for.
func (t *text) late(f *report.FuzzTest) {
	if late := f.LeftLate(); late != "" {
		t.linef("  %s", late)
	}
}

func (t *text) heading(f *report.FuzzTest) {
	how := f.Engine
	if f.Filter != "" {
		how += ", filter " + f.Filter
	}
	if f.Seed != 0 {
		how += fmt.Sprintf(", seed %d", f.Seed)
	}
	t.linef("%s  %s  (%s)", f.Name, f.Package, how)
	if f.Interrupted {
		t.linef("  interrupted: the figures cover only part of the run")
	}
}

// work writes how much was done.
func (t *text) work(f *report.FuzzTest) {
	if f.FuzzSeconds > 0 {
		t.linef("  %s in %.1f s of fuzzing (%s/s); %.1f s in total; %s", report.Plural(int(f.Executions), "execution"),
			f.FuzzSeconds, report.Group(int64(f.ExecsPerSecond)), f.WallSeconds, report.Plural(int(f.MutantExecutions), "mutant execution"))
	} else {
		t.linef("  %s in %.1f s, %s", report.Plural(int(f.Executions), "execution"), f.WallSeconds, report.Plural(int(f.MutantExecutions), "mutant execution"))
	}
	if f.Ended != "" {
		t.linef("  %s", f.Ended)
	}
	if f.Discards.Discarded > 0 {
		t.linef("  %s", &f.Discards)
	}
}

func (t *text) score(s *report.Score) {
	if s.Mutants == 0 {
		t.linef("  mutation score: no mutants to run")
		return
	}
	t.linef("  mutation score %s: %d of %d mutants killed, %d survived, %d not covered",
		percent(s.Score), s.Killed, s.Mutants, s.Survived, s.NotCovered)
	if s.Killed > 0 {
		t.linef("  killed by: %s", strings.Join(killKinds(s.KillKinds), ", "))
	}
	gaps, inside := report.Gaps(s)
	if gaps > 0 {
		t.linef("    %s only by a different result (oracle gaps): the fuzz test's own assertions miss them",
			report.Plural(gaps, "mutant"))
	}
	if inside > 0 {
		more := "; -v lists them"
		if t.o.Verbose {
			more = ""
		}
		t.linef("    %s of them only inside, in unexported state, which golden values leave out%s", report.Group(int64(inside)), more)
	}
}

// onlyInside lists the mutants whose kills no caller sees.
func (t *text) onlyInside(ms []report.Mutant) {
	if !t.o.Verbose {
		return
	}
	var list []*report.Mutant
	for i := range ms {
		if ms[i].Status == report.Killed && ms[i].KillKind == oracle.OnlyInside.String() {
			list = append(list, &ms[i])
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, report.ByPosition)
	t.linef("\n  killed only inside: %d", len(list))
	for _, m := range list {
		t.linef("    %s:%d:%d  %s: %s", t.file(m.File), m.Line, m.Column, m.Operator, describe(m))
		t.linef("      in %s; %s  [%s]", functionName(m.Function), firstLine(m.Detail), m.ID)
	}
}

// killKinds lists the kinds of kill with their numbers: the known ones from the
// user's own oracle down to ours, and after them any other.
func killKinds(kinds map[string]int) []string {
	var order []string
	for _, kind := range oracle.All() {
		order = append(order, kind.String())
	}
	known := len(order)
	for kind := range kinds {
		if !slices.Contains(order, kind) {
			order = append(order, kind)
		}
	}
	slices.Sort(order[known:])
	var out []string
	for _, kind := range order {
		if n := kinds[kind]; n > 0 {
			out = append(out, fmt.Sprintf("%s %d", kind, n))
		}
	}
	return out
}

// shared says what went through a shared directory.
func (t *text) shared(s *report.Shared) {
	if s.Place == "" {
		return
	}
	t.linef("  shared: %s taken, %s left in %s", amount(s.Taken), amount(s.Left), s.Place)
	for _, r := range s.Refused {
		t.linef("    %s: %s", report.Plural(r.Number, r.What), r.Reason)
	}
}

// amount says how much went through a shared directory.
func amount(a report.SharedAmount) string {
	text := report.Plural(a.Inputs, "input") + " and " + report.Plural(a.Kills, "kill")
	if a.Failing > 0 {
		text = fmt.Sprintf("%s, %d failing, and %s", report.Plural(a.Inputs, "input"), a.Failing, report.Plural(a.Kills, "kill"))
	}
	return text
}

func (t *text) corpus(f *report.FuzzTest) {
	c := &f.Corpus
	removed := ""
	if n := len(c.Removed); n > 0 {
		removed = fmt.Sprintf("%d removed, ", n)
	}
	from := "found"
	if f.Engine == "merge" {
		from = "given to merge"
	}
	t.linef("  corpus: %s before, %d added, %s%d after; %s %s",
		report.Plural(c.Before, "entry"), c.Added, removed, c.After, report.Plural(c.Found, "input"), from)
	if c.Added > 0 {
		t.linef("    added to %s", c.Dir)
		if t.o.Verbose {
			for _, name := range c.Files {
				t.linef("      %s", name)
			}
		}
	}
	if c.Unwritten > 0 {
		t.linef("    %s could not be written; the figures exclude them", report.Plural(c.Unwritten, "new entry"))
	}
	if c.LeftOut > 0 {
		with := ""
		if c.LeftOutKills > 0 {
			with = fmt.Sprintf(", with %s,", report.Plural(c.LeftOutKills, "kill"))
		}
		t.linef("    %d of %s kept; the other %d%s %s in Go's fuzz cache: see -corpus-size",
			c.Own, report.Plural(c.Own+c.LeftOut, "entry"), c.LeftOut, with, report.Verb(c.LeftOut, "stays", "stay"))
	}
	if c.Golden > 0 {
		t.linef("    %s of %s written; fuzzmut corpus verify compares them", report.Plural(c.GoldenValues, "golden value"), report.Plural(c.Golden, "entry"))
	}
	t.regenerated(&f.Regenerated)
	if len(c.Removed) > 0 {
		why := ", since the others do what they did"
		if c.LeftOut > 0 {
			why = ", since the others do what they did or more"
		}
		t.linef("    removed%s; they are in Go's fuzz cache now", why)
		if t.o.Verbose {
			for _, name := range c.Removed {
				t.linef("      %s", name)
			}
		}
	}
	if b := f.Coverage.Blocks; b > 0 && f.NotMeasured == "" {
		t.linef("  coverage: %d of %d blocks (%s)",
			f.Coverage.Covered, b, percent(float64(f.Coverage.Covered)/float64(b)))
	}
}

// regenerated says what a regeneration did for changed code.
func (t *text) regenerated(r *report.Regenerated) {
	if r.Functions == 0 {
		return
	}
	t.linef("  changed: %s with %s; %d newly killed",
		report.Plural(r.Functions, "function"), report.Plural(r.Mutants, "mutant"), r.Gained)
	if n := len(r.Lost); n > 0 {
		t.linef("    %s that the corpus killed after the last run now live: %s", report.Plural(n, "mutant"), strings.Join(r.Lost, ", "))
	}
}

func (t *text) crashes(f *report.FuzzTest) {
	for _, what := range f.Fixed {
		list := "-write-known removes it from the list of known failures"
		if f.KnownWritten {
			list = "it is no longer on the list of known failures"
		}
		t.linef("\n  fixed: %s\n    it passes now: %s", what, list)
	}
	if len(f.Crashes) == 0 {
		return
	}
	t.linef("\n  failing inputs: %s", Buckets(len(f.Crashes), report.KnownCrashes(f)))
	for i := range f.Crashes {
		t.crash(&f.Crashes[i])
	}
}

func (t *text) crash(c *report.Crash) {
	ways := ""
	if c.Stacks > 1 {
		ways = ", " + report.Plural(c.Stacks, "stack")
	}
	if c.Known {
		ways += ", known"
	} else if c.Before {
		ways += ", fails since before this run"
	}
	t.linef("    %s: %s  (%s%s)", c.Kind, firstLine(c.Message), report.Plural(int(c.Count), "execution"), ways)
	t.framesOf(c.Kind, c.Frames)
	for i := range c.Repairs {
		t.linef("      this change makes it pass:")
		t.remedy(&c.Repairs[i])
	}
	t.source(c.Source, "        ")
	label := "input"
	if c.Input != "" {
		t.linef("      input %s", inlineInput(c.Input))
		label = "in   "
	}
	entries := c.Entries
	if !t.o.Verbose {
		entries = entries[:min(entriesShown, len(entries))]
	}
	for i, entry := range entries {
		if i > 0 {
			label = "also "
		}
		t.linef("      %s %s", label, entry)
	}
	if n := len(c.Entries) - len(entries); n > 0 {
		t.linef("      and %s; -v lists them", report.Plural(n, "more"))
	}
	if c.Repro != "" {
		t.linef("      %s", c.Repro)
	}
}

// Bounds of the source of an input, in a text that is not verbose: lines, and bytes of a line.
const (
	sourceLines = 12
	sourceBytes = 160
)

// source shows what an input does. Of a long one the last lines are those that fail.
func (t *text) source(source, indent string) {
	if source == "" {
		return
	}
	t.linef("%sas Go source:", indent[2:])
	lines := strings.Split(source, "\n")
	left := 0
	if !t.o.Verbose && len(lines) > sourceLines {
		left = len(lines) - (sourceLines - 1)
	}
	for i, line := range lines {
		switch {
		case left > 0 && i == 1:
			t.linef("%s... %s more; -v shows all", indent, report.Plural(left, "line"))
			continue
		case left > 0 && i > 1 && i <= left:
			continue
		}
		if !t.o.Verbose && len(line) > sourceBytes {
			line = strings.ToValidUTF8(line[:sourceBytes], "") + "..."
		}
		t.linef("%s%s", indent, line)
	}
}

// frames shows where an input fails, innermost first.
func (t *text) frames(frames []string) { t.framesBy(frames, "from") }

// framesOf is frames of a failure of a kind.
func (t *text) framesOf(kind string, frames []string) {
	next := "from"
	if kind == "race" { // two places, and neither calls the other
		next = "and"
	}
	t.framesBy(frames, next)
}

// framesBy is frames with a word before all but the first.
func (t *text) framesBy(frames []string, next string) {
	shown := frames
	if !t.o.Verbose {
		shown = frames[:min(framesShown, len(frames))]
	}
	label := "at"
	for _, frame := range shown {
		function, pos, _ := strings.Cut(frame, " ")
		// The path of the import is long, and its end tells enough.
		t.linef("      %-4s %s  %s", label, function[strings.LastIndexByte(function, '/')+1:], pos)
		label = next
	}
}

// verdict writes the last line: all fuzz tests together.
func (t *text) verdict(tests []report.FuzzTest) {
	if len(tests) == 0 {
		t.linef("no fuzz test was run")
		return
	}
	added, buckets, known, flaky := 0, 0, 0, 0
	for i := range tests {
		added += tests[i].Corpus.Added
		buckets += len(tests[i].Crashes)
		known += report.KnownCrashes(&tests[i])
		flaky += report.SureFlakes(&tests[i])
	}
	who := tests[0].Name
	if len(tests) > 1 {
		who = report.Plural(len(tests), "fuzz test")
	}
	score := scoreOf(report.Total(tests))
	if n := report.Unconfirmed(tests); n > 0 {
		score += fmt.Sprintf(", %d of the kills not confirmed", n)
	}
	if slices.ContainsFunc(tests, func(f report.FuzzTest) bool { return f.NotMeasured != "" }) {
		score = notMeasured
	}
	failing := "no failing inputs"
	if buckets > 0 {
		failing = "failing inputs in " + Buckets(buckets, known)
	}
	if flaky > 0 {
		failing += fmt.Sprintf(", flaky failures in %s", report.Plural(flaky, "bucket"))
	}
	if n := report.Costs(tests); n > 0 {
		failing += fmt.Sprintf(", costly inputs in %s", report.Plural(n, "place"))
	}
	t.linef("%s: %s, %s added, %s", who, score, report.Plural(added, "entry"), failing)
}

// notMeasured stands for a score.
const notMeasured = "mutation score not measured"

// killedOf says how many of the mutants of a score are killed.
func killedOf(s report.Score) string {
	if s.Mutants == 0 {
		return "no mutants"
	}
	return fmt.Sprintf("mutation score %s (%d of %d killed)", percent(s.Score), s.Killed, s.Mutants)
}

// Buckets counts buckets, and says how many of them are known.
func Buckets(n, known int) string {
	text := report.Plural(n, "bucket")
	switch {
	case known == 0:
		return text
	case known == n:
		return text + ", known"
	}
	return fmt.Sprintf("%s, %d of them known", text, known)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// percent formats a fraction. It never rounds up to 100 % what is not all.
func percent(fraction float64) string {
	const tenths = 1000
	return strconv.FormatFloat(float64(int(fraction*tenths+1e-9))/10, 'f', 1, 64) + " %"
}
