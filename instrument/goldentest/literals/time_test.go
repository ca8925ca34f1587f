package literals

import (
	"strings"
	"testing"
)

func TestTime(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"time.Time 2009-08-12T22:15:01.5Z", "time.Date(2009, time.August, 12, 22, 15, 1, 500000000, time.UTC)"},
		{"time.Time 0001-01-01T00:00:00Z", "time.Time{}"},
		{"time.Time 0000-02-29T00:00:00Z", "time.Date(0, time.February, 29, 0, 0, 0, 0, time.UTC)"},
		{"time.Time 12336-02-29T00:00:00Z", "time.Date(12336, time.February, 29, 0, 0, 0, 0, time.UTC)"},
		{"time.Time 12337-02-29T00:00:00Z", ""}, // no leap year
		{"time.Time -001-08-12T22:15:00Z", ""},
		{"nil", ""},
		{"", ""},
	} {
		got, ok := Time(test.text)
		if got := strings.ReplaceAll(got, Mark, ""); got != test.want || ok != (test.want != "") {
			t.Errorf("%q: %s, %v; want %s", test.text, got, ok, test.want)
		}
	}
}
