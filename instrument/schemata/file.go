package schemata

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
)

// file is one source file being rewritten.
type file struct {
	*site.File // with the edits of the copied bodies
	r          *rewriter
	fast       edit.List // the edits of the whole file
	data       []string  // statements that set variables with constant values
}

func (r *rewriter) newFile(src *File) (*file, error) {
	text, err := source.New(r.Fset, src.Path, src.Src, src.Syntax)
	if err != nil {
		return nil, err
	}
	text.GoVersion = r.languageOf(src.Syntax)
	return &file{File: r.pkg.NewFile(text), r: r}, nil
}

// languageOf returns the version of the language that a file is in.
func (r *rewriter) languageOf(f *ast.File) string {
	if v := r.pkg.Info.FileVersions[f]; v != "" {
		return v
	}
	return cmp.Or(r.GoVersion, r.Pkg.GoVersion())
}

func (f *file) touched() bool { return f.fast.Len() > 0 || len(f.data) > 0 }

// rewrite makes the edits of the whole file.
func (f *file) rewrite() {
	base := filepath.Base(f.Path)
	if importsC(f.Syntax) {
		f.r.pkg.Mutants.Skip(f.Syntax.Package, base, reasons.CgoFile)
		return
	}
	var without reasons.Reason // why there are no mutants in this file
	if f.r.Mutate && !f.r.Generated && f.Generated() {
		without = reasons.GeneratedFile
		f.r.pkg.Mutants.Skip(f.Syntax.Package, base, without)
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
	rt := f.r.pkg.Names.RT
	f.fast.Insert(f.Off(f.Syntax.Name.End()), fmt.Sprintf("; import %s %q", rt, runtimePath))
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
	return f.r.pkg.Names.Data + strconv.Itoa(slices.Index(f.r.files, f))
}

// raiseVersion lets a file of a module with an old go line use type parameters: a
// build constraint raises its language version, to the lowest that can be raised
// to, which is go1.21. That version has no other effect on code that was valid
// before (loop variables change with 1.22).
func (f *file) raiseVersion(b *bytes.Buffer) {
	if !f.OlderThan("go1.21") {
		return
	}
	for _, group := range f.Syntax.Comments {
		if group.Pos() >= f.Syntax.Package {
			break
		}
		for _, c := range group.List {
			if expr, ok := strings.CutPrefix(c.Text, "//go:build"); ok && constraint.IsGoBuild(c.Text) {
				text := fmt.Sprintf("//go:build (%s) && go1.21", strings.TrimSpace(expr))
				f.fast.Replace(f.Off(c.Pos()), f.Off(c.End()), text)
				return
			}
		}
	}
	b.WriteString("//go:build go1.21\n\n")
}
