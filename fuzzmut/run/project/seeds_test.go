package project

import (
	"slices"
	"testing"
)

func TestSeedsThatFailAreFoundInWhatGoTestPrints(t *testing.T) {
	for name, c := range map[string]struct {
		out  string
		want []failingSeed
	}{
		"pass": {"ok  \texample.com/x\t0.01s\n", nil},
		"assertions": {
			"--- FAIL: FuzzA (0.00s)\n    --- FAIL: FuzzA/seed#1 (0.00s)\n        a_test.go:5: got 1\n    --- FAIL: FuzzA/seed#2 (0.00s)\n        a_test.go:5: got 2\n" +
				"--- FAIL: FuzzB (0.00s)\n    --- FAIL: FuzzB/seed#0 (0.00s)\nFAIL\n",
			[]failingSeed{{"FuzzA", "seed#1", "a_test.go:5: got 1"}, {"FuzzB", "seed#0", "the fuzz target fails"}},
		},
		"panic": {
			"--- FAIL: FuzzA (0.00s)\n    --- FAIL: FuzzA/seed#0 (0.00s)\npanic: boom [recovered, repanicked]\n\ngoroutine 7 [running]:\n",
			[]failingSeed{{"FuzzA", "seed#0", "panic: boom"}},
		},
		"does not build": {"# example.com/x\n./x.go:3: undefined: y\nFAIL\texample.com/x [build failed]\n", nil},
		"cut":            {"    --- FAIL: FuzzA/seed#0 (0.00s)", []failingSeed{{"FuzzA", "seed#0", "the fuzz target fails"}}},
	} {
		if got := failingSeeds(c.out); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
