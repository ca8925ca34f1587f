// Package samples finds likely inputs in the tests of a package: the texts, and the rows of
// constants, that test files hold, and the files of testdata. Who writes a test writes down what the code is for, and
// who changes code adds a test of the input that the change is about.
package samples

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
)

const (
	// textMost bounds the bytes of a literal and of a file of text: a person reads what
	// becomes an entry. Other files have up to fileMost.
	textMost = 4 << 10
	fileMost = 64 << 10
	// filesMost bounds the files of all directories.
	filesMost = 256
	// seenMost bounds the files and directories that are looked at for that, readMost the bytes
	// of them that are read, and sourceMost the bytes of Go source: the search is waiting.
	seenMost   = 20_000
	readMost   = 16 << 20
	sourceMost = 8 << 20
	// pathMost bounds the bytes of a text that may be a path.
	pathMost = 256
	// inputsMost and bytesMost bound what Inputs returns.
	inputsMost = 1024
	bytesMost  = 4 << 20
)

// A Row is constants that stand beside each other in a test: the arguments of a call, or
// the elements of a composite literal.
type Row []constant.Value

// key identifies a row.
func (r Row) key() string {
	var b strings.Builder
	for _, v := range r {
		b.WriteString(v.Kind().String() + " " + v.ExactString() + "\n")
	}
	return b.String()
}

// OfFile returns the rows of a Go file in the order of the text: each constant by itself,
// and the runs of constants within a list. Paths of imports and tags of fields are none. Of
// a file that does not parse, it returns what does.
func OfFile(source []byte) []Row {
	f, _ := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	var rows []Row
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			rows = append(rows, runs(n.Args)...)
		case *ast.CompositeLit:
			rows = append(rows, runs(n.Elts)...)
		case ast.Expr:
			if v := valueOf(n); v != nil {
				rows = append(rows, Row{v})
				return false // not the parts of a concatenation
			}
		}
		return true
	})
	return rows
}

// runs returns the runs of two and more constants in a list.
func runs(list []ast.Expr) (rows []Row) {
	var row Row
	end := func() {
		if len(row) > 1 {
			rows = append(rows, row)
		}
		row = nil
	}
	for _, e := range list {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if v := valueOf(e); v != nil {
			row = append(row, v)
		} else {
			end()
		}
	}
	end()
	return rows
}

// valueOf is the value of a literal, with a sign, or converted to bytes, and of literals that
// are concatenated; nil: the expression is something else.
func valueOf(e ast.Expr) constant.Value {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		v := constant.MakeFromLiteral(e.Value, e.Kind, 0)
		if v.Kind() == constant.Unknown || v.Kind() == constant.String && len(constant.StringVal(v)) > textMost {
			return nil
		}
		return v
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return constant.MakeBool(e.Name == "true")
		}
	case *ast.UnaryExpr:
		if v := valueOf(e.X); e.Op == token.SUB && v != nil && (v.Kind() == constant.Int || v.Kind() == constant.Float) {
			return constant.UnaryOp(token.SUB, v, 0)
		}
	case *ast.BinaryExpr:
		x, y := valueOf(e.X), valueOf(e.Y)
		if e.Op == token.ADD && x != nil && y != nil && x.Kind() == constant.String && y.Kind() == constant.String {
			if v := constant.BinaryOp(x, token.ADD, y); len(constant.StringVal(v)) <= textMost {
				return v
			}
		}
	case *ast.CallExpr:
		if t, ok := e.Fun.(*ast.ArrayType); ok && t.Len == nil && len(e.Args) == 1 {
			if elem, ok := t.Elt.(*ast.Ident); ok && elem.Name == "byte" {
				return valueOf(e.Args[0])
			}
		}
	}
	return nil
}

