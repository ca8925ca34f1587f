package suggestion

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonicalHasNoNull(t *testing.T) {
	r := &Report{Packages: []Package{{Cases: []Case{{}}}, {}}}
	text, err := json.Marshal(r.Canonical())
	if err != nil || strings.Contains(string(text), "null") || !strings.Contains(string(text), `"version":1`) {
		t.Errorf("%s, %v", text, err)
	}
	if r.Version != 0 || r.Packages[1].Cases != nil || r.Packages[0].Cases[0].Closes != nil {
		t.Errorf("the report was changed: %+v", r)
	}
}

func TestTotals(t *testing.T) {
	r := &Report{Packages: []Package{
		{Mutants: 10, Killed: 4, NotJudged: 1, Survivors: 5, Closed: 2, Cases: []Case{{Call: "F(1)"}}, Written: []string{"a"}},
		{Mutants: 3, Killed: 1, Survivors: 2, Closed: 1, Cases: []Case{{Call: "G(1)"}, {Call: "G(2)"}}},
	}}
	got := r.Totals()
	if got.Mutants != 13 || got.Killed != 5 || got.NotJudged != 1 || got.Survivors != 7 || got.Closed != 3 || len(got.Cases) != 3 || len(got.Written) != 1 {
		t.Errorf("%+v", got)
	}
}
