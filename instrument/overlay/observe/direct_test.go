package observe

import (
	"strings"
	"testing"
)

// A call is direct if a test can make it without the fuzz test.
func TestFindDirect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, call, shown string }{
		"a call":                      {"Two(s)", "Two(test.s)", "Two(%q)"},
		"results assigned":            {"n := Two(s); if n > 3 { t.Skip() }", "Two(test.s)", "Two(%q)"},
		"in an if statement":          {"if n := Two(s); n > 3 { t.Skip() }", "Two(test.s)", "Two(%q)"},
		"a conversion":                {"Two(strings.ToUpper(string([]byte(s))) + \"%\")", "Two(strings.ToUpper(string([]byte(test.s))) + \"%\")", "Two(strings.ToUpper(string([]byte(%q))) + \"%%\")"},
		"a variable of the package":   {"Two(text)", "Two(text)", "Two(text)"},
		"a second call":               {"Two(s); Two(s)", "", ""},
		"a variable of the fuzz test": {"Two(seed)", "", ""},
		"a variable of the target":    {"u := s + s; Two(u)", "", ""},
		"a method":                    {"new(T).Get(s)", "", ""},
		"not at the beginning":        {"if s == \"\" { t.Skip() }; Two(s)", "", ""},
		"under a condition":           {"_ = s == \"\" || Two(s) > 0", "", ""},
		"a name that the test takes":  {"Two(got)", "", ""},
		"a function literal":          {"Two(func() string { return s }())", "", ""},
		"the *testing.T":              {"Two(t.Name())", "", ""},
		"what the call may change":    {"Set(&text)", "", ""},
		"a list":                      {"More(s, list...)", "", ""},
		"a list of nothing":           {"More(s, nil...)", "More(test.s, nil...)", "More(%q, nil...)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := loadText(t, `-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

type T struct{}

func Two(s string) int { return len(s) }

func Set(s *string) int { *s = ""; return 1 }

func (*T) Get(s string) int { return len(s) }

func More(s string, more ...any) int { return len(s) }
-- p_test.go --
package p

import (
	"strings"
	"testing"
)

var text, got = strings.Repeat("a", 2), ""

var list []any

func FuzzX(f *testing.F) {
	seed := text
	f.Add(seed)
	f.Fuzz(func(t *testing.T, s string) { `+c.body+` })
}
`)
			d := FindDirect(r, "FuzzX", func(param string) string { return "test." + param }, "got")
			if d == nil {
				d = new(Direct)
			}
			if d.Call != c.call || d.Shown != c.shown || strings.Contains(c.call, "strings.") != (len(d.Imports) == 1) {
				t.Errorf("%q, %q, imports %v", d.Call, d.Shown, d.Imports)
			}
			if c.call != "" && (len(d.Types) != 1 || len(d.Params) != 1 || d.Params[0].Name != "s" || d.Params[0].Type != "string") {
				t.Errorf("%+v", d)
			}
		})
	}
}

// Calls before it make values for a prepared one, and what they return is not compared.
// What follows the first call is of no matter to a test of that call.
func TestFindFirst(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"n := Two(s); if n > 3 { t.Skip() }; Two(s[1:])":      "Two(test.s)",
		"n := Two(s)\n m := Two(s)\n if n != m { t.Fatal() }": "Two(test.s)",
		"s += s\n Two(s)":        "",
		"for range s { Two(s) }": "",
		"Two(s)":                 "Two(test.s)",
	} {
		r, _ := loadText(t, `-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

func Two(s string) int { return len(s) }
-- p_test.go --
package p

import "testing"

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		`+strings.ReplaceAll(body, "; ", "\n")+`
	})
}
`)
		d := FindFirst(r, "FuzzX", func(param string) string { return "test." + param }, "got")
		if d == nil {
			d = &Direct{Number: 1}
		}
		if d.Call != want || d.Number != 1 || d.Before != "" {
			t.Errorf("%s: %+v", body, d)
		}
	}
}

func TestFindPrepared(t *testing.T) {
	t.Parallel()
	const made = "v, err := New(s); if err != nil { return }\n"
	for name, c := range map[string]struct{ body, before, call, shown string }{
		"one call":             {"Two(s)", "", "Two(test.s)", "Two(%q)"},
		"a method":             {made + "v.Get(s)", "v, err := New(test.s); if err != nil { t.Fatal(err) }", "v.Get(test.s)", "New(%q).Get(%q)"},
		"the address":          {made + "w := Make(s)\n v.Put(&w)", "v, err := New(test.s); if err != nil { t.Fatal(err) }\nw := Make(test.s)", "v.Put(&w)", "New(%q).Put(&Make(%q))"},
		"another condition":    {"v := Find(s); if v == nil { return }\n v.Get(\"%\")", "v := Find(test.s); if v == nil { t.Fatal(\"v == nil\") }", "v.Get(\"%\")", "Find(%q).Get(\"%%\")"},
		"a struct":             {"v := &T{n: len(s)}\n v.Get(s)", "v := &T{n: len(test.s)}", "v.Get(test.s)", "&T{n: len(%q)}.Get(%q)"},
		"fields without names": {"v := T{len(s)}\n v.Get(s)", "", "", ""},
		"the same function":    {"n := Two(s)\n Two(s[n:])", "n := Two(test.s)", "Two(test.s[n:])", "Two(%q[Two(%q):])"},
		"what follows is left": {made + "if v.Get(s) > 0 { t.Error(s) }", "", "", ""},
		"a loop":               {"v := Find(s); for v == nil { v = Find(s) }\n v.Get(s)", "", "", ""},
		"another way out":      {"v := Find(s); if v == nil { t.Skip() }\n v.Get(s)", "", "", ""},
		"an assignment":        {"v := Find(s); *v = T{}\n v.Get(s)", "", "", ""},
		"no results":           {made + "v.Do()", "v, err := New(test.s); if err != nil { t.Fatal(err) }", "v.Do()", "New(%q).Do()"},
		"nothing to show":      {"w := Make(s)\n w.Say()", "", "Make(test.s)", "Make(%q)"},
		"a zero value":         {made + "var w T\n v.Put(&w)", "v, err := New(test.s); if err != nil { t.Fatal(err) }\nvar w T", "v.Put(&w)", "New(%q).Put(&w)"},
		"a variable's value":   {made + "var w = T{}\n v.Put(&w)", "", "", ""},
		"a type of the target": {made + "type U = T\n var w U\n v.Put(&w)", "", "", ""},
		"a name of the test":   {"got := Find(s)\n got.Get(s)", "", "", ""},
		"the *testing.T":       {made + "v.Get(t.Name())", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := loadText(t, `-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

