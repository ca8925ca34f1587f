package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
)

// Bounds on what is shown of cases, in a text that is not verbose.
const (
	casesShown  = 10 // of all packages, divided among those that have some
	casesLeast  = 3  // of each of these
	assertShown = 5  // assertions of a package
	closedShown = 3  // mutants of a case
	notesShown  = 5
	alikeShown  = 3 // names of notes with the same reason
)

// suggestion writes cases that kill what unit tests miss.
func (t *text) suggestion(r *suggestion.Report) {
	if !t.o.Quiet {
		shown, all := 0, len(r.Totals().Cases)
		most := casesOfEach(r.Packages)
		for i := range r.Packages {
			p := &r.Packages[i]
			t.linef("%s", p.Package)
			t.assertions(p)
			var closed []suggestion.Mutant
			for k := range p.Cases {
				closed = append(closed, p.Cases[k].Closes...)
			}
			for k := range p.Cases {
				if k >= most && !t.o.Verbose {
					break
				}
				shown++
				t.suggested(shown, &p.Cases[k], closed, p.Open)
			}
			t.oracles(p.Oracles)
			t.notes("no case was made", p.Left)
			t.notes("a search ended early", ended(p.Searches))
			t.notes("no search could reach", p.NotSearched)
			if p.Oracles == nil {
				t.open(p)
				t.linef("   unit tests: %s", judged(p))
			} else {
				t.linef("   unit tests: %s", judgedWith(p, p.Oracles.Asserted, "properties"))
			}
			t.linef("")
		}
		if n := all - shown; n > 0 {
			t.linef("%s; -v shows %s", report.Plural(n, "more case"), map[bool]string{true: "it", false: "them"}[n == 1])
		}
		if o := r.Totals().Oracles; o == nil {
			t.nextOfSuggestion(r, all)
		} else {
			t.nextOfOracles(r, len(o.Properties))
		}
		for _, w := range r.Warnings {
			t.linef("warning: %s", w)
		}
	}
	all := r.Totals()
	if o := all.Oracles; o != nil {
		checked := ""
		if slices.ContainsFunc(r.Packages, func(p suggestion.Package) bool { return p.Interrupted }) {
			checked = ", as far as they were checked"
		}
		t.linef("%d of %s killed by assertion by %s; %d of %d proposed properties hold%s", o.Asserted, report.Plural(all.Survivors, "survivor"),
			report.Plural(len(o.Properties), "property"), o.Held, o.Proposed, checked)
		return
	}
	more := ""
	if n := waiting(all.Open); n > 0 {
		more = fmt.Sprintf("; %d more have a case whose test was not run with them", n)
	}
	if n := len(all.LeftOut); n > 0 {
		more += fmt.Sprintf("; %s left out may kill others", report.Plural(n, "test"))
	}
	t.linef("%d of %s closed by %s%s", all.Closed, report.Plural(all.Survivors, "survivor"), report.Plural(len(all.Cases), "case"), more)
}

// casesOfEach is how many cases of each package are shown.
func casesOfEach(list []suggestion.Package) int {
	with := 0
	for i := range list {
		if len(list[i].Cases) > 0 {
			with++
		}
	}
	return max(casesLeast, casesShown/max(with, 1))
}

// assertions writes what the unit tests return and do not check.
func (t *text) assertions(p *suggestion.Package) {
	if len(p.Assertions) == 0 {
		return
	}
	t.linef("Assertions that the unit tests lack, for %s%s: calls return these values, and no test checks them.",
		report.Plural(p.Unasserted, "survivor"), alsoClosed(p))
	for i := range p.Assertions {
		a := &p.Assertions[i]
		if i == assertShown && !t.o.Verbose {
			t.linef("-  %d more; -v shows them", len(p.Assertions)-i)
			break
		}
		what := a.Value + " of " + a.Call
		if a.Value == "" {
			what = "the calls after " + a.Call
		}
		t.linef("-  %s:%d (%s): %s  (closes %d)", t.file(a.File), a.Line, a.Test, what, len(a.Closes))
		lines := report.Lines(a.Closes)
		for k, m := range a.Closes {
			if k > 0 && !t.o.Verbose {
				break
			}
			text := m.Description
			if m.Seen != "" {
				text += ": " + cut(m.Seen, argumentsMost)
			}
			t.linef("     %s:%s  %s", t.file(m.File), lines[k], text)
		}
	}
	t.linef("")
}

