package project

import "testing"

func TestOracles(t *testing.T) {
	for list, want := range map[string]string{"cost": "cost", " leak ,cost,cost": "cost,leak", "overflow,leak": "leak,overflow", "race": "race"} {
		o, err := ParseOracles(list)
		if err != nil || o.String() != want {
			t.Errorf("%q: %q, %v", list, o, err)
		}
	}
	for _, list := range []string{"", "luck", "cost,", "cost;leak"} {
		if o, err := ParseOracles(list); err == nil {
			t.Errorf("%q is read as %q", list, o)
		}
	}
	if s := (Oracles{}).String(); s != "" {
		t.Errorf("%q", s)
	}
}
