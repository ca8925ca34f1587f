package badcorpus

import "testing"

func FuzzCorrupt(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := Repeat(string(b), 1); got != string(b) {
			t.Errorf("Repeat(%q, 1) = %q", b, got)
		}
	})
}

func FuzzTypes(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, n int) {
		if got := Repeat(s, n); n >= 0 && n <= 100 && len(got) != n*len(s) {
			t.Errorf("Repeat(%q, %d) has %d bytes", s, n, len(got))
		}
	})
}
