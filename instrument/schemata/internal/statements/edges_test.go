package statements_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/statements"
)

// offered asks for the sites at a statement, with the operators of a list. The function
// returns what the results say.
func offered(t *testing.T, operators, results, body, stmt string, p site.Position) (replacements, skips string) {
	t.Helper()
	c := checked.Text(t, `import ("os"; "io"; "errors"; "strings"; "sync")
func body`+results+` {
`+body+`
}
type T struct{ n int; next *T; mu sync.RWMutex }
func (t *T) touch() {}
func use(...any) {}
func call() int { return 0 }
func two() (int, error) { return 0, nil }
func failing() error { return nil }
var ( a, b bool; i, j int; list []int; m map[string]int; ch chan int; ptr *T; x any; s string; seq func(func(int) bool)
errOwn = errors.New("own"); _ = os.Exit; _ = io.EOF; _ = strings.ToLower )`)
	cx, listed := c.Site()
	ops, err := operator.ByNames(operators)
	if err != nil {
		t.Fatal(err)
	}
	listed.Operators, cx.Operators = ops, ops
	fn := c.Func("body")
	cx.Block, cx.Results = fn.Body, c.Info.Defs[fn.Name].(*types.Func).Signature().Results()
	cx.Flow.Read(fn.Body)
	f := statements.New(cx)
	node := checked.First[ast.Stmt](c, stmt)
	f.Within = node
	statements.Locks(f, fn.Body)
	statements.Offer(f, node, p)
	if loop, ok := node.(*ast.ForStmt); ok {
		statements.ForLoop(f, loop, p)
	}
	c.Edits(listed.Mutants)
	var texts, reasons []string
	for _, m := range listed.Mutants {
		texts = append(texts, m.Replacement)
	}
	for _, s := range listed.Skips {
		reasons = append(reasons, s.Reason)
	}
	return strings.Join(texts, " | "), strings.Join(reasons, " | ")
}

