// Package directive reads the comments that say how code is to be rewritten.
package directive

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
)

const (
	ignore = "//fuzzmut:ignore"
	target = "//fuzzmut:target"
)

// ignored is a stretch of a file that a //fuzzmut:ignore directive excludes.
type ignored struct {
	lo, hi token.Pos
	reason string
	at     token.Pos // the directive
	used   bool      // a mutant was in it
}

// Ignored are the stretches of a file that directives exclude.
type Ignored []ignored

// ReadIgnored finds the directives of a file and what they govern: the file, if
// one stands before the package clause; the line, if code stands before it;
// otherwise the declaration or statement that starts on the next line.
func ReadIgnored(f *source.File) (list Ignored) {
	type pending struct {
		line   int // of the statement
		reason string
		at     token.Pos
	}
	var above []pending
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, ignore)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			reason := "//fuzzmut:ignore"
			if rest = strings.TrimSpace(rest); rest != "" {
				reason += " " + rest
			}
			line := f.Tok.PositionFor(c.Pos(), false).Line
			switch {
			case c.Pos() < f.Syntax.Package:
				list = append(list, ignored{lo: f.Syntax.FileStart, hi: f.Syntax.FileEnd, reason: reason, at: c.Pos()})
			case f.CodeBefore(c.Pos()):
				list = append(list, wholeLine(f, line, reason).by(c.Pos()))
			default:
				above = append(above, pending{f.Tok.PositionFor(group.End(), false).Line + 1, reason, c.Pos()})
			}
		}
	}
	for _, p := range above {
		list = append(list, startingOn(f, p.line, p.reason).by(p.at))
	}
	return list
}

func wholeLine(f *source.File, line int, reason string) ignored {
	if line > f.Tok.LineCount() {
		return ignored{reason: reason}
	}
	lo, hi := f.Tok.LineStart(line), f.Syntax.FileEnd
	if line < f.Tok.LineCount() {
		hi = f.Tok.LineStart(line + 1)
	}
	return ignored{lo: lo, hi: hi, reason: reason}
}

// by returns the stretch with the place of its directive.
func (ig ignored) by(at token.Pos) ignored {
	ig.at = at
	return ig
}

// startingOn returns the largest declaration, statement or clause that starts on
// a line, or the line if none does.
func startingOn(f *source.File, line int, reason string) ignored {
	found := wholeLine(f, line, reason)
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
		if f.Tok.PositionFor(pos, false).Line == line {
			found = ignored{lo: pos, hi: n.End(), reason: reason}
			done = true
		}
		return !done
	})
	return found
}

// At returns why mutants at pos are not wanted; "" if they are.
func (l Ignored) At(pos token.Pos) string {
	for _, ig := range l {
		if ig.has(pos) {
			return ig.reason
		}
	}
	return ""
}

func (ig *ignored) has(pos token.Pos) bool { return ig.lo <= pos && pos < ig.hi }

// Met notes a mutant at pos, which may be wanted or not.
func (l Ignored) Met(pos token.Pos) {
	for i := range l {
		l[i].used = l[i].used || l[i].has(pos)
	}
}

// Unused returns the places of the directives that no mutant was met for, in their order.
func (l Ignored) Unused() []token.Pos {
	var list []token.Pos
	for i := range l {
		if !l[i].used {
			list = append(list, l[i].at)
		}
	}
	slices.Sort(list)
	return list
}

// IsTarget says whether a function is to be observed at its return.
func IsTarget(d *ast.FuncDecl) bool { return hasTarget(d.Doc) }

func hasTarget(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		if rest, ok := strings.CutPrefix(c.Text, target); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}

// TargetTypes adds the types of a file that are marked: whose exported methods are targets.
func TargetTypes(f *ast.File, names map[string]bool) {
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, s := range d.Specs {
			ts, ok := s.(*ast.TypeSpec)
			if ok && (hasTarget(ts.Doc) || ts.Doc == nil && !d.Lparen.IsValid() && hasTarget(d.Doc)) {
				names[ts.Name.Name] = true
			}
		}
	}
}

// Forbids returns the directive that forbids changing a function's code: the
// compiler holds these functions to limits that any added call would break.
func Forbids(d *ast.FuncDecl) string {
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
