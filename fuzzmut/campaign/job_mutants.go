package campaign

import (
	"context"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// Mutants lists the mutants of the packages that the options choose, one Program
// for each package with tests. Nothing is built.
func Mutants(ctx context.Context, opts Options) ([]*instrument.Program, error) {
	r, err := newRunner(ctx, config{opts: opts, anyTests: true})
	if err != nil {
		return nil, err
	}
	defer r.close()
	var programs []*instrument.Program
	for _, pkg := range r.packages {
		b, err := r.load(ctx, pkg)
		if err != nil {
			return nil, err
		}
		p, err := r.rewrite(ctx, b)
		if err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}
