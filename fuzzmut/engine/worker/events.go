package worker

import (
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The replies that have an input, with that decoded: their Input stands for that of the
// message, at whose bytes nobody else looks.

// Found is a new input that is worth keeping.
type Found struct {
	wire.Found
	Input *corpus.Input
}

// Failure is an input on which the original fails.
type Failure struct {
	wire.Failure
	Input *corpus.Input // nil: only more executions of a known stack
}

// Flaky is an input on which the original fails in one run and passes in another.
type Flaky struct {
	Input   *corpus.Input
	Outcome wire.Outcome // of the run that failed first
	Key     string       // of its stack
	Failed  int          // runs
	Runs    int          // of this input, in this process
}

// Costly is an input that costs more than is in proportion to its length.
type Costly struct {
	wire.Costly
	Input *corpus.Input // with nothing in the argument that grows
}

// Damaged says that the original no longer does what it did.
type Damaged struct {
	wire.Damaged
	Input *corpus.Input
}

// Fuzzed is the end of a round. Bred stands for the inputs of the message.
type Fuzzed struct {
	wire.Fuzzed
	Bred []*corpus.Input
}

// Trimmed is the smallest input found that fails in the same stack.
type Trimmed struct {
	wire.Trimmed
	Input *corpus.Input
}

// found returns what was found, nil if the reply is another one. So do the others.
func (r *reply) found() *Found {
	if r.Found == nil {
		return nil
	}
	return &Found{*r.Found, r.input}
}

func (r *reply) failure() *Failure {
	if r.Failure == nil {
		return nil
	}
	return &Failure{*r.Failure, r.input}
}

func (r *reply) flaky() *Flaky {
	f := r.Flaky
	if f == nil {
		return nil
	}
	return &Flaky{Input: r.input, Outcome: f.Outcome, Key: f.Key, Failed: f.Failed, Runs: f.Runs}
}

func (r *reply) costly() *Costly {
	if r.Costly == nil {
		return nil
	}
	return &Costly{*r.Costly, r.input}
}

func (r *reply) damaged() *Damaged {
	if r.Damaged == nil {
		return nil
	}
	return &Damaged{*r.Damaged, r.input}
}

func (r *reply) fuzzed() *Fuzzed {
	if r.Fuzzed == nil {
		return nil
	}
	return &Fuzzed{*r.Fuzzed, r.bred}
}

func (r *reply) trimmed() *Trimmed {
	if r.Trimmed == nil {
		return nil
	}
	return &Trimmed{*r.Trimmed, r.input}
}
