package schemata

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// file is one source file being rewritten.
type file struct {
	*File
	r   *rewriter
	tok *token.File

	// fast holds the edits of the whole file, slow those of the copied bodies.
	fast, slow edit.List
	ignores    []ignored
	data       []string                     // statements that set variables with constant values
	edits      map[string]bool              // plain edits of mutants so far, as "lo:hi:text"
	proofs     map[proof]bool               // filled by provedNotNil
	assigned   vars                         // filled by assignedVars
	shared     map[*types.Var]bool          // filled by isShared
	conditions map[*types.Var]conditionUses // filled by countConditions
}

func (r *rewriter) newFile(src *File) (*file, error) {
	tok := r.Fset.File(src.Syntax.FileStart)
	if tok == nil || tok.Size() != len(src.Src) {
		return nil, fmt.Errorf("rewrite %s: the syntax tree does not belong to this source", src.Path)
	}
	f := &file{File: src, r: r, tok: tok, edits: map[string]bool{}}
	f.readIgnores()
	return f, nil
}

func (f *file) off(pos token.Pos) int { return f.tok.Offset(pos) }

// text returns the source in [lo, hi).
func (f *file) text(lo, hi token.Pos) string { return string(f.Src[f.off(lo):f.off(hi)]) }

func (f *file) node(n ast.Node) string { return f.text(n.Pos(), n.End()) }

func (f *file) touched() bool { return f.fast.Len() > 0 || len(f.data) > 0 }

// rewrite makes the edits of the whole file.
func (f *file) rewrite() {
	base := filepath.Base(f.Path)
	if importsC(f.Syntax) {
		f.r.skip(f.Syntax.Package, base, "cgo file")
		return
	}
	without := "" // why there are no mutants in this file
	if f.r.Mutate && !f.r.Generated && ast.IsGenerated(f.Syntax) {
		without = generatedFile
		f.r.skip(f.Syntax.Package, base, "%s", without)
	}
	for _, d := range f.Syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.funcDecl(d, without)
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				f.initialisers(d, without)
			}
		}
	}
}

func importsC(f *ast.File) bool {
	for _, imp := range f.Imports {
		if imp.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// byteOrderMark may begin a source file, and stand nowhere else in it.
var byteOrderMark = []byte("\ufeff")

// render returns the rewritten source. The import stands on the package clause's
// line, its use at the very end, so that no line moves.
func (f *file) render() []byte {
	var b bytes.Buffer
	head := 0
	if bytes.HasPrefix(f.Src, byteOrderMark) {
		head = len(byteOrderMark)
		b.Write(byteOrderMark)
	}
	f.raiseVersion(&b)
	fmt.Fprintf(&b, "//line %s:1\n", f.Path)
	rt := f.r.names.rt
	f.fast.Insert(f.off(f.Syntax.Name.End()), fmt.Sprintf("; import %s %q", rt, runtimePath))
	b.Write(f.fast.Render(f.Src, head, len(f.Src)))
	fmt.Fprintf(&b, "\nvar _ %s.Package\n", rt)
	if len(f.data) > 0 {
		name := f.dataType()
		fmt.Fprintf(&b, "\ntype %s struct{}\n\nfunc (%[1]s) Set() {\n\t%s\n}\n", name, strings.Join(f.data, "\n\t"))
	}
	return b.Bytes()
}

// dataType is the type with the method that runs f.data.
func (f *file) dataType() string {
	return f.r.names.data + strconv.Itoa(slices.Index(f.r.files, f))
}

// raiseVersion lets a file of a module with an old go line use type parameters: a
// build constraint raises its language version, to the lowest that can be raised
// to, which is go1.21. That version has no other effect on code that was valid
// before (loop variables change with 1.22).
func (f *file) raiseVersion(b *bytes.Buffer) {
	if !f.olderThan("go1.21") {
		return
	}
	for _, group := range f.Syntax.Comments {
		if group.Pos() >= f.Syntax.Package {
			break
		}
		for _, c := range group.List {
			if expr, ok := strings.CutPrefix(c.Text, "//go:build"); ok && constraint.IsGoBuild(c.Text) {
				text := fmt.Sprintf("//go:build (%s) && go1.21", strings.TrimSpace(expr))
				f.fast.Replace(f.off(c.Pos()), f.off(c.End()), text)
				return
			}
		}
	}
	b.WriteString("//go:build go1.21\n\n")
}

// olderThan says whether the file is in an earlier version of the language.
func (f *file) olderThan(v string) bool {
	own := f.r.GoVersion
	if own == "" {
		own = f.r.Pkg.GoVersion()
	}
	if fv, ok := f.r.Info.FileVersions[f.Syntax]; ok && fv != "" {
		own = fv
	}
	return version.IsValid(own) && version.Compare(own, v) < 0
}

// lineDirective returns a comment that gives the text after it the position pos
// had for the compiler, which in a file with line directives of its own is
// somewhere else.
func (f *file) lineDirective(pos token.Pos) string {
	p := f.r.Fset.PositionFor(pos, true)
	if p.Column == 0 { // a directive without column is in force
		return fmt.Sprintf("/*line %s:%d*/", p.Filename, p.Line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", p.Filename, p.Line, p.Column)
}
