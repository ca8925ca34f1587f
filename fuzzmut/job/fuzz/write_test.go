package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Where there is no fuzz test to write the message says what has one, and what can have one.
func TestNothingToWrite(t *testing.T) {
	have := []fmt.Stringer{
		load.Tested{What: "the type Cache", Fuzz: "FuzzCache", Place: "lru.go:19"}, load.Tested{What: "Parse", Place: "p.go:3"}, load.Hidden{What: "f", Place: "p.go:9"},
	}
	for n, want := range []string{
		"no fuzz test to write: put the line",
		"no fuzz test to write: the type Cache (lru.go:19) has the fuzz test FuzzCache already; put the line",
		"already, and there is none for 1 more; put the line",
		"already, and there is none for 2 more; put the line",
	} {
		if got := nothingToWrite(have[:n]).Error(); !strings.Contains(got, want) || !strings.HasSuffix(got, "above a type, that has none yet") {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := nothingToWrite(have[2:]).Error(); !strings.Contains(got, "no fuzz test to write: p.go:9: f is not exported: to derive a fuzz test for it, write the directive //fuzzmut:target fuzz; put the line") {
		t.Error(got)
	}
	if got := have[1].String(); got != "a fuzz test calls Parse (p.go:3) already" {
		t.Error(got)
	}
}
