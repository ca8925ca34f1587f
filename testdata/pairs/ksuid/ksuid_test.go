package ksuid

import "testing"

func FuzzCanonical(f *testing.F) {
	f.Add("0ujtsYcgvSTl8PAuAdqWYSMnLOv")
	f.Fuzz(func(t *testing.T, text string) { Canonical(text) })
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("0123456789abcdefghij"))
	f.Fuzz(func(t *testing.T, data []byte) { Encode(data) })
}