// alsoClosed says how many of the survivors that assertions close are closed by cases as well: the numbers do not add up.
func alsoClosed(p *suggestion.Package) string {
	type key struct{ file, id string }
	byCases := make(map[key]bool)
	for i := range p.Cases {
		for _, m := range p.Cases[i].Closes {
			byCases[key{m.File, m.ID}] = true
		}
	}
	n := 0
	for i := range p.Assertions {
		for _, m := range p.Assertions[i].Closes {
			if byCases[key{m.File, m.ID}] {
				n++
			}
		}
	}
	switch n {
	case 0:
		return ""
	case p.Unasserted:
		return ", which the cases below close as well"
	}
	return fmt.Sprintf(", %d of them closed by the cases below as well", n)
}

// judged says what the unit tests said before.
func judged(p *suggestion.Package) string { return judgedWith(p, p.Closed, "cases") }

// judgedWith says it, and how many mutants more what was found kills.
func judgedWith(p *suggestion.Package, more int, what string) string {
	text := fmt.Sprintf("%d of %s killed, %d with the %s", p.Killed, report.Plural(p.Mutants, "mutant"), p.Killed+more, what)
	if p.NotCovered > 0 {
		text += fmt.Sprintf("; %s not covered: no test reaches %s", notCovered(p), report.Verb(p.NotCovered, "it", "them"))
	}
	if p.Static > 0 {
		text += fmt.Sprintf("; left out: %s in package initialization, which no case can switch on and fuzzmut test judges", report.Plural(p.Static, "mutant"))
	}
	if p.NotJudged > 0 {
		text += fmt.Sprintf("; %d were not run in the time; fuzzmut test judges them all", p.NotJudged)
	}
	if n := len(p.LeftOut); n > 0 {
		text += fmt.Sprintf("; %d of %s left out, and may kill some of the survivors", n, report.Plural(p.Tests, "test"))
	}
	return text
}

// notCovered says how many of the survivors are not covered.
func notCovered(p *suggestion.Package) string {
	if p.NotCovered == p.Survivors {
		return report.Verb(p.Survivors, "the survivor is", fmt.Sprintf("all %d survivors are", p.Survivors))
	}
	return fmt.Sprintf("%d of the %d survivors %s", p.NotCovered, p.Survivors, report.Verb(p.NotCovered, "is", "are"))
}

// suggested writes one case with what it closes, of all that cases of the package close, and what of that stays open.
func (t *text) suggested(n int, c *suggestion.Case, closed []suggestion.Mutant, open []suggestion.Open) {
	shown := cutCalls(c.Call, argumentsMost)
	if c.Result != "" {
		shown += " = " + cut(oneLine(c.Result), argumentsMost)
	}
	t.linef("%d. %s  (%s)", n, shown, closes(c, open))
	lines := report.LinesAmong(c.Closes, closed)
	for i, m := range c.Closes {
		if i == closedShown && !t.o.Verbose {
			t.linef("     and %d more; -v shows all", len(c.Closes)-i)
			break
		}
		tested := ""
		if !m.Reached {
			tested = "; no test runs it"
		}
		t.linef("   %s:%s  %s%s", t.file(m.File), lines[i], m.Description, tested)
		if m.Seen != "" {
			t.linef("     then %s", then(&m))
		}
	}
	t.linef("")
}

// closes says how many mutants a case closes. With those that stay open its test was not run.
func closes(c *suggestion.Case, open []suggestion.Open) string {
	waits := 0
	for _, m := range c.Closes {
		if slices.ContainsFunc(open, func(o suggestion.Open) bool { return o.Why == suggestion.NotRun && o.ID == m.ID && o.File == m.File }) {
			waits++
		}
	}
	switch waits {
	case 0:
		return fmt.Sprintf("closes %d", len(c.Closes))
	case len(c.Closes):
		return fmt.Sprintf("may close %d", waits)
	}
	return fmt.Sprintf("closes %d, may close %d more", len(c.Closes)-waits, waits)
}

