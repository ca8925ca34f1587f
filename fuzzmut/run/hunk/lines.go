package hunk

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

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

// lineHunks returns the runs of lines that differ. Lines that differ only in their
// indentation are separate hunks: a block around code leaves the code as it is.
func lineHunks(old, new []string) []Hunk {
	var hunks []Hunk
	i, j := 0, 0 // after the last lines that were paired
	begin := -1  // of the run of lines that are indented in another way, in old
	flush := func() {
		if begin >= 0 {
			hunks = append(hunks, lineHunk(begin, i, j-(i-begin), j))
			begin = -1
		}
	}
	for _, at := range append(difference.Align(trimmed(old), trimmed(new)), [2]int{len(old), len(new)}) {
		if at != [2]int{i, j} {
			flush()
			hunks = append(hunks, lineHunk(i, at[0], j, at[1]))
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

// lineHunk is a hunk of lines that count from 0.
func lineHunk(i, iEnd, j, jEnd int) Hunk {
	return Hunk{OldLine: i + 1, OldCount: iEnd - i, NewLine: j + 1, NewCount: jEnd - j}
}

// trimmed returns lines without the white space around them.
func trimmed(lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimSpace(line)
	}
	return list
}

// byLines returns the runs of lines that differ in more than comments and layout.
func byLines(old, new []byte, was, is *tokens) []Hunk {
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

// Alone returns what a hunk does to lines of the new text that others change as well: these
// lines as they are without this hunk alone, and how many of them there are now, from the
// line that is named. It is not ok for a hunk that has its lines for itself.
func Alone(old, new []byte, hunks []Hunk, k int) (was string, line, count int, ok bool) {
	if len(hunks[k].swaps) != 1 || !sharesLines(hunks, k) {
		return "", 0, 0, false
	}
	without, now := splitLines(Revert(old, new, hunks, []int{k})), splitLines(new)
	for line < min(len(without), len(now)) && without[line] == now[line] {
		line++
	}
	without, now = without[line:], now[line:]
	for len(without) > 0 && len(now) > 0 && without[len(without)-1] == now[len(now)-1] {
		without, now = without[:len(without)-1], now[:len(now)-1]
	}
	return strings.TrimSuffix(strings.Join(without, ""), "\n"), line + 1, len(now), true
}

// sharesLines says whether another hunk changes some of the new lines of a hunk, too.
func sharesLines(hunks []Hunk, k int) bool {
	h := hunks[k]
	for i, o := range hunks {
		if i != k && h.NewCount > 0 && o.NewCount > 0 && h.NewLine < o.NewLine+o.NewCount && o.NewLine < h.NewLine+h.NewCount {
			return true
		}
	}
	return false
}
