package spelling

import "testing"

func TestDistances(t *testing.T) {
	for _, c := range []struct {
		a, b            string
		distance, slips int
	}{
		{"", "", 0, 0},
		{"", "abc", 3, 3},
		{"test", "test", 0, 0},
		{"kitten", "sitting", 3, 3},
		{"tset", "test", 2, 1},
		{"ab", "ba", 2, 1},
		{"ca", "abc", 3, 3}, // a letter that was exchanged is not edited again
		{"xyab", "yxba", 3, 2},
		{"flaw", "lawn", 2, 2},
	} {
		for _, swapped := range []bool{false, true} {
			a, b := c.a, c.b
			if swapped {
				a, b = b, a
			}
			if d, s := Distance(a, b), Slips(a, b); d != c.distance || s != c.slips {
				t.Errorf("%q, %q: %d and %d, want %d and %d", a, b, d, s, c.distance, c.slips)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"fuzz", "test", "corpus", "minimize", "run"}
	for word, want := range map[string]string{
		"tset": "test", "tes": "test", "tests": "test", "fuz": "fuzz", "copus": "corpus", "crpous": "corpus", "minimise": "minimize",
		"minimizing": "minimize", "foo": "", "x": "", "": "", "strings": "", "rnu": "run", "test": "test",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
