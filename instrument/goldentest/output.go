package goldentest

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// outputColumns are the outputs of a direct call that have a literal in all cases.
func outputColumns(d *observe.Direct, cases []Case, lit *literals.Literals) (list []column) {
	for _, o := range d.Outputs {
		name := d.Site.GoldenName() + " #" + strconv.Itoa(d.Number) + " " + o.Value
		var texts []string
		for _, c := range cases {
			if text, ok := textOf(c.Values, name); ok && !isUnstable(text) {
				texts = append(texts, text)
			}
		}
		if len(texts) != len(cases) {
			continue
		}
		if col, ok := outputColumn(o, texts, lit); ok {
			list = append(list, col)
		}
	}
	return list
}

// outputColumn is the column of one output; false: some text has no literal.
func outputColumn(o observe.Changed, texts []string, lit *literals.Literals) (column, bool) {
	col := column{out: o.Var, got: o.Var, want: "want" + strings.ToUpper(o.Var[:1]) + o.Var[1:]}
	if !o.Addressed {
		col.fill(o.Of, texts, lit)
		return col, col.kind != textColumn
	}
	if cells, ok := written(o.Of, texts); ok {
		col.kind, col.typ, col.got, col.cells, col.verb = plainColumn, "string", o.Var+".String()", cells, "%+v"
		return col, true
	}
	if there, ok := pointees(texts); ok {
		col.fill(o.Of, there, lit)
	}
	if col.kind == noColumn || col.kind == partsColumn || col.kind == textColumn {
		// Methods of the pointer are parts as well, and a value with a lock is not copied.
		col.fill(types.NewPointer(o.Of), texts, lit)
		col.got = "&" + o.Var
	}
	return col, col.kind != textColumn
}

// written are literals of what was written to buffers; false: they are none, or it is too long.
func written(t types.Type, texts []string) (cells []string, ok bool) {
	if !observe.Writes(t) {
		return nil, false
	}
	for _, text := range texts {
		_, shown, _ := strings.Cut(text, " ")
		shown = strings.TrimSuffix(strings.TrimPrefix(shown, "&{"), "}")
		shown, ok := strings.CutPrefix(strings.TrimSpace(shown), "String(): ")
		s, err := strconv.Unquote(strings.TrimSpace(shown))
		if !ok || err != nil {
			return nil, false
		}
		cells = append(cells, literals.Quoted(s))
	}
	return cells, len(cells) > 0
}

// pointees are the texts of what pointers lead to; false: one is nil.
func pointees(texts []string) (list []string, ok bool) {
	for _, text := range texts {
		name, value, _ := strings.Cut(text, " ")
		name, pointer := strings.CutPrefix(name, "*")
		value, there := strings.CutPrefix(value, "&")
		if !pointer || !there {
			return nil, false
		}
		list = append(list, name+" "+value)
	}
	return list, true
}
