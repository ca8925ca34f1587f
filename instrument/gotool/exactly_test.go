package gotool

import (
	"regexp"
	"testing"
)

func TestExactlyMatchesTheNamesAlone(t *testing.T) {
	re := regexp.MustCompile(Exactly([]string{"TestA", "FuzzÄ.b"}))
	for name, want := range map[string]bool{"TestA": true, "FuzzÄ.b": true, "TestAB": false, "FuzzÄxb": false, "XTestA": false} {
		if got := re.MatchString(name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
