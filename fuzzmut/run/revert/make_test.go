package revert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// A part that does not compile is no repair, without a warning. Any other reason why there
// is no program is a fault, which is reported.
func TestFaultsOfBuildsAreTold(t *testing.T) {
	var warned []string
	b := &Builder{
		Project: new(project.Project),
		Pair:    &versions.Pair{Files: []versions.File{{Name: "a.go", Hunks: []versions.Hunk{{NewLine: 3}, {NewLine: 7}, {NewLine: 9}}}}},
		Warn:    func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) },
		Make: func(_ context.Context, p Part, _ string) (*project.Package, error) {
			if p.Has(versions.Ref{Hunk: 0}) {
				return nil, &problem.Error{Kind: problem.KindBroken, Msg: "undefined: x"}
			}
			return nil, errors.New("no space left on device")
		},
	}
	for _, p := range []Part{{{Hunk: 0}}, {{Hunk: 2}, {Hunk: 1}}} {
		for range 2 {
			if pkg, err := b.Build(t.Context(), p); pkg != nil || err != nil {
				t.Errorf("%v, %v", pkg, err)
			}
		}
	}
	if want := []string{"new code without a.go:7 and 1 more could not be built: no space left on device"}; !slices.Equal(warned, want) {
		t.Errorf("%q, want %q", warned, want)
	}
}

// Each part is built once, under a separate name, whatever the order of its hunks. One that
// does not compile is not tried again either.
func TestEachPartIsBuiltOnce(t *testing.T) {
	var mu sync.Mutex
	names := make(map[string]string)
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), Make: func(_ context.Context, p Part, name string) (*project.Package, error) {
		mu.Lock()
		defer mu.Unlock()
		if had, ok := names[name]; ok {
			t.Errorf("%s is the name of %s and of %v", name, had, p)
		}
		names[name] = fmt.Sprint(p)
		if p.Has(versions.Ref{Hunk: 2}) {
			return nil, errors.New("it does not compile")
		}
		return new(project.Package), nil
	}}
	ref := func(hunks ...int) (p Part) {
		for _, h := range hunks {
			p = append(p, versions.Ref{Hunk: h})
		}
		return p
	}
	first := make(map[string]*project.Package)
	for round := range 2 {
		for _, c := range []struct {
			part     Part
			compiles bool
		}{{ref(0), true}, {ref(0, 1), true}, {ref(1, 0), true}, {ref(2), false}, {ref(1, 2), false}} {
			_, had := b.Built(c.part)
			if seen := first[c.part.key()]; had != (round > 0 || seen != nil) {
				t.Errorf("%v, round %d: was built: %v", c.part, round, had)
			}
			pkg, err := b.Build(t.Context(), c.part)
			if built, ok := b.Built(c.part); built != pkg || !ok {
				t.Errorf("%v: built is %v, %v", c.part, built, ok)
			}
			if err != nil || (pkg != nil) != c.compiles {
				t.Fatalf("%v: %v, %v", c.part, pkg, err)
			}
			key := c.part.key()
			if had, ok := first[key]; ok && had != pkg {
				t.Errorf("%v is another program the second time", c.part)
			}
			first[key] = pkg
		}
	}
	if len(names) != 4 {
		t.Errorf("built %v, want 4 parts", names)
	}
	b.Metered = true
	if _, ok := b.Built(ref(0)); ok {
		t.Error("it was not built with fuel")
	}
	if _, err := b.Build(t.Context(), ref(0)); err != nil || len(names) != 5 {
		t.Errorf("with fuel it is to be built again: %d parts, %v", len(names), err)
	}
}

// Of several parts the programs come in the order of the parts.
func TestPartsAreBuiltInOrder(t *testing.T) {
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), Make: func(_ context.Context, p Part, _ string) (*project.Package, error) {
		return &project.Package{Binary: fmt.Sprint(p[0].Hunk)}, nil
	}}
	var parts []Part
	var want []string
	for h := range 9 {
		parts, want = append(parts, Part{{Hunk: h}}), append(want, fmt.Sprint(h))
	}
	if _, err := b.Build(t.Context(), parts[4]); err != nil {
		t.Fatal(err)
	}
	list, err := b.all(t.Context(), parts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, pkg := range list {
		got = append(got, pkg.Binary)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What was interrupted is not taken for a part that does not compile.
func TestInterruptedBuildsAreNotKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), Make: func(ctx context.Context, _ Part, _ string) (*project.Package, error) {
		cancel()
		return new(project.Package), ctx.Err()
	}}
	p := Part{{Hunk: 0}}
	if pkg, err := b.Build(ctx, p); err == nil || pkg != nil {
		t.Errorf("interrupted: %v, %v", pkg, err)
	}
	if pkg, err := b.Build(t.Context(), p); err != nil || pkg == nil {
		t.Errorf("afterwards: %v, %v", pkg, err)
	}
}

// A part that is built again burns fuel from then on, and others do not.
func TestBurningPartsReplaceOthers(t *testing.T) {
	var made []bool
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair)}
	b.Make = func(_ context.Context, p Part, _ string) (*project.Package, error) {
		made = append(made, b.meters(p))
		if b.meters(p) && p.Has(versions.Ref{Hunk: 2}) {
			return nil, errors.New("it does not compile")
		}
		return new(project.Package), nil
	}
	build := func(hunk int) *project.Package {
		pkg, err := b.Build(t.Context(), Part{{Hunk: hunk}})
		if err != nil {
			t.Fatal(err)
		}
		return pkg
	}
	burning := func(pkg *project.Package) *project.Package {
		again, err := b.Burning(t.Context(), pkg)
		if err != nil {
			t.Fatal(err)
		}
		return again
	}
	first, other := build(0), build(1)
	again := burning(first)
	if again == first || build(0) != again || burning(again) != again || build(1) != other {
		t.Error("a part is not built again, or another one is")
	}
	if foreign := new(project.Package); burning(foreign) != foreign {
		t.Error("code that was not built here is replaced")
	}
	if burning(build(2)) != nil {
		t.Error("what does not compile is there")
	}
	if want := []bool{false, false, true, false, true}; !slices.Equal(made, want) {
		t.Errorf("built with fuel: %v, want %v", made, want)
	}
}
