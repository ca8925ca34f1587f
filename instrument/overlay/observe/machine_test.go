package observe

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What operations return is observed where the machine that calls them is run, and what writers
// get after each call of a method that writes to them.
func TestOperations(t *testing.T) {
	const machine = "-- fuzzmut/fuzzmut.go --\npackage fuzzmut\n\nimport \"testing\"\n\ntype Machine[S any] struct{ Ops []any }\n\nfunc (m Machine[S]) Fuzz(f *testing.F) {}\n"
	for _, c := range []struct {
		name, body, want string
		sites            []string
	}{
		{
			"listed", "lib.Machine[*T]{Ops: []any{(*T).Reset, (*T).Inc, One}}.Fuzz(f)", "lib.Machine[*T]{Ops: []any{(*T).Reset, (*T).Inc, One}}.Fuzz(fuzzmutrt.ObsOps(f, 7, \".Inc\", \"One\"))",
			[]string{"p.T.Inc: result 0 (int)", "p.One: result 0 (int)"},
		},
		{
			"all methods", "m := lib.Machine[*T]{}; m.Fuzz(f)", "m := lib.Machine[*T]{}; m.Fuzz(fuzzmutrt.ObsOps(f, 7, \".Get\", \".Inc\"))",
			[]string{"p.T.Get: result 0 (int)", "p.T.Inc: result 0 (int)"},
		},
		{"none returns anything", "lib.Machine[*T]{Ops: []any{(*T).Reset}}.Fuzz(f)", "lib.Machine[*T]{Ops: []any{(*T).Reset}}.Fuzz(f)", nil},
		{"another Fuzz", "f.Fuzz(func(t *testing.T, s string) {})", "f.Fuzz(func(t *testing.T, s string) {})", nil},
	} {
		// The library is known by its import path, which is that of the module here.
		module := strings.Replace(pkg, "module example.com/p", "module github.com/fuzzmut/fuzzmut", 1)
		before := "package p\n\nimport (\n\t\"testing\"\n\n\tlib \"github.com/fuzzmut/fuzzmut/fuzzmut\"\n)\n\nvar _ lib.Machine[int]\n\nfunc FuzzP(f *testing.F) {\n\t"
		r, dir := loadText(t, module+machine+"-- p_test.go --\n"+before+c.body+"\n}\n")
		out := Rewrite(r, 7, nil)
		got := c.body
		if text, ok := out.Files[filepath.Join(dir, "p_test.go")]; ok {
			_, got, _ = strings.Cut(string(text), "func FuzzP(f *testing.F) {\n\t")
			got = strings.TrimSuffix(got, "\n}\n")
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		var sites []string
		for _, s := range out.Sites {
			sites = append(sites, s.GoldenName()+": "+strings.Join(s.Values, ", "))
		}
		if diff := cmp.Diff(c.sites, sites); diff != "" {
			t.Errorf("%s: sites (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestWriters(t *testing.T) {
	const source = "-- go.mod --\nmodule example.com/p\n\ngo 1.26\n-- p.go --\npackage p\n\nimport \"io\"\n\ntype W struct{ w io.Writer }\n\n" +
		"func New(w io.Writer) (*W, error) { return &W{w}, nil }\nfunc (w *W) Put(s string) error { return nil }\nfunc (w *W) Len() int { return 0 }\n"
	for _, c := range []struct{ name, body, want string }{
		{"by address", "var b bytes.Buffer; w, _ := New(&b); w.Put(s)", "w, _ := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](New(&b)); if fuzzmutrt.Observing { fuzzmutrt.ObsArgs(8, &b) }; fuzzmutrt.Obs1[[9]fuzzmutrt.Byte](w.Put(s)); if fuzzmutrt.Observing { fuzzmutrt.ObsArgs(10, w, &b) }"},
		{"by pointer", "b := new(strings.Builder); w, _ := New(b); _ = w.Len()", "w, _ := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](New(b)); _ = fuzzmutrt.Obs1[[8]fuzzmutrt.Byte](w.Len()); if fuzzmutrt.Observing { fuzzmutrt.ObsArgs(9, b) }"},
		{"hidden", "var b bytes.Buffer; w, _ := New(&b); { b := 1; _ = w.Len(); _ = b }", "{ b := 1; _ = fuzzmutrt.Obs1[[9]fuzzmutrt.Byte](w.Len()); _ = b }"},
		{"another type", "var b struct{ bytes.Buffer }; w, _ := New(&b); _ = w.Len()", "_ = fuzzmutrt.Obs1[[9]fuzzmutrt.Byte](w.Len())\n"},
	} {
		r, dir := loadText(t, source+"-- p_test.go --\npackage p\n\nimport (\n\t\"bytes\"\n\t\"strings\"\n\t\"testing\"\n)\n\nvar _ strings.Builder\nvar _ bytes.Buffer\n\nfunc FuzzP(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) {\n"+c.body+"\n})\n}\n")
		out := Rewrite(r, 7, nil)
		if got := string(out.Files[filepath.Join(dir, "p_test.go")]); !strings.Contains(got, c.want) {
			t.Errorf("%s: no\n%s\nin\n%s", c.name, c.want, got)
		}
	}
}
