package badseed

import "testing"

func check(t *testing.T, s string) {
	t.Helper()
	if key, ok := Key(s); ok && key == "" {
		t.Errorf("Key(%q) is empty", s)
	}
}

// FuzzAdd has a seed that fails.
func FuzzAdd(f *testing.F) {
	f.Add("a=b")
	f.Add("=b")
	f.Fuzz(check)
}

// FuzzFile has an entry in testdata/fuzz that fails.
func FuzzFile(f *testing.F) {
	f.Add("a=b")
	f.Fuzz(check)
}
