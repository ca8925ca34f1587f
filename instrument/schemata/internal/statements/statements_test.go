package statements_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/statements"
)

const declarations = `
import (
	"log"
	"sync"
)

var (
	a, b bool
	i, j int
	list []int
	m    map[string]int
	c    chan int
	p    *int
	mu   sync.Mutex
)

func two() (int, error) { return 0, nil }

func use(...any) {}

var _ = log.Print
`

// setUp checks a function with a result, and reads where its jumps go.
func setUp(t *testing.T, body string) (*checked.Code, *statements.Function, *mutants.List) {
	t.Helper()
	c := checked.File(t, "package p\n"+declarations+"\nfunc body() (int, error) {\n"+body+"\nreturn two()\n}\n")
	cx, list := c.Site()
	fn := c.Func("body")
	cx.Results = c.Info.Defs[fn.Name].(*types.Func).Signature().Results()
	cx.Flow.Read(fn.Body)
	return c, statements.New(cx), list
}

func replacements(list *mutants.List) string {
	var texts []string
	for _, m := range list.Mutants {
		texts = append(texts, m.Replacement)
	}
	return strings.Join(texts, " | ")
}

// TestOffer: the sites at a statement before its parts are walked. What stands in the
// copied bodies, and what the plain edits put there.
func TestOffer(t *testing.T) {
	tests := []struct {
		in   string // %s is the statement
		stmt string
		slow string
		edit string
	}{
		{"%s", "use(i)", `if fuzzmutrt.Do(1) { use(i) }`, ``},
		{"%s", "log.Print(i)", `log.Print(i)`, ``},
		{"%s", "c <- i", `if fuzzmutrt.Do(1) { c <- i }`, ``},
		{"%s", "<-c", `if fuzzmutrt.Do(1) { <-c }`, ``},
		{"%s", "i = j", `if fuzzmutrt.Do(1) { i = j }`, ``},
		{"%s", "_ = i", `_ = i`, ``},
		{"%s", "i += j", `if fuzzmutrt.Do(1) { i = fuzzmutrt.ArithIInt(2, 0xd5432, 1, i,  j) }`, ` | -= | *= | /= | %= | =`},
		{"%s", "list[<-c] += j", `if fuzzmutrt.Do(1) { if fuzzmutrt.On(2) { list[<-c] -=  j } else if fuzzmutrt.On(3) { list[<-c] *=  j } else if fuzzmutrt.On(4) { list[<-c] /=  j } else if fuzzmutrt.On(5) { list[<-c] %=  j } else if fuzzmutrt.On(6) { list[<-c] =  j } else { list[<-c] += j } }`, ` | -= | *= | /= | %= | =`},
		{"%s", "i++", `if fuzzmutrt.Do(1) { i = fuzzmutrt.IncInt(2, 1, i) }`, ` | --`},
		{"%s", "list = append(list, i)", `if fuzzmutrt.Do(1) { list = append(list, i) }`, ``},
		{"%s\nuse(v, ok)", `v, ok := m["a"]`, `v, ok := fuzzmutrt.Map[bool](1, m).At("a")`, `v, ok := m["a"]; ok = !ok`},
		{"%s", "go use(i)", `if fuzzmutrt.Do(1) { if fuzzmutrt.On(2) { use(i) } else { go use(i) } }`, ` | `},
		{"%s", "defer use(i)", `if fuzzmutrt.Do(1) { if fuzzmutrt.On(2) { use(i) } else { defer use(i) } }`, ` | `},
		{"%s", "return 1, nil", `return fuzzmutrt.RetInt(1, 1), nil`, `0`},
		{"%s", "return two()", `{ fuzzmutR_0, fuzzmutR_1 := two(); return fuzzmutrt.AltInt(1, fuzzmutR_0, 0, 1), fuzzmutrt.RetError(3, fuzzmutR_1) }`, `{ _, fuzzmutR_1 := two(); return 0, fuzzmutR_1 } | { _, fuzzmutR_1 := two(); return 1, fuzzmutR_1 } | { fuzzmutR_0, _ := two(); return fuzzmutR_0, nil }`},
		{"for a {\nif b {\n%s\n}\nuse()\n}", "break", `if fuzzmutrt.On(1) { continue }; if fuzzmutrt.Do(2) { break }`, `continue | `},
		{"for a {\nif b {\n%s\n}\nuse()\n}", "continue", `if fuzzmutrt.On(1) { break }; if fuzzmutrt.Do(2) { continue }`, `break | `},
		{"%s", "for range list { use() }", `if fuzzmutrt.Enter(1) { { fuzzmutR_n254 := fuzzmutrt.Rounds(2); for range list { fuzzmutrt.Began(1);  fuzzmutR_n254 = fuzzmutrt.Again(2, fuzzmutR_n254);  use() ; if fuzzmutrt.Leave(2) { break }; }; fuzzmutrt.Ended(2) }; fuzzmutrt.Ended(1) }`, ` | ; break `},
		{"%s", "if a { }", `if a { }`, ``},
	}
	for _, tt := range tests {
		c, fn, list := setUp(t, strings.Replace(tt.in, "%s", tt.stmt, 1))
		s := c.Stmt(tt.stmt)
		fn.Within = s
		statements.Offer(fn, s, site.Position{InList: true})
		c.Edits(list.Mutants)
		slow := string(fn.Slow.Render(c.Src.Src, c.Src.Off(s.Pos()), c.Src.Off(s.End())))
		if got := replacements(list); slow != tt.slow || got != tt.edit {
			t.Errorf("%s:\n%#q, %#q},", tt.stmt, slow, got)
		}
	}
}

