package revert

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

func TestLinesOfHunks(t *testing.T) {
	const text = "a\nb\nc"
	for _, c := range []struct {
		from, n int
		want    string
	}{{1, 2, "a\nb"}, {3, 1, "c"}, {2, 0, ""}, {4, 0, ""}, {3, 9, "c"}} {
		if got := lines([]byte(text), c.from, c.n); got != c.want {
			t.Errorf("%d from %d: %q", c.n, c.from, got)
		}
	}
}

// Each of several parts of a line shows what it alone does: who reads it, and a list of accepted
// differences, has to know which is meant.
func TestDescribePartsOfALine(t *testing.T) {
	f := &versions.File{Name: "a.go", Old: []byte("package p\n\nvar t = []int{\n\t1, 2, 3,\n\t4, 8,\n}\n"), New: []byte("package p\n\nvar t = []int{\n\t1, 5, 3, 6,\n\t4, 7,\n}\n")}
	f.Hunks = hunk.Diff(f.Old, f.New)
	var got []string
	for _, h := range Describe(f) {
		got = append(got, fmt.Sprintf("%d-%d %q %q", h.Line, h.End, h.Was, h.Is))
	}
	want := []string{
		`4-4 "\t1, 2, 3, 6," "\t1, 5, 3, 6,"`, `4-4 "\t1, 5, 3, " "\t1, 5, 3, 6,"`, `5-5 "\t4, 8," "\t4, 7,"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPartsAreEqual(t *testing.T) {
	a, b, c := versions.Ref{Hunk: 1}, versions.Ref{Hunk: 2}, versions.Ref{File: 1, Hunk: 1}
	for _, tt := range []struct {
		name string
		p, o Part
		want bool
	}{
		{"the same hunk", Part{a}, Part{a}, true},
		{"another order", Part{a, b, c}, Part{c, a, b}, true},
		{"a hunk of another file", Part{a}, Part{c}, false},
		{"less", Part{a, b}, Part{a}, false},
		{"more", Part{a}, Part{a, b}, false},
		{"one of two differs", Part{a, b}, Part{a, c}, false},
		{"nothing", nil, Part{}, true},
		{"nothing and something", nil, Part{a}, false},
	} {
		if got := tt.p.Equal(tt.o); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestPartsOfWhatDiffersInsideComeFirst(t *testing.T) {
	pair := &versions.Pair{Files: []versions.File{
		{Name: "a", Hunks: make([]versions.Hunk, 3)}, {Name: "left out", Hunks: make([]versions.Hunk, 1)}, {Name: "b", Hunks: make([]versions.Hunk, 1)},
	}}
	b := &Builder{Pair: pair, Takes: func(f *versions.File) bool { return f.Name != "left out" }}
	if got, want := fmt.Sprint(b.Parts([]string{"F"})), "[[{0 0}] [{0 1}] [{0 2}] [{2 0}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.Functions = func(p Part) []string {
		if p[0].File == 0 && p[0].Hunk > 0 {
			return []string{"F"}
		}
		return []string{"G"}
	}
	if got, want := fmt.Sprint(b.Parts([]string{"F"})), "[[{0 1}] [{0 2}] [{0 0}] [{2 0}] [{0 1} {0 2}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCausesAreThePartsThatRepairMost(t *testing.T) {
	parts := []Part{{{}}, {{}}, {{}}, {{}, {}}}
	causes, of := Assign([][]int{{1}, {0, 1}, {0, 3}, {0}, nil, {3}, {2, 3}}, parts)
	if want := []int{0, 1, 2, 3}; !slices.Equal(causes, want) {
		t.Errorf("%v, want %v", causes, want)
	}
	if want := []int{1, 0, 0, 0, -1, 3, 2}; !slices.Equal(of, want) {
		t.Errorf("%v, want %v", of, want)
	}
}
