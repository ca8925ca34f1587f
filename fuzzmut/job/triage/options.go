package triage

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// DefaultOperators is what the zero value of Options.Operators stands for.
const DefaultOperators = bugs.Operators

// DefaultTime is what the zero value of Options.Time stands for.
const DefaultTime = time.Minute

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
