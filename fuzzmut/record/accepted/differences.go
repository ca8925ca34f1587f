package accepted

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// A Difference in behavior is one that is meant. In a file it is a block:
//
//	# A comment belongs to the block below it.
//	example.com/price FuzzPrice: value
//		in func Of
//		- if n > 100 {
//		+ if n >= 100 {
//		input int(100), string("")
//		why: the discount begins at 100
//
// It is known again by its package, what kind it is of, see Alike, and the lines of the change
// that are its cause, without the space around them and wherever they stand in the declarations that are
// named. If no lines were known when it was accepted, it has the names of the values that
// differed, "of price.Of result 0", and the parts of the change in which its cause must be,
// "change 5f3a9c01": it stands for whatever these parts change in these values alone. The
// input and the reason are for people.
type Difference struct {
	Package string   // import path of the package under test
	Tests   []string // fuzz tests that have seen it
	Kind    string   // as in behavior.Cause
	In      []string // declarations with the lines; none: any
	Lines   []string // of the change, each with its sign, "-" or "+", before it
	Of      []string // names of values; in a file of one without Lines
	Parts   []string // see Part: among them is the cause; in a file of one without Lines; none: any
	Input   string   // in one line
	Why     []string // lines
	Comment []string // lines above it, as they stand
}

// Differences is what a file of accepted differences holds.
type Differences struct {
	Entries []Difference
	Head    []string // comment at the beginning, up to the first empty line
	Tail    []string // comment after the last block
}

// headOfDifferences begins a new file.
var headOfDifferences = []string{
	`# Differences in behavior that are meant: "fuzzmut diff -accept" adds those that it finds,`,
	`# and keeps the rest. Give the reason for each after "why:".`,
}

// partsInLine is how many parts of a change stand in one line of a file.
const partsInLine = 8

// inputShown bounds an input in the file, in bytes.
const inputShown = 1000

// Has says whether a difference is accepted: entries that stand for it have all fuzz tests
// that have seen it now. There may be several, as a merge leaves them. holds says whether
// lines are a part of the change that is within the part with other lines.
func (l *Differences) Has(d *Difference, holds func(part, within []string) bool) bool {
	var tests []string
	for i := range l.Entries {
		if l.Entries[i].standsFor(d, holds) {
			tests = append(tests, l.Entries[i].Tests...)
		}
	}
	return len(tests) > 0 && !slices.ContainsFunc(d.Tests, func(t string) bool { return !slices.Contains(tests, t) })
}

// standsFor says whether whoever accepted d has accepted o. How much is known of the cause of
// o does not matter: there may have been less time to find it, or more.
func (d *Difference) standsFor(o *Difference, holds func(part, within []string) bool) bool {
	if d.Package != o.Package {
		return false
	}
	if lines := d.ChangedLines(); len(lines) > 0 {
		some := o.ChangedLines()
		return Alike(d.Kind, o.Kind) && within(o.In, d.In) && (slices.Equal(some, lines) || len(some) > 0 && holds(some, lines))
	}
	return d.Alters(o) && within(o.Parts, d.Parts)
}

// Alike says whether one cause may make differences of two kinds, as in behavior.Cause: which of
// these it has, is up to the input that is shown. A failure, and more work, have causes that no
// other kind stands for.
func Alike(a, b string) bool {
	return a == b || !slices.Contains(apart, a) && !slices.Contains(apart, b)
}

// apart are the kinds that others do not stand for.
var apart = []string{"panic", "fails", "more work"}

// Alters says whether a difference whose lines are not known alters all values that another
// one does, in the same kind of way.
func (d *Difference) Alters(o *Difference) bool {
	return d.Package == o.Package && d.Kind == o.Kind && len(d.ChangedLines()) == 0 && len(d.Of) > 0 && len(o.Of) > 0 && within(o.Of, d.Of)
}

// within says whether all of some are among others; no others stand for any.
func within(some, others []string) bool {
	return len(others) == 0 || !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(others, s) })
}

// Part is what a part of a change is known by where its lines are too many to be listed:
// the declaration that it is in, and its lines, each after its sign.
func Part(in string, lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{in}, ChangedLines(lines)...), "\n")))
	return hex.EncodeToString(sum[:4])
}

// Add accepts a difference. An entry with the same cause gets its fuzz tests.
func (l *Differences) Add(d Difference) {
	if len(d.ChangedLines()) > 0 {
		d.Of, d.Parts = nil, nil
	} else {
		d.In = nil
	}
	if e := l.find(&d); e != nil {
		e.Tests = union(e.Tests, d.Tests)
		return
	}
	l.Entries = append(l.Entries, d)
}

// union is a sorted list of what is in either of two.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// find returns the entry with the cause of a difference, nil if there is none.
func (l *Differences) find(d *Difference) *Difference {
	key := d.key()
	at := slices.IndexFunc(l.Entries, func(e Difference) bool { return e.key() == key })
	if at < 0 {
		return nil
	}
	return &l.Entries[at]
}

// key is what a difference is known by.
func (d *Difference) key() string {
	return strings.Join(slices.Concat([]string{d.Package, d.Kind}, d.cause(), []string{"within"}, union(d.In, d.Parts)), "\n")
}

// cause is the lines of the change, or else the names of values.
func (d *Difference) cause() []string {
	if lines := d.ChangedLines(); len(lines) > 0 {
		return lines
	}
	return union(d.Of, nil)
}

// ChangedLines are the lines of the change, each after its sign, without the space around
// them, and without empty ones.
func (d *Difference) ChangedLines() []string { return ChangedLines(d.Lines) }

