package stryker

import (
	"strings"
	"unicode/utf16"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// locate returns the place of what a mutant replaces.
func locate(s *source.File, m *report.Mutant) (location, error) {
	at, err := s.Locate(m)
	if err != nil {
		return location{}, err
	}
	start := position{Line: m.Line, Column: 1 + units(s.Text[s.Lines[m.Line-1]:at])}
	end := position{Line: start.Line, Column: start.Column + units(m.Original)}
	if i := strings.LastIndexByte(m.Original, '\n'); i >= 0 {
		end.Line += strings.Count(m.Original, "\n")
		end.Column = 1 + units(m.Original[i+1:])
	}
	return location{Start: start, End: end}, nil
}

// units counts the units of UTF-16 in a text. Each byte that is not UTF-8 is one: it becomes
// a replacement character.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
