package loop

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
	"github.com/fuzzmut/fuzzmut/instrument/rt/study"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A breeder makes inputs that stand for values of a Go type. It comes from the package
// that makes fuzz tests of values, in whatever version the user has of it: all that the
// two sides know of each other is these methods. It is called between executions.
type breeder interface {
	// Type names the type.
	Type() string
	// Enumerate tells the constants of a type, before Start: see wire.Constants.
	Enumerate(name string, numbers []uint64, texts []string)
	// Start starts a strategy, by its name in package search.
	Start(strategy string, seed uint64) error
	// Next returns the input that the strategy wants to be run, and Learn tells it
	// what became of that.
	Next() (data []byte, err error)
	Learn(discarded bool, kills int, counts []uint8, path []uint16) error
	// Take tells the strategy of another input.
	Take(data []byte, discarded bool, kills int, counts []uint8, path []uint16) error
	// Mutate returns a mutant of an input, perhaps with parts of another.
	Mutate(data, other []byte) (mutant []byte, err error)
	// Constants tells what parts of values may be.
	Constants(numbers []uint64, texts []string)
	// Parts of the value of an input that are what a program has compared become what
	// they were compared with.
	study.Matcher
	// Canonical returns the bytes to which a value is encoded, and how many of those
	// given say nothing about it.
	Canonical(data []byte) (canonical []byte, rest int)
	// Shrink returns a smaller input for which keep holds.
	Shrink(data []byte, calls int, keep func(data []byte) bool) []byte
	// Discarded says where the last input was discarded, "" if it was not.
	Discarded() string
}

// values breeds inputs that stand for values. It lives as long as the worker, and so
// does what its strategy has learned.
type values struct {
	breeder
	strategy string
	started  bool
	mixed    bool // strategy is one of several ways to breed
	ways     [breedingWays]rate

	known map[string]bool // encoded inputs that the strategy was told of
	seen  feedback        // of the execution under way
	paths map[uint64]bool // hashes of the coverage of inputs whose path the strategy knows

	limit time.Duration  // of making one value, by the clock
	exit  func(code int) // os.Exit

	bred     int64
	discards map[string]int64 // by place
}

// Ways to breed an input.
const (
	byStrategy = iota // as the strategy wants, which chooses its own parents
	byTerm            // as a mutant of a parent's value
	byBytes           // as a mutant of a parent's bytes
	breedingWays
)

// feedback is what became of an input.
type feedback struct {
	discarded bool
	kills     int
	counts    []uint8
	path      []uint16
}

// valueSearchBudget is what the search for limits takes where values are bred: less
// than elsewhere, for it changes the bytes that stand for them.
var valueSearchBudget = budget{first: 250, share: 20}

// newValues returns what breeds inputs for a strategy.
func newValues(b breeder, strategy string) *values {
	v := &values{
		breeder: b, strategy: strategy, mixed: strategy == "default",
		limit: mostBreeding, exit: os.Exit,
		known: make(map[string]bool), paths: make(map[uint64]bool), discards: make(map[string]int64),
	}
	for i := range v.ways {
		v.ways[i].window = 1 << 12
	}
	return v
}

// breeds reports whether values are bred as such, not as the bytes that stand for them.
func (v *values) breeds() bool { return v != nil && v.strategy != "" && v.strategy != "bytes" }

// learns reports whether the strategy goes by what becomes of inputs.
func (v *values) learns() bool { return v.breeds() && v.strategy != "derived" && v.strategy != "blind" }

// begin starts the strategy with the first round.
func (v *values) begin(seed uint64, dict [][]byte, constants []wire.Constants) error {
	if !v.breeds() || v.started {
		return nil
	}
	v.started = true
	for i := range constants {
		v.Enumerate(constants[i].Type, constants[i].Numbers, constants[i].Texts)
	}
	if err := v.Start(v.strategy, seed); err != nil {
		return err
	}
	var texts []string
	for _, t := range dict {
		texts = append(texts, string(t))
	}
	v.Constants(nil, texts)
	return nil
}

