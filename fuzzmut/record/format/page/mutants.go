package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/fate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A status is what became of mutants, as the page shows it.
type status struct {
	Class string // of the style
	Name  string
	Count string
}

const (
	survived = iota
	notCovered
	notJudged
	leftOut
	killed
	ignored
	classCount
)

// classes are the statuses in the order in which they are shown; that of a line with several
// mutants is the first of theirs.
var classes = [classCount]status{
	survived:   {Class: "s", Name: "survived"},
	notCovered: {Class: "n", Name: "not covered"},
	notJudged:  {Class: "p", Name: "not judged"},
	leftOut:    {Class: "o", Name: "killed by an input that is left out"},
	killed:     {Class: "k", Name: "killed"},
	ignored:    {Class: "i", Name: "ignored"},
}

// killedFirst is their order where it is shown how many of all are killed.
var killedFirst = [classCount]int{killed, leftOut, survived, notCovered, notJudged, ignored}

var classOf = map[string]int{
	report.Survived: survived, report.NotCovered: notCovered, report.Pending: notJudged, report.Killed: killed, report.Static: ignored, report.Skipped: ignored,
}

// class is the index of what became of the mutant in classes.
func (v *verdict) class() int {
	if v.KilledByLeftOut != "" {
		return leftOut
	}
	return classOf[v.Status]
}

// A counts has the number of mutants of each class.
type counts [classCount]int

func (c *counts) sum() (n int) {
	for _, some := range c {
		n += some
	}
	return n
}

// text lists the counts that are not 0.
func (c *counts) text() string {
	var list []string
	for i, n := range c {
		if n > 0 {
			list = append(list, report.Group(int64(n))+" "+classes[i].Name)
		}
	}
	return strings.Join(list, ", ")
}

// whole is the width of a bar.
const whole = 1000

// bar shows the counts, killed mutants first.
func (c *counts) bar() *bar {
	b := &bar{Text: c.text()}
	all, before := c.sum(), 0
	if all == 0 {
		return b
	}
	for _, i := range killedFirst {
		from := before * whole / all
		before += c[i]
		if to := before * whole / all; to > from {
			b.Shares = append(b.Shares, share{Class: classes[i].Class, From: from, Width: to - from})
		}
	}
	return b
}

// A verdict is a mutant by all that was run.
type verdict struct {
	*report.Mutant
	id      string   // of its element
	byInput bool     // inputs kill, not tests
	by      []string // what kills it
	reach   string   // the entry that reaches a survivor
}

// A file is a source file with its mutants.
type file struct {
	ID, Name string
	Counts   string
	Covered  string
	Bar      *bar
	Lines    []line
}

// A line is one of source.
type line struct {
	Number  int
	Text    string
	Cover   cover
	Pieces  []piece // of Text, if it is covered in part
	Class   string
	Marks   []status
	Mutants []mutant
}

// A mutant is shown below its line.
type mutant struct {
	ID, Name     string
	Class        string
	Status       string
	Text         string
	OperatorName string
	Operator     int // index in the list of the filter
	Function     int // likewise
	Diff         []change
	Why          string
	Links        []link
}

// A link leads to a part of the page.
type link struct{ ID, Place string }

// A change is a line of a diff.
type change struct {
	Sign string // "-", "+" or " "
	Text string
}

// byTests returns the mutants of a result of tests, in the order of the source.
func byTests(r *report.TestReport) []verdict {
	ms := report.Ordered(r.Mutants)
	list := make([]verdict, len(ms))
	for i := range ms {
		list[i] = verdict{Mutant: &ms[i]}
		if ms[i].KilledBy != "" {
			list[i].by = []string{ms[i].KilledBy}
		}
	}
	return identify(list)
}

