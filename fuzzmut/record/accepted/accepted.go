// Package accepted reads and writes lists of what somebody has looked at and accepted:
// surviving mutants, the file of -baseline; known failures; and differences in behavior, see
// Difference. They are text, made to be edited, reviewed and merged:
//
//	# A comment belongs to the mutant below it.
//	example.com/calc 4jhgdbwre2ys conditional-boundary Eval: changed < to <=
//		The reason stands on indented lines: both give 0 there.
//
// A mutant is named by the import path of its package and its ID; the operator
// tells which runs could have made it; the rest of the line is for people.
//
// Lists of known failures have the same form. There the ID is that of the failure, and
// in place of the operator stands an input that shows it: its fuzz test and its
// file's name, as FuzzEval/0d3c4b5a6f7e8d9c.
package accepted

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// A Form is what the entries of a list stand for.
type Form struct {
	Noun string   // of an entry
	Fix  string   // what to do about a line that is none
	Head []string // begins a new file
}

// Mutants is the form of the list of accepted survivors.
var Mutants = &Form{
	Noun: "mutant",
	Fix:  "write its package, its ID and its operator, as fuzzmut mutants -json shows them",
	Head: []string{
		"# Accepted surviving mutants. Give the reason for each on indented lines below it.",
		`# "fuzzmut score -baseline FILE -write-baseline" updates the list and`,
		`# keeps the reasons; "fuzzmut mutants -show ID" shows a mutant.`,
	},
}

// Failures is the form of the list of known failures.
var Failures = &Form{
	Noun: "failure",
	Fix:  "write its package, its ID and an input, as fuzzmut -write-known does",
	Head: []string{
		"# Known failures of the code under test. Say more on indented lines below each.",
		`# "fuzzmut -write-known" adds those that it finds, removes those that are fixed,`,
		"# and keeps what you have written.",
	},
}

// ID names a mutant, or a failure.
type ID struct {
	Package string // import path
	Mutant  string // instrument.Mutant.ID, or that of the failure
}

// Entry is an accepted mutant, or a known failure.
type Entry struct {
	ID
	Operator string   // or an input that shows the failure
	What     string   // function and change, or how it fails, for people; may be ""
	Reason   []string // lines, without their indentation
	Comment  []string // lines above it, as they stand
}

// List is what a file holds. The zero value is an empty one of mutants.
type List struct {
	Form    *Form // nil: Mutants
	Entries []Entry
	Head    []string // comment at the beginning, up to the first empty line
	Tail    []string // comment after the last entry
}

// Read reads a file. One that does not exist is an error that is fs.ErrNotExist.
func (f *Form) Read(path string) (*List, error) {
	data, err := regular.Read(path, maxList)
	if err != nil {
		return nil, err
	}
	l, err := f.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return l, nil
}

// maxList bounds a list that is read, in bytes.
const maxList = 64 << 20

// margin is what stands between the entries of a list.
type margin struct {
	head    []string // comment before the first entry, up to an empty line
	comment []string // not yet anybody's
	entries bool     // there is one
}

// conflictMarkers begin the lines that git leaves where a merge failed.
var conflictMarkers = []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}

// take says whether a line is empty or a comment, and keeps comments. A line that git left is
// an error; the entries of the list are called noun there.
func (m *margin) take(text, noun string) (taken bool, err error) {
	switch {
	case text == "":
		if m.head == nil && !m.entries {
			m.head, m.comment = m.comment, nil
		}
		return true, nil
	case text[0] == '#':
		m.comment = append(m.comment, text)
		return true, nil
	case slices.ContainsFunc(conflictMarkers, func(c string) bool { return strings.HasPrefix(text, c) }):
		return false, fmt.Errorf("unresolved merge conflict: resolve it; the order of the %s does not matter", noun)
	}
	return false, nil
}

// above returns the comment that belongs to what follows it.
func (m *margin) above() []string {
	comment := m.comment
	m.comment = nil
	return comment
}