// then is what a case shows with a mutant. Where that is long, the call is shortened first, since the case has it. A result
// that is still too long is shown where it differs from that without a mutant, beside which it stands.
func then(m *suggestion.Mutant) string {
	prefix, ok := strings.CutSuffix(m.Seen, m.Got)
	whole := len([]rune(m.Seen)) <= argumentsMost
	if whole && !strings.HasPrefix(m.Got, "…") || !ok || m.Got == "" {
		return cut(m.Seen, argumentsMost)
	}
	if !whole {
		end := strings.LastIndexByte(prefix, ')') + 1 // the sign comes after it
		prefix = cutCalls(prefix[:end], argumentsMost/4) + cut(prefix[end:], argumentsMost/4)
		if len([]rune(prefix+m.Got)) <= argumentsMost {
			return prefix + m.Got
		}
	}
	got, want := sides.Around(m.Got, m.Want, argumentsMost/2)
	return prefix + got + ", and now " + want
}

// cut shortens a text.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// oneLine has a space for each end of a line, and the indent after it.
func oneLine(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// cutCalls shortens calls in turn. The last one stays, since what comes after it is what it returns: if it is long itself
// and others are before it, up to half of what there is room for. Of those before it the first ones stay, each as a whole.
func cutCalls(s string, most int) string {
	calls := statements(s)
	last := calls[len(calls)-1]
	if len([]rune(s)) <= most {
		return s
	}
	if len(calls) == 1 {
		return cutCall(s, most)
	}
	before := strings.TrimSuffix(s, last)
	last = cutCall(last, most/2)
	first, left := "", most-len([]rune(last))
	for _, c := range calls[:len(calls)-1] {
		if left -= len([]rune(c)) + 2; left < 0 {
			break
		}
		first += c + "; "
	}
	switch {
	case len(first) == len(before):
		return first + last
	case first == "":
		return cut(before, most-len([]rune(last))) + " " + last
	}
	return first + "... " + last
}

// cutCall shortens one call: of its arguments the first ones stay.
func cutCall(s string, most int) string {
	short := cut(s, most)
	if short != s && strings.HasSuffix(s, ")") {
		short += ")"
	}
	return short
}

// statements are what semicolons separate that are in no text.
func statements(s string) (list []string) {
	quote, begin := byte(0), 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && quote != '`' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'':
			quote = c
		case c == ';':
			list, begin = append(list, strings.TrimSpace(s[begin:i])), i+1
		}
	}
	return append(list, strings.TrimSpace(s[begin:]))
}

// notes writes why something is left out.
func (t *text) notes(what string, list []suggestion.Note) {
	var notes []behavior.Note
	for _, n := range list {
		note := behavior.Note{What: n.What, Reason: ofIt(n)}
		if n.Mutants > 0 {
			note.What += " (" + report.Plural(n.Mutants, "survivor") + ")"
		}
		if !t.o.Verbose {
			note.Reason, _, _ = strings.Cut(note.Reason, ";") // what to do about it
		}
		notes = append(notes, note)
	}
	named := alikeShown
	if t.o.Verbose {
		named = 0
	}
	notes = behavior.ByReason(notes, named)
	for i, n := range notes {
		if i == notesShown && !t.o.Verbose {
			t.linef("   %s, for %s; -v shows all", what, report.Plural(len(notes)-i, "other reason"))
			break
		}
		t.linef("   %s: %s: %s", what, n.What, n.Reason)
	}
}

// ofIt is the reason of a note without the name of what it is about, which stands before it: notes with the same
// reason are one line.
func ofIt(n suggestion.Note) string {
	const derived = "no fuzz test can be derived for "
	if rest, ok := strings.CutPrefix(n.Reason, derived); ok {
		if name, why, ok := strings.Cut(rest, ": "); ok && isName(n.What, name) {
			return why
		}
	}
	if name, why, ok := strings.Cut(n.Reason, " "); ok && isName(n.What, name) {
		return "it " + why
	}
	return n.Reason
}

