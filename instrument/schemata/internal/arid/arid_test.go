package arid_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/arid"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

const declarations = `package p

import ("bytes"; "fmt"; "log"; "log/slog"; "os"; "strings"; "sync"; "time")

type T struct { n int; log *log.Logger; mu sync.Mutex; next *T }
type logger interface { Printf(string, ...any) }

var ( top int; _ bytes.Buffer; _ = fmt.Sprint; _ = os.Stderr; _ slog.Level; _ strings.Builder; _ time.Time; _ = log.Print )

func (t *T) get() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n }
func (t *T) inc() int { t.n++; return t.n }
func (t *T) logf(format string, args ...any) { if t.log == nil { return }; t.log.Printf(format, args...) }
func (t *T) both(format string) { if t.log == nil { return }; t.log.Printf(format); top++ }
var ( pool sync.Pool; own puts )
type puts struct{ all []any }
func (p *puts) Put(v any) { p.all = append(p.all, v) }
func (t *T) free() { pool.Put(t) }
func release(t *T) { t.free() }
func clear2(t *T) { t.n = 0; pool.Put(t) }
func effect() bool
func use(...any)
func named(name func() string)
`

// spans returns the uninteresting parts of a function named f.
func spans(t *testing.T, text string, more ...string) string {
	t.Helper()
	s := checked.File(t, text)
	files := []*ast.File{s.Src.Syntax}
	code := arid.Find(s.Info, files, logs.Find(s.Info, files, more))
	block := s.Func("f").Body
	var parts []string
	inside := false
	for pos := block.Lbrace + 1; pos < block.Rbrace; pos++ {
		why := code.In(pos, pos+1)
		switch {
		case why == nil:
		case inside:
			parts[len(parts)-1] += text[s.Src.Off(pos):][:1]
		default:
			parts = append(parts, text[s.Src.Off(pos):][:1])
		}
		inside = why != nil
	}
	return strings.TrimSpace(strings.Join(parts, " | "))
}

