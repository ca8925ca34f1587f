package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/corpus/matrix"
)

// Options say how a campaign differs from a guided search.
type Options struct {
	// search searches, and settles, in the place of the guided engine; nil: that one does.
	Search func(context.Context, *Campaign) error
	// job is what the result names instead of an engine, where nothing is searched; "": there
	// is a search.
	Job string
	// known says that inputs come from elsewhere, and need not be kept in Go's fuzz cache.
	Known bool
	// by is what no entry may be lost for when entries are chosen; 0: kills and coverage.
	By matrix.Features
	// patient says that a small corpus is worth more time.
	Patient bool
	// abandon gives no time to end the work after an interrupt.
	Abandon bool
}