// isName says whether a name is that of a function, which may have the name of its package before it.
func isName(function, name string) bool {
	return function == name || strings.HasSuffix(function, "."+name)
}

// whys say why survivors are open, as text.
var whys = map[suggestion.Why]string{
	suggestion.NotSearched: "no search came to %d",
	suggestion.NotReached:  "no input of a search reaches %d",
	suggestion.SameValues:  "%d never changed a value",
	suggestion.NotSeen:     "%d changed one, and every result was the same",
	suggestion.NotSteady:   "%d changed one, and no result showed it but for those that differ from run to run",
	suggestion.NotCompared: "%d changed a result where no case can compare it",
	suggestion.NotKept:     "%d made no case that kills",
	suggestion.NotRun:      "%d have a case whose test was not run with them",
}

// open counts the survivors that no case kills, by the reason.
func (t *text) open(p *suggestion.Package) {
	if len(p.Open) == 0 || len(p.Searches) == 0 {
		return
	}
	count, tested := make(map[suggestion.Why]int), 0
	for _, o := range p.Open {
		count[o.Why]++
		if o.Why == suggestion.NotReached && o.Reached {
			tested++
		}
	}
	var parts []string
	for _, why := range suggestion.Whys {
		if n := count[why]; n > 0 {
			parts = append(parts, fmt.Sprintf(whys[why], n))
		}
		if why == suggestion.NotReached && tested > 0 {
			parts[len(parts)-1] += fmt.Sprintf(", though tests reach %d of these", tested)
		}
	}
	t.linef("   %s stay open: %s", report.Plural(len(p.Open), "survivor"), strings.Join(parts, "; "))
	switch {
	case p.Interrupted:
	case count[suggestion.NotSearched] > 0:
		t.linef("   a longer -fuzztime searches more of the code")
	case p.LastFound > 0:
		t.linef("   inputs for %s were found in the last third of the search: a longer -fuzztime may close more", report.Plural(p.LastFound, "survivor"))
	}
}

// waiting counts the survivors that have a case which was not run with them.
func waiting(open []suggestion.Open) (n int) {
	for _, o := range open {
		if o.Why == suggestion.NotRun {
			n++
		}
	}
	return n
}

// ended notes the searches that ended before their time.
func ended(list []suggestion.Search) (notes []suggestion.Note) {
	for _, s := range list {
		if s.Ended != "" {
			notes = append(notes, suggestion.Note{What: s.Function, Reason: s.Ended})
		}
	}
	return notes
}

// nextOfSuggestion says what to do now.
func (t *text) nextOfSuggestion(r *suggestion.Report, cases int) {
	all := r.Totals()
	for _, file := range all.Written {
		t.linef("written: %s", t.file(file))
	}
	for _, file := range all.Extended {
		t.linef("more rows in: %s", file)
	}
	switch {
	case cases == 0:
	case len(all.Written)+len(all.Extended) > 0:
		t.linef("What the tests want is what the code does now: check that each is right before you keep it.")
	default:
		t.linef("The results are those of the code as it is: check that they are right. -write-test writes the cases as tests.")
	}
}

// propertiesShown bounds the properties that are shown of a package.
const propertiesShown = 8

// oracles writes properties, and those that fail.
func (t *text) oracles(o *suggestion.Oracles) {
	if o == nil {
		return
	}
	for i := range o.Properties {
		if i == propertiesShown && !t.o.Verbose {
			t.linef("%s; -v shows %s", report.Plural(len(o.Properties)-i, "more property"), map[bool]string{true: "it", false: "them"}[len(o.Properties)-i == 1])
			t.linef("")
			break
		}
		t.property(i+1, &o.Properties[i])
	}
	t.failing(o.Failing)
	guesses := 0
	for i := range o.Failing {
		if f := &o.Failing[i]; f.Guess && !f.Panic && !t.o.Verbose {
			guesses++
		}
	}
	if guesses > 0 {
		t.linef("   %s that the code does not promise %s not hold; -v shows %s", report.Plural(guesses, "property"), report.Verb(guesses, "does", "do"), map[bool]string{true: "it", false: "them"}[guesses == 1])
	}
	if o.Idle > 0 {
		t.linef("   %s %s nothing that is not killed without %s", report.Plural(o.Idle, "property"), report.Verb(o.Idle, "holds, but kills", "hold, but kill"), map[bool]string{true: "it", false: "them"}[o.Idle == 1])
	}
}

