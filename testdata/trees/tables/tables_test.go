package tables

import "testing"

func FuzzTokens(f *testing.F) {
	f.Add("abc")
	f.Add("12+x")
	f.Add("abcdefghij")
	f.Fuzz(func(t *testing.T, s string) {
		if Tokens(s) == nil && s != "" {
			t.Error("no tokens")
		}
	})
}
