package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A cover says how far the code of a line is covered; the zero value is for lines without.
type cover uint8

const (
	uncovered cover = 1 << iota
	covered
	partly = uncovered | covered
)

// Class is that of the style.
func (c cover) Class() string { return [...]string{"", "un", "cv", "pt"}[c] }

// Says says it in words.
func (c cover) Says() string {
	return [...]string{"", "not covered", "covered", "covered in part"}[c]
}

// A piece is a part of a line that is covered in part.
type piece struct {
	Text    string
	Without bool // it is not covered
}

// covers says for each line of a file, from 0, how far it is covered.
func covers(src *source.File, blocks []report.ProfileBlock) []cover {
	lines := make([]cover, len(src.Lines))
	for i := range blocks {
		inLines(src, &blocks[i], func(line int, code string, _ int) {
			if isCode(code) {
				lines[line] |= coverOf(&blocks[i])
			}
		})
	}
	return lines
}

func coverOf(b *report.ProfileBlock) cover {
	if b.Covered {
		return covered
	}
	return uncovered
}

// inLines calls do with the part that a block has of each of its lines, and where that begins.
// What is not in the file is left out: it may have changed since the profile was made.
func inLines(src *source.File, b *report.ProfileBlock, do func(line int, code string, from int)) {
	for line := max(b.StartLine, 1); line <= min(b.EndLine, len(src.Lines)); line++ {
		start, end := src.Span(line, line)
		from, to := 0, end-start
		if line == b.StartLine {
			from = min(max(b.StartColumn-1, 0), to)
		}
		if line == b.EndLine {
			to = min(max(b.EndColumn-1, from), to)
		}
		do(line-1, src.Text[start+from:start+to], from)
	}
}

// isCode reports whether a part of a line has more than braces, and is no comment.
func isCode(text string) bool {
	text = strings.Trim(text, "{}() \t\r\n")
	return text != "" && !strings.HasPrefix(text, "//")
}

// pieces cuts the lines that are covered in part, by line from 0.
func pieces(src *source.File, blocks []report.ProfileBlock, lines []cover) map[int][]piece {
	without := make(map[int][][2]int)
	for i := range blocks {
		inLines(src, &blocks[i], func(line int, code string, from int) {
			if lines[line] == partly && !blocks[i].Covered && isCode(code) {
				without[line] = append(without[line], [2]int{from, from + len(code)})
			}
		})
	}
	all := make(map[int][]piece, len(without))
	for line, parts := range without {
		start, end := src.Span(line+1, line+1)
		all[line] = cutAt(strings.TrimSuffix(src.Text[start:end], "\r"), parts)
	}
	return all
}

// cutAt cuts a line where parts of it begin and end.
func cutAt(text string, parts [][2]int) (list []piece) {
	slices.SortFunc(parts, func(a, b [2]int) int { return a[0] - b[0] })
	add := func(to int, without bool) {
		if to > 0 {
			list = append(list, piece{text[:to], without})
			text = text[to:]
		}
	}
	at := 0
	for _, p := range parts {
		from, to := max(p[0], at)-at, p[1]-at
		add(min(from, len(text)), false)
		add(min(to-from, len(text)), true)
		at = max(p[1], at)
	}
	add(len(text), false)
	return list
}

// A statements counts those that are covered, of all.
type statements struct{ some, all int }

func (s *statements) add(blocks []report.ProfileBlock) {
	for i := range blocks {
		s.all += blocks[i].Statements
		if blocks[i].Covered {
			s.some += blocks[i].Statements
		}
	}
}

// share is rounded as go test rounds it.
func (s *statements) share() string {
	return strconv.FormatFloat(100*float64(s.some)/float64(s.all), 'f', 1, 64) + " %"
}

// coveredText says how much of a file is covered; "" if that is not known.
func coveredText(blocks []report.ProfileBlock) string {
	var sum statements
	if sum.add(blocks); sum.all == 0 {
		return ""
	}
	return sum.share() + " of " + report.Plural(sum.all, "statement") + " covered"
}

// coverage enters the part of the statements that is covered.
func (v *view) coverage(profile report.Profile) {
	v.profile = profile
	var sum statements
	for _, blocks := range profile {
		sum.add(blocks)
	}
	if sum.all > 0 {
		v.Tiles = append(v.Tiles, tile{Class: "cv", Value: sum.share(), Label: "of statements covered", Link: "source"})
	}
}
