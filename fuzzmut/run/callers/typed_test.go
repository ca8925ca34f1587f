package callers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// lines says that the lines of a text hold a mark.
func lines(r *load.Result) func(file string, first, last int) bool {
	text := strings.Split(string(r.Packages[0].Files[0].Src), "\n")
	return func(file string, first, last int) bool {
		return file == loadtest.File && strings.Contains(strings.Join(text[first-1:last], "\n"), "// changed")
	}
}

// found is what Find finds, in lines.
func found(t *testing.T, before, after *load.Result) string {
	t.Helper()
	f, err := Find(before, after, lines(after))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range f.Reached {
		list = append(list, "reached "+name)
	}
	for _, target := range f.Targets {
		text := "target " + target.Function
		for _, m := range target.Makers {
			text += " made by " + m.Function
		}
		list = append(list, text)
	}
	for _, note := range f.Left {
		list = append(list, "left "+note.What+": "+note.Reason)
	}
	return strings.ReplaceAll(strings.Join(list, "\n"), "example.com/", "")
}

// By which way changed code is reached, and by which not.
func TestWaysToChangedCode(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a recursive function", `
func F(n int) int { return f(n) }
func f(n int) int { return f(n-1) } // changed
`, "target m.F"},
		{"functions that call each other", `
func A(n int) int { return b(n) }
func b(n int) int { return c(n) }
func c(n int) int { return b(n) } // changed
`, "target m.A"},
		{"a function literal of a variable", `
var run = func(n int) int { return low(n) }
func F(n int) int { return run(n) }
func low(n int) int { return 1 } // changed
`, "target m.F"},
		{"a method value", `
type T struct{ N int }
func (t T) low(n int) int { return 1 } // changed
func F(n int) int { f := T{}.low; return f(n) }
`, "target m.F"},
		{"a method expression", `
type T struct{ N int }
func (t T) low(n int) int { return 1 } // changed
func F(n int) int { return T.low(T{}, n) }
`, "target m.F"},
		{"an embedded method", `
type inner struct{ N int }
func (i inner) Low(n int) int { return 1 } // changed
type T struct{ inner }
func F(n int) int { return T{}.Low(n) }
`, "target m.F"},
		{"an instance of a function with type parameters", `
func low[P any](p P) int { return 1 } // changed
func F(n int) int { return low(n) }
`, "target m.F"},
		{"a method of a type with type parameters", `
type list[P any] struct{ all []P }
func (l *list[P]) add(p P) { l.all = append(l.all, p) } // changed
func F(n int) int { l := new(list[int]); l.add(n); return 1 }
`, "target m.F"},
		{"methods of an interface have as many parameters", `
type shape interface{ area(n int) int }
type one struct{}
func (one) area(n int) int { return 1 } // changed
type two struct{}
func (two) area(n, m int) int { return 1 } // changed
func F(n int) int { var s shape; return s.area(n) }
`, "target (m.two).area\ntarget m.F"},
		{"a method that fmt calls", `
type code int
func (c code) String() string { return "x" } // changed
func F(n int) string { return fmt.Sprint("a", code(n)) }
`, "target m.F"},
		{"a nearer one by a longer way", `
func Near(n int) int { return low(n) }
func Via(n int) int { return x(n) }
func x(n int) int { return y(n) }
func y(n int) int { return low(n) }
func low(n int) int { return 1 } // changed
`, "target m.Near\ntarget m.Via"},
		{"init calls it", `
func init() { low(1) }
func low(n int) int { return 1 } // changed
`, "target m.low"},
		{"two functions named init", `
var a, b int
func init() { a = one() }
func init() { b = two() }
func one() int { return 1 } // changed
func two() int { return 1 } // changed
func A(n int) int { return a }
func B(n int) int { return b }
`, "target m.A\ntarget m.B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loadtest.Typed(t, c.code, "")
			if diff := cmp.Diff(c.want, found(t, r, r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A function that would change something outside of the process is not called by a fuzz
// test, however it does so.
func TestEffects(t *testing.T) {
	const why = "left m.F: F "
	for _, c := range []struct{ name, code, want string }{
		{"itself", "func F(s string) { os.Remove(s) } // changed", why + "calls os.Remove"},
		{"by a function", "func F(s string) { f(s) } // changed\nfunc f(s string) { os.Mkdir(s, 0) }", why + "calls m.f, which calls os.Mkdir"},
		{"by two", "func F(s string) { f(s) } // changed\nfunc f(s string) { g(s) }\nfunc g(s string) { log.Fatal(s) }", why + "calls m.g, which calls log.Fatal"},
		{"by a variable", "func F(s string) { f(s) } // changed\nvar f = os.Remove", why + "calls os.Remove"},
		{"a method", "func F(s string) { var l *log.Logger; l.Fatalln(s) } // changed", why + "calls log.Logger.Fatalln"},
		{"of a file", "func F(s string) { var f *os.File; f.Truncate(0) } // changed", why + "calls os.File.Truncate"},
		{"a value of a function", "func F(s string) { f := os.Exit; f(1) } // changed", why + "calls os.Exit"},
		{"reading", "func F(s string) ([]byte, error) { return os.ReadFile(s) } // changed", "target m.F"},
		{"one of the same name", "type os2 struct{}\nfunc (os2) Remove(s string) {}\nfunc F(s string) { os2{}.Remove(s) } // changed", "target m.F"},
		{"by an interface: nobody knows", "type i interface{ Do(s string) }\ntype t struct{}\nfunc (t) Do(s string) { os.Remove(s) }\nfunc F(s string) { var x i = t{}; x.Do(s) } // changed", "target m.F"},
		{"in init", "func init() { os.Remove(\"x\") }\nfunc F(s string) { } // changed", "target m.F"},
		{"as a variable is made", "var file, _ = os.Create(\"x\")\nfunc F(s string) { _ = file } // changed", "target m.F"},
		{"in a function that a variable holds", "var clean = func(s string) { os.Remove(s) }\nfunc F(s string) { clean(s) } // changed", why + "calls os.Remove"},
		{"in code that never runs", "const debug = false\nfunc F(s string) { if debug { os.Remove(s) } } // changed", "target m.F"},
		{"in code that never runs, with a condition", "const debug = false\nfunc F(s string) { if s != \"\" && debug { os.Remove(s) } } // changed", "target m.F"},
		{"in place of code that never runs", "const debug = false\nfunc F(s string) { if debug { } else { os.Remove(s) } } // changed", why + "calls os.Remove"},
		{"in a condition", "const debug = false\nfunc F(s string) { if os.Remove(s) == nil && debug { } } // changed", why + "calls os.Remove"},
		{"in code that a variable switches on", "var debug = false\nfunc F(s string) { if debug { os.Remove(s) } } // changed", why + "calls os.Remove"},
		{"one above is free of it", "func Top(s string) { if false { f(s) } }\nfunc F(s string) { Top(s) }\nfunc f(s string) { os.Remove(s) } // changed", "left m.f: f calls os.Remove"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loadtest.Typed(t, c.code, "")
			if diff := cmp.Diff(c.want, found(t, r, r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsGone(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []Note
	}{
		{"nothing", "func F(n int) {}", "func F(m int) (int, error) { return 0, nil }", nil},
		{"not exported", "func f(n int) {}\ntype t int\nfunc (t) F() {}", "", nil},
		{"a method of an interface", "type I interface{ M(n int) }", "type I interface{}", nil},
		{"gone", "func F(n int) {}", "", []Note{{"m.F", "it is gone", true}}},
		{"arguments", "func F(a, b int) {}", "func F(a int, b ...int) {}", []Note{{"m.F", "its arguments changed: (int, int) before, (int, []int...) now", true}}},
		{"a list for many", "func F(a []int) {}", "func F(a ...int) {}", []Note{{"m.F", "its arguments changed: ([]int) before, ([]int...) now", true}}},
		{"an empty interface", "func F(a interface{}, b map[string]interface{}, c func(interface{})) {}\nfunc G[T interface{}](t T) {}", "func F(a any, b map[string]any, c func(any)) {}\nfunc G[T any](t T) {}", nil},
		{"an alias", "type T struct{}\ntype A = T\nfunc F(a []A, b map[A]*A) {}", "type T struct{}\ntype A = T\nfunc F(a []T, b map[T]*T) {}", nil},
		{"the receiver", "type T int\nfunc (T) M() {}", "type T int\nfunc (*T) M() {}", []Note{{"m.T.M", "it is gone", true}}},
		{"type parameters", "func F[P any](p P) {}", "func F[P comparable](p P) {}", []Note{{"m.F", "its type parameters changed: [P any] before, [P comparable] now", true}}},
		{"another name of a type parameter", "func F[P any](p P, l ...P) {}\ntype T[P any] struct{}\nfunc (T[P]) M(p P) {}", "func F[Q any](p Q, l ...Q) {}\ntype T[Q any] struct{}\nfunc (T[Q]) M(p Q) {}", nil},
		{"type parameters that change places", "func F[P, Q any](p P, q Q) {}", "func F[P, Q any](p Q, q P) {}", []Note{{"m.F", "its arguments changed: (P, Q) before, (Q, P) now", true}}},
		{"a type that is called like a type parameter was", "type Q int\nfunc F[P any](p Q) {}", "type Q int\nfunc F[Q any](p Q) {}", []Note{{"m.F", "its arguments changed: (example.com/m.Q) before, (Q) now", true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Gone(loadtest.Typed(t, c.before, ""), loadtest.Typed(t, c.after, ""))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// seedsOf are the seeds of a function F that tests call.
func seedsOf(t *testing.T, code, tests string) string {
	t.Helper()
	return seedsOfFunction(t, "F", code, tests)
}

func seedsOfFunction(t *testing.T, name, code, tests string) string {
	t.Helper()
	r := loadtest.Typed(t, code, tests)
	g := newGraph(r)
	var n *node
	for _, m := range g.nodes {
		if m.fn != nil && m.fn.Name() == name && m.own {
			n = m
		}
	}
	if n == nil {
		t.Fatal("there is no " + name)
	}
	return show(g.seeds(n))
}

func TestSeedsOfTests(t *testing.T) {
	for _, c := range []struct{ name, code, tests, want string }{
		{"calls", "func F(s string, n int) {}", "func TestF(t *testing.T) { F(\"a\", 1); F(\"b\", len(os.Args)) }", `"a" 1; "b" -`},
		{"what one above is given", "func F(n int, s string) {}\nfunc All(text string, n int) { F(n, text) }", "func TestAll(t *testing.T) { All(\"a\", 3) }", `3 "a"`},
		{"what one above is given: several texts", "func F(s, u string) {}\nfunc All(s, v string) { F(s, v) }", "func TestAll(t *testing.T) { All(\"a\", \"b\") }", `"a" -`},
		{"what one above is given: of other types", "func F(n int) {}\nfunc All(n string) { F(len(n)) }", "func TestAll(t *testing.T) { All(\"a\") }", ""},
		{"own ones first", "func F(s string) {}\nfunc All(s string) { F(s) }", "func TestAll(t *testing.T) { All(\"a\"); F(\"b\"); All(\"b\") }", `"b"; "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := seedsOf(t, c.code, c.tests); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Tests call UnmarshalJSON through package json: texts that make values of its type are seeds, as JSON.
func TestSeedsInJSON(t *testing.T) {
	const parse = "type T int\nfunc Parse(s string) (*T, error) { return nil, nil }\nfunc Size(s string) int { return 0 }\n"
	const tests = "func TestParse(t *testing.T) { Parse(\"a\"); Size(\"b\"); Parse(\"\\\"\") }"
	for _, c := range []struct{ name, method, want string }{
		{"UnmarshalJSON", "func (t *T) UnmarshalJSON(data []byte) error { return nil }", `"\"a\""; "\"\\\"\""`},
		{"UnmarshalText", "func (t *T) UnmarshalText(data []byte) error { return nil }", ""},
		{"UnmarshalJSON", "type U int\nfunc (u *U) UnmarshalJSON(data []byte) error { return nil }", ""},
		{"UnmarshalJSON", "func UnmarshalJSON(data []byte) (T, error) { return 0, nil }", ""},
	} {
		if got := seedsOfFunction(t, c.name, parse+c.method, tests); got != c.want {
			t.Errorf("%s: %s, want %s", c.method, got, c.want)
		}
	}
}

// Of many seeds there are some, from all parts of the tests.
func TestSeedsHaveABound(t *testing.T) {
	var calls strings.Builder
	for i := range 3 * target.SeedsMost {
		fmt.Fprintf(&calls, "F(%d); ", i)
	}
	list := strings.Split(seedsOf(t, "func F(n int) {}", "func TestF(t *testing.T) { "+calls.String()+" }"), "; ")
	if len(list) != target.SeedsMost || list[0] != "0" || list[1] != "3" || list[target.SeedsMost-1] != fmt.Sprint(3*(target.SeedsMost-1)) {
		t.Errorf("%d seeds: %q", len(list), list)
	}
}

// A function that makes what another takes: one with texts before others, then one with few
// arguments, then the first.
func TestMakers(t *testing.T) {
	const typ = "type T struct{ n int }\nfunc F(t *T) int { return t.n } // changed\n"
	for _, c := range []struct{ name, code, want string }{
		{"a text before numbers", "func FromInt(n int) *T { return nil }\nfunc FromText(s string, n int) *T { return nil }", "target m.F made by FromText"},
		{"few arguments", "func A(s, u string) *T { return nil }\nfunc B(s string) *T { return nil }", "target m.F made by B"},
		{"the first", "func A(s string) (*T, error) { return nil, nil }\nfunc B(s string) T { return T{} }", "target m.F made by A"},
		{"none that ends the process", "func MustParse(s string) *T { return nil }\nfunc New(n int) *T { return nil }", "target m.F made by New"},
		{"none with effects", "func Open(s string) *T { os.Create(s); return nil }\nfunc New(n int) *T { return nil }", "target m.F made by New"},
		{"none that is not exported", "func parse(s string) *T { return nil }\nfunc New(n int) *T { return nil }", "target m.F made by New"},
	} {
		r := loadtest.Typed(t, typ+c.code, "")
		if diff := cmp.Diff(c.want, found(t, r, r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// So is a list of such values, if it has a name.
	r := loadtest.Typed(t, "type t struct{ n int }\ntype List []*t\nfunc (l List) Len(n int) int { return len(l) } // changed\nfunc Parse(s string) (List, error) { return nil, nil }", "")
	if diff := cmp.Diff("target (m.List).Len made by Parse", found(t, r, r)); diff != "" {
		t.Errorf("a list (-want +got):\n%s", diff)
	}
	// Both sides have to have it.
	before, after := loadtest.Typed(t, typ+"func New(n int) *T { return nil }", ""), loadtest.Typed(t, typ+"func Parse(s string) *T { return nil }\nfunc New(n int) *T { return nil }", "")
	if got := found(t, before, after); got != "target m.F made by New" {
		t.Errorf("a maker that is new: %s", got)
	}
}

// The fields of a message of protocol buffers are filled freely. Nobody makes what generated code keeps beside them.
func TestMessagesNeedNoMaker(t *testing.T) {
	const code = "type state struct{ f func() }\ntype M struct{ state state; Name *string; Of []*M; sizeCache int32 }\nfunc (m *M) ProtoMessage() {}\nfunc F(m *M) int { return len(m.Of) } // changed\n"
	r := loadtest.Typed(t, code, "")
	if got := strings.TrimSpace(found(t, r, r)); got != "target m.F" {
		t.Errorf("%s", got)
	}
	r = loadtest.Typed(t, strings.Replace(code, "Name *string", "Name *string; More Hidden", 1)+"type Hidden struct{ n int }\n", "")
	if got := found(t, r, r); !strings.Contains(got, "holds values of Hidden") {
		t.Errorf("%s", got)
	}
}

// Where nothing else makes a value, a function makes it that takes nothing, or only options:
// of several the one that calls most.
func TestCreators(t *testing.T) {
	const typ = "type T struct{ n int }\nfunc (t *T) F(n int) int { return t.n } // changed\n"
	for _, c := range []struct{ name, code, want string }{
		{"no arguments", "func New() *T { return &T{} }", "target (*m.T).F made by New"},
		{"options", "func New(options ...func(*T)) (*T, error) { return &T{}, nil }", "target (*m.T).F made by New"},
		{"a maker before it", "func New() *T { return &T{} }\nfunc Of(n int) *T { return &T{n} }", "target (*m.T).F made by Of"},
		{"most code", "func Bare() *T { return &T{} }\nfunc Full() *T { t := Bare(); t.set(); return t }\nfunc Zero() T { return T{} }\nfunc (t *T) set() { t.n = 1 }", "target (*m.T).F made by Full"},
		{"none that inputs share", "var std = &T{}\nfunc Default() *T { return std }\nfunc New() *T { return &T{} }", "target (*m.T).F made by New"},
		{"none whose address inputs share", "var std T\nfunc Default() *T { return (&std) }\nfunc New() (*T, bool) { return &T{}, true }", "target (*m.T).F made by New"},
		{"none with effects", "func Open() *T { os.Create(\"x\"); return &T{} }\nfunc New() *T { return &T{} }", "target (*m.T).F made by New"},
	} {
		r := loadtest.Typed(t, typ+c.code, "")
		if diff := cmp.Diff(c.want, strings.TrimSpace(found(t, r, r))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	for _, code := range []string{"func new() *T { return &T{} }", "func MustNew() *T { return &T{} }", "func New() []T { return nil }", "func New(n, m *int) *T { return nil }", ""} {
		r := loadtest.Typed(t, typ+code, "")
		if got := found(t, r, r); !strings.Contains(got, "makes one of texts, of numbers or of nothing") {
			t.Errorf("%q: %s", code, got)
		}
	}
	// Both sides have to have it.
	before, after := loadtest.Typed(t, typ, ""), loadtest.Typed(t, typ+"func New() *T { return &T{} }", "")
	if got := found(t, before, after); !strings.Contains(got, "no exported function makes one") {
		t.Errorf("a function that is new: %s", got)
	}
	// Test cases are written without.
	r := loadtest.Typed(t, typ+"func New() *T { return &T{} }", "")
	if got, err := Above(r, 8, func(string, int, int) bool { return true }); err != nil || len(got.Targets) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Why no case is searched is what is in the way, and not what could be there.
func TestWhyNoCaseIsSearched(t *testing.T) {
	const typ = "type T struct{ n int; Open bool }\nfunc New() *T { return &T{} }\n"
	for _, c := range []struct{ code, want string }{
		{typ + "func (t *T) Add(n int) {}\n", "derived for (*T).Add: its receiver is of *T, which New makes of nothing: only cases of calls in turn begin with that; mark a function that makes one and calls this one, or write the fuzz test yourself"},
		{typ + "func Add(n int, t *T) {}\n", "derived for Add: its argument t is of *T, which New makes of nothing: only cases of calls in turn begin with that; mark a function that makes one and calls this one, or write the fuzz test yourself"},
		{typ + "func (t *T) Handle(s string, next func(string)) {}\n", "derived for (*T).Handle: its argument next is of type func(string), which bytes can't represent; mark a function that creates one and calls this one, or write the fuzz test yourself"},
		{typ + "func (t *T) List(s string, list []string) {}\n", "derived for (*T).List: its argument list is of []string, which is no text and no number, and no exported function makes it of such"},
		{"type T struct{ A, B []int }\nfunc (t *T) Mode() int { return 0 }\n", "derived for (*T).Mode: its receiver is of *T, which is no text and no number, and no exported function makes it of such"},
		{"type T struct{ n int }\nfunc Of(m []int) *T { return nil }\nfunc (t T) Next() int { return 0 }\n", "derived for T.Next: its receiver is of T, whose fields are not exported, and no exported function makes one of texts, of numbers or of nothing"},
	} {
		got, err := Above(loadtest.Typed(t, c.code, ""), 8, func(string, int, int) bool { return true })
		if err != nil || len(got.Targets) != 0 || !slices.ContainsFunc(got.Left, func(n Note) bool { return strings.Contains(n.Reason, c.want) }) {
			t.Errorf("%s: %+v, %v, want %s", c.code, got, err, c.want)
		}
	}
}

// Only code of a package makes values of a type that is not exported: an input is made by a
// function of it, or there is none.
func TestTypesThatAreNotExported(t *testing.T) {
	const refused = "which is not exported, and no function makes one of texts, of numbers or of nothing"
	for _, c := range []struct{ name, code, want string }{
		{"any number is a receiver", "type state int\nfunc (s state) next(n int) state { return s } // changed\n", "left m.state.next: no fuzz test can be derived for state.next: its receiver is of state, " + refused},
		{"any pointer", "type pair struct{ A, B int }\nfunc (p *pair) sum() int { return p.A } // changed\n", "left m.(*pair).sum: no fuzz test can be derived for (*pair).sum: its receiver is of pair, " + refused},
		{"any argument", "type mode uint8\nfunc write(m mode, n int) int { return n } // changed\n", "left m.write: no fuzz test can be derived for write: its argument m is of mode, " + refused},
		{"a function makes it", "type state int\nfunc (s state) next(n int) state { return s } // changed\nfunc parse(s string) (state, error) { return 0, nil }\n", "target (m.state).next made by parse"},
		{"a function makes it of nothing", "type list struct{ n int }\nfunc (l *list) grow(n int) int { return n } // changed\nfunc newList() *list { return nil }\n", "target (*m.list).grow made by newList"},
		{"code that can be called is above it", "type state int\nfunc (s state) next(n int) state { return s } // changed\nfunc Walk(n int) int { return int(state(0).next(n)) }\n", "target m.Walk"},
	} {
		r := loadtest.Typed(t, c.code, "")
		if got := strings.TrimSpace(found(t, r, r)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Above looks at all code, whether fuzz tests reach it or not, and has its own bound.
func TestAbove(t *testing.T) {
	r := loadtest.Typed(t, "func F(s string) int { return g(s) }\nfunc g(s string) int { return len(s) } // changed\nfunc H(s string) int { return len(s) } // changed\n",
		"func FuzzF(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { F(s) }) }\n")
	all := func(string, int, int) bool { return true }
	// No test can hold other inputs.
	other := loadtest.Typed(t, "func F(m map[string]int) int { return len(m) } // changed\ntype P struct{ X int }\nfunc G(p P) int { return p.X } // changed\n", "")
	if got, err := Above(other, 8, all); err != nil || len(got.Targets) != 1 || !got.Targets[0].Flat || len(got.Left) != 1 || !strings.Contains(got.Left[0].Reason, "derived for F: its argument m is of map[string]int, which is no text and no number") {
		t.Errorf("%+v, %v", got, err)
	}
	// What is wrong may be the value that a method is called on, and not its arguments.
	const onList = "type L []string\nfunc (l L) Len() int { return len(l) }\nfunc (l L) Less(i, j int) bool { return l[i] < l[j] }\nfunc (l L) In(m map[string]int) int { return len(l) }\n"
	got, err := Above(loadtest.Typed(t, onList, ""), 8, all)
	if err != nil {
		t.Fatal(err)
	}
	var want []Note
	for _, method := range []string{"L.Len", "L.Less", "L.In"} {
		want = append(want, Note{What: "m." + method, Reason: "no fuzz test can be derived for " + method +
			": its receiver is of L, which is no text and no number, and no exported function makes it of such"})
	}
	if diff := cmp.Diff(want, got.Left); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What a text stands for is made of it; numbers are taken as they are.
	for src, want := range map[string]int{
		"type ID [2]byte\nfunc Parse(s string) (ID, error) { return ID{}, nil }\nfunc (i ID) Zero() bool { return i == ID{} }\n":             1,
		"type ID [2]byte\nfunc Make(n int) (ID, error) { return ID{}, nil }\nfunc (i ID) Zero() bool { return i == ID{} }\n":                 0,
		"type ID struct{ A, B byte }\nfunc Parse(s string) (ID, error) { return ID{}, nil }\nfunc (i ID) Zero() bool { return i == ID{} }\n": 1,
		"type ID int\nfunc Parse(s string) (ID, error) { return 0, nil }\nfunc (i ID) Zero() bool { return i == 0 }\n":                       0,
	} {
		got, err := Above(loadtest.Typed(t, src, ""), 8, func(_ string, first, _ int) bool { return first == 5 })
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range got.Targets {
			if strings.HasSuffix(target.Function, ".Zero") && len(target.Makers) != want {
				t.Errorf("%s: %d makers, want %d", src, len(target.Makers), want)
			}
		}
	}
	for most, want := range map[int][]string{1: {"example.com/m.F"}, 8: {"example.com/m.F", "example.com/m.H"}} {
		got, err := Above(r, most, all)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, target := range got.Targets {
			names = append(names, target.Function)
		}
		if diff := cmp.Diff(want, names); diff != "" || len(got.Left) != 2-len(names) {
			t.Errorf("at most %d (-want +got):\n%s\nleft %v", most, diff, got.Left)
		}
	}
}

// What tests give a text is a text, though any value could be given; and what tests call need not be
// exported.
func TestAboveIsWhatTestsCall(t *testing.T) {
	for _, c := range []struct {
		name, src, tests string
		line             int // of the function with the code; 0: all have some
		want             []string
	}{
		{"a text for anything", "func F(name string, v any) int { return len(name) }\n", "func TestF(t *testing.T) { F(\"a\", \"b\") }\n", 0, []string{"F"}},
		{"a text of a table", "func F(v any) int { return 0 }\n", "func TestF(t *testing.T) { for _, c := range []struct{ in string }{{\"a\"}} { F(c.in) } }\n", 0, []string{"F"}},
		{"a number for anything", "func F(name string, v any) int { return len(name) }\n", "func TestF(t *testing.T) { F(\"a\", 3) }\n", 0, nil},
		{"an interface with methods", "func F(v interface{ Len() int }) int { return 0 }\n", "", 0, nil},
		{"not exported", "func F(s string) int { return g(s) }\nfunc f(s string) int { return len(s) }\nfunc g(s string) int { return f(s) }\n", "func TestF(t *testing.T) { f(\"a\") }\n", 0, []string{"F", "f"}},
		{"of other code", "func F(s string) int { return f(s) }\nfunc f(s string) int { return len(s) }\n", "func TestF(t *testing.T) { f(\"a\") }\n", 2, []string{"F"}},
	} {
		r := loadtest.Typed(t, c.src, c.tests)
		got, err := Above(r, 8, func(_ string, first, _ int) bool { return c.line == 0 || first == c.line })
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, target := range got.Targets {
			names = append(names, strings.TrimPrefix(target.Function, "example.com/m."))
		}
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
