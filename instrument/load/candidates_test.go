package load

import (
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
