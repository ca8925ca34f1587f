package hunk

import "strings"

// Names says which declarations lines of a Go file are in. The zero value knows none.
type Names []namedLines

type namedLines struct {
	first, last int
	name        string
}

// NamesOf lists the declarations of a file, none if it does not parse.
func NamesOf(src []byte) (names Names) {
	s := parse(src)
	if s == nil {
		return nil
	}
	for _, d := range s.file.Decls {
		begin, name := describe(d)
		first, last := s.line(s.offset(begin)), s.line(s.offset(d.End()))
		names = append(names, namedLines{first + 1, last + 1, strings.TrimSpace(name)})
	}
	return names
}

// At names the declaration that count lines from one on begin in, or that is around the
// place before it if there are none: as "func Buffer.Len" or "type Buffer"; "" if there is none.
func (names Names) At(line, count int) string {
	first := line
	if count == 0 {
		first--
	}
	for _, d := range names {
		if d.first <= first && line <= d.last {
			return d.name
		}
	}
	return ""
}
