// Package change finds out which files a change touches, and which of their lines.
// It reads unified diffs, as git and diff -u write them, and asks git for them.
package change

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// File is what a patch does to one file.
type File struct {
	Path  string // of the new side as it is written, prefix included; "" if it is deleted
	Hunks []Hunk // in order
}

// Hunk is one place of a file that a patch changes.
type Hunk struct {
	Line    int      // of the first of Lines, in the new file
	Lines   []string // the new side, context included, without line ends
	Changes []Change
}

// Change is a stretch of lines of the new file that were added or changed. If
// Count is 0, lines were taken out after Line.
type Change struct {
	Line, Count int
}

// parser is the state of one Parse.
type parser struct {
	in     *bufio.Reader
	number int // of the line read last
	peeked *string
	files  []File
	// headed says that the file in progress began with a line of git's, so that its
	// two lines of paths begin no other.
	headed bool
	// inside says that a diff has begun, and no text for people since: what looks like
	// a change there belongs to a hunk, and if it does not, the hunk's head is damaged.
	inside bool
	text   bool // there is something other than empty lines
}

// Parse reads a patch. Text before the diffs and between mails with diffs is passed
// over; a patch of text alone is an error, an empty one is not. The error tells the
// line of the patch.
func Parse(r io.Reader) ([]File, error) {
	p := &parser{in: bufio.NewReader(r)}
	for {
		text, err := p.next()
		if err == io.EOF {
			if p.text && len(p.files) == 0 {
				return nil, errors.New("the patch contains no diff")
			}
			return p.files, nil
		}
		p.text = p.text || strings.TrimSpace(text) != ""
		if err == nil {
			err = p.line(text)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the patch: %w", p.number, err)
		}
	}
}

// next returns the next line without its end.
func (p *parser) next() (string, error) {
	if p.peeked != nil {
		text := *p.peeked
		p.peeked = nil
		p.number++
		return text, nil
	}
	text, err := p.in.ReadString('\n')
	if err == io.EOF && text != "" {
		err = nil
	}
	if err != nil {
		return "", err
	}
	p.number++
	return strings.TrimSuffix(text, "\n"), nil
}

// peek returns the next line without taking it; "" at the end.
func (p *parser) peek() string {
	if p.peeked == nil {
		text, err := p.next()
		if err != nil {
			return ""
		}
		p.number--
		p.peeked = &text
	}
	return *p.peeked
}

// line takes in a line that is part of no hunk.
func (p *parser) line(text string) error {
	switch {
	case strings.HasPrefix(text, "diff --git "):
		p.files = append(p.files, File{})
		p.headed, p.inside = true, true
	case strings.HasPrefix(text, "diff --cc "), strings.HasPrefix(text, "diff --combined "), strings.HasPrefix(text, "@@@ "):
		return errors.New("it is the diff of a merge: use a diff of two revisions")
	case strings.HasPrefix(text, "--- ") && strings.HasPrefix(p.peek(), "+++ "):
		return p.paths()
	case strings.HasPrefix(text, "@@ -"):
		return p.hunk(text)
	case endsDiff(text):
		p.inside = p.inside && blank(text) && p.goesOn()
	case p.inside && (text[0] == '+' || text[0] == '-'):
		return errors.New("a changed line outside any hunk: its hunk header or file paths are damaged")
	}
	return nil
}

// goesOn says whether the diff goes on after an empty line: between the paths and the
// first hunk there is no text for people, and what looks like lines of a hunk is one
// whose head was lost.
func (p *parser) goesOn() bool {
	if f := p.files[len(p.files)-1]; !p.headed && len(f.Hunks) == 0 {
		return true
	}
	next := p.peek()
	return blank(next) || !endsDiff(next) && next != "---" && strings.ContainsRune(" +-", rune(next[0]))
}

// blank says whether a line is empty.
func blank(text string) bool { return text == "" || text == "\r" }

// endsDiff says whether text for people may follow a line: the signature of a mail or
// its head, what svn says of properties, or nothing.
func endsDiff(text string) bool {
	text = strings.TrimSuffix(text, "\r")
	return blank(text) || text == "-- " || text == "--" || strings.HasPrefix(text, "From ") || strings.HasPrefix(text, "Property changes on: ")
}

// paths takes in the line with the new path.
func (p *parser) paths() error {
	text, err := p.next()
	if err != nil {
		return err
	}
	if !p.headed {
		p.files = append(p.files, File{})
	}
	p.headed, p.inside = false, true
	path, err := readPath(strings.TrimPrefix(text, "+++ "))
	if path != "/dev/null" {
		p.files[len(p.files)-1].Path = path
	}
	return err
}

