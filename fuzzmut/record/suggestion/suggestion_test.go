package suggestion

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Programs that read the report find a list where there is one, if it is empty: at any depth.
func TestCanonicalHasNoNull(t *testing.T) {
	full := Package{
		Assertions: []Assertion{{}}, Searches: []Search{{}}, Cases: []Case{{}}, Left: []Note{{}}, NotSearched: []Note{{}}, Open: []Open{{}},
		Oracles: &Oracles{Properties: []Property{{}}, Failing: []Failing{{}}},
	}
	for name, r := range map[string]*Report{
		"no package": {}, "an empty package": {Packages: []Package{{}}}, "empty oracles": {Packages: []Package{{Oracles: &Oracles{}}}}, "one of each": {Packages: []Package{full, {}}},
	} {
		before, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r.Canonical())
		if err != nil || strings.Contains(string(text), "null") || !strings.Contains(string(text), `"version":1`) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		if after, _ := json.Marshal(r); string(after) != string(before) {
			t.Errorf("%s: the report was changed: %s, before %s", name, after, before)
		}
	}
}

// What has a value keeps it.
func TestCanonicalKeepsWhatIsThere(t *testing.T) {
	list := []Mutant{{ID: "m1"}}
	want := Package{
		Assertions: []Assertion{{Call: "F", Closes: list}}, Cases: []Case{{Call: "F(1)", Closes: list}}, Searches: []Search{{Fuzz: "FuzzF"}}, Left: []Note{{What: "a"}}, NotSearched: []Note{{What: "b"}}, Open: []Open{{ID: "m2", Why: NotSeen}},
		Oracles: &Oracles{Held: 2, Properties: []Property{{Test: "FuzzP", Functions: []string{"F"}, Kills: list}}, Failing: []Failing{{Input: "1", Functions: []string{"G"}}}},
	}
	got := (&Report{Seed: 3, Packages: []Package{want}}).Canonical().(*Report)
	if diff := cmp.Diff(&Report{Version: FormatVersion, Seed: 3, Packages: []Package{want}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTotalsOfOracles(t *testing.T) {
	got := (&Report{Packages: []Package{
		{Oracles: &Oracles{Proposed: 5, Held: 3, Idle: 1, Asserted: 4, Properties: []Property{{Test: "A"}}, Failing: []Failing{{Input: "1"}}}},
		{},
		{Oracles: &Oracles{Proposed: 2, Held: 1, Asserted: 1, Properties: []Property{{Test: "B"}}}},
	}}).Totals()
	want := &Oracles{Proposed: 7, Held: 4, Idle: 1, Asserted: 5, Properties: []Property{{Test: "A"}, {Test: "B"}}, Failing: []Failing{{Input: "1"}}}
	if diff := cmp.Diff(want, got.Oracles); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (&Report{Packages: []Package{{}}}).Totals(); got.Oracles != nil {
		t.Errorf("without -oracles: %+v", got.Oracles)
	}
}

func TestTotals(t *testing.T) {
	r := &Report{Packages: []Package{
		{Mutants: 10, Killed: 4, NotJudged: 1, Survivors: 5, Closed: 2, Cases: []Case{{Call: "F(1)"}}, Open: []Open{{ID: "m3"}}, Written: []string{"a"}, Tests: 3, LeftOut: []string{"TestA"}},
		{Mutants: 3, Killed: 1, Survivors: 2, Closed: 1, Cases: []Case{{Call: "G(1)"}, {Call: "G(2)"}}},
	}}
	got := r.Totals()
	if got.Mutants != 13 || got.Killed != 5 || got.NotJudged != 1 || got.Survivors != 7 || got.Closed != 3 || len(got.Cases) != 3 || len(got.Open) != 1 || len(got.Written) != 1 || len(got.LeftOut) != 1 {
		t.Errorf("%+v", got)
	}
}