// byInputs returns the mutants of results of fuzz tests, in the order of the source. Of a
// mutant that several were run with, the status that says most applies.
func byInputs(tests []report.FuzzTest) []verdict {
	index := make(map[[2]string]int)
	var list []verdict
	for i := range tests {
		ms := report.Ordered(tests[i].Mutants)
		for j := range ms {
			m := &ms[j]
			key := [2]string{m.Package, m.ID}
			at, ok := index[key]
			if !ok {
				at = len(list)
				index[key] = at
				list = append(list, verdict{Mutant: m, byInput: true})
			}
			v := &list[at]
			if !ok || report.Outweighs(m, v.Mutant) {
				v.Mutant = m
				if v.reach = ""; m.ReachedBy != "" {
					v.reach = tests[i].Name + "/" + m.ReachedBy
				}
			}
			if m.KilledBy != "" {
				list[at].by = append(list[at].by, tests[i].Name+"/"+m.KilledBy)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b verdict) int { return report.ByPosition(a.Mutant, b.Mutant) })
	return identify(list)
}

// identify gives mutants the names of their elements. Mutants of several packages may have
// one ID.
func identify(list []verdict) []verdict {
	have := make(map[string]int)
	for i := range list {
		id := "m-" + plain(list[i].ID)
		if have[id]++; have[id] > 1 {
			id += "." + strconv.Itoa(have[id])
		}
		list[i].id = id
	}
	return list
}

// plain drops what an address would escape.
func plain(id string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-') {
			return r
		}
		return -1
	}, id)
}

// source enters the files that mutants are in.
func (v *view) source(list []verdict) error {
	ms := make([]*report.Mutant, len(list))
	var all counts
	for i := range list {
		ms[i] = list[i].Mutant
		all[list[i].class()]++
	}
	v.Operators = names(ms, func(m *report.Mutant) string { return m.Operator })
	v.Functions = names(ms, func(m *report.Mutant) string { return m.Function })
	for i, n := range all {
		if n > 0 {
			v.Statuses = append(v.Statuses, status{Class: classes[i].Class, Name: classes[i].Name, Count: number(n)})
		}
	}
	if len(list) > 0 {
		v.Bar = all.bar()
	}
	files := source.Of(ms)
	byFile := make(map[string][]verdict)
	for _, m := range list {
		byFile[files.Name(m.Mutant)] = append(byFile[files.Name(m.Mutant)], m)
	}
	for _, name := range sorted(byFile) {
		list := byFile[name]
		src, err := files.Read(list[0].Mutant)
		if err != nil {
			return err
		}
		f, err := v.file(name, src, list)
		if err != nil {
			return err
		}
		v.Files = append(v.Files, f)
	}
	return nil
}

// file shows one file.
func (v *view) file(name string, src *source.File, list []verdict) (file, error) {
	f := file{ID: "f" + strconv.Itoa(len(v.Files)+1), Name: name}
	var all counts
	byLine := make(map[int][]verdict)
	for _, m := range list {
		all[m.class()]++
		byLine[m.Line] = append(byLine[m.Line], m)
	}
	blocks := v.profile.Of(list[0].Mutant)
	f.Counts, f.Bar = all.text(), all.bar()
	f.Covered = coveredText(blocks)
	covers := covers(src, blocks)
	pieces := pieces(src, blocks, covers)
	for i := range src.Lines {
		start, end := src.Span(i+1, i+1)
		if i+1 == len(src.Lines) && start == end {
			break // after the last line feed
		}
		l := line{Number: i + 1, Text: strings.TrimSuffix(src.Text[start:end], "\r"), Cover: covers[i], Pieces: pieces[i]}
		var here counts
		for _, m := range byLine[i+1] {
			shown, err := v.mutant(src, &m)
			if err != nil {
				return f, err
			}
			here[m.class()]++
			l.Mutants = append(l.Mutants, shown)
		}
		for c, n := range here {
			if n > 0 {
				l.Class = cmp.Or(l.Class, classes[c].Class)
				l.Marks = append(l.Marks, status{Class: classes[c].Class, Count: number(n)})
			}
		}
		delete(byLine, i+1)
		f.Lines = append(f.Lines, l)
	}
	for _, rest := range byLine {
		return f, fmt.Errorf("%s has changed since its mutants were made: it has no line %d; run fuzzmut again", src.Path, rest[0].Line)
	}
	return f, nil
}

