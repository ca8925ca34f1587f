// Package notice makes short notices of results, each about one place in the code, for formats
// that show them there: in a pull request, on a dashboard, in an editor.
package notice

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/sides"
)

// A Level says how much a notice matters.
type Level uint8

// The levels, what matters most first.
const (
	Error   Level = iota // the code fails
	Warning              // the code behaves differently
	Note                 // the tests miss something
)

var levels = [...]string{Error: "error", Warning: "warning", Note: "note"}

// String is the level's name.
func (l Level) String() string { return levels[l] }

// A Notice is about one place in the code.
type Notice struct {
	Rule  Rule
	Level Level
	// File is relative to the root of the module where it lies below it, with slashes; "" if
	// no place is known. Line and EndLine count from 1.
	File          string
	Line, EndLine int
	Column        int    // in bytes, from 1; 0 is not known
	Text          string // one or more lines
	// Change is what a mutant does to the code, as lines that begin with - and +, where these are
	// few. It is for formats with room for it.
	Change string
	// ID is the same in another run as long as the notice is about the same: it does not
	// hang on line numbers.
	ID string
	// Again says of a failing input that one before it fails in the same way, by the same
	// functions.
	Again bool
}

// FileIn is the file of a module at a path, with slashes, in what it is named in.
func (n *Notice) FileIn(root string) string {
	if path.IsAbs(n.File) {
		return n.File
	}
	return path.Join(root, n.File)
}

// Whole is the text, with the change below its first line.
func (n *Notice) Whole() string {
	if n.Change == "" {
		return n.Text
	}
	first, rest, more := strings.Cut(n.Text, "\n")
	if more {
		rest = "\n" + rest
	}
	return first + "\n" + n.Change + rest
}

// Place is the file with its line; "" if it is not known.
func (n *Notice) Place() string {
	if n.File == "" {
		return ""
	}
	return n.File + ":" + strconv.Itoa(n.Line)
}

// Placed returns the notice with a place, for services that refuse a file with a notice that has
// none: line 1 of go.mod, if none is known.
func (n Notice) Placed() Notice {
	if n.File == "" {
		n.File, n.Line, n.EndLine = "go.mod", 1, 1
	}
	return n
}

