package revert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// builderOf has all parts built that Each may ask for; those in broken do not compile. The
// files are pairs of an old and a new text.
func builderOf(parallel int, broken []string, files ...[2]string) *Builder {
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), built: make(map[string]*project.Package)}
	b.Project.Options.Parallel = parallel
	b.Takes = func(*versions.File) bool { return true }
	for _, f := range files {
		old, now := []byte("package p\n\n"+f[0]), []byte("package p\n\n"+f[1])
		b.Pair.Files = append(b.Pair.Files, versions.File{Old: old, New: now, Hunks: hunk.Diff(old, now)})
	}
	for _, list := range [][]Part{b.Parts(nil), b.wider(nil)} {
		for _, p := range list {
			b.built[b.key(p)] = new(project.Package)
		}
	}
	for _, key := range broken {
		b.built["false "+key] = nil
	}
	return b
}

// tried lists the parts that Each has tried.
func tried(t *testing.T, b *Builder, queue []Part, open func(n int) bool) (list []string) {
	t.Helper()
	a := &Attempt{Builder: b, Open: func() bool { return open(len(list)) }, Try: func(p Part, without *project.Package) error {
		if without == nil {
			t.Errorf("%v is tried without code", p)
		}
		list = append(list, fmt.Sprint(p))
		return nil
	}}
	if err := a.Each(t.Context(), queue); err != nil {
		t.Error(err)
	}
	return list
}

func always(int) bool { return true }

// Three hunks, two in one function.
var threeHunks = [2]string{
	"func f() {\n\ta()\n\tb()\n\tc()\n}\n\nvar x = 1\n",
	"func f() {\n\td()\n\tb()\n\te()\n}\n\nvar x = 2\n",
}

