package text

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// survivorsShown is the number of surviving mutants in a text report that is
// not verbose.
const survivorsShown = 10

// functionsShown bounds the list of functions that nothing reached, likewise.
const functionsShown = 5

// survivors shows what the surviving mutants say, what matters most first. seen says what was
// seen of one, and rest counts those that are listed or killed elsewhere.
func (t *text) survivors(ms []report.Mutant, rest *elsewhere, seen func(*report.Mutant) string) {
	findings := report.Findings(ms)
	others := rest.survivors(len(findings) > 0)
	if len(findings) == 0 {
		if others != "" {
			t.linef("\n  surviving mutants: %s", others)
		}
		return
	}
	ranked := report.InOrder(findings)
	count := fmt.Sprint(len(ranked))
	if len(findings) < len(ranked) {
		count += " in " + report.Plural(len(findings), "finding")
	}
	shown := findings[:min(survivorsShown, len(findings))]
	if !t.o.Verbose && len(shown) < len(ranked) {
		count += fmt.Sprintf(", %d shown; -v shows all", len(shown))
	}
	t.linef("\n  surviving mutants: %s", count)
	t.classes(ms, ranked)
	t.others(ranked)
	if others != "" {
		t.linef("    %s", others)
	}
	if t.o.Verbose {
		for _, m := range ranked {
			t.survivor(m, seen(m))
		}
		return
	}
	for _, f := range shown {
		t.finding(&f, seen(f.Mutant))
	}
}

// finding shows a survivor, and how many it stands before.
func (t *text) finding(f *report.Finding, seen string) {
	switch n := len(f.More); {
	case f.Whole:
		t.linef("    %s: no test seems to check %s: %d of its mutants were run, and all survive; one of them:", t.file(f.File), functionName(f.Function), n+1)
	case n > 0:
		seen += fmt.Sprintf("; %d more here", n)
	}
	t.survivor(f.Mutant, seen+t.sameIn(f))
}

// sameIn says where else a survivor makes the same change: in which functions, and in which lines
// of the same one.
func (t *text) sameIn(f *report.Finding) (said string) {
	var functions, lines []string
	for i := range f.Same {
		m := f.Same[i].Mutant
		switch {
		case m.Function == f.Function && m.File == f.File:
			lines = append(lines, fmt.Sprint(m.Line))
		case m.Function == f.Function:
			lines = append(lines, t.file(m.File)+":"+fmt.Sprint(m.Line))
		case !slices.Contains(functions, functionName(m.Function)):
			functions = append(functions, functionName(m.Function))
		}
	}
	if n := len(functions); n > 0 {
		said += "; the same in " + report.Plural(n, "more function") + ": " + shortList(functions)
	}
	if n := len(lines); n > 0 {
		said += "; the same in " + report.Verb(n, "line ", "lines ") + shortList(lines)
	}
	return said
}

