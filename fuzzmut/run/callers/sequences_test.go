package callers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Sequences go over types that take or return each other's values, by what their methods
// reach, and leave out functions whose results come from outside the process.
func TestSequences(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

import (
	"os"
	"time"
)

// A Tree has nodes.
type Tree struct{ root *Node }

func (t *Tree) Add(tag string) *Node {
	t.root = &Node{tag: tag}
	return t.root
}

func (t *Tree) Load(name string) error {
	data, err := os.ReadFile(name)
	t.Add(string(data))
	return err
}

// Plant changes a variable of the package, Copied reads one.
func Plant(n *Node) { garden.Add(n.tag) }

func Copied(n *Node) *Node { return &Node{n.tag + weed.Tag()} }

var (
	garden = new(Tree)
	weed   Leaf
)

type Leaf struct{}

func (Leaf) Tag() string { return "leaf" }

// A Node is in a tree.
type Node struct{ tag string }

func (n *Node) Tag() string { return clean(n.tag) }

func (n *Node) Age() int { return age() }

func age() int { return time.Now().Second() }

func clean(s string) string { return s + "." } // changed

func lost() {} // changed

// A Set is of numbers.
type Set map[int]bool

func NewSet(n int) Set { return Set{n: true} }

func (s Set) Has(n int) bool { return s[n] } // changed

func (s Set) Len() int { return len(s) }

// A Reader is returned by a function.
type Reader interface{ Next() byte }

type reader struct{ at int }

func NewReader(text string) Reader { return new(reader) }

func (r *reader) Next() byte { // changed
	r.at++
	return byte(r.at)
}

func Rewind(r Reader) int { return 0 }

// A Quiet type reaches nothing that has changed.
type Quiet struct{}

func (Quiet) One() int { return 1 }

func (Quiet) Two() int { return 2 }
-- m_test.go --
package m

import "testing"

func TestAdd(t *testing.T) { new(Tree).Add("leaf") }

func FuzzNode_sequence(f *testing.F) { f.Fuzz(func(t *testing.T, s string) {}) }
`)
	all := Sequences(r, marked)
	var names []string
	for _, s := range all.List {
		for _, fn := range s.Functions() {
			names = append(names, s.Fuzz+" "+fn.Name())
		}
	}
	want := []string{"FuzzNode_sequence2 Copied", "FuzzNode_sequence2 Tag", "FuzzNode_sequence2 Add", "FuzzSet_sequence NewSet", "FuzzSet_sequence Has", "FuzzSet_sequence Len"}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	for what, by := range map[string]string{"m.clean": "FuzzNode_sequence2", "m.lost": "", "m.(*Node).Tag": "FuzzNode_sequence2", "m.(*Tree).Load": "", "m.Set.Has": "FuzzSet_sequence"} {
		for _, s := range all.List {
			if reached := all.Reached[s.Fuzz][what]; reached != (s.Fuzz == by) {
				t.Errorf("%s is reached by %s: %t", what, s.Fuzz, reached)
			}
		}
	}
	if list := Sequences(r, func(string, int, int) bool { return false }).List; len(list) > 0 {
		t.Errorf("%d fuzz tests without code to reach", len(list))
	}
}

// Of a method that no step calls, though steps make its receiver, it is known which argument is in the way.
func TestMethodsThatSequencesLeaveOut(t *testing.T) {
	all := Sequences(loadModule(t, `
-- m.go --
package m

import "math/big"

type Value struct{ n int }

func NewValue(n int) *Value { return &Value{n} }

func (v *Value) Get() int { return v.n } // changed

func (v *Value) More() int { return v.n + 1 }

func (v *Value) Set(n int, to *big.Int) { v.n = int(to.Int64()) } // changed

func (v *Value) Many(a, b, c, d, e, f int) int { return a + b + c + d + e + f + v.n } // changed
`), marked)
	want := map[string]string{
		"m.(*Value).Set":  "its argument to is of *math/big.Int, which calls in turn do not make",
		"m.(*Value).Many": "it has more than 5 arguments, and calls in turn have no more",
	}
	if !maps.Equal(all.Left, want) {
		t.Errorf("left out: %q", all.Left)
	}
}

// There are only some fuzz tests over sequences of calls. Of the types that come after these is known that nothing but
// this is why.
func TestMoreTypesThanSequences(t *testing.T) {
	var code strings.Builder
	code.WriteString("-- m.go --\npackage m\n")
	for i := range sequencesMost + 2 {
		// The last type has a single method, for which there is no sequence.
		more := ""
		if i <= sequencesMost {
			more = strings.ReplaceAll("\nfunc (v N) More() int { return v.Get() }\n", "N", fmt.Sprintf("T%d", i))
		}
		code.WriteString(strings.ReplaceAll(`
type N struct{ n int }

func NewN(n int) N { return N{n} }

func (v N) Get() int { return v.n } // changed
`, "N", fmt.Sprintf("T%d", i)) + more)
	}
	all := Sequences(loadModule(t, code.String()), marked)
	if len(all.List) != sequencesMost {
		t.Errorf("%d fuzz tests", len(all.List))
	}
	for i := range sequencesMost + 2 {
		if what := fmt.Sprintf("m.T%d.Get", i); all.Beyond[what] != (i == sequencesMost) {
			t.Errorf("%s: %t", what, all.Beyond[what])
		}
	}
	if want := fmt.Sprintf("for %d groups of types", sequencesMost); !strings.Contains(BeyondReason, want) {
		t.Errorf("%q, want %q", BeyondReason, want)
	}
}

// A test's values of another module's types are arguments, with the very texts that the test has there; functions
// that call each other are called, whether they note who calls them or not.
func TestSequencesWithOtherModules(t *testing.T) {
	r := loadModule(t, `-- go.mod --
module example.com/m

go 1.26

require example.net/base v0.0.0

replace example.net/base => ./base
-- base/go.mod --
module example.net/base

go 1.26
-- m.go --
package m

import (
	"runtime"

	"example.net/base"
)

// A Tree is parsed.
type Tree struct{ kids []*Tree }

func Parse(s string) *Tree {
	t := new(Tree)
	for s != "" {
		t.kids, s = append(t.kids, inner(s[1:])), s[1:]
	}
	return t
}

func inner(s string) *Tree { // changed
	runtime.Callers(2, make([]uintptr, 1))
	return Parse(s)
}

func (t *Tree) Eval(c *base.Context) int { return len(t.kids) + len(c.Names) } // changed

func (t *Tree) Size() int { return 1 + len(t.kids) }
-- base/base.go --
package base

type Context struct{ Names map[string]string }

func Names(s string) map[string]string { return map[string]string{s: s} }
-- m_test.go --
package m

import (
	"testing"

	"example.net/base"
)

func TestEval(t *testing.T) {
	for _, text := range []string{"a", "b"} {
		Parse(text).Eval(&base.Context{Names: base.Names("c")})
		Parse(text).Eval(&base.Context{Names: base.Names(text)})
	}
}
`)
	list := Sequences(r, marked).List
	if len(list) != 1 {
		t.Fatalf("%d fuzz tests", len(list))
	}
	text := string(list[0].Text)
	for _, want := range []string{"Parse(pick(", `"example.net/base"`, `&base.Context{Names: base.Names("c")}`, ".Eval("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "base.Names(pick") {
		t.Errorf("the search chooses what another module's function is given:\n%s", text)
	}
}
