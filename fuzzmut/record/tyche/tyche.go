// Package tyche writes what became of inputs as lines of JSON, in the format of observations of
// property-based tests that Tyche shows and Hypothesis defines.
package tyche

import (
	"encoding/json"
	"io"
)

// The statuses of a case.
const (
	Passed = "passed"
	Failed = "failed"
	GaveUp = "gave_up" // the test has discarded the input
)

// A Case is one input of a fuzz test.
type Case struct {
	Type           string            `json:"type"`      // "test_case"
	RunStart       int64             `json:"run_start"` // in seconds since 1970, of the run of the fuzz test
	Property       string            `json:"property"`  // the fuzz test, with the import path of its package
	Status         string            `json:"status"`
	StatusReason   string            `json:"status_reason"` // of a failure
	Representation string            `json:"representation"`
	Arguments      map[string]string `json:"arguments"` // as Go source, by their number from 1
	HowGenerated   string            `json:"how_generated"`
	Features       Features          `json:"features"`
	Coverage       map[string][]int  `json:"coverage"` // lines, by the file relative to the module
	Timing         map[string]int    `json:"timing"`   // none: no clock counts
	Metadata       Metadata          `json:"metadata"`
}

// Features are what distinguishes inputs.
type Features struct {
	Size   int   `json:"size"`   // of the values of the arguments, in bytes, in Go's encoding
	Kills  int   `json:"kills"`  // mutants
	Blocks int   `json:"blocks"` // covered
	Work   int64 `json:"work"`   // loop turns and calls
}

// Metadata is what else is known.
type Metadata struct {
	Entry string `json:"entry"` // the name of the file, or of the seed
}

// Write writes a line for each case.
func Write(w io.Writer, cases []Case) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range cases {
		c := cases[i]
		c.Type = "test_case"
		if c.Arguments == nil {
			c.Arguments = map[string]string{}
		}
		if c.Coverage == nil {
			c.Coverage = map[string][]int{}
		}
		if c.Timing == nil {
			c.Timing = map[string]int{}
		}
		if err := enc.Encode(&c); err != nil {
			return err
		}
	}
	return nil
}