// indented says whether a line begins with space.
func indented(text string) bool { return strings.TrimLeftFunc(text, unicode.IsSpace) != text }

// parser is the state of one Parse.
type parser struct {
	margin
	list   List
	lines  map[ID]int
	number int
}

// Parse reads a list. The error begins with the number of the line and says what
// to do.
func (f *Form) Parse(data []byte) (*List, error) {
	p := &parser{list: List{Form: f}, lines: make(map[ID]int)}
	for text := range bytes.Lines(data) {
		p.number++
		if err := p.line(strings.TrimRightFunc(string(text), unicode.IsSpace)); err != nil {
			return nil, fmt.Errorf("%d: %w", p.number, err)
		}
	}
	p.list.Head, p.list.Tail = p.head, p.comment
	return &p.list, nil
}

func (p *parser) line(text string) error {
	if taken, err := p.take(text, "entries"); taken || err != nil {
		return err
	}
	if indented(text) {
		return p.reason(strings.TrimSpace(text))
	}
	return p.entry(text)
}

// reason takes in a line of the entry above. A comment between the two is part of
// the reason: it must not move to the next entry.
func (p *parser) reason(text string) error {
	n := len(p.list.Entries)
	if n == 0 {
		return fmt.Errorf("a reason without a %s above it: begin the line of a %[1]s without a space", p.list.Form.Noun)
	}
	e := &p.list.Entries[n-1]
	e.Reason = append(append(e.Reason, p.above()...), text)
	return nil
}

func (p *parser) entry(text string) error {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return fmt.Errorf("not a %s: %s", p.list.Form.Noun, p.list.Form.Fix)
	}
	e := Entry{ID: ID{fields[0], fields[1]}, Operator: fields[2], What: strings.Join(fields[3:], " ")}
	if first, ok := p.lines[e.ID]; ok {
		return fmt.Errorf("%s %s of %s is in line %d already: remove one of them", p.list.Form.Noun, e.Mutant, e.Package, first)
	}
	p.lines[e.ID], p.entries = p.number, true
	e.Comment = p.above()
	p.list.Entries = append(p.list.Entries, e)
	return nil
}

// Write writes the list in the form that Parse reads.
func (l *List) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	head := l.Head
	if head == nil {
		head = cmp.Or(l.Form, Mutants).Head
	}
	lines(out, "", head)
	fmt.Fprintln(out)
	for _, e := range l.Entries {
		lines(out, "", e.Comment)
		fmt.Fprintln(out, strings.TrimRight(strings.Join([]string{e.Package, e.Mutant, e.Operator, e.What}, " "), " "))
		lines(out, "\t", e.Reason)
	}
	lines(out, "", l.Tail)
	return out.Flush()
}

func lines(w io.Writer, indent string, list []string) {
	for _, text := range list {
		fmt.Fprintln(w, indent+text)
	}
}

// ByID returns the entries by what they name.
func (l *List) ByID() map[ID]*Entry {
	m := make(map[ID]*Entry, len(l.Entries))
	for i := range l.Entries {
		m[l.Entries[i].ID] = &l.Entries[i]
	}
	return m
}

// Refresh brings the list up to date. living are the mutants to be accepted, in
// the order in which they are to stand; those that are on the list already keep
// reason and comment. keep holds for other entries that stay nevertheless: they
// follow their package, or stand where its name puts them.
func (l *List) Refresh(living []Entry, keep func(*Entry) bool) {
	have := l.ByID()
	fresh := make([]Entry, 0, len(living))
	listed := make(map[ID]bool)
	for _, e := range living {
		if old := have[e.ID]; old != nil {
			e.Reason, e.Comment = old.Reason, old.Comment
		}
		listed[e.ID] = true
		fresh = append(fresh, e)
	}
	for i := range l.Entries {
		if e := &l.Entries[i]; !listed[e.ID] && keep(e) {
			fresh = append(fresh, *e)
		}
	}
	slices.SortStableFunc(fresh, func(a, b Entry) int { return cmp.Compare(a.Package, b.Package) })
	l.Entries = fresh
}
