package hunk

import (
	"bytes"
	"go/scanner"
	"go/token"
	"slices"
	"sort"
	"strings"
)

// tokens are those of a Go file, without the comments that change nothing. A comma or
// semicolon before a closing bracket is soft: it is there for the layout.
type tokens struct {
	text        []string
	first, last []int // lines of each, from 1
	at          []int // offsets
	soft        []bool
	broken      bool // the file has an error of syntax: nothing is known of layout
}

// tokensOf scans a file.
func tokensOf(src []byte) *tokens {
	t := new(tokens)
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) { t.broken = true }, scanner.ScanComments)
	cgo := bytes.Contains(src, []byte(`"C"`)) // whose comments are code
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return t
		case tok == token.COMMENT && !cgo && !isDirective(lit):
			continue
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.RBRACE || tok == token.RPAREN:
			t.soften()
			lit = tok.String()
		case lit == "":
			lit = tok.String()
		}
		line := file.PositionFor(pos, false).Line
		t.text = append(t.text, lit)
		t.at = append(t.at, file.Offset(pos))
		t.first = append(t.first, line)
		t.last = append(t.last, line+strings.Count(lit, "\n"))
		t.soft = append(t.soft, false)
	}
}

// isDirective says whether a comment decides what is built.
func isDirective(comment string) bool {
	if strings.HasPrefix(comment, "//go:generate ") {
		return false
	}
	for _, prefix := range []string{"//go:", "//export ", "// +build ", "//+build "} {
		if strings.HasPrefix(comment, prefix) {
			return true
		}
	}
	return false
}

// soften makes the last token soft if it is a comma or semicolon.
func (t *tokens) soften() {
	last := len(t.text) - 1
	if last >= 0 && (t.text[last] == "," || t.text[last] == ";") {
		t.soft[last] = true
	}
}

// equal says whether two files do the same, as far as their tokens tell.
func (t *tokens) equal(u *tokens) bool {
	return !t.broken && !u.broken && slices.Equal(t.hard(0, len(t.text)), u.hard(0, len(u.text)))
}

// hard returns a run of tokens but for those that are soft. The last one is needed if the
// bracket is not among them.
func (t *tokens) hard(from, to int) []string {
	var list []string
	for i := from; i < to; i++ {
		if !t.soft[i] || i == to-1 {
			list = append(list, t.text[i])
		}
	}
	return list
}

// in returns the tokens that stand on some lines, those included that begin before or end
// after them.
func (t *tokens) in(line, count int) []string {
	if count == 0 {
		return nil
	}
	from := sort.SearchInts(t.last, line)
	to := sort.SearchInts(t.first, line+count)
	return t.hard(from, max(from, to))
}

// differ says whether a hunk changes more than comments and layout.
func (t *tokens) differ(u *tokens, h Hunk) bool {
	return t.broken || u.broken || !slices.Equal(t.in(h.OldLine, h.OldCount), u.in(h.NewLine, h.NewCount))
}

// trim shortens a run of lines to those from the first to the last one with code.
func (t *tokens) trim(line, count int) (int, int) {
	for count > 0 && len(t.in(line, 1)) == 0 {
		line, count = line+1, count-1
	}
	for count > 0 && len(t.in(line+count-1, 1)) == 0 {
		count--
	}
	return line, count
}