func TestEachTriesPartsOnceAndWiderOnesInPlaceOfThoseThatDoNotCompile(t *testing.T) {
	for _, c := range []struct {
		name   string
		broken []string
		queue  []Part
		want   []string
	}{
		{"all compile", nil, nil, []string{"[{0 0}]", "[{0 1}]", "[{0 2}]"}},
		{"a part twice", nil, []Part{{{File: 0, Hunk: 1}}, {{File: 0, Hunk: 1}}, {{File: 0, Hunk: 0}}}, []string{"[{0 1}]", "[{0 0}]"}},
		{
			"one does not compile",
			[]string{"[{0 0}]"},
			nil,
			[]string{"[{0 1}]", "[{0 2}]", "[{0 0} {0 1}]", "[{0 0} {0 1} {0 2}]"},
		},
		{
			"nor does what is around it",
			[]string{"[{0 0}]", "[{0 0} {0 1}]"},
			nil,
			[]string{"[{0 1}]", "[{0 2}]", "[{0 0} {0 1} {0 2}]"},
		},
		{
			"none",
			[]string{"[{0 0}]", "[{0 1}]", "[{0 2}]", "[{0 0} {0 1}]", "[{0 0} {0 1} {0 2}]"},
			nil,
			nil,
		},
		{"nothing to build", nil, []Part{}, nil},
	} {
		for _, parallel := range []int{1, 2, 16} {
			t.Run(fmt.Sprintf("%s, %d at a time", c.name, parallel), func(t *testing.T) {
				b := builderOf(parallel, c.broken, threeHunks)
				queue := c.queue
				if queue == nil {
					queue = b.Parts(nil)
				}
				if diff := cmp.Diff(c.want, tried(t, b, queue, always)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if b.made != 0 {
					t.Errorf("%d parts were built again", b.made)
				}
			})
		}
	}
}

// What is tried hangs on the bound, not on the number of builds at a time.
func TestEachHasABound(t *testing.T) {
	for _, parallel := range []int{1, 7, 500} {
		b := builderOf(parallel, nil)
		var queue []Part
		for i := range 2 * partsMost {
			p := Part{{File: 0, Hunk: i}}
			b.built[b.key(p)] = new(project.Package)
			queue = append(queue, p)
		}
		if got := tried(t, b, queue, always); len(got) != partsMost || got[partsMost-1] != fmt.Sprint(queue[partsMost-1]) {
			t.Errorf("%d at a time: %d parts, want %d", parallel, len(got), partsMost)
		}
	}
}

func TestEachEndsWhenNothingIsOpen(t *testing.T) {
	b := builderOf(1, nil, threeHunks)
	got := tried(t, b, b.Parts(nil), func(n int) bool { return n < 2 })
	if diff := cmp.Diff([]string{"[{0 0}]", "[{0 1}]"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := tried(t, b, b.Parts(nil), func(int) bool { return false }); got != nil {
		t.Errorf("%v", got)
	}
}

func TestEachPassesAnErrorOn(t *testing.T) {
	fault := errors.New("fault")
	b := builderOf(4, nil, threeHunks)
	n := 0
	a := &Attempt{Builder: b, Open: func() bool { return true }, Try: func(Part, *project.Package) error {
		n++
		return fault
	}}
	err := a.Each(t.Context(), b.Parts(nil))
	if !errors.Is(err, fault) || n != 1 {
		t.Errorf("%v after %d parts", err, n)
	}
}

// The end of the time is no error: neither before the first part nor within one.
func TestTheEndOfTheTimeIsNoError(t *testing.T) {
	b := builderOf(1, nil, threeHunks)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	try := func(Part, *project.Package) error {
		n++
		cancel()
		return ctx.Err()
	}
	for _, want := range []int{1, 1} { // the second time it is over before
		a := &Attempt{Builder: b, Open: func() bool { return true }, Try: try}
		if err := a.Each(ctx, b.Parts(nil)); err != nil || n != want {
			t.Errorf("%v after %d parts, want %d", err, n, want)
		}
	}
	if pkg, err := b.Build(ctx, Part{{}}); err == nil || pkg != nil {
		t.Errorf("Build: %v, %v", pkg, err)
	}
}

func TestBuildKnowsWhatIsBuilt(t *testing.T) {
	b := builderOf(1, []string{"[{0 1}]"}, threeHunks)
	for _, c := range []struct {
		part     Part
		compiles bool
	}{{Part{{File: 0, Hunk: 0}}, true}, {Part{{File: 0, Hunk: 1}}, false}} {
		pkg, err := b.Build(t.Context(), c.part)
		if err != nil || (pkg != nil) != c.compiles || b.made != 0 {
			t.Errorf("%v: %v, %v; %d built", c.part, pkg, err, b.made)
		}
	}
	// With fuel it is another program.
	b.Metered = true
	if _, ok := b.built[b.key(Part{{File: 0, Hunk: 0}})]; ok {
		t.Error("what is built without fuel is taken for a program with fuel")
	}
}

// What is around parts that do not compile is tried by those who ask for it, and nothing
// twice.
func TestAloneAndAround(t *testing.T) {
	b := builderOf(2, []string{"[{0 0}]"}, threeHunks)
	var list []string
	a := &Attempt{Builder: b, Open: func() bool { return true }, Try: func(p Part, _ *project.Package) error {
		list = append(list, fmt.Sprint(p))
		return nil
	}}
	broken, err := a.Alone(t.Context(), append(b.Parts(nil), Part{{File: 0, Hunk: 0}, {File: 0, Hunk: 1}}))
	if diff := cmp.Diff([]string{"[{0 1}]", "[{0 2}]", "[{0 0} {0 1}]"}, list); diff != "" || err != nil || fmt.Sprint(broken) != "[[{0 0}]]" {
		t.Errorf("%v, %v (-want +got):\n%s", broken, err, diff)
	}
	list = nil
	err = a.Around(t.Context(), broken)
	if diff := cmp.Diff([]string{"[{0 0} {0 1} {0 2}]"}, list); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// What no input reaches comes last, and may be left out of the whole.
func TestPartsThatAreReachedComeFirst(t *testing.T) {
	b := builderOf(1, nil, threeHunks)
	if got, want := fmt.Sprint(b.AllParts()), "[[{0 0} {0 1} {0 2}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.Functions = func(p Part) []string { return []string{"f"} }
	b.Reached = func(h versions.Ref) bool { return h.Hunk != 1 }
	if got, want := fmt.Sprint(b.Parts([]string{"f"})), "[[{0 0}] [{0 2}] [{0 0} {0 2}] [{0 1}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := fmt.Sprint(b.AllParts()), "[[{0 0} {0 2}] [{0 0} {0 1} {0 2}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Statements that were written together are one part.
func TestPartsAreRuns(t *testing.T) {
	b := builderOf(1, nil, [2]string{"func f() {\n\tx()\n}\n", "func f() {\n\ta()\n\tb()\n\tx()\n\tc()\n}\n"})
	if got, want := fmt.Sprint(b.Parts(nil)), "[[{0 0} {0 1}] [{0 2}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPartsAsSets(t *testing.T) {
	h := func(n ...int) (p Part) {
		for _, n := range n {
			p = append(p, versions.Ref{Hunk: n})
		}
		return p
	}
	if got := fmt.Sprint(Join(h(3, 1), h(2, 1), nil)); got != fmt.Sprint(h(1, 2, 3)) {
		t.Errorf("joined: %s", got)
	}
	for _, c := range []struct {
		p, o             Part
		contains, shares bool
	}{
		{h(1, 2), h(1), true, true},
		{h(1), h(1), false, true},
		{h(1), h(1, 2), false, true},
		{h(1, 2), h(2, 3), false, true},
		{h(1, 2), h(3), false, false},
		{h(1, 2), nil, false, false},
	} {
		if c.p.Contains(c.o) != c.contains || c.p.Shares(c.o) != c.shares {
			t.Errorf("%v and %v", c.p, c.o)
		}
	}
	if h(2, 1).key() != h(1, 2).key() {
		t.Error("the order makes another part")
	}
}

func TestPartsOfSeveralFunctions(t *testing.T) {
	b := builderOf(1, nil, threeHunks, [2]string{"var y = 1\n", "var y = 2\n"})
	b.Functions = func(p Part) (names []string) {
		if p[0].File == 0 && p[0].Hunk < 2 {
			names = append(names, "f")
		}
		if p[0].File == 1 || p[0].Hunk == 2 {
			names = append(names, "g", "h")
		}
		return names
	}
	for _, c := range []struct {
		first []string
		want  string
	}{
		{nil, "[[{0 0}] [{0 1}] [{0 2}] [{1 0}]]"},
		{[]string{"none"}, "[[{0 0}] [{0 1}] [{0 2}] [{1 0}]]"},
		{[]string{"g"}, "[[{0 2}] [{1 0}] [{0 0}] [{0 1}] [{0 2} {1 0}]]"},
		{[]string{"h", "f", "h"}, "[[{0 0}] [{0 1}] [{0 2}] [{1 0}] [{0 0} {0 1}] [{0 2} {1 0}]]"},
	} {
		if got := fmt.Sprint(b.Parts(c.first)); got != c.want {
			t.Errorf("%q first: %s, want %s", c.first, got, c.want)
		}
	}
	first := []string{"h", "f"}
	b.Parts(first)
	if !slices.Equal(first, []string{"h", "f"}) {
		t.Errorf("the list of the caller is sorted: %v", first)
	}
}

// What counts is nothing without what is counted.
func TestPartsHaveAllThatIsOne(t *testing.T) {
	b := builderOf(1, nil, [2]string{
		"func f(s string) {\n\ta(s)\n\tfor range s {\n\t\tb(1)\n\t\tc()\n\t\td(2)\n\t}\n}\n",
		"func f(s string) {\n\tn := 0\n\ta(s)\n\tfor range s {\n\t\tb(n)\n\t\tc()\n\t\tn++\n\t\td(3)\n\t}\n}\n",
	})
	want := "[[{0 0} {0 1} {0 2}] [{0 0} {0 1} {0 2}] [{0 0} {0 1} {0 2}] [{0 3}]]"
	if got := fmt.Sprint(b.Parts(nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
