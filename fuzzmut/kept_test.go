package fuzzmut

import (
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Of a package without kept values none are looked for again, until one is kept in the same run.
func TestWhatIsKeptInARunIsLoadedInIt(t *testing.T) {
	typ := &term.Type{Kind: term.Int, Bits: 8, Min: 0, Max: 100}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	pkg := filepath.Join(t.TempDir(), "fuzz", "package")
	first, second := kept{filepath.Join(pkg, "TestA"), "a-"}, kept{filepath.Join(pkg, "TestB"), "b-"}
	if list := first.load(typ); len(list) > 0 || !isNoneKept(pkg) {
		t.Errorf("%d values are kept before one is; noted: %v", len(list), isNoneKept(pkg))
	}
	if err := second.add(term.Number(typ, 7)); err != nil {
		t.Fatal(err)
	}
	if list := second.load(typ); len(list) != 1 || list[0].Bits != 7 {
		t.Errorf("what was kept is not loaded: %v", list)
	}
	if list := first.load(typ); len(list) > 0 || isNoneKept(pkg) {
		t.Errorf("%d values of another test are loaded; the package is noted to have none: %v", len(list), isNoneKept(pkg))
	}
}

func isNoneKept(pkg string) bool {
	_, none := noneKept.Load(pkg)
	return none
}