// count counts an input that was bred.
func (v *values) count(ex execution) {
	v.bred++
	if ex.kind == wire.Skip {
		v.discards[v.Discarded()]++
	}
}

// observe notes what became of an input, before its mutants are run.
func (v *values) observe(ex execution, cov *coverage) {
	if !v.learns() {
		return
	}
	// What fails is no better to start from than what is discarded.
	v.seen = feedback{discarded: ex.kind == wire.Skip || ex.kind.Failed(), counts: v.seen.counts[:0]}
	for _, p := range cov.packages {
		v.seen.counts = append(v.seen.counts, p.Counters...)
	}
}

// take returns what was counted since it was last called.
func (v *values) take(stats *wire.Stats) {
	stats.Bred, v.bred = v.bred, 0
	for place, n := range v.discards {
		stats.Discards = append(stats.Discards, wire.Discarding{Place: place, Inputs: n})
	}
	slices.SortFunc(stats.Discards, func(a, b wire.Discarding) int { return strings.Compare(a.Place, b.Place) })
	clear(v.discards)
}

// bytes is the input's only argument.
func (v *values) bytes(vals []any) []byte { return vals[0].([]byte) }

// canonical returns the input that stands for the same value and for nothing else.
func (v *values) canonical(data []byte, mostLen int) []byte {
	data, _ = v.Canonical(data)
	if len(data) > mostLen {
		data, _ = v.Canonical(data[:mostLen])
	}
	return data[:min(len(data), mostLen)]
}

// way draws a way to breed by what each brings for what it costs; none is given up.
func (r *round) way() int {
	v := r.values
	if !v.mixed {
		return byStrategy
	}
	const oneIn = 10 // are drawn evenly
	if r.rng.OneIn(oneIn) {
		return r.rng.Intn(breedingWays)
	}
	worth := func(i int) float64 { return wayWeights[i] * v.ways[i].value() }
	sum := 0.0
	for i := range v.ways {
		sum += worth(i)
	}
	at := float64(r.rng.Uint64()>>11) / (1 << 53) * sum
	for i := range v.ways {
		if at -= worth(i); at < 0 {
			return i
		}
	}
	return byStrategy
}

// wayWeights say which way is better when none of them brings anything for long: the
// strategy tells runs apart of which the engine sees no difference.
var wayWeights = [breedingWays]float64{byStrategy: 4, byTerm: 1, byBytes: 0.25}

// breed makes one value and runs it.
func (r *round) breed(parent []any) error {
	v := r.values
	way := r.way()
	spent := r.x.spent
	data, err := r.offspring(way, v.bytes(parent))
	if err != nil {
		return &userError{err}
	}
	r.wanted = way == byStrategy
	err = r.run([]any{append(make([]byte, 0, len(data)), data...)}, false)
	r.wanted = false
	v.ways[way].note(float64(r.brought), float64(r.x.spent-spent))
	if err != nil || way != byStrategy || !v.learns() {
		return err
	}
	if err := r.trace(data); err != nil {
		return err
	}
	if err := v.Learn(v.seen.discarded, v.seen.kills, v.seen.counts, v.seen.path); err != nil {
		return &userError{err}
	}
	return nil
}

// mostBreeding is how long making a value may take. It is far more than any takes that
// ends, and stands behind functions of the user's, which burn no fuel.
const mostBreeding = 10 * time.Second

// guard returns a function to be called when a value has been made. If it isn't in
// time, the round and the process end.
func (l *Loop) guard() (made func()) {
	v := l.values
	timer := time.AfterFunc(v.limit, func() {
		text := fmt.Sprintf("a value of type %s was not made within %v: a function of fuzzmut.Generate, fuzzmut.Mutate or fuzzmut.Represent does not end", v.Type(), v.limit)
		l.reply(wire.Reply{Fuzzed: &wire.Fuzzed{Stats: l.muts.take(), Error: text}}) //nolint:errcheck // it ends here anyway
		v.exit(wire.ExitDone)
	})
	return func() {
		if !timer.Stop() {
			select {} // the process is about to end
		}
	}
}