func TestEdges(t *testing.T) {
	const deletions = "statement-deletion,void-call-removal,defer-removal,go-removal,map-write-removal,append-removal,delete-removal,copy-removal"
	const jumps = "break-continue-swap,break-continue-removal,label-removal,fallthrough-removal"
	for _, c := range []struct {
		about, operators, results string
		body, stmt                string
		last                      bool
		want, skips               string
	}{
		// Left out.
		{"the last use of a variable", deletions, "()", "v := call()\nuse(v)", "use(v)", false, "_ = v", ""},
		{"the last use of an import", deletions, "()", `use(io.EOF); use(os.Args)`, "use(os.Args)", false, "", ""},
		{"a declaration", deletions, "()", "v := call(); use(v)", "v := ", false, "", ""},
		{"a panic at the end", deletions, "()", "panic(1)", "panic", true, "", ""},
		{"a panic before the end", deletions, "()", "if a { panic(1) }", "panic", false, "·", ""},
		{"a drop of what costs nothing", deletions, "()", "_ = i", "_ = i", false, "", ""},
		{"a drop of a call", deletions, "()", "_ = call()", "_ = call", false, "·", ""},
		{"a write to a map: one mutant", deletions, "()", `m["a"] = 1`, "m[", false, "·", ""},
		{"half of a pair", deletions, "()", "ptr.mu.Lock(); call(); ptr.mu.Unlock()", "ptr.mu.Lock()", false, "", "one half of Lock and Unlock: removing only one panics or blocks"},
		{"a lock that is unlocked elsewhere", deletions, "()", "ptr.mu.Lock(); call()", "ptr.mu.Lock()", false, "·", ""},
		{"a reader is not half of a writer", deletions, "()", "ptr.mu.RLock(); ptr.mu.Unlock()", "ptr.mu.RLock()", false, "·", ""},
		{"a defer that unlocks", deletions, "()", "ptr.mu.Lock(); defer ptr.mu.Unlock()", "defer", false, "", "one half of Lock and Unlock: removing only one panics or blocks"},

		// In place.
		{"a deferred function literal", "defer-in-place", "()", "defer func() { call() }()", "defer", false, "·", ""},
		{"an argument that is a function literal", "go-in-place", "()", "go use(func() {})", "go use", false, "", "function literal in code that would have to be copied"},
		{"exit", "defer-in-place", "()", "defer os.Exit(1)", "defer", false, "·", ""},

		// Jumps.
		{"goto is left alone", jumps, "()", "L: call(); goto L", "goto", false, "", ""},
		{"break at the end of a case", jumps, "()", "switch { case a: call(); break }", "break", false, "", "does not compile: continue outside of a loop | the same program: control goes there anyway"},
		{"continue at the end", jumps, "()", "for a { call(); if b { continue } }", "continue", false, "break", "the same program: control goes there anyway"},
		{"a label that is used nowhere else", jumps, "()", "L: for { for { if a { break L }; call() } }", "break L", false, "continue L | if false { break L }", "the same as another mutant here"},
		{"a fallthrough into nothing", jumps, "()", "switch { case a: fallthrough\ncase b:\n}", "fallthrough", false, "", "the same program: the next case is empty"},
		{"a fallthrough that has to be there", jumps, "()", "switch { case a: fallthrough; case b: call() }", "fallthrough", true, "", "does not compile: missing return"},

		// Loops.
		{"once, without a second round", "loop-once", "()", "for a { call(); break }", "for", false, "", "the same program: there is no second iteration"},
		{"once", "loop-once", "()", "for a { call() }", "for", false, "; break ", ""},
		{"once, at the end of a function", "loop-once", "()", "for { call() }", "for", true, "", "does not compile: missing return"},
		{"once, with a continue inside of a switch", "loop-once", "()", "for a { switch i { case 1: continue }; call() }", "for", false, "once: for a { switch i { case 1: break once }; call() ; break ", ""},
		{"skipped", "loop-skip", "()", "for a || b { call() }", "for", false, "(a || b) && false", ""},
		{"skipped, without a condition", "loop-skip", "()", "for { if a { break } }", "for", false, "for false ", ""},
		{"skipped, with clauses", "loop-skip", "()", "for k := 0; ; k++ { if a { break }; use(k) }", "for", false, "for k := 0; false; k++ ", ""},
		{"a loop that never runs", "loop-skip", "()", "for false { call() }", "for", false, "", "the same program: unreachable code"},
		{"a range left out keeps its variable", "loop-skip", "()", "v := list; for range v { call() }", "for", false, "_ = v", ""},
		{"a range over a function", "loop-skip", "()", "for v := range seq { use(v) }", "for", false, "·", ""},
		{"a range with a label that a goto needs", "loop-skip", "()", "L: for range list { call() }; goto L", "for", false, "·", ""},

		// Results.
		{"of a call", "null-returns,primitive-returns", "() (int, error)", "return two()", "return", false, "{ _, fuzzmutR_1 := two(); return 0, fuzzmutR_1 } | { fuzzmutR_0, _ := two(); return fuzzmutR_0, nil }", ""},
		{"with effects", "primitive-returns", "() int", "return call()", "return", false, "_ = call(); return 0", ""},
		{"that may panic", "primitive-returns", "() int", "return ptr.n", "return", false, "0", ""},
		{"the second, the first has effects", "primitive-returns", "() (int, int)", "return call(), call() + 1", "return", false, "_ = call(); return 0, call() + 1 | func() int { _ = call() + 1; return 0 }()", ""},
		{"a bool with effects", "true-returns,false-returns", "() bool", "return call() > 0", "return", false, "call() > 0 && false | call() > 0 || true", ""},
		{"nil is hidden", "null-returns", "() error", "nil := 1; use(nil); return failing()", "return", false, "", "nil has another declaration here"},
		{"named, without operands", "named-returns", "() (n int, err error)", "n = call(); return", "return", false, "n = 0; return", "the same program: it is zero whenever control gets here"},
		{"a blank name", "named-returns", "() (_ int, err error)", "err = errOwn; return", "return", false, "err = nil; return", ""},
		{"an error", "error-returns", "() error", "return nil", "return", false, `errors.New("fuzzmut")`, ""},
		{"an error that is there", "error-returns", "() error", "return errOwn", "return", false, "", ""},
		{"an empty slice", "fresh-returns", "() []int", "return []int{}", "return", false, "", "the same program: empty, and not nil"},
		{"a type parameter", "null-returns", "[P any](p P) P", "return p", "return", false, "*new(P)", ""},
		{"a struct that is hidden", "empty-returns", "() T", "v := T{}; { T := 1; use(T); return v }", "return", false, "", "its type can't be named here"},

		// The ok.
		{"of a type assertion", "comma-ok-inversion", "()", "v, ok := x.(int); use(v, ok)", "v, ok", false, "v, ok := x.(int); ok = !ok", ""},
		{"of a receive", "comma-ok-inversion", "()", "v, ok := <-ch; use(v, ok)", "v, ok", false, "v, ok := <-ch; ok = !ok", ""},
		{"blank", "comma-ok-inversion", "()", `v, _ := m["a"]; use(v)`, "v, _", false, "", ""},
		{"of a call", "comma-ok-inversion", "()", "v, err := two(); use(v, err)", "v, err", false, "", ""},
		{"only a condition", "comma-ok-inversion,condition-negation", "()", `_, ok := m["a"]; if !ok { call() }`, "_, ok", false, "", "the same program: only a condition, which is negated"},
		{"a condition and more", "comma-ok-inversion,condition-negation", "()", `_, ok := m["a"]; if ok { use(ok) }`, "_, ok", false, `_, ok := m["a"]; ok = !ok`, ""},
	} {
		got, skips := offered(t, c.operators, c.results, c.body, c.stmt, site.Position{InList: true, Last: c.last})
		if want := strings.ReplaceAll(c.want, "·", ""); got != want || skips != c.skips {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q", c.about, c.stmt, got, want, skips, c.skips)
		}
	}
}
