package behavior

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestNoListIsNull(t *testing.T) {
	r := &Report{Causes: []Cause{{Kind: KindValue}}}
	data, err := json.Marshal(r.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{`"version":1`, `"changes":[]`, `"fuzz_tests":[]`, `"reach":[]`, `"hunks":[]`, `"values":[]`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if strings.Contains(text, "null") {
		t.Error(text)
	}
	if r.Version != 0 || r.Causes[0].Hunks != nil {
		t.Error("the report itself has changed")
	}
	if r.Differences() != 1 {
		t.Errorf("%d differences", r.Differences())
	}
}
