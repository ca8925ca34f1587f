package diff

import (
	"encoding/json"
	"fmt"
	"maps"
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

// A verification is what "fuzzmut corpus verify" says of golden values.
type verification struct {
	changed int
	failing map[string]bool // entries on which the fuzz target fails, which have no values
}

// readVerify reads what "fuzzmut corpus verify -json" writes.
func readVerify(data []byte) (verification, error) {
	var report struct {
		Tests []struct {
			Name    string `json:"name"`
			Changed int    `json:"changed"`
			Changes []struct {
				Entry   string `json:"entry"`
				Failure string `json:"failure"`
			} `json:"changes"`
		} `json:"tests"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return verification{}, fmt.Errorf("the result of fuzzmut corpus verify: %w", err)
	}
	v := verification{failing: make(map[string]bool)}
	for _, t := range report.Tests {
		v.changed += t.Changed
		for _, c := range t.Changes {
			if c.Failure != "" {
				v.failing[t.Name+" "+c.Entry] = true
			}
		}
	}
	return v, nil
}

// differs says whether values have changed, or other entries fail than before.
func (v verification) differs(before verification) bool {
	return v.changed > before.changed || !maps.Equal(v.failing, before.failing)
}
