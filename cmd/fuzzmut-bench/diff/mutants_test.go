package diff

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAMutantIsAppliedWhereItStands(t *testing.T) {
	source := []byte("package p\n\nfunc f(a int) bool { return a < 3 || a < 3 }\n")
	for _, c := range []struct {
		s    survivor
		want string // "": an error
	}{
		{survivor{Line: 3, Column: 38, Original: "a < 3", Replacement: "a <= 3"}, "package p\n\nfunc f(a int) bool { return a < 3 || a <= 3 }\n"},
		{survivor{Line: 1, Column: 1, Original: "package", Replacement: "//"}, "// p\n\nfunc f(a int) bool { return a < 3 || a < 3 }\n"},
		{survivor{Line: 3, Column: 37, Original: "a < 3"}, ""},
		{survivor{Line: 9, Column: 1, Original: "a"}, ""},
		{survivor{Line: 3, Column: 900, Original: "a"}, ""},
	} {
		got, err := c.s.apply(source)
		if string(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%+v: %q, %v", c.s, got, err)
		}
	}
}

func TestWhatFuzzTestsKill(t *testing.T) {
	got, err := readKilled([]byte(`{"tests": [
		{"mutants": [{"id": "a", "status": "killed", "kill_kind": "panic"}, {"id": "b", "status": "survived"}]},
		{"mutants": [{"id": "b", "status": "killed", "kill_kind": "only-inside"}, {"id": "c", "status": "killed"}]}]}`))
	if want := []string{"a", "c"}; err != nil || !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := readKilled([]byte("{")); err == nil {
		t.Error("half a result is read")
	}
}

func TestAFunctionIsMarked(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.go")
	if err := os.WriteFile(file, []byte("package p\n\n// F is it.\nfunc F() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := mark(dir, "F"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "package p\n\n// F is it.\n//fuzzmut:target\nfunc F() {}\n" {
		t.Errorf("%s, %v", text, err)
	}
	if err := mark(dir, "G"); err == nil {
		t.Error("a function that is not there is marked")
	}
}

func TestTheSampleIsTheSameEachTime(t *testing.T) {
	b := &mutantBench{bench: bench{seed: 1}, n: 2}
	list := []survivor{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}
	one, again := b.sample("m", list), b.sample("m", list)
	if len(one) != 2 || one[0] != again[0] || one[1] != again[1] {
		t.Errorf("%v, then %v", one, again)
	}
	if all := b.sample("m", list[:1]); len(all) != 1 {
		t.Errorf("%d of one", len(all))
	}
}

func TestAMutantRowCounts(t *testing.T) {
	found := measurement{ran: true, outcome: outcome{found: true}}
	row := mutantRow{plain: true}
	var all mutantRow
	row.count(true, changed{diff: found})
	row.count(true, changed{})
	row.count(false, changed{diff: found, coverage: found})
	row.count(false, changed{coverage: found})
	row.count(false, changed{diff: measurement{err: errors.New("no")}})
	all.add(row)
	all.add(row)
	var out strings.Builder
	all.write(&out, "in all")
	if got, want := strings.Join(strings.Fields(out.String()), " "), "in all 0 10 4 4 4 8 4 of 8 (50 %) the first difference, against coverage alone: after fewer inputs on 0, after as many on 2, after more on 0 the command ended with an error on 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