func TestOutsideOfAListNothingIsDeleted(t *testing.T) {
	c, fn, list := setUp(t, "for use(i); a; use(j) {\n}")
	statements.Offer(fn, c.Stmt("for").(*ast.ForStmt).Post, site.Position{})
	if len(list.Mutants) != 0 {
		t.Errorf("the post statement of a loop: %s", replacements(list))
	}
}

func TestBodies(t *testing.T) {
	c, fn, list := setUp(t, "if a {\nuse(i)\nuse(j)\n} else {\nlog.Print(i)\n}\nswitch i {\ncase 1:\nuse()\nfallthrough\ndefault:\n}")
	s := c.Stmt("if a").(*ast.IfStmt)
	statements.Then(fn, s, false)
	statements.Else(fn, s, false) // only logs
	for _, clause := range c.Stmt("switch").(*ast.SwitchStmt).Body.List {
		statements.Case(fn, clause.(*ast.CaseClause), false) // the default has nothing
	}
	if len(list.Mutants) != 2 || list.Mutants[0].Original != "use(i)\nuse(j)" || list.Mutants[1].Original != "use()" {
		t.Errorf("mutants: %+v", list.Mutants)
	}
	if len(list.Skips) != 1 || list.Skips[0].Reason != reasons.LoggingCall.String() {
		t.Errorf("skips: %+v", list.Skips)
	}
}

func TestLocksAreLeftOutAsAPair(t *testing.T) {
	c, fn, list := setUp(t, "mu.Lock()\nuse(i)\nmu.Unlock()")
	statements.Locks(fn, c.Func("body").Body)
	if len(list.Mutants) != 1 || list.Mutants[0].Replacement != "\nuse(i)\n" {
		t.Fatalf("mutants: %+v", list.Mutants)
	}
	statements.Offer(fn, c.Stmt("mu.Unlock()"), site.Position{InList: true})
	if len(list.Mutants) != 1 || len(list.Skips) != 1 || list.Skips[0].Reason != reasons.HalfOfPair.String() {
		t.Errorf("half of a pair: %+v, %+v", list.Mutants, list.Skips)
	}
}
