package worth

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/cover"
)

func TestFailingEntries(t *testing.T) {
	for _, test := range []struct {
		about, out string
		want       []string
	}{
		{"all fail by themselves", "=== RUN   FuzzX\n=== RUN   FuzzX/a\n=== RUN   FuzzX/b\n--- FAIL: FuzzX (0.1s)\n    --- FAIL: FuzzX/a (0.0s)\n    --- PASS: FuzzX/b (0.0s)\n    --- FAIL: FuzzX/c (0.0s)\n", []string{"a", "c"}},
		{"one ends the process", "=== RUN   FuzzX\n=== RUN   FuzzX/a\n=== RUN   FuzzX/b\nfatal error: out of memory\n", []string{"b"}},
		{"another test", "=== RUN   FuzzY/a\n    --- FAIL: FuzzY/a (0.0s)\n", nil},
		{"no test at all", "flag provided but not defined\n", nil},
	} {
		if diff := cmp.Diff(test.want, failingEntries([]byte(test.out), "FuzzX")); diff != "" {
			t.Errorf("%s: %s", test.about, diff)
		}
	}
}

func TestCountBlocks(t *testing.T) {
	profiles := []*cover.Profile{
		{Blocks: []cover.ProfileBlock{{NumStmt: 9, Count: 1}, {NumStmt: 2}}},
		{Blocks: []cover.ProfileBlock{{NumStmt: 1, Count: 7}}},
	}
	if blocks, covered := countBlocks(profiles); blocks != 3 || covered != 2 {
		t.Errorf("%d blocks, %d covered", blocks, covered)
	}
}