// failing writes what does not hold, and where the code panics. Of the panics of one function the
// first is shown: the others are often the same mistake at another place.
func (t *text) failing(list []suggestion.Failing) {
	panics := make(map[string]int)
	for i := range list {
		if f := &list[i]; f.Panic {
			panics[strings.Join(f.Functions, ", ")]++
		}
	}
	heading := "These do not hold: the code has a bug, or the guess is wrong.\n"
	told := make(map[string]bool)
	for i := range list {
		f := &list[i]
		functions := strings.Join(f.Functions, ", ")
		if !t.o.Verbose && (f.Guess && !f.Panic || f.Panic && told[functions]) {
			continue
		}
		if heading != "" {
			t.linef("%s", heading)
			heading = ""
		}
		if f.Panic {
			t.linef("-  the code panics: %s", functions)
		} else {
			t.linef("-  %s: %s", f.Kind, f.Sentence)
		}
		t.linef("     on %s", cut(f.Input, argumentsMost))
		t.linef("     %s", cut(f.Failure, argumentsMost))
		if more := panics[functions] - 1; f.Panic && more > 0 && !t.o.Verbose {
			t.linef("     and in %s; -v shows all", report.Plural(more, "other way"))
		}
		told[functions] = told[functions] || f.Panic
		t.linef("")
	}
}

// property writes one property with its source and what it kills.
func (t *text) property(n int, p *suggestion.Property) {
	t.linef("%d. %s: %s  (kills %d)", n, p.Kind, p.Sentence, len(p.Kills))
	t.linef("")
	for _, line := range t.shortened(strings.Split(strings.TrimRight(checkOf(p.Source), "\n"), "\n")) {
		t.linef("     %s", line)
	}
	t.linef("")
	lines := report.Lines(p.Kills)
	for i, m := range p.Kills {
		if i == 1 && !t.o.Verbose {
			t.linef("     and %d more; -v shows all", len(p.Kills)-i)
			break
		}
		t.linef("   %s:%s  %s", t.file(m.File), lines[i], m.Description)
		if m.Seen != "" {
			t.linef("     then %s", then(&m))
		}
	}
	t.linef("")
}

// checkMost is how many lines of a check are shown, and checkEnd how many of a longer one in the end: what
// comes before makes values by calls in turn.
const (
	checkMost = 32
	checkEnd  = 16
)

// shortened are the lines of a check, or those that say what is checked.
func (t *text) shortened(lines []string) []string {
	if t.o.Verbose || len(lines) <= checkMost {
		return lines
	}
	left := len(lines) - 1 - checkEnd
	for left < len(lines)-2 && (strings.HasPrefix(lines[1+left], "\t\t") || strings.HasPrefix(lines[1+left], "\t}")) {
		left++ // the rest of a statement
	}
	return slices.Concat(lines[:1], []string{fmt.Sprintf("\t... %d lines; -v shows them", left)}, lines[1+left:])
}

// checkOf is what a fuzz test does with an input, without its comment and its seeds.
func checkOf(source string) string {
	_, body, ok := strings.Cut(source, "\tf.Fuzz(")
	if !ok {
		return source
	}
	body = strings.TrimSuffix(strings.TrimRight(body, "\n"), ")\n}")
	var b strings.Builder
	for line := range strings.Lines(body) {
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	return b.String()
}

// nextOfOracles says what to do now.
func (t *text) nextOfOracles(r *suggestion.Report, n int) {
	written := r.Totals().Written
	for _, file := range written {
		t.linef("written: %s", t.file(file))
	}
	switch {
	case n == 0:
	case len(written) > 0:
		t.linef("The properties held on all inputs that were tried: check that each is meant to hold before you keep it.")
	default:
		t.linef("The properties held on all inputs that were tried: check that they are meant to hold. -write-test writes them as fuzz tests.")
	}
}
