package clock

import "testing"

func FuzzFormat(f *testing.F) {
	f.Add(int64(1_700_000_000), "%Y-%m-%d %H:%M:%S")
	f.Add(int64(-62_200_000_000), "%C %y %g %G")
	f.Fuzz(func(t *testing.T, seconds int64, format string) { Format(seconds, format) })
}
