package verify

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// An entry with one value that has changed has others that have not.
func TestValuesAreCountedNotEntries(t *testing.T) {
	want := []golden.Value{{Name: "a", Text: "1"}, {Name: "b", Text: "2"}, {Name: "c", Text: golden.Unstable}, {Name: "d", Text: "4"}}
	got := []golden.Value{{Name: "a", Text: "1"}, {Name: "b", Text: "9"}, {Name: "c", Text: "7"}, {Name: "e", Text: "5"}}
	var r report.VerifiedTest
	count(&r, want, golden.Compare(want, got)) // b is another, d is gone, e is new
	count(&r, want, nil)
	if diff := cmp.Diff(report.VerifiedTest{Values: 1 + 3, Unstable: 2, Changed: 3}, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
