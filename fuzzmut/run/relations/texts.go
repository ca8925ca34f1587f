package relations

import "strings"

// conversions are functions of package strings that a result may be made with.
var conversions = []struct {
	of   func(string) string
	name string
}{
	{strings.ToLower, "ToLower"}, {strings.ToUpper, "ToUpper"}, {strings.TrimSpace, "TrimSpace"},
}

// containments are functions of package strings that say where one text is in another, those that say
// most first.
var containments = []struct {
	in   func(s, part string) bool
	name string
}{
	{strings.HasPrefix, "HasPrefix"}, {strings.HasSuffix, "HasSuffix"}, {strings.Contains, "Contains"},
}

// texts are results that are made of another text by a conversion, that hold another text, or are part of
// one.
func (t *table) texts() {
	for j := range t.columns {
		for i := range t.columns {
			if t.columns[j].kind() != textKind || i == j || !t.related(i, j) || !t.first(i) || !t.first(j) || !t.varies(i, t.rows) || !t.varies(j, t.rows) {
				continue
			}
			if count(t.rows, func(r Row) bool { return r[i].(string) != "" }) >= RowsLeast/2 {
				t.converted(i, j)
				t.contained(i, j)
			}
		}
	}
}

func (t *table) converted(i, j int) {
	if !t.columns[j].Result || t.columns[i].Result {
		return
	}
	for _, c := range conversions {
		if every(t.rows, func(r Row) bool { return r[j].(string) == c.of(r[i].(string)) }) {
			a, b := t.columns[j].as("string"), "strings."+c.name+"("+t.columns[i].as("string")+")"
			t.add(nil, a+" == "+b, a+" != "+b, steps(func(r Row) bool { return r[j].(string) != c.of(r[i].(string)) }), j, i)
			t.list[len(t.list)-1].Package = "strings"
		}
	}
}

func (t *table) contained(i, j int) {
	for _, c := range containments {
		if every(t.rows, func(r Row) bool { return c.in(r[j].(string), r[i].(string)) }) {
			call := "strings." + c.name + "(" + t.columns[j].as("string") + ", " + t.columns[i].as("string") + ")"
			t.add(nil, call, "!"+call, steps(func(r Row) bool { return !c.in(r[j].(string), r[i].(string)) }), j, i)
			t.list[len(t.list)-1].Package = "strings"
			return
		}
	}
}
