package report

import "testing"

func TestPlurals(t *testing.T) {
	for want, got := range map[string]string{
		"0 mutants": Plural(0, "mutant"), "1 entry": Plural(1, "entry"), "1,000 entries": Plural(1000, "entry"), "2 processes": Plural(2, "process"),
		"3 more": Plural(3, "more"), "-12,345": Group(-12345), "-1,234,567": Group(-1234567), "999": Group(999), "1,234,567": Group(1234567),
		"once": Times(1), "1,000 times": Times(1000),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
