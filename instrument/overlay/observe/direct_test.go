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
-- p_test.go --
package p

import (
	"strings"
	"testing"
)

var text, got = strings.Repeat("a", 2), ""

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
			if c.call != "" && (len(d.Types) != 1 || len(d.Params) != 1 || d.Params[0] != Param{Name: "s", Type: "string"}) {
				t.Errorf("%+v", d)
			}
		})
	}
}
