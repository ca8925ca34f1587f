package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
)

// Options say how a campaign differs from a guided search.
type Options struct {
	// Search searches, and ends the run with Settle, in place of the guided engine; nil:
	// that one does.
	Search func(context.Context, *Campaign) error
	// Job is what the result names instead of an engine, where nothing is searched; "": there
	// is a search.
	Job string
	// Known says that inputs come from elsewhere, and need not be kept in Go's fuzz cache.
	Known bool
	// By is what no entry may be lost for when entries are chosen; 0: kills and coverage.
	By matrix.Features
	// Thorough says that a small corpus is worth more time.
	Thorough bool
	// Abandon gives no time to end the work after an interrupt.
	Abandon bool
}
