package evaluate

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// inputsOf lists the inputs of the items, in order.
func (s *starter) inputsOf(inputs []*corpus.Input) []*corpus.Input {
	list := make([]*corpus.Input, len(s.inputs))
	for i, n := range s.inputs {
		list[i] = inputs[n]
	}
	return list
}

// onlyInside reports whether a caller sees nothing of the difference that a process with a
// mutant has shown on item number at: the process writes down what it does there. What
// can't be told counts as seen.
func (s *starter) onlyInside(ctx context.Context, p *worker.Process, at int) bool {
	want, err := s.written()
	if err != nil || at >= len(want) {
		return false
	}
	var got *wire.Recording
	_, err = p.Replay(ctx, &wire.Replay{Items: []wire.ReplayItem{{Input: s.items[at].Input}}, Golden: true}, worker.ReplayEvents{
		Recording: func(r *wire.Recording) { got = r },
	})
	return err == nil && got != nil && got.Kind == want[at].Kind && slices.Equal(s.stable(got.Events), s.stable(want[at].Events))
}

// stable lists the values that do not differ from process to process.
func (s *starter) stable(seen []wire.Seen) []wire.Seen {
	return slices.DeleteFunc(slices.Clone(seen), func(v wire.Seen) bool {
		return slices.Contains(s.noise, wire.Value{Site: v.Site, Value: v.Value}) ||
			slices.Contains(s.noise, wire.Value{Site: v.Site, Value: observe.WholeSite})
	})
}