// TestUninteresting: what stands in « and » is uninteresting, and nothing else.
func TestUninteresting(t *testing.T) {
	for _, c := range []struct{ about, body string }{
		{"a condition", `«if n > 3 { slog.Warn("a", "n", n) }»`},
		{"a condition with something else", `if n > 3 { «slog.Warn("a")»; use(n) }`},
		{"a condition with an effect", `if effect() { «slog.Warn("a")» }`},
		{"a condition that receives", `if <-c > 3 { «log.Print(1)» }`},
		{"a condition with a pure method", `«if t.get() > 3 { log.Print(1) }»`},
		{"a condition with a method that changes something", `if t.inc() > 3 { «log.Print(1)» }`},
		{"a method of the package that only logs", `«if n > 3 { t.logf("%d", n) }»`},
		{"one that does more", `if n > 3 { t.both("a") }`},
		{"a method of an interface", `var l logger; if n > 3 { l.Printf("a") }`},
		{"the last clauses of a switch", `switch { case n > 3: use(1); case «n > 2»: case «n > 1», «debug»: }`},
		{"clauses before the last", `switch { case n > 3: case n > 2: use(1); case «n > 1»: }`},
		{"clauses of a switch with a default", `switch { case n > 3: use(1); case n > 2: default: use(2) }`},
		{"with a default before them", `switch { default: use(2); case n > 3: use(1); case n > 2: }`},
		{"with an empty default", `switch { case n > 3: use(1); default: case «n > 2»: }`},
		{"with a value", `switch n { case len(s): use(1); case «len(m)»: }`},
		{"clauses with effects", `switch { case n > 3: use(1); case effect(): case n > 2: }`},
		{"clauses that keep others from a panic", `switch { case n > 3: use(1); case t == nil: case t.n > 3: }`},
		{"a clause that falls through", `switch { case n > 3: fallthrough; case «n > 2»: }`},
		{"else if", `«if n > 3 { log.Print(1) } else if n > 2 { log.Print(2) }»`},
		{"all branches", `«if n > 3 { log.Print(1) } else { log.Print(2) }»`},
		{"one branch does more", `if n > 3 { «log.Print(1)» } else { use(1) }`},
		{"a condition in one", `«if n > 3 { if debug { log.Print(1) } }»`},
		{"a log that ends the program", `if n > 3 { log.Fatal(n) }`},
		{"a log that panics", `if n > 3 { log.Panicf("%d", n) }`},
		{"a panic", `if n > 3 { «log.Print(1)»; panic(1) }`},
		{"a return", `if n > 3 { «log.Print(1)»; return }; use(1)`},
		{"an argument with an effect", `if n > 3 { log.Print(effect()) }`},
		{"an argument that receives", `if n > 3 { log.Print(<-c) }`},
		{"the standard output", `if n > 3 { fmt.Println(1) }`},
		{"the standard error output", `«if n > 3 { fmt.Fprintln(os.Stderr, 1) }»`},
		{"written to by itself", `«if n > 3 { os.Stderr.WriteString("a") }»`},
		{"another writer", `var b bytes.Buffer; if n > 3 { fmt.Fprintln(&b, 1) }; use(b)`},
		{"print", `«if n > 3 { println(n) }»`},
		{"a comment", `«if err != nil { /* never mind */ }»`},
		{"a comment on an effect", `if effect() { /* never mind */ }`},
		{"the error of a call", `«if »err := use2(n + 1)«; err != nil { log.Print(err) }»`},
		{"a statement before that only it needs", `«if k := n + 1; k > 3 { log.Print(k) }»`},

		{"a value", `«k := n * 2»; «log.Print(k)»`},
		{"a value that is used", `k := n * 2; «log.Print(k)»; use(k)`},
		{"a value that is returned", `k := n * 2; «log.Print(k)»; top = k`},
		{"a value with an effect", `k := t.inc(); «log.Print(k)»`},
		{"a value that only log.Fatal shows", `«k := n * 2»; log.Fatal(k)`},
		{"a value that is printed", `k := n * 2; fmt.Println(k)`},
		{"values of values", `«k := n * 2»; «j := k + 1»; «k = j»; «log.Print(k)»`},
		{"a value set twice", `«k := 1»; «if n > 3 { k = 2 }»; «log.Print(k)»`},
		{"a value counted", `«k := 0»; for range s { use(); «k++» }; «log.Print(k)»`},
		{"a value counted for something", `k := 0; for range s { use(); k++ }; «log.Print(k)»; use(k)`},
		{"a value whose address is taken", `k := 1; use(&k); «log.Print(k)»`},
		{"a value in a closure", `k := 1; use(func() { use(k) }); «log.Print(k)»`},
		{"a named variable", `«var k = n + 1»; «log.Print(k)»`},
		{"a duration", `«start := time.Now()»; use(n); «log.Print(time.Since(start))»`},
		{"arguments", `«args := []any{n + 1}»; «if n > 3 { args = append(args, n - 1) }»; «slog.Info("a", args...)»`},
		{"arguments in memory of others", `args := all[:0]; args = append(args, n - 1); «slog.Info("a", args...)»`},
		{"a field", `t.n = n + 1; «log.Print(t.n)»`},
		{"a map", `m["a"] = n + 1; «log.Print(m)»`},
		{"a package's variable", `top = n + 1; «log.Print(top)»`},
		{"a parameter", `«n = n + 1»; «log.Print(n)»`},
		{"nothing uses it", `k := n + 1; _ = k`},
		{"a look for its panic", `_ = s[3]; «log.Print(s)»`},
		{"two values, one used", `a, k := n + 1, n + 2; «log.Print(k)»; use(a)`},

		{"a range", `«for _, x := range s { log.Print(x + 1) }»`},
		{"a range that does more", `for _, x := range s { «log.Print(x + 1)»; use(x) }`},
		{"a range over a channel", `for x := range c { «log.Print(x + 1)» }`},
		{"a range that sets what is used", `k := 0; for k = range s { «log.Print(k)» }; use(k)`},
		{"a loop", `«for i := 0; i < n; i++ { log.Print(i) }»`},
		{"a loop whose variable is used", `i := 0; for ; i < n; i++ { «log.Print(i)» }; use(i)`},
		{"a loop that does not end", `for { «log.Print(n)» }`},
		{"a loop that is left", `«for _, x := range s { if x > 3 { break }; log.Print(x) }»`},
		{"a loop that is continued", `«for _, x := range s { if x > 3 { continue }; log.Print(x) }»`},
		{"a loop around that is left", `for _, x := range s { if x > 3 { «log.Print(x)»; break }; use(x) }`},
		{"a loop around that is continued", `for _, x := range s { if x > 3 { «log.Print(x)»; continue }; use(x) }`},
		{"a loop that counts only", `for i := 0; i < n; i++ { }`},

		{"a switch", `«switch n { case 1: log.Print(1); default: log.Print(2) }»`},
		{"a switch that does more", `switch n { case 1: «log.Print(1)»; default: use(2) }`},
		{"a switch on an effect", `switch effect() { case true: «log.Print(1)» }`},
		{"a switch of types", `«switch e := any(n).(type) { case int: log.Print(e + 1) }»`},
		{"a select", `select { case <-c: «log.Print(1)»; default: }`},

		{"a deferred call", `«defer log.Print(n + 1)»`},
		{"a deferred function", `use(1); «defer func() { if err != nil { log.Print(err) } }()»`},
		{"a deferred function that returns", `use(1); «defer func() { if err == nil { return }; log.Print(err) }()»`},
		{"a deferred function that does more", `defer func() { if err != nil { «log.Print(err)»; top = 1 } }()`},
		{"a deferred function that recovers", `defer func() { «if »r := recover()«; r != nil { log.Print(r) }» }()`},
		{"a goroutine", `go func() { if n > 3 { «log.Print(n)»; use(1) } }()`},
		{"a function that is handed on", `use(func() bool { if n > 3 { «log.Print(n)»; return true }; return false })`},
		{"a function for a log that does more", `named(func() string { «log.Print(1)»; top++; return "" })`},

		{"a value for a pool", `use(pool.Get()); «pool.Put(t)»`},
		{"one that is handed over at the end", `«defer pool.Put(&n)»; use(n)`},
		{"a function of the package that does nothing else", `if t.n > 3 { «t.free()» }; «release(t)»`},
		{"one that changes it", `clear2(t)`},
		{"what a pool is given", `s = s[:0]; «pool.Put»(s[:n+1])`},
		{"whether it is given", `if cap(s) > n { «pool.Put(s)» }`},
		{"where a pool has values from", `p := sync.Pool{New: func() any { return new(T) }}; use(p.Get())`},
		{"what is like a pool", `own.Put(t)`},

		{"room in a builder", `var b strings.Builder; «if n > 64 { b.Grow(n) }»; use(b.String())`},
		{"room in a slice", `out := make([]int, 0, «n + 1»); use(out)`},
		{"room that is looked at", `out := make([]int, 0, n + 1); use(out[:cap(out)])`},
		{"room that is taken", `out := make([]int, 0, n + 1); use(out[:n])`},
		{"room in a map", `use(make(map[int]int, «n * 2»))`},
		{"room in a channel", `use(make(chan int, n + 1))`},
		{"a length", `use(make([]int, n + 1))`},
		{"what a room is calculated from", `«k := len(s) + 2»; out := make([]int, 0, «k»); use(out)`},
	} {
		marked := declarations + "func use2(int) error\nvar all []any\nfunc f(t *T, n int, s []int, m map[string]int, err error, c chan int, debug bool) { " + c.body + " }\n"
		text := strings.NewReplacer("«", "", "»", "").Replace(marked)
		var want []string
		for _, part := range strings.Split(c.body, "«")[1:] {
			inside, _, _ := strings.Cut(part, "»")
			want = append(want, inside)
		}
		if got := spans(t, text); got != strings.TrimSpace(strings.Join(want, " | ")) {
			t.Errorf("%s: %s\nuninteresting is: %s", c.about, c.body, got)
		}
	}
}