// mutant shows one mutant.
func (v *view) mutant(src *source.File, m *verdict) (mutant, error) {
	at, err := src.Locate(m.Mutant)
	if err != nil {
		return mutant{}, err
	}
	class := classes[m.class()]
	shown := mutant{
		ID: m.id, Name: m.ID, Class: class.Class, Status: class.Name, Text: described(m.Mutant), OperatorName: m.Operator,
		Operator: index(v.Operators, m.Operator), Function: index(v.Functions, m.Function),
		Diff: changes(src, at, m.Mutant), Why: m.why(),
	}
	by := m.by
	if m.Survives() && m.reach != "" {
		by = []string{m.reach}
	}
	for _, name := range by {
		if e := v.shown[name]; e.ID != "" {
			shown.Links = append(shown.Links, link{ID: e.ID, Place: name})
		}
	}
	return shown, nil
}

// described says what a mutant changes.
func described(m *report.Mutant) string {
	if m.Description != "" {
		return m.Description
	}
	return report.Change(m)
}

// inputShown bounds the bytes of an input that are shown beside a survivor.
const inputShown = 200

// reachedBy names the input that reaches a survivor, and says what it is.
func (v *view) reachedBy(m *verdict) (of link, text string) {
	if m.reach == "" {
		return link{}, ""
	}
	e := v.shown[m.reach]
	return link{ID: e.ID, Place: m.reach}, shorten(e.Input, inputShown)
}

// testsShown bounds the tests that are named for a survivor.
const testsShown = 10

// why says what is known of a mutant.
func (m *verdict) why() string {
	if text := fate.LeftOut(m.Mutant); text != "" {
		return text
	}
	switch m.Status {
	case report.Killed:
		text := fate.Kill(m.Mutant, m.byInput)
		if len(m.by) > 0 {
			text += "; by " + strings.Join(m.by, ", ")
		}
		return text
	case report.Survived:
		text := fate.Survival(m.Mutant)
		if n := len(m.Tests); n > 0 {
			if text != "" {
				text += "; "
			}
			text += "reached by " + strings.Join(m.Tests[:min(n, testsShown)], ", ")
			if more := max(int(m.Reached), n) - min(n, testsShown); more > 0 {
				text += " and " + report.Group(int64(more)) + " more"
			}
		} else if m.byInput && m.Reached > 0 {
			text += fmt.Sprintf("; %s reached it, and %s computed a different value", report.Plural(int(m.Reached), "input"), report.Group(m.Infected))
			if m.reach != "" {
				text += "; one of them: " + m.reach
			}
		}
		return text
	}
	return m.Reason
}

// linesShown bounds the lines that a change shows of either side.
const linesShown = 30

// changes returns the lines that a mutant changes, as they are and as they become. What
// surrounds them stands beside them on the page.
func changes(src *source.File, at int, m *report.Mutant) []change {
	start, _ := src.Span(m.Line, m.Line)
	_, end := src.Span(m.Line, src.LineOf(at+len(m.Original)))
	end = max(end, at+len(m.Original)) // a mutant may replace the line feed, too
	was := lines(src.Text[start:end])
	is := lines(src.Text[start:at] + m.Replacement + src.Text[at+len(m.Original):end])
	for len(was) > 0 && len(is) > 0 && was[0] == is[0] {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	indent := indentOf(append(was[:len(was):len(was)], is...))
	return append(signed("-", was, indent), signed("+", is, indent)...)
}

// indentOf is the number of tabs that all lines begin with, but for empty ones.
func indentOf(list []string) int {
	least := -1
	for _, text := range list {
		if n := len(text) - len(strings.TrimLeft(text, "\t")); text != "" && (least < 0 || n < least) {
			least = n
		}
	}
	return max(least, 0)
}

// lines cuts a text into its lines. An empty one has none.
func lines(text string) []string {
	text = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\r")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// signed shows lines after a sign, without an indentation.
func signed(sign string, list []string, indent int) []change {
	var out []change
	for i, text := range list {
		if i == linesShown {
			return append(out, change{Sign: sign, Text: "... " + report.Plural(len(list)-i, "more line")})
		}
		out = append(out, change{Sign: sign, Text: text[min(indent, len(text)):]})
	}
	return out
}

// names lists what mutants have, sorted and each once.
func names(ms []*report.Mutant, of func(*report.Mutant) string) []string {
	have := make(map[string]bool)
	for _, m := range ms {
		have[of(m)] = true
	}
	return sorted(have)
}

func index(list []string, name string) int {
	i, _ := slices.BinarySearch(list, name)
	return i
}
