package diff

import (
	"encoding/json"
	"fmt"
)

// An outcome is what one search for differences says.
type outcome struct {
	found  bool
	inputs int64 // that were executed before the first difference; the least of the fuzz tests
	causes int   // buckets
}

// readDiff reads what "fuzzmut diff -json" writes.
func readDiff(data []byte) (outcome, error) {
	var report struct {
		FuzzTests []struct {
			FirstDifferenceExecs int64 `json:"first_difference_execs"`
		} `json:"fuzz_tests"`
		Causes []struct {
			Kind string `json:"kind"`
		} `json:"causes"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return outcome{}, fmt.Errorf("the result of fuzzmut diff: %w", err)
	}
	o := outcome{found: len(report.Causes) > 0, causes: len(report.Causes)}
	for _, t := range report.FuzzTests {
		if n := t.FirstDifferenceExecs; n > 0 && (o.inputs == 0 || n < o.inputs) {
			o.inputs = n
		}
	}
	return o, nil
}

// readVerify reads what "fuzzmut corpus verify -json" writes.
func readVerify(data []byte) (outcome, error) {
	var report struct {
		Tests []struct {
			Changed, Failing int
		} `json:"tests"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return outcome{}, fmt.Errorf("the result of fuzzmut corpus verify: %w", err)
	}
	var o outcome
	for _, t := range report.Tests {
		o.found = o.found || t.Changed+t.Failing > 0
	}
	return o, nil
}
