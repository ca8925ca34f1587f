package sequence

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// Bounds on what is seen of an error beside its text.
const (
	fieldsMost   = 4
	elementsMost = 3 // of a list, each with its fields
)

// part is what is seen of an error beside its text: a field, or of an element of a list what it says as well.
type part struct {
	result
	of string // ".Line", or saysOf
}

const saysOf = ".Error()"

// errorType is the predeclared one.
var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// asFault adds what an error says to a result whose type is another than error, where there is nothing else to see but
// whether there is one, or how many. Of a list fmt says no more than its text.
func asFault(r result, t types.Type) result {
	_, list := t.Underlying().(*types.Slice)
	if list && r.form == asFields {
		r = result{form: length}
	}
	bare := r.form == kept && !r.said || r.form == isNil || r.form == length
	if !bare || !types.Implements(t, errorType) {
		return r
	}
	r.says, r.each = true, list
	if list {
		t = t.Underlying().(*types.Slice).Elem()
		if types.Implements(t, errorType) {
			r.parts = []part{{result{form: literal, basic: textForm}, saysOf}}
		}
	}
	r.parts = append(r.parts, fieldsOf(t)...)
	return r
}

// fieldsOf are the exported fields with plain values of a struct, or of what a pointer points to.
func fieldsOf(t types.Type) (list []part) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		b, ok := f.Type().Underlying().(*types.Basic)
		if ok && f.Exported() && !f.Embedded() && b.Info()&(types.IsInteger|types.IsBoolean|types.IsString) != 0 && b.Kind() != types.Uintptr && len(list) < fieldsMost {
			list = append(list, part{result{form: literal, basic: basicFormOf(b), of: f.Type()}, "." + f.Name()})
		}
	}
	return list
}

// bare is the result without what it says.
func (r result) bare() result {
	r.says, r.each, r.parts = false, false, nil
	return r
}

// saying is source of what the fuzz test says of a result that is an error.
func (r result) saying(v, function string) string {
	of, each, end := v, "", ""
	if r.each {
		of, each, end = v+"[i]", fmt.Sprintf("for i := 0; i < len(%s) && i < %d; i++ {\n", v, elementsMost), "}\n"
	}
	body := ""
	for _, p := range r.parts {
		body += "parts = append(parts, " + p.shown(of+p.of, function) + ")\n"
	}
	if body != "" {
		body = each + body + end
	}
	return fmt.Sprintf("%sError(%s, %s, func() (parts []string) {\n%sreturn parts\n})", function, r.bare().shown(v, function), v, body)
}

// errorFunction is the function of the fuzz test that adds what an error says, and its fields, to what is seen of it. One
// that can't be asked, as it is made in part, says nothing.
func errorFunction(name string) string {
	return fmt.Sprintf(`
func %[1]sError(seen string, v error, parts func() []string) (text string) {
	if seen == %[2]q || seen == "0" {
		return seen
	}
	defer func() {
		if recover() != nil {
			text = seen
		}
	}()
	text = seen + " " + strconv.Quote(v.Error())
	for _, part := range parts() {
		text += " " + strconv.Quote(part)
	}
	return text
}
`, name, isNilText)
}

// divided is what was seen of a result that is an error: what is seen of others of its form, the text, quoted, and its
// parts, quoted.
func (r result) divided(seen string) (bare, text string, parts []string) {
	bare, rest, ok := strings.Cut(seen, ` "`)
	if !r.says || !ok {
		return seen, "", nil
	}
	for rest = `"` + rest; rest != ""; rest = strings.TrimPrefix(rest, " ") {
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return bare, "", nil
		}
		parts, rest = append(parts, q), rest[len(q):]
	}
	return bare, parts[0], parts[1:]
}

// fails says whether a result is an error, by what was seen of it.
func (r result) fails(seen string) bool {
	bare, _, _ := r.divided(seen)
	return (r.form == asError || r.says) && bare != isNilText && bare != "0"
}

// compareFault compares what a result says that is an error.
func (w *caseWriter) compareFault(r result, name, seen string) (compared, bool) {
	bare, text, _ := r.divided(seen)
	c, ok := w.compare(r.bare(), name, bare)
	if text == "" || !ok {
		return c, ok
	}
	c.differ += " || " + name + ".Error() != " + requoted(text)
	if r.form == length || r.several {
		c.verb, c.shown, c.want = c.verb+": %v", c.shown+", "+name, c.want+": "+text
	} else {
		c.verb, c.shown, c.want = "%v", name, text
	}
	return c, true
}

// compareParts compares what is seen of an error beside its text, and the text does not have.
func (w *caseWriter) compareParts(r result, name, seen string) (list []compared) {
	_, text, parts := r.divided(seen)
	known := unquoted(text)
	for i := range parts {
		p, of, was := r.parts[i%len(r.parts)], name, unquoted(parts[i])
		if r.each {
			of += "[" + strconv.Itoa(i/len(r.parts)) + "]"
		}
		if p.basic == textForm && strings.Contains(known, unquoted(was)) {
			continue
		}
		if p.isWide(was) {
			continue
		}
		if p.of == saysOf {
			known += "\n" + unquoted(was)
		}
		if c, ok := w.compare(p.result, of+p.of, was); ok {
			list = append(list, c)
		}
	}
	return list
}

// failureAndParts is failure, and then the comparison of parts of errors: these are looked at where the error is there
// and says the same, and a list of them is as long as before.
func (m method) failureAndParts(call string, list, parts []compared) string {
	text := m.failure(call, list)
	if len(parts) == 0 {
		return text
	}
	var names []string
	for _, c := range parts {
		names = append(names, c.shown)
	}
	return strings.TrimSuffix(text, "\n") + " else if " + m.failure(call+": "+strings.Join(names, ", "), parts)
}
