package evaluate

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Survey runs each mutant on up to surveyTries inputs at first, and in each round on up to
// surveyGrowth times as many as in the one before.
const (
	surveyTries  = 16
	surveyGrowth = 4
)

// A Survey runs living mutants on inputs, in rounds, until each is killed, or has lived on all
// inputs that it infects. Most of the mutants that fall do so on one of the first inputs that
// they infect. So each is run on a few, before any is run on more; and on those first that
// stand first. The first round has the ledger tell of all mutants which inputs infect them.
type Survey struct {
	Inputs []*corpus.Input
	Ledger *Ledger              // what lives is entered
	Alive  func(m uint32) bool  // the others are not run
	Credit func(ev *Evaluation) // takes in the kills of a round
	e      *Evaluator
	rounds int
	most   int64 // tries of the last round; 0: no limit
}

// NewSurvey begins a survey, which has an empty ledger.
func (e *Evaluator) NewSurvey(inputs []*corpus.Input, alive func(m uint32) bool, credit func(*Evaluation)) *Survey {
	return &Survey{Inputs: inputs, Ledger: e.NewLedger(), Alive: alive, Credit: credit, e: e}
}

// Done reports whether nothing is left to be run.
func (s *Survey) Done() bool { return s.rounds > 0 && s.most == 0 }

// Round makes the next round. It ends early, with the error of ctx, when that is done.
func (s *Survey) Round(ctx context.Context) error {
	if s.Done() {
		return nil
	}
	if s.rounds++; s.rounds == 1 {
		s.most = surveyTries
	} else {
		s.most *= surveyGrowth
	}
	if s.most > int64(len(s.Inputs)) {
		s.most = 0
	}
	damages := s.Ledger.Damages()
	which := func(m uint32) bool { return !damages(m) && s.Alive(m) }
	open := s.Inputs
	if s.rounds > 1 {
		open = slices.DeleteFunc(slices.Clone(s.Inputs), func(in *corpus.Input) bool { return !s.Ledger.open(in, s.most, which) })
	}
	if len(open) == 0 {
		return nil
	}
	ev, err := s.e.Evaluate(ctx, Query{
		Inputs: open, Select: wire.SelectAlive, Ledger: s.Ledger, Tries: s.most, Trace: s.rounds == 1,
		Exclude: func(m uint32) bool { return !which(m) },
	})
	if ev != nil {
		s.Credit(ev)
	}
	return err
}
