package schedule

import "testing"

func FuzzNext(f *testing.F) {
	f.Add("*/15 8-17 1,15 * mon-fri", uint32(1_700_000_000))
	f.Add("@every 1h30m", uint32(0))
	f.Fuzz(func(t *testing.T, spec string, seconds uint32) {
		if _, err := Next(spec, seconds); err != nil {
			t.Skip(err)
		}
	})
}
