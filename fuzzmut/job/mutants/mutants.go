// Package mutants is the job that lists mutants.
package mutants

import (
	"context"
	"errors"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// List lists the mutants of the packages that the options choose, one Program
// for each package with tests or code. Nothing is built.
func List(ctx context.Context, opts project.Options) ([]*instrument.Program, error) {
	r, err := project.Open(ctx, project.Config{Options: opts, AnyTests: true})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var programs []*instrument.Program
	for _, pkg := range r.Packages {
		b, err := r.Load(ctx, pkg)
		var lerr *problem.Error
		if errors.As(err, &lerr) && lerr.Kind == problem.KindNothingToMutate && len(r.Packages) > 1 {
			r.Phase(pkg, "skipped: %v", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		p, err := r.Rewrite(ctx, b)
		if err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}
