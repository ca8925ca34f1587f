//go:build unix

package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
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
	if err := r.recorded(ctx); err != nil {
		t.Fatal(err)
	}
	all, err := r.causesOf(ctx, r.list)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.among(ctx, all); err != nil {
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

// A difference that was accepted without its lines stays accepted while the change grows, and
// what the new parts do is a new one, whatever there is time for.
func TestAnAcceptanceWithoutLinesIsOfTheChangeThatWas(t *testing.T) {
	for now := over; now <= enough; now++ {
		r := changing(t, "ab", nil, "a:v1")
		list := r.meant[r.importPath()].list
		for _, c := range r.causesIn(t, "ab", over) {
			list.Add(*asDifference(&c))
		}
		if e := list.Entries; len(e) != 1 || len(e[0].Lines) != 0 || len(e[0].Parts) != 2 {
			t.Fatalf("%+v", e)
		}
		for _, c := range []struct {
			hunks  string
			inputs []string
			want   map[string]bool // by input: is it accepted?
		}{
			{"a", []string{"a:v1"}, map[string]bool{"a:v1": true}},
			{"ab", []string{"a:v1", "b:v2"}, map[string]bool{"a:v1": true, "b:v2": true}},
			{"abc", []string{"a:v1"}, map[string]bool{"a:v1": true}},
			{"abc", []string{"c:v2"}, map[string]bool{"c:v2": false}},
			{"abc", []string{"a:v1", "c:v2"}, map[string]bool{"a:v1": true, "c:v2": false}},
			{"c", []string{"c:v1"}, map[string]bool{"c:v1": false}},
		} {
			again := changing(t, c.hunks, nil, c.inputs...)
			again.meant[again.importPath()].list = list
			if now == halted && len(c.hunks) < 2 {
				continue
			}
			again.causesIn(t, c.hunks, now)
			again.markAccepted()
			for _, cause := range again.job.report.Causes {
				input := strings.TrimSuffix(strings.TrimPrefix(cause.Input, `string("`), `")`)
				if want, ok := c.want[strings.TrimSpace(input)]; !ok || cause.Accepted != want {
					t.Errorf("clock %d, change %s, inputs %q: %s is accepted: %v", now, c.hunks, c.inputs, cause.Input, cause.Accepted)
				}
			}
			if len(again.job.report.Causes) == 0 {
				t.Errorf("clock %d, change %s, inputs %q: nothing differs", now, c.hunks, c.inputs)
			}
		}
	}
}

// A failure that was accepted without its lines does not stand for another failure.
func TestAnAcceptedFailureDoesNotStandForAnother(t *testing.T) {
	failing := func(kind, old, now string) *behavior.Cause {
		return &behavior.Cause{Kind: kind, Package: "p", Fuzz: "FuzzF", Values: []behavior.Value{{Name: behavior.Outcome, Old: old, New: now}}}
	}
	var list accepted.Differences
	list.Add(*asDifference(failing(behavior.KindPanic, behavior.Passes, "runtime error: index out of range [3] with length 2")))
	list.Add(*asDifference(failing(behavior.KindNoPanic, "p_test.go:12: got 1 want 2", behavior.Passes)))
	for _, c := range []struct {
		kind, old, now string
		want           bool
	}{
		{behavior.KindPanic, behavior.Passes, "runtime error: index out of range [8] with length 0", true},
		{behavior.KindPanic, behavior.Passes, "runtime error: invalid memory address or nil pointer dereference", false},
		{behavior.KindPanic, behavior.Passes, "p_test.go:12: got 1 want 2", false},
		{behavior.KindNoPanic, "p_test.go:30: got 7 want 9", behavior.Passes, true},
		{behavior.KindNoPanic, "p_test.go:12: no error", behavior.Passes, false},
	} {
		if got := list.Has(asDifference(failing(c.kind, c.old, c.now)), nil); got != c.want {
			t.Errorf("%s, %q to %q: accepted %v", c.kind, c.old, c.now, got)
		}
	}
}

// The same lines in another declaration are another change.
func TestTheSameLinesElsewhereAreNotAccepted(t *testing.T) {
	cause := func(in string) *behavior.Cause {
		return &behavior.Cause{Kind: behavior.KindValue, Package: "p", Fuzz: "FuzzF", Hunks: []behavior.Hunk{{In: in, Was: "return nil", Is: "return err"}}}
	}
	var list accepted.Differences
	list.Add(*asDifference(cause("func F")))
	j := &job{report: &behavior.Report{Changes: []behavior.File{{Hunks: []behavior.Hunk{cause("func G").Hunks[0], cause("func F").Hunks[0]}}}}}
	if has := func(in string) bool { return list.Has(asDifference(cause(in)), j.parts().holds) }; !has("func F") || has("func G") {
		t.Errorf("func F %v, func G %v", has("func F"), has("func G"))
	}
	if p := j.parts().in(list.Entries[0].In).with(list.Entries[0].ChangedLines()); len(p) != 1 || p[0][0] != (versions.Ref{Hunk: 1}) {
		t.Errorf("parts that are tried: %v", p)
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
