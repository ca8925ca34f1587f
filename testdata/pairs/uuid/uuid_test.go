package uuid

import "testing"

func FuzzCanonical(f *testing.F) {
	f.Add("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	f.Add("{6ba7b810-9dad-11d1-80b4-00c04fd430c8}")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Canonical(text); err != nil {
			t.Skip(err)
		}
	})
}
