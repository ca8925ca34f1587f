package load

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCandidatesAreWhatTheCodeNeeds(t *testing.T) {
	const mod = "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- dep/dep.go --\npackage dep\n\nimport _ \"example.com/m/deep\"\n\nfunc F() {}\n-- deep/deep.go --\npackage deep\n\nfunc F() {}\n" +
		"-- help/help.go --\npackage help\n\nimport \"testing\"\n\nfunc F(testing.TB) {}\n-- internal/testutil/u.go --\npackage testutil\n\nfunc F() {}\n-- unneeded/u.go --\npackage unneeded\n"
	const fuzz = "\n\nfunc FuzzX(f *testing.F) {}\n"
	const tests = "-- m_test.go --\npackage m\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/m/help\"\n\t_ \"example.com/m/internal/testutil\"\n"
	for _, c := range []struct {
		name, files string
		mutate      []string
		want, seen  []string
	}{
		{
			name: "those that the code needs", files: "-- m.go --\npackage m\n\nimport _ \"example.com/m/dep\"\n\nfunc F() {}\n" + tests + ")" + fuzz,
			want: []string{"example.com/m/deep", "example.com/m/dep"}, seen: []string{"example.com/m", "example.com/m/deep", "example.com/m/dep"},
		},
		{
			name: "it needs none", files: "-- m.go --\npackage m\n\nfunc F() {}\n" + tests + ")" + fuzz, seen: []string{"example.com/m"},
		},
		{
			name: "those that tests need", files: tests + "\t_ \"example.com/m/deep\"\n)" + fuzz,
			want: []string{"example.com/m/deep"}, seen: []string{"example.com/m/deep"},
		},
		{
			name: "others were named", files: "-- m.go --\npackage m\n\nimport _ \"example.com/m/dep\"\n\nfunc F() {}\n" + tests + ")" + fuzz,
			mutate: []string{"./deep"}, seen: []string{"example.com/m", "example.com/m/deep"},
		},
	} {
		r, err := Load(t.Context(), Config{Dir: unpack(t, mod+c.files), Pattern: ".", Mutate: c.mutate})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, r.Candidates); diff != "" {
			t.Errorf("%s: candidates (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.seen, r.Observe); diff != "" {
			t.Errorf("%s: observed (-want +got):\n%s", c.name, diff)
		}
	}
}

// A changed package of a dependency that only tests need is left out, unless a fuzz test is among these.
func TestCodeDirsAreWhatTheCodeOrAFuzzTestNeeds(t *testing.T) {
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- dep/dep.go --\npackage dep\n\nimport _ \"example.com/m/deep\"\n\nfunc F() {}\n-- deep/deep.go --\npackage deep\n\nfunc F() {}\n" +
		"-- check/check.go --\npackage check\n\nimport _ \"example.com/m/under\"\n\nfunc F() {}\n-- under/u.go --\npackage under\n\nfunc F() {}\n-- gen/gen.go --\npackage gen\n\nfunc F() {}\n" +
		"-- m.go --\npackage m\n\nimport _ \"example.com/m/dep\"\n\nfunc F() {}\n" +
		"-- m_test.go --\npackage m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/check\"\n)\n\nfunc TestF(t *testing.T) { check.F() }\n" +
		"-- f_test.go --\npackage m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/gen\"\n)\n\nfunc FuzzF(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { gen.F() }) }\n"
	for _, c := range []struct {
		code, want, left string
		blank            bool
	}{
		{code: "", want: "check deep dep gen under"},
		{code: "check deep dep gen under", want: "deep dep gen", left: "check under"},
		{code: "check", want: "deep dep gen under", left: "check"},
		{code: "check deep dep gen under", want: "deep dep gen", left: "check under", blank: true},
	} {
		dir := unpack(t, files)
		of := func(names string) (dirs []string) {
			for name := range strings.FieldsSeq(names) {
				dirs = append(dirs, filepath.Join(dir, name))
			}
			return dirs
		}
		left := make(map[string]bool)
		cfg := Config{Dir: dir, Pattern: ".", MutateDirs: of("check deep dep gen under"), CodeDirs: of(c.code), LeftOut: func(dir string) { left[dir] = true }}
		if c.blank {
			cfg.Blank = func(src []byte) bool { return strings.Contains(string(src), "TestF") }
		}
		r, err := Load(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for name := range strings.FieldsSeq(c.want) {
			want = append(want, "example.com/m/"+name)
		}
		if diff := cmp.Diff(want, r.Mutate); diff != "" {
			t.Errorf("code in %q: (-want +got):\n%s", c.code, diff)
		}
		if got := slices.Sorted(maps.Keys(left)); !slices.Equal(got, of(c.left)) {
			t.Errorf("code in %q: %q are left out, want %q", c.code, got, c.left)
		}
	}
}
