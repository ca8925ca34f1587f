package suggest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
)

// One assertion checks one value of one call, whichever survivors show there.
func TestAssertionsAreGrouped(t *testing.T) {
	seen := func(id, file string, line int, value string) assertion {
		return assertion{
			seen:   &report.Seen{Test: "TestF", Call: "p.F", File: file, Line: line, Value: value},
			mutant: suggestion.Mutant{ID: id},
		}
	}
	type shown struct {
		File, Value string
		Line        int
		Closes      string
	}
	for _, c := range []struct {
		name string
		list []assertion
		want []shown
	}{
		{"none", nil, nil},
		{
			"the same value of the same call",
			[]assertion{seen("a", "p_test.go", 3, "result 0"), seen("b", "p_test.go", 3, "result 0")},
			[]shown{{"p_test.go", "result 0", 3, "ab"}},
		},
		{
			"what closes most comes first, then by place",
			[]assertion{
				seen("a", "q_test.go", 3, "result 0"), seen("b", "p_test.go", 9, "result 0"), seen("c", "p_test.go", 3, "result 1"),
				seen("d", "p_test.go", 3, "result 0"), seen("e", "q_test.go", 7, ""), seen("f", "q_test.go", 7, ""),
			},
			[]shown{
				{"q_test.go", "", 7, "ef"},
				{"p_test.go", "result 0", 3, "d"},
				{"p_test.go", "result 1", 3, "c"},
				{"p_test.go", "result 0", 9, "b"},
				{"q_test.go", "result 0", 3, "a"},
			},
		},
	} {
		var got []shown
		for _, a := range grouped(c.list) {
			s := shown{a.File, a.Value, a.Line, ""}
			for _, m := range a.Closes {
				s.Closes += m.ID
			}
			if a.Test != "TestF" || a.Call != "p.F" {
				t.Errorf("%s: %+v", c.name, a)
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
