package sleeps

import "testing"

func FuzzWait(f *testing.F) {
	f.Add("2w 3d")
	f.Fuzz(func(t *testing.T, text string) {
		if days, ok := Days(text); days < 0 || !ok && days > 0 {
			t.Errorf("%d, %v", days, ok)
		}
	})
}