// readPath reads a path as git and diff write it: quoted if it has odd
// characters, and with a time after a tab.
func readPath(text string) (string, error) {
	if strings.HasPrefix(text, `"`) {
		end := strings.LastIndexByte(text, '"')
		path, err := strconv.Unquote(text[:end+1])
		if err != nil || end == 0 {
			return "", fmt.Errorf("the path %s is not quoted the way git does it", text)
		}
		return path, nil
	}
	path, _, _ := strings.Cut(text, "\t")
	path = strings.TrimSuffix(path, "\r")
	if path == "" {
		return "", errors.New("a path is missing")
	}
	return path, nil
}

// hunk takes in a hunk. head is its first line.
func (p *parser) hunk(head string) error {
	if len(p.files) == 0 || p.headed {
		return errors.New("a hunk without the paths of its file")
	}
	f := &p.files[len(p.files)-1]
	old, line, count, err := readRanges(head)
	if err != nil {
		return err
	}
	if count == 0 {
		line++ // an empty range is named by the line before it
	}
	if n := len(f.Hunks); n > 0 && line < f.Hunks[n-1].Line+len(f.Hunks[n-1].Lines) {
		return errors.New("the hunks of a file are not in order")
	}
	h := Hunk{Line: line}
	b := hunkBody{hunk: &h, old: old, count: count}
	for !b.complete() {
		text, err := p.next()
		if err != nil {
			return errors.New("the patch ends within a hunk")
		}
		if !b.line(text) {
			return errors.New("the hunk has fewer lines than its header says")
		}
	}
	if next := p.peek(); len(next) > 0 && (next[0] == '+' || next[0] == '-' && !strings.HasPrefix(next, "--")) {
		return errors.New("the hunk has more lines than its header says")
	}
	f.Hunks = append(f.Hunks, h)
	return nil
}

// hunkBody takes in the lines of a hunk.
type hunkBody struct {
	hunk    *Hunk
	old     int  // lines of the old side that are to come
	count   int  // lines that the new side will have
	changed bool // the last line was part of a change
}

func (b *hunkBody) complete() bool { return b.old == 0 && len(b.hunk.Lines) == b.count }

// line takes in a line, and reports whether it can be one of the hunk's.
func (b *hunkBody) line(text string) bool {
	if text == "" {
		text = " " // an empty line of context whose space was lost in transfer
	}
	switch text[0] {
	case ' ':
		b.changed = false
		b.old--
		b.hunk.Lines = append(b.hunk.Lines, text[1:])
	case '-':
		b.change()
		b.old--
	case '+':
		c := b.change()
		if c.Count == 0 {
			c.Line++ // until now it was a place between lines
		}
		c.Count++
		b.hunk.Lines = append(b.hunk.Lines, text[1:])
	case '\\': // no newline at the end of the file
	default:
		return false
	}
	return b.old >= 0 && len(b.hunk.Lines) <= b.count
}

// change returns the change in progress, or begins one.
func (b *hunkBody) change() *Change {
	if !b.changed {
		b.changed = true
		b.hunk.Changes = append(b.hunk.Changes, Change{Line: b.hunk.Line + len(b.hunk.Lines) - 1})
	}
	return &b.hunk.Changes[len(b.hunk.Changes)-1]
}

// readRanges reads "@@ -1,2 +3,4 @@": the numbers of old lines and of new ones, and
// the first of the new.
func readRanges(head string) (old, line, count int, err error) {
	fields := strings.Fields(head)
	if len(fields) < 4 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") || fields[3] != "@@" {
		return 0, 0, 0, fmt.Errorf("the hunk header %q is malformed", head)
	}
	_, old, err1 := readRange(fields[1][1:])
	line, count, err2 := readRange(fields[2][1:])
	if err1 != nil || err2 != nil || count > 0 && line == 0 {
		return 0, 0, 0, fmt.Errorf("the hunk header %q is malformed", head)
	}
	return old, line, count, nil
}

// maxLine bounds the numbers of lines that are taken for such.
const maxLine = 1 << 30

func readRange(text string) (line, count int, err error) {
	first, second, ok := strings.Cut(text, ",")
	n, err := strconv.ParseUint(first, 10, 64)
	c := uint64(1)
	if err == nil && ok {
		c, err = strconv.ParseUint(second, 10, 64)
	}
	if err == nil && (n > maxLine || c > maxLine) {
		err = strconv.ErrRange
	}
	return int(n), int(c), err
}

// Fits reports whether the file's new side is what src holds at those places, and
// if not, the first line that differs.
func (f *File) Fits(src []byte) (line int, ok bool) {
	lines := strings.Split(string(src), "\n")
	for _, h := range f.Hunks {
		for i, want := range h.Lines {
			n := h.Line + i
			if n > len(lines) || strings.TrimSuffix(lines[n-1], "\r") != strings.TrimSuffix(want, "\r") {
				return n, false
			}
		}
	}
	return 0, true
}