// Of returns the rows of OfTests and of OfData in turn: either may be what the code is for, and
// a short search tries the first ones alone.
func Of(dirs []string, overlay map[string][]byte) (rows []Row) {
	tests := OfTests(dirs, overlay)
	data := OfData(dirs, tests)
	for i := range max(len(tests), len(data)) {
		if i < len(tests) {
			rows = append(rows, tests[i])
		}
		if i < len(data) {
			rows = append(rows, data[i])
		}
	}
	return rows
}

// OfTests returns the rows of the test files in directories, each once. overlay has contents,
// by absolute path, that stand for what is on disk. What can't be read is left out, and so are
// files beyond sourceMost bytes.
func OfTests(dirs []string, overlay map[string][]byte) (rows []Row) {
	seen := make(map[string]bool)
	room := int64(sourceMost)
	for _, dir := range dirs {
		for _, path := range testFiles(dir, overlay) {
			text, ok := overlay[path]
			if !ok {
				text = sourceOf(path, room)
			}
			room -= int64(len(text))
			for _, row := range OfFile(text) {
				if key := row.key(); !seen[key] {
					seen[key] = true
					rows = append(rows, row)
				}
			}
		}
	}
	return rows
}

// sourceOf reads a file that has no more than room bytes; nil: it has, or can't be read.
func sourceOf(path string, room int64) []byte {
	if info, err := os.Stat(path); err != nil || info.Size() > room {
		return nil
	}
	text, _ := os.ReadFile(path) // what can't be read is left out
	return text
}

// testFiles lists the paths of test files in a directory, sorted.
func testFiles(dir string, overlay map[string][]byte) (paths []string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		paths = append(paths, filepath.Join(dir, f.Name()))
	}
	for path := range overlay {
		if filepath.Dir(path) == dir {
			paths = append(paths, path)
		}
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasSuffix(path, "_test.go") })
	slices.Sort(paths)
	return slices.Compact(paths)
}

// NewFirst returns the rows of a new and an old tree, each once: first those that only the new
// one has, then those that only the old one has.
func NewFirst(is, was []Row) []Row {
	const (
		inOld = 1 << iota
		inNew
	)
	in := make(map[string]int)
	var all []Row
	for _, side := range []struct {
		rows []Row
		bit  int
	}{{is, inNew}, {was, inOld}} {
		for _, row := range side.rows {
			if in[row.key()] == 0 {
				all = append(all, row)
			}
			in[row.key()] |= side.bit
		}
	}
	rank := map[int]int{inNew: 0, inOld: 1, inNew | inOld: 2}
	slices.SortStableFunc(all, func(a, b Row) int { return cmp.Compare(rank[in[a.key()]], rank[in[b.key()]]) })
	return all
}

// Inputs returns inputs of a fuzz test with arguments of some types that rows make: each part
// of a row that has these types, and base with each text for one of its arguments. Their number
// and size are bounded, and the first rows come first.
func Inputs(rows []Row, types []string, base *corpus.Input) (list []*corpus.Input) {
	seen := map[string]bool{base.Key(): true}
	size := 0
	add := func(vals []any) {
		in := corpus.Of(vals...)
		if len(list) == inputsMost || seen[in.Key()] || size+in.Len() > bytesMost {
			return
		}
		seen[in.Key()] = true
		size += in.Len()
		list = append(list, in)
	}
	for _, row := range rows {
		for at := 0; at+len(types) <= len(row); at++ {
			if vals, ok := valuesOf(row[at:at+len(types)], types); ok {
				add(vals)
			}
		}
		if len(row) > 1 || len(types) == 1 || row[0].Kind() != constant.String {
			continue
		}
		for i, typ := range types {
			if v, ok := convert(row[0], typ); ok {
				vals := slices.Clone(base.Values())
				vals[i] = v
				add(vals)
			}
		}
	}
	return list
}

// valuesOf gives constants the types of arguments.
func valuesOf(row Row, types []string) (vals []any, ok bool) {
	for i, typ := range types {
		v, ok := convert(row[i], typ)
		if !ok {
			return nil, false
		}
		vals = append(vals, v)
	}
	return vals, true
}
