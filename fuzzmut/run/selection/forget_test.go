package selection

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A kill that came by chance is forgotten once it did not happen again; one of a mutant that
// was left out is not.
func TestKillsByChanceAreForgotten(t *testing.T) {
	input, err := corpus.FromWorker(wire.Encode([]any{"a"}))
	if err != nil {
		t.Fatal(err)
	}
	know := make(trial.Knowledge)
	know.Add(input, wire.Kill{Mutant: 1}, wire.Kill{Mutant: 2}, wire.Kill{Mutant: 3})
	again := []evaluate.Kill{{Kill: wire.Kill{Mutant: 1}, Input: 4}, {Kill: wire.Kill{Mutant: 2}, Input: 5}}
	forget(know, input, again, 4, func(m uint32) bool { return m == 3 })
	left := know[input.Hash()]
	if len(left) != 2 || left[0].Mutant != 1 || left[1].Mutant != 3 {
		t.Errorf("left are %v", left)
	}
}
