package report

import "fmt"

// A Flake is a failure that is flaky: the fuzz test fails in one run and passes in
// another on the same input.
type Flake struct {
	Kind    string   `json:"kind"`    // as of a Crash
	Message string   `json:"message"` // of the first failure
	Frames  []string `json:"frames"`
	// Sure says that the failure was seen at least twice, and at least once without any
	// mutant. Only such failures count as found.
	Sure     bool   `json:"sure"`
	Seen     int64  `json:"seen"`       // failures while mutants were run, too, on any input
	Of       int64  `json:"executions"` // of the original, in the same time
	Passed   int    `json:"passed"`     // runs of the input in which Seen was counted
	Runs     int    `json:"runs"`       // of the input, those that passed included
	Failures int64  `json:"failures"`   // without mutants
	Repeats  int64  `json:"repeats"`    // runs of the input without mutants
	Entry    string `json:"entry"`      // path of the input; "" if it was not kept
	Repro    string `json:"repro"`      // a command that runs the input often; "" if there is none
}

// String says how often it failed.
func (f *Flake) String() string {
	s := fmt.Sprintf("failed %s in %s", Times(f.Seen), Plural(int(f.Of), "execution"))
	if f.Runs > 0 {
		s += fmt.Sprintf("; the same input passed %d of %s", f.Passed, Times(int64(f.Runs)))
	}
	if f.Repeats > 0 {
		s += fmt.Sprintf("; without mutants it failed %s of %s", Group(f.Failures), Times(f.Repeats))
	}
	return s
}

// SureFlakes counts the failures of a fuzz test that are flaky and count as found.
func SureFlakes(f *FuzzTest) int {
	n := 0
	for i := range f.Flaky {
		if f.Flaky[i].Sure {
			n++
		}
	}
	return n
}
