package schemata

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"
)

const (
	ignoreDirective = "//fuzzmut:ignore"
	targetDirective = "//fuzzmut:target"
)

// ignored is a stretch of a file that a //fuzzmut:ignore directive excludes.
type ignored struct {
	lo, hi token.Pos
	reason string
}

// readIgnores finds the directives of a file and what they govern: the file, if
// one stands before the package clause; the line, if code stands before it;
// otherwise the declaration or statement that starts on the next line.
func (f *file) readIgnores() {
	type pending struct {
		line   int // of the statement
		reason string
	}
	var above []pending
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, ignoreDirective)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			reason := "//fuzzmut:ignore"
			if rest = strings.TrimSpace(rest); rest != "" {
				reason += " " + rest
			}
			line := f.tok.PositionFor(c.Pos(), false).Line
			switch {
			case c.Pos() < f.Syntax.Package:
				f.ignores = append(f.ignores, ignored{f.Syntax.FileStart, f.Syntax.FileEnd, reason})
			case f.codeBefore(c.Pos()):
				f.ignores = append(f.ignores, f.wholeLine(line, reason))
			default:
				above = append(above, pending{f.tok.PositionFor(group.End(), false).Line + 1, reason})
			}
		}
	}
	for _, p := range above {
		f.ignores = append(f.ignores, f.startingOn(p.line, p.reason))
	}
}

// codeBefore says whether anything but space stands before pos on its line.
func (f *file) codeBefore(pos token.Pos) bool {
	start := bytes.LastIndexByte(f.Src[:f.off(pos)], '\n') + 1
	return len(bytes.TrimSpace(f.Src[start:f.off(pos)])) > 0
}

func (f *file) wholeLine(line int, reason string) ignored {
	if line > f.tok.LineCount() {
		return ignored{reason: reason}
	}
	lo, hi := f.tok.LineStart(line), f.Syntax.FileEnd
	if line < f.tok.LineCount() {
		hi = f.tok.LineStart(line + 1)
	}
	return ignored{lo, hi, reason}
}

// startingOn returns the largest declaration, statement or clause that starts on
// a line, or the line if none does.
func (f *file) startingOn(line int, reason string) ignored {
	found := f.wholeLine(line, reason)
	done := false
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if done || n == nil {
			return false
		}
		pos := n.Pos()
		switch n := n.(type) {
		case *ast.FuncDecl:
			pos = n.Type.Func // Pos is the same, but for the reader: not the doc comment
		case ast.Stmt, *ast.GenDecl, *ast.ValueSpec:
		default:
			return true
		}
		if f.tok.PositionFor(pos, false).Line == line {
			found = ignored{pos, n.End(), reason}
			done = true
		}
		return !done
	})
	return found
}

// ignoredAt returns why mutants at pos are not wanted; "" if they are.
func (f *file) ignoredAt(pos token.Pos) string {
	for _, ig := range f.ignores {
		if ig.lo <= pos && pos < ig.hi {
			return ig.reason
		}
	}
	return ""
}

// isTarget says whether a function is to be observed at its return.
func isTarget(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if rest, ok := strings.CutPrefix(c.Text, targetDirective); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}

// leaveAlone returns the directive that forbids to change a function's code: the
// compiler holds these functions to limits that any added call would break.
func leaveAlone(d *ast.FuncDecl) string {
	if d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		word, _, _ := strings.Cut(c.Text, " ")
		switch word {
		case "//go:nosplit", "//go:norace", "//go:systemstack", "//go:nowritebarrier",
			"//go:nowritebarrierrec", "//go:yeswritebarrierrec", "//go:uintptrescapes",
			"//go:uintptrkeepalive", "//go:nocheckptr", "//go:cgo_unsafe_args", "//go:registerparams":
			return word
		}
	}
	return ""
}
