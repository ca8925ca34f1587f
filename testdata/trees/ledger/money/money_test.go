package money

import "testing"

func TestParse(t *testing.T) {
	if a, err := Parse("3.50"); a != 350 || err != nil {
		t.Errorf("got %d, %v", a, err)
	}
	if _, err := Parse("x"); err == nil {
		t.Error("no error")
	}
}

func TestUnit(t *testing.T) {
	if u := Amount(5).Unit(); u != "cent" {
		t.Errorf("got %q", u)
	}
}