type T struct{ n int }

func New(s string) (*T, error) { return new(T), nil }

func Find(s string) *T { return new(T) }

func Make(s string) T { return T{} }

func Two(s string) int { return len(s) }

func (*T) Get(s string) int { return len(s) }

func (*T) Put(t *T) bool { return true }

func (*T) Do() {}

func (T) Say() {}
-- p_test.go --
package p

import "testing"

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { `+c.body+` })
}
`)
			d := FindPrepared(r, "FuzzX", func(param string) string { return "test." + param }, "got", "err")
			if d == nil {
				d = new(Direct)
			}
			if d.Before != c.before || d.Call != c.call || d.Shown != c.shown {
				t.Errorf("%q, %q, %q", d.Before, d.Call, d.Shown)
			}
			if want := 1 + strings.Count(d.Before, "Two("); c.call != "" && d.Number != want {
				t.Errorf("call number %d, want %d", d.Number, want)
			}
		})
	}
}

// A parameter that is only converted to a declared type has this type in the test, where a value of
// it is asked for.
func TestConvertedParameters(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct{ call, shown, types string }{
		"Mark(s, Mode(n), b)":                        {"Mark(test.s, test.n, test.b)", "Mark(%q, %v, %q)", "string Mode byte"},
		"Mark(string(Text(s)), Mode(n), b)":          {"Mark(string(Text(test.s)), test.n, test.b)", "Mark(string(Text(%q)), %v, %q)", "string Mode byte"},
		"Mark(s, (Mode)((n)), 'a')":                  {"Mark(test.s, test.n, 'a')", "Mark(%q, %v, 'a')", "string Mode byte"},
		"Mark(s, Mode(n), byte(n))":                  {"Mark(test.s, Mode(test.n), byte(test.n))", "Mark(%q, Mode(%v), byte(%v))", "string uint8 byte"},
		"Mark(s, Mode(b), byte(n))":                  {"Mark(test.s, test.b, byte(test.n))", "Mark(%q, %v, byte(%v))", "string uint8 Mode"},
		"Any(Mode(n))":                               {"Any(Mode(test.n))", "Any(Mode(%v))", "string uint8 byte"},
		"All(s, Mode(n), Mode(b))":                   {"All(test.s, test.n, test.b)", "All(%q, %v, %v)", "string Mode Mode"},
		"Of(Mode(n))":                                {"Of(Mode(test.n))", "Of(Mode(%v))", "string uint8 byte"},
		"Same(Mode(n) + 1)":                          {"Same(Mode(test.n) + 1)", "Same(Mode(%v) + 1)", "string uint8 byte"},
		"Long(Size(n))":                              {"Long(Size(test.n))", "Long(Size(%v))", "string uint8 byte"},
		"Mark(s, (Mode(n)), b)":                      {"Mark(test.s, (test.n), test.b)", "Mark(%q, (%v), %q)", "string Mode byte"},
		"Mode(n).Name()":                             {"test.n.Name()", "%v.Name()", "string Mode byte"},
		"(Mode(n)).Name()":                           {"(test.n).Name()", "(%v).Name()", "string Mode byte"},
		"Mode(n).And(Mode(b))":                       {"test.n.And(test.b)", "%v.And(%v)", "string Mode Mode"},
		"v := &T{M: Mode(n)}\n v.Get(time.Month(3))": {"v.Get(time.Month(3))", "&T{M: %v}.Get(time.Month(3))", "string Mode byte"},
	} {
		r, _ := loadText(t, `-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

import "time"

type Mode uint8

type Size int64

type Text string

func (Mode) Name() string { return "" }

func (Mode) And(Mode) Mode { return 0 }

type T struct{ M Mode }

func (*T) Get(time.Month) int { return 1 }

func Mark(s string, m Mode, b byte) int { return len(s) }

func Any(v any) int { return 1 }

func All(s string, all ...Mode) int { return 1 }

func Of[X any](x X) int { return 1 }

func Same(m Mode) int { return 1 }

func Long(n Size) int { return 1 }
-- p_test.go --
package p

import (
	"testing"
	"time"
)

const _ = time.March

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, n uint8, b byte) {
		`+body+`
	})
}
`)
		d := FindPrepared(r, "FuzzX", func(param string) string { return "test." + param }, "got")
		if d == nil {
			t.Errorf("%s: nil", body)
			continue
		}
		var list []string
		for _, p := range d.Params {
			list = append(list, p.Type)
		}
		if got := strings.Join(list, " "); d.Call != want.call || d.Shown != want.shown || got != want.types {
			t.Errorf("%s: %q, %q, %q", body, d.Call, d.Shown, got)
		}
	}
}
