package secrets

import "testing"

func FuzzMagic(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { check(t, Magic(b)) })
}

func FuzzKeyword(f *testing.F) {
	f.Add("help me")
	f.Fuzz(func(t *testing.T, line string) { check(t, Keyword(line)) })
}

func FuzzChecksum(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04payload"))
	f.Fuzz(func(t *testing.T, b []byte) { check(t, Checksum(b)) })
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"kind": "guest", "level": 1}`))
	f.Fuzz(func(t *testing.T, b []byte) { check(t, JSON(b)) })
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte("\x01\x00\x03abc\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { check(t, Record(b)) })
}

func FuzzGrammar(f *testing.F) {
	f.Add("module a { b c }")
	f.Fuzz(func(t *testing.T, s string) { check(t, Grammar(s)) })
}

// check fails the test when a secret is reached.
func check(t *testing.T, reached bool) {
	if reached {
		t.Error("reached")
	}
}
