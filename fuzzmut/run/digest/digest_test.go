package digest

import (
	"crypto/sha256"
	"testing"
)

func TestValuesDoNotRunIntoEachOther(t *testing.T) {
	sums := make(map[[32]byte][]any)
	for _, values := range [][]any{
		{"a", "b"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"b", "a"}, {"1:a1:b"}, {"a1:b"}, {12}, {1, 2}, {nil}, {},
	} {
		h := sha256.New()
		for _, v := range values {
			Add(h, v)
		}
		sum := [32]byte(h.Sum(nil))
		if other, ok := sums[sum]; ok {
			t.Errorf("%q and %q have one hash", values, other)
		}
		sums[sum] = values
	}
}
