package week

import "testing"

func FuzzFormat(f *testing.F) {
	f.Add("%Y-%m-%d week %U", uint32(1_700_000_000))
	f.Fuzz(func(t *testing.T, format string, seconds uint32) {
		if _, err := Format(format, seconds); err != nil {
			t.Skip(err)
		}
	})
}
