//go:build unix

package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
)

// A clock says how far the search for parts gets.
type clock int

const (
	over   clock = iota // before anything was tried
	halted              // when two hunks were tried together
	enough
)

// causesIn are the causes of differences when a clock limits the search for them.
func (r *attempts) causesIn(t *testing.T, hunks string, c clock) []behavior.Cause {
	t.Helper()
	ctx := t.Context()
	if err := r.accepted(ctx); err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	switch c {
	case over:
		cancel()
	case halted:
		if _, err := r.revert(ctx, partOf(hunks, hunks[:2])); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	if err := r.others(limited); err != nil && limited.Err() == nil {
		t.Fatal(err)
	}
	all, err := r.causesOf(ctx, r.list)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		r.job.report.Causes = append(r.job.report.Causes, *e.cause)
	}
	return r.job.report.Causes
}

// An accepted difference is known again whatever part of its cause there was time to find,
// then and now.
func TestNoClockTakesAnAcceptanceBack(t *testing.T) {
	for _, inputs := range [][]string{
		{"a:v1", "b:fail"},
		{"a:v1", "b:v2", "a:v1 b:v2"},
		{"a:v1 b:v2"},
		{"a:v1", "b:v2", "c:v3", "a:v1 b:v2 c:v3"},
	} {
		for _, c := range []struct{ then, now clock }{{over, over}, {over, enough}, {halted, enough}, {enough, over}, {enough, halted}, {enough, enough}} {
			r := changing(t, "abc", nil, inputs...)
			list := r.meant[r.importPath()].list
			for _, cause := range r.causesIn(t, "abc", c.then) {
				list.Add(*asDifference(&cause))
			}
			again := changing(t, "abc", nil, inputs...)
			again.meant[again.importPath()].list = list
			causes := again.causesIn(t, "abc", c.now)
			again.markAccepted()
			if len(causes) == 0 {
				t.Errorf("%q, %+v: nothing differs", inputs, c)
			}
			for i := range causes {
				if !causes[i].Accepted {
					t.Errorf("%q, %+v: %+v is not accepted by %+v", inputs, c, asDifference(&causes[i]), list.Entries)
				}
			}
		}
	}
}

// Where the cause of an accepted difference is known, another difference of the same values
// is a new one, whether there is time to find its cause or not.
func TestAnotherCauseIsNotAcceptedForLackOfTime(t *testing.T) {
	for now := over; now <= enough; now++ {
		r := changing(t, "abc", nil, "a:v1")
		list := r.meant[r.importPath()].list
		for _, c := range r.causesIn(t, "abc", enough) {
			list.Add(*asDifference(&c))
		}
		again := changing(t, "abc", nil, "a:v1", "c:v2")
		again.meant[again.importPath()].list = list
		again.causesIn(t, "abc", now)
		again.markAccepted()
		var accepted []string
		for _, c := range again.job.report.Causes {
			if c.Accepted {
				accepted = append(accepted, strings.TrimSpace(c.Input))
			}
		}
		if len(again.job.report.Causes) != 2 || len(accepted) != 1 {
			t.Errorf("clock %d: %d causes, accepted %q", now, len(again.job.report.Causes), accepted)
		}
	}
}

// Parts are found by the lines of their hunks, in the order of the files, wherever they stand.
func TestPartsByTheirLines(t *testing.T) {
	j := &job{report: &behavior.Report{Changes: []behavior.File{
		{Hunks: []behavior.Hunk{{Was: "\treturn 1", Is: "\treturn 2"}, {Is: "\n\n"}, {Is: "n++"}}},
		{Hunks: []behavior.Hunk{{Was: "x--"}, {Was: "return 1", Is: "\t\treturn 2"}}},
	}}}
	for _, c := range []struct {
		lines string
		want  []string
	}{
		{"", nil},
		{"-return 1", nil},
		{"-return 1;+return 2", []string{"0.0", "1.1"}},
		{"+n++;-x--", []string{"0.2 1.0"}},
		{"-x--;+n++", nil},
		{"-return 1;+return 2;+n++;-x--", []string{"0.0 0.2 1.0"}},
		{"-return 1;+return 2;-return 1;+return 2", []string{"0.0 1.1"}},
		{"+n++;+m++", nil},
	} {
		var got []string
		for _, p := range j.parts().with(slices.DeleteFunc(strings.Split(c.lines, ";"), func(s string) bool { return s == "" })) {
			var refs []string
			for _, ref := range p {
				refs = append(refs, fmt.Sprintf("%d.%d", ref.File, ref.Hunk))
			}
			got = append(got, strings.Join(refs, " "))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.lines, diff)
		}
	}
	all := j.parts()
	for _, c := range []struct {
		part, within []string
		want         bool
	}{
		{[]string{"+n++"}, []string{"+n++", "-x--"}, true},
		{[]string{"+n++", "-x--"}, []string{"+n++"}, false},
		{[]string{"+return 2"}, []string{"-return 1", "+return 2"}, false},
		{[]string{"+m++"}, []string{"+m++"}, false},
	} {
		if got := all.holds(c.part, c.within); got != c.want {
			t.Errorf("%q within %q: %v", c.part, c.within, got)
		}
	}
}

// A change of many equal lines has too many parts to list.
func TestEqualLinesHaveFewParts(t *testing.T) {
	f := behavior.File{}
	for range 60 {
		f.Hunks = append(f.Hunks, behavior.Hunk{Is: "n++"})
	}
	j := &job{report: &behavior.Report{Changes: []behavior.File{f}}}
	lines := slices.Repeat([]string{"+n++"}, 30)
	if n := len(j.parts().with(lines)); n != placesMost {
		t.Errorf("%d parts", n)
	}
	if list := j.parts().with(append(lines, "+m++")); list != nil {
		t.Errorf("%d parts have a line that the change does not have", len(list))
	}
}
