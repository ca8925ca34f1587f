package yaml

import "testing"

func FuzzFormat(f *testing.F) {
	f.Add("a: [1, 2]\nb:\n  - c\n  - {d: e}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Format(text); err != nil {
			t.Skip(err)
		}
	})
}
