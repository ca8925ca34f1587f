package unittest

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

const twoBugs = `
-- p.go --
package p

func Last(s string) byte { return s[len(s)-1] }

func Sum(list []int) (sum int) {
	for i := 0; i <= len(list); i++ {
		sum += list[i]
	}
	return sum
}
-- p_test.go --
package p

import (
	"os"
	"testing"
)

func TestLast(t *testing.T) {
	if Last("ab") != 'b' {
		t.Error("ab")
	}
}

func TestLastOfNone(t *testing.T) {
	if Last("") != 0 {
		t.Error("none")
	}
}

func TestSum(t *testing.T) {
	if Sum([]int{1, 2}) != 3 {
		t.Error("1 2")
	}
}

func TestSumOfNone(t *testing.T) {
	if Sum(nil) != 0 {
		t.Error("none")
	}
}

func TestSumIsFollowed(t *testing.T) {
	defer func() {
		recover()
		os.Exit(3)
	}()
	Sum(nil)
}
`

// Tests that fail are run with the mutants that they reach: some pass then, and others still fail.
func TestTestsThatFailAreRunWithMutants(t *testing.T) {
	b := build(t, unpack(t, twoBugs), "guards")
	b.Mutants = slices.Concat(b.mutants("Sum", "bounds-guard", ""), b.mutants("Last", "bounds-guard", ""))
	shown := func(ctx context.Context) (lines []string) {
		list, err := RunFailing(ctx, b.Options)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			lines = append(lines, fmt.Sprintf("%s: %t, %.7s", m.Test, m.Passes, b.Program.Mutants[m.Mutant-1].Description))
		}
		return lines
	}
	want := []string{
		"TestSum: false, returne", "TestSumOfNone: true, returne",
		"TestSum: true, skipped", "TestSumOfNone: true, skipped", "TestLastOfNone: true, returne",
	}
	if got := shown(t.Context()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := shown(ctx); len(got) != 0 {
		t.Errorf("interrupted: %q", got)
	}
}
