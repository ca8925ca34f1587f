package report

import "testing"

func TestDiscardsNameTheirPlaces(t *testing.T) {
	tests := []struct {
		d    Discards
		want string
	}{
		{
			Discards{Inputs: 1200, Discarded: 1200, Places: []Discard{{"a_test.go:9", 1200}}},
			"1,200 of 1,200 inputs were discarded: by Assume at a_test.go:9",
		},
		{
			Discards{Inputs: 20, Discarded: 7, Places: []Discard{{"a_test.go:9", 5}, {"", 2}}},
			"7 of 20 inputs were discarded: 5 by Assume at a_test.go:9, 2 by t.Skip",
		},
	}
	for _, tt := range tests {
		if got := tt.d.String(); got != tt.want {
			t.Errorf("got %q", got)
		}
	}
}