// shortList names the first of a list, and counts the rest.
func shortList(list []string) string {
	if n := len(list) - functionsShown; n > 0 {
		return strings.Join(list[:functionsShown], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ")
}

// starting tells of the mutants that act before the first input alone. How often that is
// says nothing of them: it is once in a process. first is what they act before, and survivors are
// shown of list.
func (t *text) starting(ms, list []report.Mutant, rest *elsewhere, first string) {
	processes, kills, killed, other := 0, 0, 0, 0
	var survivors []*report.Mutant
	for i := range ms {
		m := &ms[i]
		processes += m.Start.Processes
		kills += m.Start.Killed
		if m.Status == report.Killed {
			killed++
		}
	}
	if len(ms) == 0 {
		return
	}
	fate := fmt.Sprintf("killed in %d of %s started for them", kills, report.Plural(processes, "process"))
	if processes == 0 { // they are not counted for tests
		fate = fmt.Sprintf("%d killed", killed)
	}
	t.linef("\n  mutants that act only before the first %s: %s, %s", first, report.Group(int64(len(ms))), fate)
	for i := range list {
		if m := &list[i]; m.Survives() {
			survivors = append(survivors, m)
			if m.Start.Infected {
				other++
			}
		}
	}
	if len(survivors) > 0 {
		functions, _ := t.functions(list, (*report.Mutant).Survives)
		more := "; -v shows them"
		if t.o.Verbose {
			more = ""
		}
		t.linef("    %d survived, %d of them with a changed value, in %s%s", len(survivors), other, functions, more)
	}
	if others := rest.survivors(len(survivors) > 0); others != "" {
		t.linef("    %s", others)
	}
	if !t.o.Verbose {
		return
	}
	slices.SortFunc(survivors, report.ByPosition)
	for _, m := range survivors {
		t.survivor(m, seenAtStart(m, first))
	}
}

// seenAtStart says what is known of a survivor that acts before the first input alone.
func seenAtStart(m *report.Mutant, first string) string {
	switch {
	case !m.Start.Infected:
		return "reached before the first " + first + ", no effect"
	case m.Reused && first == "input":
		return infects(m) + " before the first input; undetected in an earlier run"
	case m.Start.Processes == 0 && first == "test":
		return infects(m) + " before the first test; no test failed"
	case m.Start.Processes == 0:
		return infects(m) + " before the first input; not run"
	}
	return fmt.Sprintf("%s before the first %s; undetected by %s in %s", infects(m), first,
		report.Plural(int(m.Executed), "execution"), report.Plural(m.Start.Processes, "process"))
}

// infects says what a mutant does where it is infected: whether the value of a variable is another one without the
// statement that sets it is not known.
func infects(m *report.Mutant) string {
	if m.TakesAway() {
		return "removed what ran"
	}
	return "changed a value"
}

// classes says how far it was to a kill, and where nothing is looked at.
func (t *text) classes(ms []report.Mutant, survivors []*report.Mutant) {
	var changed, removed, without int64
	for _, m := range survivors {
		switch {
		case m.Class == report.NotInfected:
			without++
		case m.Class == report.NotSeen && m.TakesAway():
			removed++
		case m.Class == report.NotSeen:
			changed++
		}
	}
	what := report.Group(changed) + " changed a value"
	if removed > 0 {
		what += ", " + report.Group(removed) + " removed what ran,"
	}
	t.linef("    %s but went undetected; %s had no effect", what, report.Group(without))
	blind := func(m *report.Mutant) bool { return m.Survives() && !m.Observed }
	if list, n := t.functions(ms, blind); n > 0 {
		t.linef("    %s in functions without a killed mutant, whose results may not be checked at all: %s", report.Group(int64(n)), list)
	}
}

// seenByInputs says how often a surviving mutant had a different value.
func seenByInputs(m *report.Mutant) string {
	if m.Infected == 0 {
		return fmt.Sprintf("reached %s with no effect", report.Times(m.Reached))
	}
	return fmt.Sprintf("%s %s but went undetected", infects(m), report.Times(m.Infected))
}

func (t *text) survivor(m *report.Mutant, seen string) {
	t.linef("    %s:%d:%d  %s: %s", t.file(m.File), m.Line, m.Column, m.Operator, describe(m))
	if m.Baseline == report.Accepted {
		seen += "; accepted"
	}
	if said := t.noticed(m); said != "" {
		seen += "; " + said
	}
	t.linef("      in %s; %s  [%s]", functionName(m.Function), seen, m.ID)
	for _, line := range shortDiff(m.Diff, t.o.Verbose) {
		t.linef("      %s", line)
	}
}

// notCovered lists what no input reaches. rest counts what others reach, or what is listed elsewhere.
func (t *text) notCovered(ms []report.Mutant, rest *elsewhere) {
	var parts []string
	if list, n := t.functions(ms, unreached); n > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s", report.Plural(n, "mutant"), list))
	}
	if parts = append(parts, rest.notCovered(len(parts) > 0)...); len(parts) > 0 {
		t.linef("\n  not covered: %s", strings.Join(parts, "; "))
	}
	aside := 0
	for i := range ms {
		if ms[i].Status == report.NotCovered && strings.HasPrefix(ms[i].Reason, report.OnlySetAside) {
			aside++
		}
	}
	if aside > 0 {
		t.linef("    %s only reached by tests that were set aside", report.Plural(aside, "mutant")+report.Verb(aside, " is", " are"))
	}
}

// killedElsewhere says what inputs kill that are not in the corpus: nobody has to look for those.
func (t *text) killedElsewhere(f *report.FuzzTest) {
	said := f.KilledElsewhere()
	if said == "" {
		return
	}
	t.linef("\n  %s", said)
	if !t.o.Verbose {
		return
	}
	for _, m := range report.Ordered(f.Mutants) {
		if m.KilledByLeftOut != "" {
			t.linef("    %s:%d:%d  %s: %s", t.file(m.File), m.Line, m.Column, m.Operator, describe(&m))
			t.linef("      in %s; by %s  [%s]", functionName(m.Function), m.KilledByLeftOut, m.ID)
		}
	}
}

// functions lists the functions of the mutants that belong, with their numbers,
// and returns the number of all.
func (t *text) functions(ms []report.Mutant, belongs func(*report.Mutant) bool) (list string, total int) {
	functions := countByFunction(ms, belongs)
	for _, fn := range functions {
		total += fn.count
	}
	shown := functions
	if !t.o.Verbose {
		shown = functions[:min(functionsShown, len(functions))]
	}
	var parts []string
	for _, fn := range shown {
		parts = append(parts, fmt.Sprintf("%s (%d)", functionName(fn.name), fn.count))
	}
	if n := len(functions) - len(shown); n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return report.Plural(len(functions), "function") + ": " + strings.Join(parts, ", "), total
}

// excluded says what does not count for the score, and why.
func (t *text) excluded(ms []report.Mutant) {
	reasons := make(map[string]int)
	counts, uninteresting := make(map[string]int), 0
	for i := range ms {
		if m := &ms[i]; m.Status == report.Static || m.Status == report.Skipped {
			reasons[m.Status+": "+m.Reason]++
			counts[m.Status]++
			if m.Uninteresting() {
				uninteresting++
			}
		}
	}
	if len(reasons) == 0 {
		return
	}
	t.linef("\n  not counted: %d static, %s", counts[report.Static], skipped(counts[report.Skipped], uninteresting))
	if !t.o.Verbose {
		return
	}
	t.reasons(reasons)
}

// reasons lists reasons with how many mutants have each, the most first.
func (t *text) reasons(counts map[string]int) {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, reason := range names {
		t.linef("    %5d  %s", counts[reason], reason)
	}
}

// describe says what a mutant changes.
func describe(m *report.Mutant) string {
	if m.Description != "" {
		return m.Description
	}
	return report.Change(m)
}

func functionName(name string) string {
	if name == "" {
		return "a package-level initializer"
	}
	return name
}

// startsOnly says whether a mutant acts before the first input and no input reaches it.
func startsOnly(m *report.Mutant) bool { return m.Start.Reached && m.Reached == 0 }

// apart divides the mutants to show into those that inputs may reach, and those that act before
// the first input alone: their counts are of processes, not of inputs. There may be a hundred
// thousand of them: none is copied twice.
func apart(ms []report.Mutant, show func(*report.Mutant) bool) (byInputs, atStart []report.Mutant) {
	return chosen(ms, func(m *report.Mutant) bool { return !startsOnly(m) && show(m) }),
		chosen(ms, func(m *report.Mutant) bool { return startsOnly(m) && show(m) })
}

// chosen lists the mutants that belong: ms itself if all do.
func chosen(ms []report.Mutant, belongs func(*report.Mutant) bool) []report.Mutant {
	n := 0
	for i := range ms {
		if belongs(&ms[i]) {
			n++
		}
	}
	if n == len(ms) {
		return ms
	}
	list := make([]report.Mutant, 0, n)
	for i := range ms {
		if belongs(&ms[i]) {
			list = append(list, ms[i])
		}
	}
	return list
}

// A functionCount is a function with a number of mutants.
type functionCount struct {
	name  string
	count int
}

// countByFunction counts the mutants that belong, by function, those with most
// first.
func countByFunction(ms []report.Mutant, belongs func(*report.Mutant) bool) []functionCount {
	index := make(map[string]int)
	var out []functionCount
	for i := range ms {
		if !belongs(&ms[i]) {
			continue
		}
		name := ms[i].Function
		j, ok := index[ms[i].Package+"."+name]
		if !ok {
			j = len(out)
			index[ms[i].Package+"."+name] = j
			out = append(out, functionCount{name: name})
		}
		out[j].count++
	}
	slices.SortStableFunc(out, func(a, b functionCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	return out
}
