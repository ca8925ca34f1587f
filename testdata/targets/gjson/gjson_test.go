package gjson

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const people = `{"name":{"first":"Tom","last":"Anderson"},"age":37,"children":["Sara","Alex","Jack"],` +
	`"fav.movie":"Deer Hunter","friends":[{"first":"Dale","age":44,"nets":["ig","fb"]},{"first":"Roger","age":68,"nets":["fb"]}]}`

func FuzzGet(f *testing.F) {
	for _, s := range [][2]string{
		{people, "name.last"},
		{people, "children.#"},
		{people, "child*.2"},
		{people, `fav\.movie`},
		{people, `friends.#(age>45).first`},
		{people, `friends.#(nets.#(=="fb"))#.age`},
		{people, `friends.#(first%"D*")|@this`},
		{people, "{name.first,age}"},
		{people, "[children.0,age]"},
		{people, "friends.@reverse.0.first"},
		{people, "children|@join|@ugly"},
		{people, `@pretty:{"sortKeys":true}`},
		{people, "friends.#.nets.@flatten"},
		{`{"a":1}` + "\n" + `{"a":2}`, "..#.a"},
		{`[1,-2.5e3,true,false,null,"\u00e9\n"]`, "5"},
		{`[[1,[2]],3]`, `@flatten:{"deep":true}`},
		{`{"a":"{\"b\":1}"}`, "a.@fromstr.b"},
		{`{"k":"v"}`, "@keys"},
		{`  `, "a"},
		{`{"a":`, "a.b"},
		{`"x"`, `!"literal"`},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, json, path string) {
		r := gjson.Get(json, path)
		// A modifier makes new text; where it stands in the document means little.
		if !strings.Contains(path, "@") && r.Index > 0 && r.Index+len(r.Raw) <= len(json) && json[r.Index:r.Index+len(r.Raw)] != r.Raw {
			t.Errorf("index %d does not point at %q", r.Index, r.Raw)
		}
		if b := gjson.GetBytes([]byte(json), path); b.Raw != r.Raw || b.Type != r.Type {
			t.Errorf("GetBytes: %q, Get: %q", b.Raw, r.Raw)
		}
		valid := gjson.Valid(json)
		if gjson.ValidBytes([]byte(json)) != valid {
			t.Errorf("Valid is %v, ValidBytes is not", valid)
		}
		doc := gjson.Parse(json)
		if valid && !doc.Exists() {
			t.Error("a valid document does not exist")
		}
		n := 0
		doc.ForEach(func(_, _ gjson.Result) bool { n++; return true })
		if valid && doc.IsArray() && n != len(doc.Array()) {
			t.Errorf("ForEach saw %d elements, Array has %d", n, len(doc.Array()))
		}
		_, _, _ = r.String(), r.Int(), r.Float()
	})
}