// offspring makes a value.
func (r *round) offspring(way int, parent []byte) (data []byte, err error) {
	v := r.values
	defer r.guard()()
	switch way {
	case byTerm:
		data, err = v.Mutate(parent, v.bytes(r.other()))
	case byBytes:
		r.child = r.mutator.Mutate(r.child, []any{parent}, r.other)
		return v.canonical(v.bytes(r.child), r.mostLen), nil
	default:
		data, err = v.Next()
	}
	if len(data) > r.mostLen {
		data = v.canonical(data[:r.mostLen], r.mostLen)
	}
	return data, err
}

// share tells the strategy of an input that is kept, unless it has chosen it. What
// became of the input has been noted. Kills that are judged later are not told: what
// waits for that is kept for its coverage, by strategies too.
func (r *round) share(vals []any) error {
	v := r.values
	if r.wanted || !v.learns() {
		return nil
	}
	data := v.bytes(vals)
	if err := r.trace(data); err != nil {
		return err
	}
	if err := v.Take(data, v.seen.discarded, v.seen.kills, v.seen.counts, v.seen.path); err != nil {
		return &userError{err}
	}
	return nil
}

// meet runs an entry that others have found for the strategy to learn of it. The entry
// is in the corpus already, and what it covers is known.
func (l *Loop) meet(input []byte, vals []any) error {
	v := l.values
	if !v.learns() || v.known[string(input)] {
		return nil
	}
	v.known[string(input)] = true
	l.setInput(vals)
	l.cov.clear()
	ex := l.x.original(clone(vals), l.suspect)
	l.muts.count.execs++
	v.observe(ex, l.cov)
	if err := l.trace(v.bytes(vals)); err != nil {
		return err
	}
	if err := v.Take(v.bytes(vals), v.seen.discarded, 0, v.seen.counts, v.seen.path); err != nil {
		return &userError{err}
	}
	return nil
}

// mostTrace bounds the trace of an input: package search looks at no more.
const mostTrace = 100

// trace notes the path of the input under way for the one strategy that goes by it.
// The counters do not tell the order in which blocks ran. So an input that covers what
// none before it did, in this way, is run once more, and its path is how its
// comparisons came out, one after the other, and behind them a hash of the coverage.
func (l *Loop) trace(data []byte) error {
	v := l.values
	v.seen.path = nil
	if !strings.HasPrefix(v.strategy, "mutagen") {
		return nil
	}
	h := uint64(14695981039346656037)
	for i, n := range v.seen.counts {
		if n != 0 {
			h = (h ^ uint64(i)<<8 ^ uint64(bucket[n])) * 1099511628211
		}
	}
	if v.seen.discarded {
		h++
	}
	if v.paths[h] {
		return nil
	}
	v.paths[h] = true
	var path []uint16
	fuzzmutrt.OperandsHook = func(o *fuzzmutrt.Operands) {
		if len(path) < mostTrace-1 && l.student.busy.CompareAndSwap(false, true) {
			at := uint16(o.Site) << 1
			if o.Held {
				at |= 1
			}
			path = append(path, at)
			l.student.busy.Store(false)
		}
	}
	l.setInput([]any{data})
	l.x.record([]any{slices.Clone(data)}, l.student.all, l.suspect)
	fuzzmutrt.OperandsHook = nil
	l.muts.count.execs++
	v.seen.path = append(path, uint16(h>>48))
	return nil
}

// constants has the constants that values were compared with become parts of values.
func (v *values) constants(list []study.Comparison) {
	if !v.mixed {
		return
	}
	var numbers []uint64
	var texts []string
	for i := range list {
		c := &list[i]
		switch text := c.Kind == codes.Text; {
		case c.XConst && text && len(c.XText) == c.XLen:
			texts = append(texts, c.XText)
		case c.YConst && text && len(c.YText) == c.YLen:
			texts = append(texts, c.YText)
		case c.XConst && !text:
			numbers = append(numbers, c.X)
		case c.YConst && !text:
			numbers = append(numbers, c.Y)
		}
	}
	v.Constants(numbers, texts)
}

// A userError is what a function of the user's that makes values did wrong.
type userError struct{ error }