// TestWholeFunctions: return statements matter where anything else does.
func TestWholeFunctions(t *testing.T) {
	for _, c := range []struct{ about, decl, want string }{
		{"it only logs", `func f(n int) { if n < 3 { return }; log.Print(n) }`, `if n < 3 { return } | log.Print(n)`},
		{"it returns something", `func f(n int) int { if n < 3 { return 1 }; log.Print(n); return 2 }`, `log.Print(n)`},
		{"it has a named result", `func f(n int) (k int) { k = n + 1; log.Print(k); return }`, `log.Print(k)`},
		{"it does more", `func f(n int) { if n < 3 { return }; log.Print(n); top = 1 }`, `log.Print(n)`},
	} {
		if got := spans(t, declarations+c.decl); got != c.want {
			t.Errorf("%s: %s\nuninteresting is: %s", c.about, c.decl, got)
		}
	}
}

// TestPurposes: what logs is worth a test in a package that is there to log.
func TestPurposes(t *testing.T) {
	for path, want := range map[string]bool{"p": true, "example.com/store": true, "example.com/logging": false, "example.com/m/metrics": false} {
		s := checked.File(t, "package p\nimport \"log\"\nfunc f(n int) { if n > 3 { log.Print(n) } }\n")
		files := []*ast.File{s.Src.Syntax}
		l := logs.Find(s.Info, files, nil)
		info := &typing.Info{Info: s.Info.Info, Pkg: types.NewPackage(path, "p")}
		at := s.Pos("n > 3")
		if got := arid.Find(info, files, l).In(at, at+5) != nil; got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// TestUsersFunctions: the user adds functions by the path of the package, by its last
// element, or with the type of a method.
func TestUsersFunctions(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
	}{
		{"p.note", `if n > 3 { note(n) }`},
		{"p.T.note", ``},
		{"q.note", ``},
		{"log.note", ``},
	} {
		got := spans(t, "package p\nfunc note(int) { top++ }\nvar top int\nfunc f(n int) { if n > 3 { note(n) } }\n", c.name)
		if got != c.want {
			t.Errorf("-arid %s: %q", c.name, got)
		}
	}
	const method = "package p\ntype l interface { Say(string) }\ntype s struct { l }\nfunc f(x s, n int) { if n > 3 { x.Say(\"a\") } }\n"
	if got := spans(t, method, "p.l.Say"); got != `if n > 3 { x.Say("a") }` {
		t.Errorf("a method of an embedded interface: %q", got)
	}
}
