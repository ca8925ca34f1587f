package versions

import (
	"bytes"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

// A Hunk is a run of lines that differ: OldCount lines from OldLine on became NewCount
// lines from NewLine on. Lines count from 1; where there are none, it is between lines,
// before the one that is named.
type Hunk struct {
	OldLine, OldCount int
	NewLine, NewCount int
}

// Revert returns the new text with some hunks as they were before. All of them together
// give a text with the old one's tokens, or one that no build takes in if the file was not
// there. The last line has an end.
func (f *File) Revert(hunks ...int) []byte {
	if f.Old == nil && len(hunks) > 0 {
		return stub(f.New)
	}
	chosen := make([]bool, len(f.Hunks))
	for _, i := range hunks {
		chosen[i] = true
	}
	old, new := splitLines(f.Old), splitLines(f.New)
	var text bytes.Buffer
	at := 0
	for i, h := range f.Hunks {
		if !chosen[i] {
			continue
		}
		write(&text, new[at:h.NewLine-1])
		write(&text, old[h.OldLine-1:h.OldLine-1+h.OldCount])
		at = h.NewLine - 1 + h.NewCount
	}
	write(&text, new[at:])
	return text.Bytes()
}

func write(to *bytes.Buffer, lines []string) {
	for _, line := range lines {
		to.WriteString(line)
	}
}

// splitLines returns the lines of a text, each with its end. The last one gets an end, too:
// others may follow it in another text.
func splitLines(text []byte) []string {
	lines := strings.SplitAfter(string(text), "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	} else {
		lines[last] += "\n"
	}
	return lines
}

// lineHunks returns the runs of lines that differ. Lines that differ in their indentation
// alone are hunks of their own: a block around code leaves the code as it is.
func lineHunks(old, new []string) []Hunk {
	var hunks []Hunk
	i, j := 0, 0 // after the last lines that were paired
	begin := -1  // of the run of lines that are indented in another way, in old
	flush := func() {
		if begin >= 0 {
			hunks = append(hunks, Hunk{begin + 1, i - begin, j - (i - begin) + 1, i - begin})
			begin = -1
		}
	}
	for _, at := range append(difference.Align(trimmed(old), trimmed(new)), [2]int{len(old), len(new)}) {
		if at != [2]int{i, j} {
			flush()
			hunks = append(hunks, Hunk{i + 1, at[0] - i, j + 1, at[1] - j})
		}
		switch {
		case at[0] == len(old) || old[at[0]] == new[at[1]]:
			flush()
		case begin < 0:
			begin = at[0]
		}
		i, j = at[0]+1, at[1]+1
	}
	return hunks
}

// trimmed returns lines without the white space around them.
func trimmed(lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimSpace(line)
	}
	return list
}

// diff finds the hunks of a file, and says whether there are any.
func (f *File) diff() bool {
	if f.Old == nil || f.New == nil {
		f.Hunks = []Hunk{{1, len(splitLines(f.Old)), 1, len(splitLines(f.New))}}
	} else {
		f.Hunks = hunksOf(f.Old, f.New)
	}
	return len(f.Hunks) > 0
}

// hunksOf returns the hunks by which two Go files differ in what they do: none if all
// that differs is comments and layout.
func hunksOf(old, new []byte) []Hunk {
	was, is := tokensOf(old), tokensOf(new)
	if was.equal(is) {
		return nil
	}
	var hunks []Hunk
	for _, h := range cut(old, new, lineHunks(splitLines(old), splitLines(new))) {
		if was.differ(is, h) {
			hunks = append(hunks, trim(h, was, is))
		}
	}
	return hunks
}

// trim takes lines without code away from the beginning and the end of a hunk that has
// lines on both sides.
func trim(h Hunk, was, is *tokens) Hunk {
	if h.OldCount == 0 || h.NewCount == 0 || was.broken || is.broken {
		return h
	}
	h.OldLine, h.OldCount = was.trim(h.OldLine, h.OldCount)
	h.NewLine, h.NewCount = is.trim(h.NewLine, h.NewCount)
	return h
}
