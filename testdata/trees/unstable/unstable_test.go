package unstable

import (
	"strings"
	"testing"
)

func FuzzSerial(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {
		if !strings.HasPrefix(Label(s), s) {
			t.Error("label lost its text")
		}
	})
}

func FuzzTally(f *testing.F) {
	f.Add("the quick brown fox jumps over the lazy dog and runs away from it")
	f.Add("a b c d e f g h i j k l m n o p")
	f.Fuzz(func(t *testing.T, s string) {
		n := Count(s)
		if joined := Join(s); n > 0 && joined == "" {
			t.Errorf("%d words, but nothing to join", n)
		}
	})
}

func FuzzTake(f *testing.F) {
	f.Add("the quick brown fox jumps over the lazy dog and runs away from it")
	f.Fuzz(func(t *testing.T, s string) {
		Take(s)
	})
}
