package revert

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

func TestAssign(t *testing.T) {
	one, two, three := make(Part, 1), make(Part, 2), make(Part, 3)
	for _, c := range []struct {
		name       string
		repaired   [][]int
		parts      []Part
		causes, of []int
	}{
		{"nothing", nil, nil, nil, []int{}},
		{"no repair", [][]int{nil, {}}, []Part{one}, nil, []int{-1, -1}},
		{"the part with more", [][]int{{0}, {1}, {0, 1}, {1}}, []Part{one, one}, []int{1, 0}, []int{0, 1, 1, 1}},
		{"of two alike the first", [][]int{{1, 0}, {0, 1}}, []Part{one, one}, []int{0}, []int{0, 0}},
		{"a small part before one that repairs all", [][]int{{0, 1}, {0}, {0}}, []Part{two, one}, []int{1, 0}, []int{1, 0, 0}},
		{"the smallest of all first", [][]int{{2, 1}, {1, 0}, {0}}, []Part{three, two, one}, []int{2, 1, 0}, []int{2, 1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			causes, of := Assign(c.repaired, c.parts)
			if diff := cmp.Diff(c.causes, causes); diff != "" {
				t.Errorf("causes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.of, of); diff != "" {
				t.Errorf("of (-want +got):\n%s", diff)
			}
		})
	}
}

// Each difference that a part repairs has one of these parts as its cause, and each cause
// is one of some difference.
func TestAssignProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		parts := make([]Part, 1+random.IntN(6))
		for i := range parts {
			parts[i] = make(Part, 1+random.IntN(3))
		}
		repaired := make([][]int, random.IntN(10))
		for i := range repaired {
			for p := range parts {
				if random.IntN(3) == 0 {
					repaired[i] = append(repaired[i], p)
				}
			}
			random.Shuffle(len(repaired[i]), func(a, b int) {
				repaired[i][a], repaired[i][b] = repaired[i][b], repaired[i][a]
			})
		}
		causes, of := Assign(repaired, parts)
		used := make(map[int]bool)
		for i, p := range of {
			if p < 0 != (len(repaired[i]) == 0) || p >= 0 && !slices.Contains(repaired[i], p) {
				t.Fatalf("%v: the cause of %d is %d", repaired, i, p)
			}
			if p >= 0 {
				used[p] = true
			}
		}
		for k, p := range causes {
			if !used[p] || slices.Contains(causes[:k], p) {
				t.Fatalf("%v: causes %v of %v", repaired, causes, of)
			}
			if k > 0 && len(parts[causes[k-1]]) > len(parts[p]) {
				t.Fatalf("%v: a large part before a small one in %v", parts, causes)
			}
		}
		if len(causes) != len(used) {
			t.Fatalf("%v: causes %v of %v", repaired, causes, of)
		}
	}
}

func TestDescribe(t *testing.T) {
	f := &versions.File{Name: "a.go", Old: []byte("a\nb\nc\n"), New: []byte("a\nx\ny\nc")}
	for _, c := range []struct {
		name string
		hunk versions.Hunk
		want behavior.Hunk
	}{
		{"changed", versions.Hunk{OldLine: 2, OldCount: 1, NewLine: 2, NewCount: 2}, behavior.Hunk{File: "a.go", Line: 2, End: 3, Was: "b", Is: "x\ny"}},
		{"taken out", versions.Hunk{OldLine: 2, OldCount: 1, NewLine: 2}, behavior.Hunk{File: "a.go", Line: 2, End: 1, Was: "b"}},
		{"new at the end", versions.Hunk{OldLine: 4, NewLine: 4, NewCount: 1}, behavior.Hunk{File: "a.go", Line: 4, End: 4, Is: "c"}},
	} {
		f.Hunks, c.want.Number = []versions.Hunk{c.hunk}, 1
		if diff := cmp.Diff([]behavior.Hunk{c.want}, Describe(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	gone := &versions.File{Name: "b.go", Old: []byte("a\nb\n"), Hunks: []versions.Hunk{{OldLine: 1, OldCount: 2, NewLine: 1}}}
	if diff := cmp.Diff([]behavior.Hunk{{File: "b.go", Line: 1, End: 0, Was: "a\nb", Number: 1}}, Describe(gone)); diff != "" {
		t.Errorf("a file that is gone (-want +got):\n%s", diff)
	}
	within := &versions.File{Name: "c.go", Old: []byte("package c\n\nfunc F() {\n\tg()\n}\n\nfunc (x *T[K]) M() {}\n"), New: []byte("package c\n\nfunc F() {\n}\n"), Hunks: []versions.Hunk{
		{OldLine: 4, OldCount: 1, NewLine: 4}, {OldLine: 7, OldCount: 1, NewLine: 5},
	}}
	if list := Describe(within); list[0].In != "func F" || list[1].In != "func T.M" {
		t.Errorf("in %q and %q", list[0].In, list[1].In)
	}
}
