package strict

import "testing"

func FuzzRead(f *testing.F) {
	f.Add("name = \"x\"\nport = 80\npaths = [\"/a\"]\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := Read(text); err == nil && len(s.Paths) > len(text) {
			t.Errorf("%d paths", len(s.Paths))
		}
	})
}
