package observe

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// loadText unpacks and loads a module.
func loadText(t *testing.T, text string) (*load.Result, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(text)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r, err := load.Load(t.Context(), load.Config{Dir: dir, Pattern: "."})
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

const pkg = `
-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

import "iter"

type T struct{ n int }

func (t *T) Inc() int { t.n++; return t.n }
func (t *T) Reset()   { t.n = 0 }
func (t T) Get() int  { return t.n }

type I interface{ Do() int }

type G[X any] struct{ x X }

func (g G[X]) Get() X { return g.x }

func One() int                    { return 1 }
func Two(v *T) (int, error)       { return 2, nil }
func Set(v *T)                    {}
func Fill(b []byte, m map[int]int) {}
func Func() func()                { return nil }
func Swap(a, b, c *int) bool      { return true }
func All(v *T) iter.Seq[int]      { return nil }
func Pairs() func(func(string, *T) bool) { return nil }
func Checked() (iter.Seq[int], error) { return nil, nil }
func Each() func(func(int) int)   { return nil }
func Named() func(Yield)          { return nil }

type Yield func(int) bool
`

// rewriteBody rewrites a fuzz target with the given body and returns what became
// of it, and the sites.
func rewriteBody(t *testing.T, body string) (string, []instrument.Site) {
	t.Helper()
	const before = "package p\n\nimport \"testing\"\n\nvar v T\nvar pt *T\nvar i I\nvar g G[string]\nvar a, b, c int\n\n" +
		"func FuzzP(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, bs []byte, s string) {\n"
	const after = "\n\t})\n}\n"
	r, dir := loadText(t, pkg+"-- p_test.go --\n"+before+body+after)
	out := Rewrite(r, 7, nil)
	text, ok := out.Files[filepath.Join(dir, "p_test.go")]
	if !ok {
		return body, out.Sites
	}
	got, ok := strings.CutPrefix(string(text), strings.Replace(before, "package p", `package p; import fuzzmutrt "fuzzmutrt"`, 1))
	if !ok || !strings.HasSuffix(got, after) {
		t.Fatalf("more than the body was rewritten:\n%s", text)
	}
	return strings.TrimSuffix(got, after), out.Sites
}

func TestCalls(t *testing.T) {
	const obs = "; if fuzzmutrt.Observing { fuzzmutrt.ObsArgs("
	for _, tt := range []struct {
		body, want string
		values     []string // of the sites, from 7, as "name: value, value"
	}{
		{"One()", "fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](One())", []string{"p.One: result 0 (int)"}},
		{"go One()", "go One()", nil},
		{"defer One()", "defer One()", nil},
		{"Func()", "Func()", nil},
		{"_ = T{}.Get", "_ = T{}.Get", nil},
		{"_ = i.Do()", "_ = fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](i.Do())", []string{"p.I.Do: result 0 (int)"}},
		{"_ = g.Get()", "_ = fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](g.Get())", []string{"p.G.Get: result 0 (string)"}},
		{"_ = v.Get()", "_ = fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](v.Get())", []string{"p.T.Get: result 0 (int)"}},
		// The address of v is taken implicitly.
		{"v.Inc()", "fuzzmutrt.Obs1P[[7]fuzzmutrt.Byte](v.Inc(), &v)", []string{"(*p.T).Inc: result 0 (int), receiver v"}},
		{"v.Reset()", "v.Reset()" + obs + "7, &v) }", []string{"(*p.T).Reset: receiver v"}},
		// A pointer is observed only where there are no results.
		{"pt.Inc()", "fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](pt.Inc())", []string{"(*p.T).Inc: result 0 (int)"}},
		{"pt.Reset()", "pt.Reset()" + obs + "7, pt) }", []string{"(*p.T).Reset: receiver pt"}},
		{"Set(pt) // why", "Set(pt)" + obs + "7, pt) } // why", []string{"p.Set: argument pt"}},
		{"m := map[int]int{}; Fill(bs, m)", "m := map[int]int{}; Fill(bs, m)" + obs + "7, bs, m) }", []string{"p.Fill: argument bs, argument m"}},
		{
			"n, err := Two(&v); _, _ = n, err",
			"n, err := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&v))" + obs + "8, &v) }; _, _ = n, err",
			[]string{"p.Two: result 0 (int), result 1 (error)", "p.Two: argument v"},
		},
		{
			"if _, err := Two(&v); err != nil {}",
			"if _, err := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&v)); fuzzmutrt.Second(fuzzmutrt.Observing && fuzzmutrt.ObsArgs(8, &v), err != nil) {}",
			[]string{"p.Two: result 0 (int), result 1 (error)", "p.Two: argument v"},
		},
		// After these statements v is another variable.
		{"v, _ := Two(&v); _ = v", "v, _ := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&v)); _ = v", []string{"p.Two: result 0 (int), result 1 (error)"}},
		{"if v, _ := Two(&v); v > 0 {}", "if v, _ := fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&v)); v > 0 {}", []string{"p.Two: result 0 (int), result 1 (error)"}},
		{"var v, _ = Two(&v); _ = v", "var v, _ = fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&v)); _ = v", []string{"p.Two: result 0 (int), result 1 (error)"}},
		// Room for two beside a result, and for the rest after the statement.
		{"Swap(&a, &b, &a)", "fuzzmutrt.Obs1PP[[7]fuzzmutrt.Byte](Swap(&a, &b, &a), &a, &b)", []string{"p.Swap: result 0 (bool), argument a, argument b"}},
		{
			"Swap(&a, &b, &c)", "fuzzmutrt.Obs1PP[[7]fuzzmutrt.Byte](Swap(&a, &b, &c), &a, &b)" + obs + "8, &c) }",
			[]string{"p.Swap: result 0 (bool), argument a, argument b", "p.Swap: argument c"},
		},
		// What iterators yield is observed, wherever the iteration is; of functions that are none nothing is.
		{"for range All(&v) {}", "for range fuzzmutrt.Yield1[[7]fuzzmutrt.Byte](All(&v)) {}", []string{"p.All: elements (int)"}},
		{"for k, x := range Pairs() { _, _ = k, x }", "for k, x := range fuzzmutrt.Yield2[[7]fuzzmutrt.Byte](Pairs()) { _, _ = k, x }", []string{"p.Pairs: elements (string, *p.T)"}},
		{"all := All(nil); _ = all", "all := fuzzmutrt.Yield1[[7]fuzzmutrt.Byte](All(nil)); _ = all", []string{"p.All: elements (int)"}},
		{"_, _ = Checked()", "_, _ = fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Checked())", []string{"p.Checked: result 0 (iter.Seq[int]), result 1 (error)"}},
		{"Each(); Named()", "Each(); Named()", nil},
		// Calls within calls.
		{"Two(&T{n: One()})", "fuzzmutrt.Obs2[[7]fuzzmutrt.Byte](Two(&T{n: fuzzmutrt.Obs1[[8]fuzzmutrt.Byte](One())}))", []string{"p.Two: result 0 (int), result 1 (error)", "p.One: result 0 (int)"}},
		{"defer Set(&T{n: One()})", "defer Set(&T{n: fuzzmutrt.Obs1[[7]fuzzmutrt.Byte](One())})", []string{"p.One: result 0 (int)"}},
	} {
		t.Run(tt.body, func(t *testing.T) {
			t.Parallel()
			got, sites := rewriteBody(t, tt.body)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			var values []string
			for _, s := range sites {
				values = append(values, s.Name+": "+strings.Join(s.Values, ", "))
				if s.Line != 13 {
					t.Errorf("site is in line %d", s.Line)
				}
			}
			if diff := cmp.Diff(tt.values, values); diff != "" {
				t.Errorf("sites: want -, got +:\n%s", diff)
			}
		})
	}
}

// Only what the fuzz tests lead to is rewritten, through functions, types,
// variables and across the two packages of test files.
func TestReachedCode(t *testing.T) {
	r, dir := loadText(t, pkg+`
-- p_test.go --
package p

import "testing"

var Alias = One

func Exported() int { return One() }

func FuzzP(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { table[0](); new(impl).run() })
}

var table = []func() int{func() int { return One() }}

type iface interface{ run() }

type impl struct{}

func (impl) run()      {}
func (impl) viaIface() { One() }

func helper() { One() }

func TestP(t *testing.T) { helper() }

var unused = One()
-- x_test.go --
package p_test

import (
	"testing"

	"example.com/p"
)

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { p.Exported(); p.Alias() })
}
-- y_test.go --
package p_test

import "example.com/p"

func y() int { return p.One() }
`)
	out := Rewrite(r, 0, nil)
	type place struct {
		File, Name string
		Line       int
	}
	var got []place
	for _, s := range out.Sites {
		got = append(got, place{filepath.Base(s.File), s.Name, s.Line})
	}
	want := []place{
		{"p_test.go", "p.One", 7},
		{"p_test.go", "p.One", 13},
		{"p_test.go", "p.One", 20},
		{"x_test.go", "p.Alias", 10},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	if _, ok := out.Files[filepath.Join(dir, "y_test.go")]; ok || len(out.Files) != 2 {
		t.Errorf("%d files are rewritten", len(out.Files))
	}
	skipped := Rewrite(r, 0, map[string]bool{filepath.Join(dir, "p_test.go"): true})
	if len(skipped.Files) != 1 || len(skipped.Sites) != 1 {
		t.Errorf("with a file left alone, %d files and %d sites", len(skipped.Files), len(skipped.Sites))
	}
}

// For the package's own tests, what any of them leads to is rewritten, and what only a
// benchmark does is not. A site names the function that the call is in.
func TestReachedByTests(t *testing.T) {
	r, dir := loadText(t, pkg+`
-- p_test.go --
package p

import "testing"

func helper() int { return One() }

func TestP(t *testing.T) { helper() }

func ExampleOne() {
	One()
	// Output:
}

func FuzzP(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { One() })
}

func TestMain(m *testing.M) { One() }

type suite struct{}

func (suite) TestMethod() { One() }

func slow() int { return One() }

func BenchmarkP(b *testing.B) { slow() }
-- y_test.go --
package p_test

import "example.com/p"

func y() int { return p.One() }
`)
	out := RewriteTests(r, 3, nil)
	var got []string
	for _, s := range out.Sites {
		got = append(got, s.In+" "+s.Name)
	}
	if want := []string{"p.helper p.One", "p.ExampleOne p.One", "p.FuzzP p.One", "p.TestMain p.One"}; !slices.Equal(got, want) {
		t.Errorf("sites %q, want %q", got, want)
	}
	text := string(out.Files[filepath.Join(dir, "p_test.go")])
	if len(out.Files) != 1 || !strings.Contains(text, "func helper() int { return fuzzmutrt.Obs1[[3]fuzzmutrt.Byte](One()) }") {
		t.Errorf("%d files are rewritten, the first to:\n%s", len(out.Files), text)
	}
}

// Golden values of fuzz tests whose inputs become test cases hold what methods were called on: some have
// no other result. What makes an argument there is not observed, since no test case compares it.
func TestReceiversInFlatFuzzTests(t *testing.T) {
	r, dir := loadText(t, `-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

type T struct{ N int }

func New(n int) *T { return &T{N: n} }

func (t *T) Set(n int) { t.N = n }
-- a_test.go --
package p

import "testing"

func FuzzFlat(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		v := New(n)
		v.Set(n)
	})
}
-- b_test.go --
package p

import "testing"

func FuzzOwn(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		v := New(n)
		v.Set(n)
	})
}
`)
	r.Derived = []load.Derived{{Test: &target.Test{Name: "FuzzFlat", Flat: true}, File: filepath.Join(dir, "a_test.go")}}
	want := []string{"receiver v:", "result 0 (*p.T):", "receiver v:" + string(golden.ViewNone)}
	sites := Rewrite(r, 0, nil).Sites
	if len(sites) != len(want) {
		t.Fatalf("%d sites, want %d", len(sites), len(want))
	}
	for i, site := range sites {
		if got := site.Values[0] + ":" + string(site.GoldenView(0)); got != want[i] {
			t.Errorf("%s shows %s, want %s", site.File, got, want[i])
		}
	}
}
