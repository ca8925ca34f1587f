package settings

import "testing"

func FuzzFormat(f *testing.F) {
	f.Add("a = 1\n[b]\nc = {d = [1.5, 2]}\n[[e]]\nf = 'g'\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Format(text); err != nil {
			t.Skip(err)
		}
	})
}
