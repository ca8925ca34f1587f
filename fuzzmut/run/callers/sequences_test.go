package callers

import (
	"slices"
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
	for what, reached := range map[string]bool{"m.clean": true, "m.lost": false, "m.(*Node).Tag": true, "m.(*Tree).Load": false, "m.Set.Has": true} {
		if all.Reached[what] != reached {
			t.Errorf("%s is reached: %t", what, !reached)
		}
	}
	if list := Sequences(r, func(string, int, int) bool { return false }).List; len(list) > 0 {
		t.Errorf("%d fuzz tests without code to reach", len(list))
	}
}
