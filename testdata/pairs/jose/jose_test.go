package jose

import (
	"strings"
	"testing"
)

func FuzzOpen(f *testing.F) {
	// {"alg":"A128KW","enc":"A128GCM"}, and parts of the lengths that they have.
	f.Add("eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4R0NNIn0." + strings.Repeat("A", 32) + "." + strings.Repeat("A", 16) + ".AAAA." + strings.Repeat("A", 22))
	f.Fuzz(func(t *testing.T, token string) {
		if _, err := Open(token); err != nil {
			t.Skip(err)
		}
	})
}
