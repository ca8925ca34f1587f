package triage

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// DefaultOperators is what the zero value of Options.Operators stands for.
const DefaultOperators = bugs.Operators

// DefaultTime is what the zero value of Options.Time stands for.
const DefaultTime = time.Minute

// ParseCells reads "2/4", and "0/4" for the inputs alone.
func ParseCells(s string) (*bugs.Cells, error) {
	first, second, _ := strings.Cut(s, "/")
	k, err1 := strconv.ParseUint(first, 10, 32)
	n, err2 := strconv.ParseUint(second, 10, 32)
	if err1 != nil || err2 != nil || n < 1 || k > n || n > bugs.PartsMost {
		return nil, fmt.Errorf("%q is no part of the mutants; write 1/4, 2/4, 3/4 or 4/4, or 0/4 for the inputs alone", s)
	}
	return &bugs.Cells{Part: int(k), Parts: int(n)}, nil
}

// Options say what Run sorts and how. Of the Options, those that are about
// fuzzing mean nothing here; Operators "" means DefaultOperators.
type Options struct {
	project.Options

	// Crashers are directories with failing inputs, relative to Dir. They are read
	// in addition to those in which fuzzing leaves failing inputs: the corpus
	// directory of the fuzz test, and that beside Go's fuzz cache.
	Crashers []string
	// First is the name of the input to begin the ranking with; "" leaves the choice
	// to package triage.
	First string
	// Time bounds the triage of each fuzz test; 0 means DefaultTime. What has
	// not been run by then is sorted by other evidence.
	Time time.Duration
	// Shown is how many repairs and how many places are reported for each bucket; 0
	// means the five that are worth reading.
	Shown int
	// Cells has only a part of the matrix of failing inputs and mutants found out, and left in the
	// shared directory, in place of sorting; nil does not. Part 0 leaves the inputs alone.
	Cells *bugs.Cells
	// NoTests leaves the package's own tests out of what a repair must not break.
	NoTests bool
	// Write has a representative of each bucket written to the corpus directory.
	Write bool
	// Since is a revision of git from which HEAD comes: it is looked up whether the
	// representatives fail there, too, and else since when they do; "" does not.
	Since string
	// Labels are the bugs that inputs show, by their names; nil if nobody knows.
	Labels map[string]string
}
