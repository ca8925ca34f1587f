package goldentest

import (
	"bytes"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/named"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// column is a result of a direct call in a table.
type column struct {
	kind   columnKind
	typ    string // of the field
	want   string // name of the field
	got    string // name of the variable
	cells  []string
	out    string            // the variable of an output, which is no result
	verb   string            // how Printf shows the value
	beside bool              // it has parts of an error whose text another column has
	parts  [][]literals.Part // by cell, of a partsColumn
}

// columnKind says how a result is compared.
type columnKind int

const (
	noColumn    columnKind = iota // it has no golden value
	plainColumn                   // with ==
	errorColumn                   // by what fmt.Sprint says
	valueColumn                   // with reflect.DeepEqual
	timeColumn                    // with the method Equal
	saidColumn                    // by what fmt.Sprint says of its String or Error method
	partsColumn                   // by its parts with reflect.DeepEqual
	textColumn                    // by its text in golden files
)

// columns returns the results of a direct call, and then its outputs, nil if the golden values of a case are not
// those of one call, with the reason if it is that they differ from run to run. Without lit, what is no literal of a
// predeclared type is compared by its text, and all results are. With lit those that differ from run to run in some
// case are left out.
func columns(d *observe.Direct, cases []Case, lit *literals.Literals) (list []column, why string) {
	list = make([]column, len(d.Types))
	results := make([][]string, len(d.Types))
	seen, varies := false, false
	for i := range list {
		if d.Site.GoldenView(i) == golden.ViewNone {
			list[i].got = "_"
			continue
		}
		texts, ok := resultTexts(d, i, cases)
		if !ok {
			return nil, ""
		}
		if slices.ContainsFunc(texts, isUnstable) {
			if lit == nil {
				return nil, unstable
			}
			list[i].got, varies = "_", true
			continue
		}
		seen = true
		list[i].fill(d.Types[i], texts, lit)
		results[i] = texts
	}
	if lit != nil {
		outputs := outputColumns(d, cases, lit)
		list, seen = append(list, outputs...), seen || len(outputs) > 0
	}
	for _, c := range cases {
		if lit == nil && len(c.Values) != len(list)-count(list, noColumn) {
			return nil, "" // there is more to compare
		}
	}
	if !seen && varies {
		return nil, unstable
	}
	if !seen {
		return nil, ""
	}
	if lit != nil {
		leaveText(list)
	}
	nameColumns(list[:len(d.Types)], d.Locals)
	for i, t := range d.Types {
		if lit != nil {
			if beside, ok := list[i].errorBeside(t, results[i], cases, lit); ok {
				list = append(list, beside)
			}
		}
	}
	return list, ""
}

// unstable says why a case is left none of whose results stays the same.
const unstable = "what the call returns differs from run to run"

// isUnstable says whether the text of a value, or a part of it, differs from run to run.
func isUnstable(text string) bool { return strings.Contains(text, golden.Unstable) }

// resultTexts are the texts of a result by case; false: a case has none.
func resultTexts(d *observe.Direct, i int, cases []Case) (texts []string, ok bool) {
	name := d.Site.GoldenName() + " #" + strconv.Itoa(d.Number) + " " + d.Site.GoldenValue(i)
	for _, c := range cases {
		text, ok := textOf(c.Values, name)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// besideError is how a test that fails calls an error whose text is as wanted: "part 0 of error is 2, want 1".
const besideError = "error"

// IsBeside says whether that is the first thing that a test which fails says.
func IsBeside(said string) bool { return besideSaid.MatchString(said) }

var besideSaid = regexp.MustCompile(`: part \d+ of ` + besideError + ` is `)

// errorBeside is the column of what errors show that the column of their texts leaves out; false: they show nothing.
func (c *column) errorBeside(t types.Type, texts []string, cases []Case, lit *literals.Literals) (column, bool) {
	typ, ok := lit.Source(t)
	if !ok || !literals.IsError(t) || c.kind != errorColumn && c.kind != saidColumn {
		return column{}, false
	}
	beside := column{kind: partsColumn, typ: literals.PartsType(typ), want: c.want + "Parts", got: c.got, out: besideError, beside: true}
	some := false
	for i, text := range texts {
		var list []literals.Part
		if cases[i].Beside {
			list = lit.PartsBeside(t, text, "got")
		}
		cell := "nil"
		if len(list) > 0 {
			cell, some = literals.PartsCell(typ, list), true
		}
		beside.parts, beside.cells = append(beside.parts, list), append(beside.cells, cell)
	}
	return beside, some
}

// leaveText leaves the results out that have no literal, if others have one.
func leaveText(list []column) {
	if count(list, textColumn)+count(list, noColumn) == len(list) {
		return
	}
	for i := range list {
		if list[i].kind == textColumn {
			list[i] = column{got: "_"}
		}
	}
}

func textOf(values []golden.Value, name string) (string, bool) {
	for _, v := range values {
		if v.Name == name {
			return v.Text, true
		}
	}
	return "", false
}

func count(list []column, kind columnKind) (n int) {
	for _, c := range list {
		if c.kind == kind {
			n++
		}
	}
	return n
}

// fill chooses the kind of a column by the type of the result and the texts of its values:
// the first that fits all of them.
func (c *column) fill(t types.Type, texts []string, lit *literals.Literals) {
	type form struct {
		kind columnKind
		typ  string
		cell func(text string) (string, bool)
	}
	var forms []form
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		forms = append(forms, form{errorColumn, "string", errorCell})
	} else {
		forms = append(forms, form{plainColumn, types.Unalias(t).String(), func(text string) (string, bool) {
			src, ok := plainCell(t, text)
			if ok && lit != nil {
				ok = named.Narrow(t, src)
				src = lit.Written(t, src)
			}
			return src, ok
		}})
	}
	if lit != nil {
		if forms[0].kind == errorColumn {
			forms = append(forms, form{errorColumn, "string", literals.SaidByError})
		}
		if typ, ok := lit.Source(t); ok {
			if literals.IsTime(t) {
				forms = append(forms, form{timeColumn, typ, literals.Time})
			}
			forms = append(forms, form{valueColumn, typ, func(text string) (string, bool) { return lit.Of(t, text) }})
		}
		forms = append(forms, form{saidColumn, "string", func(text string) (string, bool) { return literals.SaidBy(t, text) }})
		if typ, ok := lit.Source(t); ok {
			forms = append(forms, form{partsColumn, literals.PartsType(typ), func(text string) (string, bool) {
				list := lit.PartsOf(t, text, "got")
				c.parts = append(c.parts, list)
				return literals.PartsCell(typ, list), len(list) > 0
			}})
		}
	}
	forms = append(forms, form{textColumn, "string", func(text string) (string, bool) { return literals.Quoted(golden.Flat(text)), true }})
	for _, f := range forms {
		c.kind, c.typ, c.cells, c.parts = f.kind, f.typ, make([]string, len(texts)), nil
		fits := true
		for i, text := range texts {
			var ok bool
			c.cells[i], ok = f.cell(text)
			fits = fits && ok
		}
		if fits {
			c.verb = "%+v"
			if c.kind == valueColumn {
				c.verb = literals.Verb(t)
			}
			return
		}
	}
}

// errorCell is what fmt.Sprint says of an error, of whose text in golden files it is all.
func errorCell(text string) (string, bool) {
	if text == "nil" {
		return literals.Quoted("<nil>"), true
	}
	s, err := strconv.Unquote(strings.TrimPrefix(text, "error "))
	return literals.Quoted(s), err == nil && strings.HasPrefix(text, "error ")
}

// plainCell is a literal of a value of a predeclared type other than floats, whose values
// == does not tell apart as golden files do.
func plainCell(t types.Type, text string) (string, bool) {
	b, ok := types.Unalias(t).(*types.Basic)
	if !ok || b.Info()&(types.IsBoolean|types.IsString|types.IsInteger) == 0 || b.Kind() == types.Uintptr || b.Kind() == types.UnsafePointer {
		return "", false
	}
	_, literal, ok := strings.Cut(text, " ")
	if !ok {
		return "", false
	}
	if b.Info()&types.IsString != 0 {
		s, err := strconv.Unquote(literal)
		return literals.Quoted(s), err == nil
	}
	return literal, !strings.Contains(literal, " ")
}

// nameColumns names variables and fields: got, want and wantErr, if there is one of each.
// The variables have other names than locals.
func nameColumns(list []column, locals []string) {
	errors, others := count(list, errorColumn), len(list)-count(list, noColumn)-count(list, errorColumn)
	for i := range list {
		c := &list[i]
		switch {
		case c.kind == noColumn:
		case c.kind == errorColumn && errors == 1:
			if c.got, c.want = "err", "wantErr"; slices.Contains(locals, "err") {
				c.got = "gotErr"
			}
		case c.kind != errorColumn && others == 1:
			c.got, c.want = "got", "want"
		default:
			c.got, c.want = "got"+strconv.Itoa(i), "want"+strconv.Itoa(i)
		}
	}
}

// writeDirect writes a test of that name that makes the call.
func (c *clause) writeDirect(b *bytes.Buffer, p *planned, name string) {
	fmt.Fprintf(b, "\nfunc %s(t *testing.T) {\n\tfor _, test := range []struct {\n\t\tname string\n", name)
	for _, param := range p.direct.Params {
		fmt.Fprintf(b, "\t\t%s %s\n", fieldOf(param.Name), param.Type)
	}
	for _, col := range p.columns {
		if col.kind != noColumn {
			fmt.Fprintf(b, "\t\t%s %s\n", col.want, col.typ)
		}
	}
	b.WriteString("\t}{\n")
	for i, k := range p.test.Cases {
		for _, line := range k.Comment {
			b.WriteString("\t\t// " + line + "\n")
		}
		cells := []string{literals.Quoted(p.title(i))}
		for at := range k.Args {
			cells = append(cells, p.argument(i, at))
		}
		for _, col := range p.columns {
			if col.kind != noColumn {
				cells = append(cells, col.cells[i])
			}
		}
		writeRow(b, cells)
	}
	b.WriteString("\t} {\n\t\tt.Run(test.name, func(t *testing.T) {\n")
	p.writeComparison(b)
	b.WriteString("\t\t})\n\t}\n}\n")
}

// writeRow writes a case: in one line if it fits.
func writeRow(b *bytes.Buffer, cells []string) {
	one := strings.Join(cells, ", ")
	if utf8.RuneCountInString(one) <= lineWidth {
		b.WriteString("\t\t{" + one + "},\n")
		return
	}
	b.WriteString("\t\t{\n\t\t\t" + strings.Join(cells, ",\n\t\t\t") + ",\n\t\t},\n")
}

// writeComparison writes the call, and the comparison of its results.
func (p *planned) writeComparison(b *bytes.Buffer) {
	var vars, differ, verbs, wantVerbs, got, want []string
	var parts []column
	for _, col := range p.columns[:len(p.direct.Types)] {
		vars = append(vars, col.got)
		shown, verb := col.got, "%v"
		switch col.kind {
		case noColumn:
			continue
		case partsColumn:
			parts = append(parts, col)
			continue
		case valueColumn:
			if verb = col.verb; col.typ == "[]byte" {
				verb = "%q"
			}
		case textColumn:
			shown, verb = col.text(), "%s"
		case plainColumn:
			if col.typ == "string" || p.lit != nil && (col.typ == "byte" || col.typ == "rune") {
				verb = "%q"
			}
		}
		differ = append(differ, col.differs())
		got, want = append(got, asOften(shown, verb)), append(want, asOften("test."+col.want, verb))
		verbs, wantVerbs = append(verbs, verb), append(wantVerbs, verb)
	}
	var args []string
	for _, name := range p.direct.Verbs {
		args = append(args, "test."+fieldOf(name))
	}
	shown := p.format()
	if p.direct.Before != "" {
		b.WriteString("\t\t\t" + p.direct.Before + "\n")
	}
	b.WriteString("\t\t\t" + taking(vars) + p.direct.Call + "\n")
	if len(differ) > 0 {
		message := shown + " = " + strings.Join(verbs, ", ") + ", want " + strings.Join(wantVerbs, ", ")
		fmt.Fprintf(b, "\t\t\tif %s {\n\t\t\t\tt.Errorf(%s, %s)\n\t\t\t}\n",
			strings.Join(differ, " || "), literals.Quoted(message), strings.Join(slices.Concat(args, got, want), ", "))
	}
	for _, col := range p.columns[len(p.direct.Types):] {
		if col.kind == partsColumn {
			parts = append(parts, col)
			continue
		}
		message := shown + ": " + col.out + " is then " + col.verb + ", want " + col.verb
		fmt.Fprintf(b, "\t\t\tif %s {\n\t\t\t\tt.Errorf(%s, %s)\n\t\t\t}\n", col.differs(),
			literals.Quoted(message), strings.Join(append(slices.Clone(args), asOften(col.got, col.verb), asOften("test."+col.want, col.verb)), ", "))
	}
	for _, col := range parts {
		of := ""
		if col.out != "" {
			of = " of " + col.out
		}
		verb := literals.PartsVerb(col.parts)
		message := shown + ": part %d" + of + " is " + verb + ", want " + verb
		optional := slices.Contains(col.cells, "nil")
		if optional {
			fmt.Fprintf(b, "if test.%s != nil {\n", col.want)
		}
		fmt.Fprintf(b, "\t\t\tfor i, part := range test.%s(%s) {\n\t\t\t\tif !reflect.DeepEqual(part[0], part[1]) {\n\t\t\t\t\tt.Errorf(%s, %s)\n\t\t\t\t}\n\t\t\t}\n",
			col.want, col.got, literals.Quoted(message), strings.Join(append(slices.Clone(args), "i", asOften("part[0]", verb), asOften("part[1]", verb)), ", "))
		if optional {
			b.WriteString("}\n")
		}
	}
}

// asOften is an argument of Printf as often as a format takes it.
func asOften(arg, format string) string {
	return strings.Join(slices.Repeat([]string{arg}, strings.Count(format, "%")), ", ")
}

// parts name the parts of a case's results and outputs. Those of several results have the same numbers, and no names.
func (p *planned) parts(i int) map[string][]string {
	names := make(map[string][]string)
	for _, col := range p.columns {
		if col.kind != partsColumn {
			continue
		}
		_, several := names[col.out]
		names[col.out] = nil
		for _, part := range col.parts[i] {
			if !several {
				names[col.out] = append(names[col.out], part.Shown())
			}
		}
	}
	return names
}

// taking is what stands before a call whose results are assigned to variables.
func taking(vars []string) string {
	switch {
	case len(vars) == 0:
		return ""
	case slices.ContainsFunc(vars, func(v string) bool { return v != "_" }):
		return strings.Join(vars, ", ") + " := "
	}
	return strings.Join(vars, ", ") + " = "
}

// text is the variable's text in golden files.
func (c *column) text() string { return prefix + "Text(" + c.got + ")" }

// differs is the condition that a result or an output is not as wanted.
func (c *column) differs() string {
	switch c.kind {
	case valueColumn:
		return "!reflect.DeepEqual(" + c.got + ", test." + c.want + ")"
	case timeColumn:
		return "!" + c.got + ".Equal(test." + c.want + ")"
	case saidColumn, errorColumn:
		return "fmt.Sprint(" + c.got + ") != test." + c.want
	case textColumn:
		return c.text() + " != test." + c.want
	}
	return c.got + " != test." + c.want
}
