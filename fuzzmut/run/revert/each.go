package revert

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

const (
	// partsMost bounds the parts that are built to explain the differences of a fuzz test.
	partsMost = 120
	// partsChecked bounds those that are looked at.
	partsChecked = 1000
)

// An Attempt has parts tried, each once, as long as Open says that more are wanted.
type Attempt struct {
	Builder *Builder
	Open    func() bool
	Try     func(p Part, without *project.Package) error

	done  map[string]bool
	built int // parts that may compile
}

// Each builds parts in their order, and has each tried. Of one that does not compile it
// builds those around it. It ends without an error when the time of ctx is over.
func (a *Attempt) Each(ctx context.Context, queue []Part) error {
	broken, err := a.Alone(ctx, queue)
	if err != nil {
		return err
	}
	return a.Around(ctx, broken)
}

// Alone is Each without what is around parts that do not compile. It returns these.
func (a *Attempt) Alone(ctx context.Context, queue []Part) (broken []Part, err error) {
	if a.done == nil {
		a.done = make(map[string]bool)
	}
	for a.more() && len(queue) > 0 && a.Open() {
		var some []Part
		for len(queue) > 0 && len(some) < a.Builder.Project.Options.Parallel && a.more() && ctx.Err() == nil {
			if p := queue[0]; !a.done[p.key()] {
				a.done[p.key()] = true
				if a.Builder.fits(p) {
					some = append(some, p)
					a.built++
				} else {
					broken = append(broken, p)
				}
			}
			queue = queue[1:]
		}
		built, err := a.Builder.all(ctx, some)
		if err != nil {
			return nil, nil //nolint:nilerr // the time is over: what is not explained is sorted by what differs
		}
		for i, p := range some {
			if built[i] == nil {
				broken = append(broken, p)
				continue
			}
			if err := a.Try(p, built[i]); err != nil {
				if ctx.Err() != nil {
					return nil, nil //nolint:nilerr // likewise
				}
				return nil, err
			}
		}
	}
	return broken, nil
}

// more says whether the bounds allow another part.
func (a *Attempt) more() bool { return a.built < partsMost && len(a.done) < partsChecked }

// Around is Each for what is around parts that do not compile.
func (a *Attempt) Around(ctx context.Context, broken []Part) (err error) {
	for len(broken) > 0 && err == nil && a.Open() {
		var queue []Part
		for _, p := range broken {
			queue = append(queue, a.Builder.wider(p)...)
		}
		broken, err = a.Alone(ctx, queue)
	}
	return err
}
