package tables

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// A Row is a case of one call in a fuzz test, for tables of others.
type Row struct {
	Line    int               // of the call, in the fuzz test
	Args    map[string]string // as source, by the parameters of the fuzz target
	Named   map[string]Named  // some of them, as values of a declared type
	Results []Result
	Title   string
	Comment []string // lines before the row
}

// Named is the source of a value of a declared type, in the package that declares the fuzz test.
type Named struct {
	Source string
	Type   types.Type
}

// A Result is what a call has to return.
type Result struct {
	Source string // of a literal; "": it has none
	// Error says that Source is what an error says, or "<nil>" in quotes; Said that it is what
	// the String method returns.
	Error, Said bool
}

// noError is the source of a result that is no error.
const noError = `"<nil>"`

// Add returns the text of a row for the table, with comment; false: the table can't hold it.
func (t *Table) Add(row Row) (string, bool) {
	cells := make(map[*field]string)
	for param, f := range t.args {
		text, ok := argument(row.Args[param], t.params[param], f.typ)
		if n := row.Named[param]; n.Source != "" && t.beside && same(n.Type, f.typ) {
			text, ok = n.Source, true
		}
		if !ok {
			return "", false
		}
		cells[f] = text
	}
	for i, res := range row.Results {
		if i >= len(t.types) {
			return "", false
		}
		if !t.want(cells, i, res) {
			return "", false
		}
	}
	if t.title != nil {
		cells[t.title] = strconv.Quote(row.Title)
	}
	return t.text(cells, row.Comment)
}

// want enters what is wanted of a result into the cells of its field, if there is one. It returns
// false if the test would not check the row, or fail with it.
func (t *Table) want(cells map[*field]string, i int, res Result) bool {
	f := t.wants[i]
	switch {
	case f == nil:
		return !res.Error || res.Source == noError // what compares no error wants none
	case res.Source == "":
		return true // nothing is known of it: the zero value may do
	case res.Error && isBool(f.typ):
		cells[f] = strconv.FormatBool(res.Source != noError)
	case res.Error && res.Source == noError:
		// a zero value
	case res.Error && isString(f.typ), res.Said && isString(f.typ), !res.Said && !res.Error && same(t.types[i], f.typ):
		cells[f] = res.Source
	default:
		return false
	}
	return true
}

// argument is the source of an argument for a field of its type, or of texts as bytes.
func argument(source string, param, field types.Type) (string, bool) {
	if source == "" || param == nil {
		return "", false
	}
	if same(param.Underlying(), field.Underlying()) {
		return source, true
	}
	const begin, end = "[]byte(", ")"
	switch bytes := isBytes(param); {
	case bytes && isString(field):
		return strings.TrimSuffix(strings.TrimPrefix(source, begin), end), true
	case isString(param) && isBytes(field):
		return begin + source + end, true
	}
	return "", false
}

func isBytes(t types.Type) bool { return types.TypeString(t.Underlying(), nil) == "[]byte" }

// text is a row as source, in the form of the last one of the table.
func (t *Table) text(cells map[*field]string, comment []string) (string, bool) {
	last := t.rows.Elts[len(t.rows.Elts)-1]
	key := ""
	if kv, ok := last.(*ast.KeyValueExpr); ok && t.isMap {
		last, key = kv.Value, cells[t.fields[0]]+": "
		if t.has(cells[t.fields[0]]) {
			return "", false
		}
	}
	prefix, lit := "", last
	if u, ok := lit.(*ast.UnaryExpr); ok {
		prefix, lit = "&", u.X
	}
	var row string
	if t.nested {
		composite := lit.(*ast.CompositeLit)
		if composite.Type != nil {
			prefix += t.source(composite.Type)
		}
		var ok bool
		if row, ok = t.fieldsText(composite, cells); !ok {
			return "", false
		}
	} else if row = cells[t.fields[len(t.fields)-1]]; row == "" {
		return "", false
	}
	var b strings.Builder
	for _, line := range comment {
		b.WriteString("// " + line + "\n")
	}
	b.WriteString(key + prefix + row + ",\n")
	return b.String(), true
}

// has says whether the table has a row with that key.
func (t *Table) has(key string) bool {
	want, err := strconv.Unquote(key)
	return err != nil || slices.ContainsFunc(t.rows.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		lit, ok := kv.Key.(*ast.BasicLit)
		if !ok {
			return false
		}
		got, err := strconv.Unquote(lit.Value)
		return err != nil || got == want
	})
}

// fieldsText is the literal of the fields: with their names where the last row has them, and a line
// for each where the last row has more than one.
func (t *Table) fieldsText(last *ast.CompositeLit, cells map[*field]string) (string, bool) {
	named := len(last.Elts) == 0
	if !named {
		_, named = last.Elts[0].(*ast.KeyValueExpr)
	}
	var parts []string
	for _, f := range t.fields {
		cell := cells[f]
		switch {
		case f.key:
			continue
		case named && cell == "":
			continue
		case cell == "":
			var ok bool
			if cell, ok = zero(f.typ); !ok {
				return "", false
			}
		}
		if named {
			cell = f.name + ": " + cell
		}
		parts = append(parts, cell)
	}
	if t.line(last.Lbrace) != t.line(last.Rbrace) {
		return "{\n\t" + strings.Join(parts, ",\n\t") + ",\n}", true
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

// zero is the source of a zero value, where a row has to have one.
func zero(t types.Type) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
	case *types.Slice, *types.Map, *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return "nil", true
	}
	return "", false
}

// written says whether a row can be written at the end of the table, below what is there.
func (t *Table) written() bool {
	for _, e := range t.rows.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if !t.isMap {
				return false
			}
			e = kv.Value
		}
		if u, ok := e.(*ast.UnaryExpr); ok {
			e = u.X
		}
		if _, ok := e.(*ast.CompositeLit); !ok && t.nested {
			return false
		}
	}
	return t.line(t.rows.Elts[len(t.rows.Elts)-1].End()) < t.line(t.rows.Rbrace)
}

// Extend returns the source of a file with rows, which Add has returned, at the end of their
// tables. What gofmt had written is as gofmt writes it.
func Extend(src []byte, rows map[*Table][]string) ([]byte, error) {
	var edits edit.List
	for t, list := range rows {
		at := bytes.LastIndexByte(src[:t.offset(t.rows.Rbrace)], '\n') + 1
		edits.Insert(at, indented(strings.Join(list, ""), indentation(src, t.offset(t.rows.Elts[len(t.rows.Elts)-1].Pos()))))
	}
	out := []byte(edits.Render(src, 0, len(src)))
	formatted, err := format.Source(out)
	if err != nil {
		return nil, err
	}
	if was, err := format.Source(src); err == nil && bytes.Equal(was, src) {
		return formatted, nil
	}
	return out, nil
}

// indentation is what the line of an offset begins with.
func indentation(src []byte, at int) string {
	line := src[bytes.LastIndexByte(src[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indented is text with the same before each line.
func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}
