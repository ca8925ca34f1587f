package suggest

import (
	"context"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// findChanged finds the mutants that a run for a change is about, and reports whether there may be any: the package is
// not built for nothing.
func (s *session) findChanged(ctx context.Context) (touched bool, err error) {
	if s.changed == nil {
		return true, nil
	}
	cfg := s.project.LoadConfig(s.pkg)
	cfg.AnyTests, cfg.Derive = true, false
	loaded, err := s.load(ctx, cfg)
	if err != nil {
		return false, err
	}
	s.choice = change.NewChoice(s.changed, s.opts.Changed.DiffBy, change.NewSources(loaded))
	if touched = s.choice.Any(); !touched {
		s.project.Note(s.pkg, "no mutated function has changed")
	}
	return touched, nil
}

// inScope lists the candidates that the run is about.
func (s *session) inScope(p *instrument.Program) []uint32 {
	list := []uint32{}
	for _, n := range candidates(p) {
		if s.choice.Has(&p.Mutants[n-1]) {
			list = append(list, n)
		}
	}
	return list
}