// ChangedLines takes the space out of lines that begin with their signs.
func ChangedLines(lines []string) (list []string) {
	for _, line := range lines {
		if text := strings.TrimSpace(line[1:]); text != "" {
			list = append(list, line[:1]+text)
		}
	}
	return list
}

// ReadDifferences reads a file. One that does not exist is an error that is fs.ErrNotExist.
func ReadDifferences(path string) (*Differences, error) {
	data, err := regular.Read(path, maxList)
	if err != nil {
		return nil, err
	}
	l, err := ParseDifferences(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return l, nil
}

// blocks is the state of one ParseDifferences.
type blocks struct {
	margin
	list  Differences
	begin int // line of the last block
}

// ParseDifferences reads a file. The error begins with the number of the line and says what
// to do.
func ParseDifferences(data []byte) (*Differences, error) {
	var p blocks
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if err := p.line(strings.TrimRightFunc(string(text), unicode.IsSpace), number); err != nil {
			return nil, err
		}
	}
	if err := p.end(); err != nil {
		return nil, err
	}
	p.list.Head, p.list.Tail = p.margin.head, p.comment
	return &p.list, nil
}

func (p *blocks) line(text string, number int) error {
	taken, err := p.take(text, "blocks")
	switch {
	case taken:
		return nil
	case err != nil:
	case indented(text):
		err = p.member(strings.TrimLeftFunc(text, unicode.IsSpace))
	default:
		if err := p.end(); err != nil {
			return err
		}
		p.begin = number
		err = p.block(text)
	}
	if err != nil {
		return fmt.Errorf("%d: %w", number, err)
	}
	return nil
}

// block begins one.
func (p *blocks) block(text string) error {
	names, kind, ok := strings.Cut(text, ":")
	fields := strings.Fields(names)
	if kind = strings.Join(strings.Fields(kind), " "); !ok || len(fields) < 2 || kind == "" {
		return errors.New("not a difference: write its package, its fuzz tests, a colon and its kind, as fuzzmut diff -accept does, or indent the line")
	}
	p.list.Entries = append(p.list.Entries, Difference{Package: fields[0], Tests: fields[1:], Kind: kind, Comment: p.above()})
	p.entries = true
	return nil
}

// member takes in an indented line. A comment within a block belongs to its reason.
func (p *blocks) member(text string) error {
	if len(p.list.Entries) == 0 {
		return errors.New("a line without a difference above it: begin a difference with its package, without a space before it")
	}
	d := &p.list.Entries[len(p.list.Entries)-1]
	d.Why = append(d.Why, p.above()...)
	switch word, rest, _ := strings.Cut(text, " "); {
	case text[0] == '-' || text[0] == '+':
		d.Lines = append(d.Lines, text)
	case word == "in" && rest != "":
		d.In = append(d.In, rest)
	case word == "of" && rest != "":
		d.Of = append(d.Of, rest)
	case word == "change" && rest != "":
		d.Parts = append(d.Parts, strings.Fields(rest)...)
	case word == "input":
		d.Input = rest
	case strings.HasPrefix(text, "why:"):
		if why := strings.TrimSpace(text[len("why:"):]); why != "" {
			d.Why = append(d.Why, why)
		}
	default:
		return errors.New(`neither a line of the change ("-", "+") nor "in", "of", "change", "input" or "why:": begin each line of the reason with "why:"`)
	}
	return nil
}

// end makes sure that the last block says what it is known by.
func (p *blocks) end() error {
	if n := len(p.list.Entries); n > 0 {
		if d := &p.list.Entries[n-1]; len(d.cause()) == 0 {
			return fmt.Errorf(`%d: a difference without a line of the change ("-", "+") or the name of a value ("of"): remove it, and accept it again with fuzzmut diff -accept`, p.begin)
		}
	}
	return nil
}

// Write writes the list in the form that ParseDifferences reads.
func (l *Differences) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	head := l.Head
	if head == nil {
		head = headOfDifferences
	}
	lines(out, "", head)
	for i := range l.Entries {
		l.Entries[i].write(out)
	}
	if len(l.Tail) > 0 || len(l.Entries) == 0 {
		fmt.Fprintln(out)
	}
	lines(out, "", l.Tail)
	return out.Flush()
}

func (d *Difference) write(out io.Writer) {
	fmt.Fprintln(out)
	lines(out, "", d.Comment)
	fmt.Fprintf(out, "%s %s: %s\n", d.Package, strings.Join(d.Tests, " "), d.Kind)
	for _, name := range d.In {
		fmt.Fprintln(out, "\tin "+name)
	}
	for _, line := range d.Lines {
		if text := strings.TrimRightFunc(line, unicode.IsSpace); len(text) > 1 {
			fmt.Fprintln(out, "\t"+text)
		}
	}
	for _, name := range d.Of {
		fmt.Fprintln(out, "\tof "+name)
	}
	for some := range slices.Chunk(d.Parts, partsInLine) {
		fmt.Fprintln(out, "\tchange "+strings.Join(some, " "))
	}
	input := d.Input
	if len(input) > inputShown {
		input = fmt.Sprintf("%s... %d bytes more", strings.ToValidUTF8(input[:inputShown], ""), len(input)-inputShown)
	}
	fmt.Fprintln(out, strings.TrimRightFunc("\tinput "+input, unicode.IsSpace))
	why := d.Why
	if len(why) == 0 {
		why = []string{""}
	}
	for _, text := range why {
		fmt.Fprintln(out, strings.TrimRight("\twhy: "+text, " "))
	}
}
