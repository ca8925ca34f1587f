package worth

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/cover"
)

func TestKillsOfAllKindsCount(t *testing.T) {
	w := Worth{Kills: map[string][]string{"panic": {"a", "b"}, "difference": {"c"}, "fuel": nil}}
	if n := w.Killed(); n != 3 {
		t.Errorf("%d are killed, want 3", n)
	}
	if diff := cmp.Diff(map[string]bool{"a": true, "b": true, "c": true}, w.IDs()); diff != "" {
		t.Error(diff)
	}
	if none := new(Worth); none.Killed() != 0 || len(none.IDs()) != 0 {
		t.Error("an empty corpus kills something")
	}
}

func TestCoveredBlocksAreNamedByPosition(t *testing.T) {
	block := func(line, count int) cover.ProfileBlock {
		return cover.ProfileBlock{StartLine: line, StartCol: 2, EndLine: line + 1, EndCol: 3, Count: count}
	}
	got := coveredBlocks([]*cover.Profile{
		{FileName: "p/a.go", Blocks: []cover.ProfileBlock{block(1, 1), block(5, 0)}}, {FileName: "p/b.go", Blocks: []cover.ProfileBlock{block(1, 9)}},
	})
	if diff := cmp.Diff(map[string]bool{"p/a.go:1.2,2.3": true, "p/b.go:1.2,2.3": true}, got); diff != "" {
		t.Error(diff)
	}
}

// The entry is read from what fuzzmut score says of one on which the original fails.
func TestBadEntriesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"fuzzmut: FuzzX fails on 5838cdfae7b16cde (/tmp/x/testdata/fuzz/FuzzX/5838cdfae7b16cde): panic": "5838cdfae7b16cde",
		"fuzzmut: no such package": "",
		"FuzzX fails on seed#0":    "",
	} {
		name := ""
		if m := badEntry.FindStringSubmatch(text); m != nil {
			name = m[1]
		}
		if name != want {
			t.Errorf("%q: %q, want %q", text, name, want)
		}
	}
}
