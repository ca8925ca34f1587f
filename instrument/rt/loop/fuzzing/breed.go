package fuzzing

import (
	"fmt"
	"os"
	"slices"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/budget"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/coverage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Ways to breed an input.
const (
	byStrategy = iota // as the strategy wants, which chooses its own parents
	byTerm            // as a mutant of a parent's value
	byBytes           // as a mutant of a parent's bytes
	breedingWays
)

// strategy is what the fuzzer knows of the strategy by which values are bred, and tells
// it. It lives as long as the worker, and so does what the strategy has learned.
type strategy struct {
	*values.Values
	ways   [breedingWays]budget.Rate
	wanted bool // the input in progress is the strategy's own choice

	known map[string]bool // encoded inputs that the strategy has been given
	seen  feedback        // of the execution in progress
	paths map[uint64]bool // hashes of the coverage of inputs whose path the strategy knows

	limit time.Duration  // of making one value, by the clock
	exit  func(code int) // os.Exit
}

// feedback is what became of an input.
type feedback struct {
	discarded bool
	kills     int
	counts    []uint8
	path      []uint16
}

func newStrategy(v *values.Values) *strategy {
	s := &strategy{
		Values: v, known: make(map[string]bool), paths: make(map[uint64]bool),
		limit: mostBreeding, exit: os.Exit,
	}
	for i := range s.ways {
		s.ways[i] = budget.NewRate(1 << 12)
	}
	return s
}

// observe notes what became of an input, before its mutants are run.
func (s *strategy) observe(ex exec.Execution, cov *coverage.Coverage) {
	if !s.Learns() {
		return
	}
	// What fails is no better to start from than what is discarded.
	s.seen = feedback{discarded: ex.Kind == wire.Skip || ex.Kind.Failed(), counts: cov.Counts(s.seen.counts[:0])}
}

// learn tells the strategy what became of the input that it has chosen.
func (s *strategy) learn() error {
	if err := s.Learn(s.seen.discarded, s.seen.kills, s.seen.counts, s.seen.path); err != nil {
		return &userError{err}
	}
	return nil
}

// take tells the strategy of another input.
func (s *strategy) take(data []byte, kills int) error {
	if err := s.Take(data, s.seen.discarded, kills, s.seen.counts, s.seen.path); err != nil {
		return &userError{err}
	}
	return nil
}

// newPath reports whether no input before has covered what the last one has, in this
// way, and returns a hash of that.
func (s *strategy) newPath() (h uint64, fresh bool) {
	h = 14695981039346656037
	for i, n := range s.seen.counts {
		if n != 0 {
			h = (h ^ uint64(i)<<8 ^ uint64(coverage.Bucket(n))) * 1099511628211
		}
	}
	if s.seen.discarded {
		h++
	}
	fresh = !s.paths[h]
	s.paths[h] = true
	return h, fresh
}

// valueSearchBudget is what the search for limits takes where values are bred: less
// than elsewhere, for it changes the bytes that stand for them.
var valueSearchBudget = budget.New(250, 20)

// way draws a way to breed by what each brings for what it costs; none is given up.
func (s *strategy) way(rng *havoc.Rand) int {
	if !s.Mixed() {
		return byStrategy
	}
	const oneIn = 10 // are drawn evenly
	if rng.OneIn(oneIn) {
		return rng.Intn(breedingWays)
	}
	worth := func(i int) float64 { return wayWeights[i] * s.ways[i].Value() }
	sum := 0.0
	for i := range s.ways {
		sum += worth(i)
	}
	at := float64(rng.Uint64()>>11) / (1 << 53) * sum
	for i := range s.ways {
		if at -= worth(i); at < 0 {
			return i
		}
	}
	return byStrategy
}

// wayWeights say which way is better when none of them brings anything for long: the
// strategy distinguishes runs that are the same to the engine.
var wayWeights = [breedingWays]float64{byStrategy: 4, byTerm: 1, byBytes: 0.25}

// breed makes one value and runs it.
func (r *round) breed(parent []any) error {
	s := r.strategy
	way := s.way(r.rng)
	spent := r.Exec.Spent
	data, err := r.offspring(way, s.Bytes(parent))
	if err != nil {
		return &userError{err}
	}
	s.wanted = way == byStrategy
	err = r.run([]any{append(make([]byte, 0, len(data)), data...)}, false)
	s.wanted = false
	s.ways[way].Note(float64(r.brought), float64(r.Exec.Spent-spent))
	if err != nil || way != byStrategy || !s.Learns() {
		return err
	}
	r.trace(data)
	return s.learn()
}

// mostBreeding is how long making a value may take. Any that ends takes far less. It
// is needed for functions of the user's, which burn no fuel and may not end.
const mostBreeding = 10 * time.Second

// guard returns a function to be called when a value has been made. If it isn't in
// time, the round and the process end.
func (f *Fuzzer) guard() (made func()) {
	s := f.strategy
	timer := time.AfterFunc(s.limit, func() {
		text := fmt.Sprintf("no value of type %s was produced within %v: a function of fuzzmut.Generate, fuzzmut.Mutate or fuzzmut.Represent does not return", s.Type(), s.limit)
		f.Conn.Reply(wire.Reply{Fuzzed: &wire.Fuzzed{Stats: f.Muts.Take(), Error: text}}) //nolint:errcheck // it ends here anyway
		s.exit(wire.ExitDone)
	})
	return func() {
		if !timer.Stop() {
			select {} // the process is about to end
		}
	}
}

// offspring makes a value.
func (r *round) offspring(way int, parent []byte) (data []byte, err error) {
	s := r.strategy
	defer r.guard()()
	switch way {
	case byTerm:
		data, err = s.Mutate(parent, s.Bytes(r.other()))
	case byBytes:
		r.child = r.mutator.Mutate(r.child, []any{parent}, r.other)
		return s.Canon(s.Bytes(r.child), r.MaxLen), nil
	default:
		data, err = s.Next()
	}
	if len(data) > r.MaxLen {
		data = s.Canon(data[:r.MaxLen], r.MaxLen)
	}
	return data, err
}

// share tells the strategy of an input that is kept, unless it has chosen it. What
// became of the input has been noted. Kills that are judged later are not told: what
// waits for that is kept for its coverage, by strategies too.
func (r *round) share(vals []any) error {
	s := r.strategy
	if s.wanted || !s.Learns() {
		return nil
	}
	data := s.Bytes(vals)
	r.trace(data)
	return s.take(data, s.seen.kills)
}

// meet runs an entry that others have found for the strategy to learn of it. The entry
// is in the corpus already, and what it covers is known.
func (f *Fuzzer) meet(input []byte, vals []any) error {
	s := f.strategy
	if s == nil || !s.Learns() || s.known[string(input)] {
		return nil
	}
	s.known[string(input)] = true
	f.setInput(vals)
	f.Cov.Clear()
	ex := f.Exec.Original(exec.Clone(vals), f.suspect)
	f.Muts.CountExec()
	s.observe(ex, f.Cov)
	f.trace(s.Bytes(vals))
	return s.take(s.Bytes(vals), 0)
}

// mostTrace bounds the trace of an input: package search looks at no more.
const mostTrace = 100

// trace notes the path of the input in progress for the one strategy that goes by it.
// The counters do not tell the order in which blocks ran. So an input that covers what
// none before it did, in this way, is run once more, and its path is how its
// comparisons came out, one after the other, and after them a hash of the coverage.
func (f *Fuzzer) trace(data []byte) {
	s := f.strategy
	s.seen.path = nil
	if !s.ByPath() {
		return
	}
	h, fresh := s.newPath()
	if !fresh {
		return
	}
	var path []uint16
	fuzzmutrt.OperandsHook = func(o *fuzzmutrt.Operands) {
		if len(path) < mostTrace-1 && f.studies.busy.CompareAndSwap(false, true) {
			at := uint16(o.Site) << 1
			if o.Held {
				at |= 1
			}
			path = append(path, at)
			f.studies.busy.Store(false)
		}
	}
	f.setInput([]any{data})
	f.Exec.Compared([]any{slices.Clone(data)}, f.studies.all, f.suspect)
	fuzzmutrt.OperandsHook = nil
	f.Muts.CountExec()
	s.seen.path = append(path, uint16(h>>48))
}

// A userError is what a function of the user's that makes values did wrong.
type userError struct{ error }
