package revert

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// builtOf has each part of n hunks built that compiles.
func builtOf(n, parallel int, compiles func(p Part) bool) *Builder {
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), built: make(map[string]*project.Package)}
	b.Project.Options.Parallel = parallel
	for set := range 1 << n {
		var p Part
		for i := range n {
			if set>>i&1 == 1 {
				p = append(p, versions.Ref{Hunk: i})
			}
		}
		b.built[b.key(p)] = nil
		if compiles(p) {
			b.built[b.key(p)] = new(project.Package)
		}
	}
	return b
}

func TestMinimal(t *testing.T) {
	has := func(hunks ...int) func(p Part) bool {
		return func(p Part) bool {
			for _, h := range hunks {
				if !p.Has(versions.Ref{Hunk: h}) {
					return false
				}
			}
			return true
		}
	}
	any := func(Part) bool { return true }
	for _, c := range []struct {
		name              string
		n                 int
		compiles, repairs func(p Part) bool
		want              string
	}{
		{"one", 1, any, any, "[{0 0}]"},
		{"one of two", 2, any, has(1), "[{0 1}]"},
		{"both", 2, any, has(0, 1), "[{0 0} {0 1}]"},
		{"one of many", 9, any, has(4), "[{0 4}]"},
		{"two far apart", 9, any, has(0, 8), "[{0 0} {0 8}]"},
		{"three", 9, any, has(0, 3, 8), "[{0 0} {0 3} {0 8}]"},
		{"all", 5, any, has(0, 1, 2, 3, 4), "[{0 0} {0 1} {0 2} {0 3} {0 4}]"},
		{"one that does not compile alone", 6, func(p Part) bool { return !has(2)(p) || has(5)(p) }, has(2), "[{0 2} {0 5}]"},
		{"only the whole compiles", 4, func(p Part) bool { return len(p) == 4 }, has(2), "[{0 0} {0 1} {0 2} {0 3}]"},
	} {
		for _, parallel := range []int{1, 2, 5} {
			b := builtOf(c.n, parallel, c.compiles)
			whole := make(Part, c.n)
			for i := range whole {
				whole[c.n-1-i] = versions.Ref{Hunk: i} // whatever the order
			}
			got, err := b.Minimal(t.Context(), whole, func(p Part, _ *project.Package) (bool, error) { return c.repairs(p), nil })
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("%s, %d at a time: %v, %v, want %s", c.name, parallel, got, err, c.want)
			}
		}
	}
}

// Whatever repairs: the result does, and without any one of its hunks it does not.
func TestMinimalProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		const n = 6
		var fine [2][1 << n]bool
		for i := range fine {
			for set := range fine[i] {
				fine[i][set] = set == 1<<n-1 || random.IntN(3) > 0
			}
		}
		set := func(p Part) (s int) {
			for _, r := range p {
				s |= 1 << r.Hunk
			}
			return s
		}
		b := builtOf(n, 1+random.IntN(3), func(p Part) bool { return fine[0][set(p)] })
		var whole Part
		for i := range n {
			whole = append(whole, versions.Ref{Hunk: i})
		}
		got, err := b.Minimal(t.Context(), whole, func(p Part, _ *project.Package) (bool, error) { return fine[1][set(p)], nil })
		repairs := func(s int) bool { return s > 0 && fine[0][s] && fine[1][s] }
		if err != nil || !repairs(set(got)) {
			t.Fatalf("%v, %v", got, err)
		}
		for _, r := range got {
			if repairs(set(got) &^ (1 << r.Hunk)) {
				t.Fatalf("%v repairs without %v", got, r)
			}
		}
	}
}

// Hunks that are one are left out together, or not at all.
func TestMinimalKeepsWhatIsOne(t *testing.T) {
	for _, c := range []struct {
		shared  [][]versions.Ref
		repairs versions.Ref
		want    string
	}{
		{[][]versions.Ref{{{Hunk: 0}, {Hunk: 4}, {Hunk: 5}}}, versions.Ref{Hunk: 4}, "[{0 0} {0 4} {0 5}]"},
		{[][]versions.Ref{{{Hunk: 0}, {Hunk: 4}, {Hunk: 5}}}, versions.Ref{Hunk: 3}, "[{0 3}]"},
		{[][]versions.Ref{{{Hunk: 0}, {Hunk: 1}}, {{Hunk: 2}, {Hunk: 5}}}, versions.Ref{Hunk: 5}, "[{0 2} {0 5}]"},
	} {
		b := builtOf(6, 2, func(Part) bool { return true })
		b.shared = c.shared
		whole := Part{{Hunk: 0}, {Hunk: 1}, {Hunk: 2}, {Hunk: 3}, {Hunk: 4}, {Hunk: 5}}
		got, err := b.Minimal(t.Context(), whole, func(p Part, _ *project.Package) (bool, error) { return p.Has(c.repairs), nil })
		if err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%v repairs, %v are one: %v, %v, want %s", c.repairs, c.shared, got, err, c.want)
		}
	}
}

func TestMinimalHasABound(t *testing.T) {
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), built: make(map[string]*project.Package)}
	pkg := new(project.Package)
	whole := make(Part, 1000)
	for i := range whole {
		whole[i] = versions.Ref{Hunk: i}
	}
	for n := 2; n <= 64; n *= 2 {
		for _, p := range subsets(b.units(whole), n) {
			b.built[b.key(p)] = pkg
		}
	}
	tried := 0
	got, err := b.Minimal(t.Context(), whole, func(Part, *project.Package) (bool, error) {
		tried++
		return false, nil
	})
	if len(got) != len(whole) || err != nil || tried != minimalMost {
		t.Errorf("%d hunks, %v after %d parts", len(got), err, tried)
	}
}

// The end of the time is no error, what goes wrong is one.
func TestMinimalEnds(t *testing.T) {
	b := builtOf(3, 1, func(Part) bool { return true })
	whole := Part{{Hunk: 0}, {Hunk: 1}, {Hunk: 2}}
	ctx, cancel := context.WithCancel(t.Context())
	got, err := b.Minimal(ctx, whole, func(Part, *project.Package) (bool, error) {
		cancel()
		return false, ctx.Err()
	})
	if len(got) != 3 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	fault := errors.New("fault")
	if _, err := b.Minimal(t.Context(), whole, func(Part, *project.Package) (bool, error) { return false, fault }); !errors.Is(err, fault) {
		t.Errorf("%v", err)
	}
}
