package uses_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
)

// manyUses has names that are used once and several times, in all kinds of statements.
const manyUses = `package p

import (
	"os"
	"sort"
	"strings"
)

func g(...any) {}

func plain(k int) int {
	n, m := 1, 2
	g(n)
	g(m)
	m++
	m = n
	return k
}

func shadowed() {
	n := 1
	g(n)
	{
		n := 2
		g(n, n)
		n = 3
	}
	for n := range 3 {
		g(n)
	}
}

func imported() {
	g(os.Args)
	g(strings.ToLower("A"), strings.ToUpper("b"))
	a := []int{2, 1}
	sort.Ints(a)
	sort.Ints(nil)
}

func loops(list []int) {
	sum, last := 0, 0
	for i, x := range list {
		sum += x
		last = i
	}
	g(last)
outer:
	for {
		for {
			if sum > 3 {
				break outer
			}
			continue outer
		}
	}
inner:
	for sum < 9 {
		break inner
	}
}

func switches(x any) {
	switch y := x.(type) {
	case int:
		g(y)
	case string:
		y = "a"
	}
	switch z := x.(type) {
	case int:
		g(z)
	case string:
		g(z)
	}
	switch v := 3; {
	case true:
		g(v)
	}
}

func closures() func() int {
	n, calls := 1, 0
	f := func() int {
		inside := n
		g(inside)
		calls++
		return n
	}
	defer g(calls)
	go func(p int) {
		q := p
		g(q)
	}(2)
	return f
}

type pair struct{ a, b int }

func fields() {
	var p pair
	p.a = 1
	p.b++
	q := &pair{}
	(*q).a = 2
	var r [2]int
	r[0] = 1
	s := map[string]int{}
	s["a"] = 1
	delete(s, "a")
	c := make(chan int, 1)
	c <- 1
	select {
	case v := <-c:
		g(v)
	default:
	}
}
`

// unused are the names that the compiler calls unused in a text; ok is false if it has
// another fault.
func unused(text string, imports types.Importer) (names []string, ok bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/p/x.go", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	ok = true
	conf := types.Config{Importer: imports, Error: func(err error) {
		msg := err.(types.Error).Msg
		for _, form := range []string{`^declared and not used: (\w+)$`, `^label (\w+) declared and not used$`, `^"([\w/]+)" imported and not used$`} {
			if m := regexp.MustCompile(form).FindStringSubmatch(msg); m != nil {
				names = append(names, path.Base(m[1]))
				return
			}
		}
		ok = false
	}}
	conf.Check("p", fset, []*ast.File{f}, nil) // errors are reported to Error
	slices.Sort(names)
	return slices.Compact(names), ok
}

// Of each statement that can be left out, the names are lost that the compiler then calls
// unused, and no others.
func TestLostIsWhatTheCompilerCallsUnused(t *testing.T) {
	c := checked.File(t, manyUses)
	u := uses.Count(c.Src.Fset, c.Info.Info, []*ast.File{c.Src.Syntax})
	imports := importer.Default()
	if names, ok := unused(manyUses, imports); names != nil || !ok {
		t.Fatalf("unused as it is: %q, %v", names, ok)
	}
	tried, losing := 0, 0
	ast.Inspect(c.Src.Syntax, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if _, block := n.(*ast.BlockStmt); !ok || block {
			return true
		}
		lo, hi := c.Src.Off(s.Pos()), c.Src.Off(s.End())
		text := manyUses[:lo] + strings.Repeat(" ", hi-lo) + manyUses[hi:]
		want, ok := unused(text, imports)
		if !ok {
			return true // it does not compile without
		}
		tried++
		if len(want) > 0 {
			losing++
		}
		var got []string
		for _, obj := range u.Lost(c.Src.Tok, s.Pos(), s.End()) {
			got = append(got, obj.Name())
		}
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), want) {
			t.Errorf("%s: %q are lost, the compiler says %q", manyUses[lo:hi], got, want)
		}
		lost := u.LostWith(c.Src.Tok, []ast.Stmt{s})
		for _, name := range want {
			if !slices.ContainsFunc(lost, func(obj types.Object) bool { return obj.Name() == name }) {
				t.Errorf("%s: LostWith leaves out %s", manyUses[lo:hi], name)
			}
		}
		return true
	})
	if tried < 30 || losing < 15 {
		t.Errorf("%d statements were left out, %d of them with the last use of a name", tried, losing)
	}
}