// Of returns the notices of a result: those that matter most first, each kind in the order in
// which text shows it. What is accepted or known is not among them. Results of other jobs
// have none.
func Of(r report.Result) []Notice {
	var list []Notice
	switch r := r.(type) {
	case *report.Report:
		for i := range r.Tests {
			t := &r.Tests[i]
			list = append(list, crashes(t)...)
			list = append(list, costs(t, r.CostFails)...)
		}
		together := report.TakeTogether(r.Tests)
		for i := range r.Tests {
			list = append(list, survivors(together.Beside(r.Tests[i].Mutants))...)
		}
		for i := range r.Tests {
			list = append(list, gaps(&r.Tests[i])...)
		}
		list = once(list)
	case *report.TestReport:
		list = survivors(r.Mutants)
	case *report.TriageReport:
		for i := range r.Tests {
			list = append(list, buckets(&r.Tests[i])...)
		}
	case *behavior.Report:
		list = differences(r.Causes, Difference)
	case *report.Vetting:
		list = mistakes(r.Findings)
	case *report.Verification:
		for i := range r.Tests {
			if t := &r.Tests[i]; !t.Updated {
				list = append(list, golden(t)...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Notice) int { return int(a.Level) - int(b.Level) })
	return list
}

// once drops notices with an ID that has come before: several fuzz tests may reach a survivor.
func once(list []Notice) []Notice {
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(n Notice) bool {
		again := seen[n.ID]
		seen[n.ID] = true
		return again
	})
}

// survivors are notices of the findings.
func survivors(ms []report.Mutant) []Notice {
	var list []Notice
	for _, f := range report.Findings(ms) {
		if f.Baseline == report.Accepted || f.OtherTests.Status == report.Killed {
			continue
		}
		n := Notice{
			Rule: Survivor, Level: Note, File: f.File, Line: f.Line, EndLine: f.Line + strings.Count(f.Original, "\n"), Column: f.Column,
			ID: f.ID, Text: Unnoticed + ended(described(f.Mutant)), Change: change(f.Diff),
		}
		switch {
		case f.Whole:
			n.Text = fmt.Sprintf("No test seems to check %s: the %d of its mutants that were run survive.", f.Function, len(f.More)+1)
			n.Change = ""
		case len(f.More) > 0:
			n.Text += fmt.Sprintf(" %s here %s.", report.Plural(len(f.More), "more mutant"), report.Verb(len(f.More), "survives", "survive"))
		}
		if f.Seen != nil {
			n.Text += "\n" + f.Seen.Says() + "."
		}
		list = append(list, n)
	}
	return list
}

// Unnoticed begins the text of a notice about a survivor. What its mutant does follows.
const Unnoticed = "No test notices this mutant: "

// changeMost is how many lines of a change a notice has.
const changeMost = 6

// change is the lines that a unified diff removes and adds, without what all are indented by; "" if
// they are many. Of long ones it is what is around the change.
func change(diff string) string {
	var lines []string
	_, hunks, _ := strings.Cut(diff, "\n@@")
	for line := range strings.Lines(hunks) {
		if text := strings.TrimRight(line, " \t\r\n"); len(text) > 1 && (text[0] == '-' || text[0] == '+') {
			lines = append(lines, text)
		}
	}
	if len(lines) > changeMost {
		return ""
	}
	lines = report.ShortLines(lines)
	indent := -1
	for _, l := range lines {
		n := len(l) - 1 - len(strings.TrimLeft(l[1:], "\t "))
		if indent < 0 || n < indent {
			indent = n
		}
	}
	for i, l := range lines {
		lines[i] = l[:1] + " " + l[1+indent:]
	}
	return strings.Join(lines, "\n")
}

// ended ends a phrase, which may be cut, as a sentence.
func ended(phrase string) string {
	if strings.HasSuffix(phrase, "…") {
		return phrase
	}
	return phrase + "."
}

func described(m *report.Mutant) string {
	if m.Description == "" {
		return report.Change(m)
	}
	return m.Description
}

// gaps is a notice of a fuzz test whose assertions miss what its inputs show.
func gaps(t *report.FuzzTest) []Notice {
	n, _ := report.Gaps(&t.Score)
	if n == 0 {
		return nil
	}
	text := fmt.Sprintf("No assertion of %s notices %s of %s that it kills: only what calls return tells them", t.Name,
		report.Group(int64(n)), report.Plural(t.Score.Killed, "mutant"))
	for i := range t.Mutants {
		m := &t.Mutants[i]
		if m.Status == report.Killed && (m.KillKind == oracle.Difference.String() || m.KillKind == oracle.OnlyInside.String()) {
			text += fmt.Sprintf(", as at %s:%d (%s)", m.File, m.Line, described(m))
			break
		}
	}
	return []Notice{{
		Rule: OracleGap, Level: Note, File: t.File, Line: t.Line, EndLine: t.Line, Text: text + ".",
		ID: identity([]string{OracleGap.ID, t.Package, t.Name}),
	}}
}

// crashes are notices of the failing inputs of a fuzz test.
func crashes(t *report.FuzzTest) []Notice {
	var list []Notice
	for i := range t.Crashes {
		c := &t.Crashes[i]
		if c.Known {
			continue
		}
		n := failing(t.Name, c.Kind, c.Message, c.Frames, c.Repro)
		n.File, n.Line, n.EndLine = t.File, t.Line, t.Line
		place, _, _ := strings.Cut(c.Message, ": ")
		n.locate(append(slices.Clone(c.Frames), place), filesOf(t.Mutants))
		list = append(list, n)
	}
	return number(list)
}

// costs are notices of the inputs of a fuzz test that cost too much.
func costs(t *report.FuzzTest, fail bool) []Notice {
	var list []Notice
	for i := range t.Costs {
		c := &t.Costs[i]
		n := costly(t.Name, c)
		n.File, n.Line, n.EndLine, n.ID = t.File, t.Line, t.Line, identity([]string{CostlyInput.ID, t.Package, t.Name, c.Function})
		if fail {
			n.Level = Error
		}
		n.locate(c.Frames, filesOf(t.Mutants))
		list = append(list, n)
	}
	return list
}

// costly is a notice of an input that costs too much, without its place.
func costly(fuzz string, c *report.Cost) Notice {
	n := Notice{Rule: CostlyInput, Level: Warning, Text: fmt.Sprintf("%s: an input costs too much: %s", fuzz, c.Growth())}
	for _, f := range c.Frames {
		n.Text += "\n  at " + f
	}
	n.Text += "\n" + strings.Join(c.Lines(), "\n")
	return n
}

// buckets are notices of sorted failing inputs.
func buckets(t *report.Triage) []Notice {
	var list []Notice
	files := suspects(t)
	for i := range t.Buckets {
		b := &t.Buckets[i]
		n, better := failing(t.Name, b.Kind, b.Message, b.Frames, b.Repro), "It passes"
		if b.Cost != nil {
			n, better = costly(t.Name, b.Cost), "It is cheap"
		}
		n.File, n.Line, n.EndLine = t.File, t.Line, t.Line
		n.locate(b.Frames, files)
		if len(b.Repairs) > 0 {
			r := &t.Repairs[b.Repairs[0].Repair]
			n.Text += fmt.Sprintf("\n%s with a mutant: %s:%d %s.", better, r.File, r.Line, r.Description)
			n.File, n.Line, n.EndLine = r.File, r.Line, r.EndLine
		}
		list = append(list, n)
	}
	return number(list)
}

// suspects are the files with mutants that repair something, or with suspicious lines.
func suspects(t *report.Triage) (files []string) {
	for i := range t.Repairs {
		files = append(files, t.Repairs[i].File)
	}
	for i := range t.Buckets {
		for k := range t.Buckets[i].Places {
			files = append(files, t.Buckets[i].Places[k].File)
		}
	}
	return files
}

// failing is a notice of failing inputs.
func failing(fuzz, kind, message string, frames []string, repro string) Notice {
	n := Notice{Rule: FailingInput, Level: Error, Text: fmt.Sprintf("%s fails (%s): %s", fuzz, kind, message)}
	for _, f := range frames {
		n.Text += "\n  at " + f
	}
	if repro != "" {
		n.Text += "\nreproduce: " + repro
	}
	functions := make([]string, len(frames))
	for i, f := range frames {
		functions[i], _, _ = strings.Cut(f, " ")
	}
	if len(functions) == 0 {
		functions = []string{firstLine(message)}
	}
	n.ID = identity(append([]string{fuzz, kind}, functions...))
	return n
}

// number tells notices of failing inputs apart that fail in the same way: a service takes one of a
// fingerprint.
func number(list []Notice) []Notice {
	same := make(map[string]int)
	for i := range list {
		key := list[i].ID
		if same[key]++; same[key] > 1 {
			list[i].ID, list[i].Again = identity([]string{key, strconv.Itoa(same[key])}), true
		}
	}
	return list
}

func filesOf(ms []report.Mutant) (files []string) {
	for i := range ms {
		files = append(files, ms[i].File)
	}
	return files
}

// locate finds the first frame that is in one of some files: frames name files from the root of the
// module, or without their directories. A message may begin with such a place.
func (n *Notice) locate(frames, files []string) {
	named := make(map[string]string)
	for _, f := range files {
		base := path.Base(f)
		if was, ok := named[base]; ok && was != f {
			f = "" // there are two of that name
		}
		named[base] = f
	}
	for _, f := range files {
		named[f] = f
	}
	for _, f := range frames {
		place := f[strings.LastIndexByte(f, ' ')+1:]
		base, number, ok := strings.Cut(place, ":")
		line, err := strconv.Atoi(number)
		if file := named[base]; ok && err == nil && line > 0 && file != "" {
			n.File, n.Line, n.EndLine = file, line, line
			return
		}
	}
}

// differences are notices of causes.
func differences(causes []behavior.Cause, rule Rule) []Notice {
	var list []Notice
	for i := range causes {
		c := &causes[i]
		if c.Accepted {
			continue
		}
		n := Notice{Rule: rule, Level: Warning, Text: fmt.Sprintf("%s: %s on %s", c.Call, c.Says(), inLine(c.Input))}
		for k := range c.Values {
			v := &c.Values[k]
			now, before := sides.Around(oneLine(v.New), oneLine(v.Old), inLineMost)
			n.Text += fmt.Sprintf("\n%s: %s, before %s", v.Name, now, before)
			if file, line, ok := strings.Cut(v.Place, ":"); ok && n.File == "" {
				if number, err := strconv.Atoi(line); err == nil && number > 0 {
					n.File, n.Line, n.EndLine = file, number, number
				}
			}
		}
		if origin := c.Origin(); origin != "" {
			n.Text += "\n" + origin
		}
		if c.Reproduce != "" {
			n.Text += "\nreproduce: " + c.Reproduce
		}
		parts := []string{c.Call, c.Kind}
		for k := range c.Values {
			if len(c.Hunks) == 0 { // nothing else tells which it is
				parts = append(parts, c.Values[k].Name)
			}
		}
		for k := range c.Hunks {
			h := &c.Hunks[k]
			if k == 0 {
				n.File, n.Line, n.EndLine = h.File, max(1, h.Line), max(1, h.Line, h.End)
			}
			parts = append(parts, h.File, h.Was, h.Is)
		}
		n.ID = identity(parts)
		list = append(list, n)
	}
	return list
}

// golden are notices of golden values that differ, and of files that are not as they should be.
// Those of the same values are numbered, since a service takes one of a fingerprint.
func golden(t *report.VerifiedTest) []Notice {
	list := differences(t.Causes, GoldenValue)
	same := make(map[string]int)
	for i := range list {
		key := list[i].ID
		same[key]++
		list[i].ID = identity([]string{t.Package, t.Name, key, strconv.Itoa(same[key])})
	}
	for i := range t.Files {
		f := &t.Files[i]
		list = append(list, Notice{
			Rule: GoldenValue, Level: Warning, File: f.Path, Line: max(1, f.Line), EndLine: max(1, f.Line),
			Text: t.Name + ": " + f.Text, ID: identity([]string{t.Package, t.Name, f.Path, f.Kind, f.Entry}),
		})
	}
	return list
}

// mistakes are notices of what vet has found. Several of one kind in a file are numbered.
func mistakes(findings []report.VetFinding) []Notice {
	var list []Notice
	same := make(map[string]int)
	for i := range findings {
		f := &findings[i]
		key := identity([]string{f.File, f.Check, f.Text})
		same[key]++
		list = append(list, Notice{
			Rule: Mistake, Level: Warning, File: f.File, Line: f.Line, EndLine: f.Line, Column: f.Column, Text: f.Text,
			ID: identity([]string{key, strconv.Itoa(same[key])}),
		})
	}
	return list
}

// identity is a short name for all of some texts.
func identity(parts []string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// inLineMost is how much of a value a line shows, in runes.
const inLineMost = 120

// inLine shows the beginning of a value within a line.
func inLine(s string) string {
	s = oneLine(s)
	if r := []rune(s); len(r) > inLineMost {
		return string(r[:inLineMost]) + "…"
	}
	return s
}

// oneLine is a value in one line.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(s), " "); s != "" {
		return s
	}
	return "nothing"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
