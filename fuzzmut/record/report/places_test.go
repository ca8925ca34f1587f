package report

import (
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

func TestLinesOfMutantsThatReadTheSame(t *testing.T) {
	const or = "changed || to &&"
	got := Lines([]behavior.Place{
		{File: "a.go", Line: 3, Column: 8, Text: or},
		{File: "a.go", Line: 3, Column: 20, Text: or},
		{File: "a.go", Line: 3, Column: 30, Text: "changed > to >="},
		{File: "b.go", Line: 3, Column: 8, Text: or},
		{File: "a.go", Line: 4, Column: 8, Text: or},
	})
	if want := []string{"3:8", "3:20", "3", "3", "4"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	parts := []behavior.Place{{File: "a.go", Line: 3, Column: 8, Text: or}, {File: "a.go", Line: 3, Column: 20, Text: or}, {File: "a.go", Line: 3, Column: 20, Text: or}, {File: "a.go", Line: 4, Column: 1, Text: or}, {File: "a.go", Line: 4, Column: 1, Text: or}}
	if got := LinesAmong(parts[:1], parts); !slices.Equal(got, []string{"3:8"}) {
		t.Errorf("another part has one that reads the same: %q", got)
	}
	if got := LinesAmong(parts[3:4], parts); !slices.Equal(got, []string{"4"}) {
		t.Errorf("another part has it, too: %q", got)
	}
	// A report of an earlier version has no columns.
	if got := Lines([]behavior.Place{{Line: 2, Text: or}, {Line: 2, Text: or}}); !slices.Equal(got, []string{"2", "2"}) {
		t.Errorf("%q", got)
	}
	if got := Lines([]behavior.Place(nil)); got != nil {
		t.Errorf("of nothing: %q", got)
	}
}
