package unittest

import (
	"strings"
	"testing"
)

// A test that plain go test passes may fail for what fuzzmut does: that is said, and no flaw of the test.
func TestDescribeNamesWhatATestIsSetAsideFor(t *testing.T) {
	for want, a := range map[string]SetAside{
		"TestA fails (uses more than 2048 MiB of memory; a higher -memlimit gives it more)":                                            {Output: "uses more than 2048 MiB of memory", Counts: true},
		"TestA fails (a_test.go:3: expected zero allocations, got 7; it counts allocations, and rewritten code makes more than yours)": {Output: "a_test.go:3: expected zero allocations, got 7\nmore", Counts: true},
		"TestA fails (a_test.go:3: one is not two)":                                                                                    {Output: "a_test.go:3: one is not two"},
		"TestA fails": {Counts: true},
	} {
		a.Test, a.Failed = "TestA", 1
		if got := Describe([]SetAside{a}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTestThatCountsAllocationsIsSetAsideForThat(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

func Less(a, b int) bool { return a < b }
-- p_test.go --
package p

import "testing"

func TestLess(t *testing.T) {
	if !Less(1, 2) {
		t.Error()
	}
}

func TestAllocs(t *testing.T) { t.Error("expected none, got 7") }

func TestOther(t *testing.T) { t.Error("one is not two") }
`), "all")
	b.Options.Counts = func(test string) bool { return test != "TestOther" }
	var said string
	b.Options.SetAside = func(list []SetAside) { said += Describe(list) }
	res := b.run(t)
	if strings.Count(said, "it counts allocations") != 1 || !strings.Contains(said, "got 7; it counts allocations") {
		t.Errorf("%q", said)
	}
	if len(res.SetAside) != 2 || !res.SetAside[0].Counts || res.SetAside[1].Counts {
		t.Errorf("%+v", res.SetAside)
	}
}
