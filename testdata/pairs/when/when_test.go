package when

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("2013-12-19 23:28:09")
	f.Add("2002-10-12T22:14:01+08:00")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(text); err != nil {
			t.Skip(err)
		}
	})
}
