package semverrange

import "testing"

func FuzzSatisfies(f *testing.F) {
	f.Add("1.2 - 1.4 || ~2.1, !=2.1.3", "1.3.0")
	f.Add(">= 1.0, <3.x", "2.1.4-beta")
	f.Fuzz(func(t *testing.T, constraint, version string) {
		if _, err := Satisfies(constraint, version); err != nil {
			t.Skip(err)
		}
	})
}
