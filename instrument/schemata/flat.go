package schemata

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// flat returns the source in [lo, hi), which the nodes make up, on one line, for a
// copy of it. Code in a copy has no mutants and burns no fuel, so there is none of
// what holds statements.
func (f *file) flat(lo, hi token.Pos, nodes ...ast.Node) (text, why string) {
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				why = "function literal in what would have to be copied"
			}
			return why == ""
		})
	}
	if why != "" {
		return "", why
	}
	return f.line(lo, hi), ""
}

// line returns the source in [lo, hi) on one line.
func (f *file) line(lo, hi token.Pos) string {
	src := f.Src[f.off(lo):f.off(hi)]
	if !bytes.ContainsAny(src, "\n") && !bytes.Contains(src, []byte("//")) {
		return string(src)
	}
	return flatten(src)
}

// flatten writes source on one line: without comments, with the semicolons that
// the ends of lines stand for.
func flatten(src []byte) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, nil, 0)
	var words []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			if n := len(words); n > 0 && words[n-1] == ";" {
				words = words[:n-1]
			}
			return strings.Join(words, " ")
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.STRING && strings.Contains(lit, "\n"):
			if v, err := strconv.Unquote(lit); err == nil {
				lit = strconv.Quote(v)
			}
		case !tok.IsLiteral():
			lit = tok.String()
		}
		words = append(words, lit)
	}
}
