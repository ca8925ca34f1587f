package lockstep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const (
	// keptMost bounds the inputs that are kept of one group: the smallest.
	keptMost = 6
	// groupsMost bounds the groups.
	groupsMost = 256
	// heavyMost bounds those of them that differ in work alone: there has to be room for
	// others, and such inputs take long.
	heavyMost = 12
	// insideMost is how many inputs of one set of changed functions that differ inside
	// become entries of both sides.
	insideMost = 4
	// alikeMost bounds the inputs that are kept though both sides do the same, and alikeWay
	// those of them that take the same way through changed functions.
	alikeMost = 512
	alikeWay  = 4
)

// A Group is the inputs that differ in the same way and at the same changed functions, and
// take the same way through these: they may have the same cause.
type Group struct {
	Signature string
	Inside    []string
	Count     int64    // inputs, those not kept included
	Results   []Result // the smallest, in the order of their size
}

// Found is what a search has found so far.
type Found struct {
	Groups   []Group // in the order in which they were found
	Compared int64   // inputs that were run on both sides
	Lost     int64   // inputs that were run on one side alone: too large to be kept
	First    int64   // inputs compared up to the first difference; 0: there is none
	Inside   map[string]int64
	Slow     int64 // inputs that were not compared: both sides work on them for too long
	Left     int   // inputs that both sides begin with, and that were not run, since the time was over
	Tried    int   // samples that were run: there may have been no time for all
	// Ended says why the search did not use its budget up; "" if it did.
	Ended string
	// Alike are inputs that run changed code, and on which the sides do the same: some for each
	// way through it, in the order in which they were found.
	Alike []*corpus.Input
}

// A Search drives inputs to where two sides differ. Each side breeds inputs by its own
// code, in turn; all of them are run on the other side as well. What differs, if only
// inside, is an entry of both.
type Search struct {
	// Work says when new code does more work. It is set before Begin.
	Work Measure
	// CoverageOnly lets coverage alone lead the search, as a measure of what the rest is
	// worth: no input is an entry since it differs, and none is favored. It is set before
	// Begin.
	CoverageOnly bool
	// Changed says of functions, by file and lines, whether they have changed, for each side. Those
	// that return something show it to the search themselves. It is set before Run.
	Changed [2]func(file string, first, last int) bool
	// Samples are inputs that are tried before any is bred. It is set before Run.
	Samples []*corpus.Input

	trials    [2]*trial.Trial
	step      *Lockstep
	until     context.Context // the whole search
	enterFuel int64           // what mutants may burn on the entries of the other side

	mu     sync.Mutex // guards what follows
	found  Found
	groups map[string]int      // index into found.Groups
	heavy  int                 // groups that differ in work alone
	inside map[string]int      // inputs taken in, by set of functions
	ways   map[[2]uint64]int   // inputs in found.Alike, by their ways through changed functions
	share  [2][]*corpus.Input  // inputs that a side does not have
	failed []*corpus.Input     // on the side that breeds; they are compared at the end of the part
	known  map[string]struct{} // failing inputs that were compared
	news   int64               // inputs compared when something new was found last
}

// Hooks returns what the trial of a side has to call. The search need not exist yet: s is
// filled in by Begin.
func (s *Search) Hooks() trial.Hooks {
	return trial.Hooks{
		NoMutants: true,
		OnInputs:  s.take,
		OnFailure: func(f failures.Failure) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.failed = append(s.failed, f.Input)
		},
	}
}

// Begin readies the search for two trials that have run their baselines.
func (s *Search) Begin(before, after *trial.Trial, pairs int) {
	s.trials = [2]*trial.Trial{before, after}
	s.step = New(before.Engine.Processes, after.Engine.Processes, pairs)
	s.step.Work, s.step.Fuel = s.Work, takeFuel
	s.groups, s.inside, s.known = make(map[string]int), make(map[string]int), make(map[string]struct{})
	s.ways = make(map[[2]uint64]int)
	s.found.Inside = make(map[string]int64)
}

// Lockstep is what the search runs inputs with.
func (s *Search) Lockstep() *Lockstep { return s.step }

// Found returns what was found. No part of the search may be in progress.
func (s *Search) Found() Found { return s.found }

// Close ends all processes.
func (s *Search) Close() {
	if s.step != nil {
		s.step.Close()
	}
}

// Parts of a search: at first each side has its turn for firstInputs inputs, or for
// firstTime, and later for longer.
const (
	firstInputs = 2048
	firstTime   = time.Second
	mostInputs  = 1 << 16
	mostTime    = 8 * time.Second
)

// fullTime is the time from which on the parts of a search, and what mutants may burn in it,
// are whole: in a shorter search they are as much less, so that it has as many parts.
const fullTime = 30 * time.Second

// scaled is the part of a whole that a search with a budget has.
func scaled(whole int64, budget project.FuzzTime) int64 {
	if d := budget.Duration; d > 0 && d < fullTime {
		return max(int64(float64(whole)*d.Seconds()/fullTime.Seconds()), whole/16)
	}
	return whole
}

// Run searches until the budget is used up. It ends earlier if differences were found,
// and a third of the budget has brought nothing new.
func (s *Search) Run(ctx context.Context, budget project.FuzzTime) error {
	whole := ctx
	if budget.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget.Duration)
		defer cancel()
	}
	s.until, s.enterFuel = ctx, scaled(enterFuel, budget)
	if err := s.given(whole); err != nil {
		return err
	}
	if err := s.samples(ctx, budget.Duration/samplesShare); err != nil {
		return err
	}
	begin, newsAt, news := time.Now(), time.Now(), int64(0)
	inputs, length := int64(firstInputs), time.Duration(scaled(int64(firstTime), budget))
	var bred int64
	for part := uint64(1); ctx.Err() == nil; part++ {
		for side := 1; side >= 0; side-- { // new code first: what is new is there
			// Mutants lead to inputs that tell small changes; elsewhere they take time
			// from new paths. Each has every second part.
			b := engine.Budget{Part: part, Plain: part%2 == 1}
			if budget.Execs > 0 {
				if b.Inputs = min(inputs, budget.Execs-bred); b.Inputs <= 0 {
					return nil
				}
				bred += b.Inputs
			} else if b.Time = min(length, budget.Duration-time.Since(begin)); b.Time <= 0 {
				return nil
			}
			if err := s.part(ctx, side, b); err != nil {
				return err
			}
		}
		inputs, length = min(inputs*2, mostInputs), min(length*3/2, mostTime)
		if s.news > news {
			news, newsAt = s.news, time.Now()
		}
		used := float64(bred) / float64(max(budget.Execs, 1))
		if budget.Execs == 0 {
			used = float64(time.Since(begin)) / float64(budget.Duration)
		}
		if used >= unreachedShare && !s.reaches() {
			s.found.Ended = Unreached
			return nil
		}
		if len(s.found.Groups) == 0 {
			continue
		}
		if idle := s.found.Compared - news; budget.Execs > 0 && idle*3 > budget.Execs || budget.Execs == 0 && time.Since(newsAt)*3 > budget.Duration {
			s.found.Ended = "a third of the budget brought no new kind of difference"
			return nil
		}
	}
	return nil
}

// Only compares one input, and does not search.
func (s *Search) Only(ctx context.Context, in *corpus.Input) error {
	s.until = ctx
	inputs := []*corpus.Input{in}
	if s.Work.Factor > 0 {
		// What only the first call in a process does would hide the rest of the work.
		if _, err := s.step.Run(ctx, inputs); err != nil {
			return err
		}
	}
	return s.take(ctx, inputs, 0)
}

// Unreached is why a search ends that has not reached the changed code.
const Unreached = "no input reaches the changed code"

// unreachedShare is the share of the budget after which a search ends that has not come
// to the changed code.
const unreachedShare = 0.2

// reaches says whether any entry of either side covers a function that is changed.
func (s *Search) reaches() bool {
	for side, t := range s.trials {
		p := t.Package.Program
		inner, changed := p.Inner(), make(map[int]bool)
		for i := range p.Funcs {
			f := &p.Funcs[i]
			changed[i] = inner[i] != "" || s.Changed[side] != nil && s.Changed[side](f.File, f.Line, f.EndLine)
		}
		for _, e := range t.Engine.Pool.Entries() {
			for _, f := range e.Features {
				if b := f.Block(); b < len(p.Blocks) && changed[p.Blocks[b].Func] {
					return true
				}
			}
		}
	}
	return false
}

// given compares what both sides begin with: an input of each failure in any case, and the
// others as long as there is time. What is being compared when that is over counts: where code
// does not end, one input may take all of it.
func (s *Search) given(ctx context.Context) error {
	if _, _, err := s.takeUntil(ctx, func() bool { return false }, s.unknownFailures()); err != nil {
		return err
	}
	var inputs []*corpus.Input
	for _, t := range s.trials {
		for _, e := range slices.Concat(t.Given, t.Cached) {
			inputs = append(inputs, e.Input)
		}
	}
	inputs = corpus.Distinct(inputs)
	if len(inputs) == 0 {
		inputs = append(inputs, s.trials[1].Zero)
	}
	inputs = slices.DeleteFunc(inputs, func(in *corpus.Input) bool {
		_, ok := s.known[in.Key()]
		return ok
	})
	_, done, err := s.takeUntil(ctx, func() bool { return s.until.Err() != nil }, inputs)
	s.found.Left = len(inputs) - done
	return err
}

// samplesShare is the part of the time that samples have: some may take long, and the search
// needs its turn.
const samplesShare = 4

// samples compares the samples, for a time if that is limited. What covers something new is
// an entry of the side.
func (s *Search) samples(ctx context.Context, limit time.Duration) error {
	begin := time.Now()
	over := func() bool { return limit > 0 && time.Since(begin) > limit }
	for some := range slices.Chunk(s.Samples, chunk) {
		quick, tried, err := s.takeUntil(s.until, over, some)
		if err != nil {
			return err
		}
		s.found.Tried += tried
		for side := range s.trials {
			if err := s.evaluate(ctx, side, quick); err != nil {
				return err
			}
		}
	}
	return nil
}

// part lets one side breed inputs for a while.
func (s *Search) part(ctx context.Context, side int, b engine.Budget) error {
	t := s.trials[side]
	if err := s.enter(ctx, side); err != nil {
		return err
	}
	have := t.Engine.Pool.Size().Entries
	if _, err := t.Engine.Fuzz(ctx, b); err != nil {
		return t.EngineError(err)
	}
	if err := s.failures(ctx); err != nil {
		return err
	}
	for _, e := range t.Engine.Pool.Entries()[have:] {
		s.share[1-side] = append(s.share[1-side], e.Input)
	}
	return s.enter(ctx, 1-side)
}

// enter makes what a side does not have yet entries of it.
func (s *Search) enter(ctx context.Context, side int) error {
	s.mu.Lock()
	inputs := s.share[side]
	s.share[side] = nil
	s.mu.Unlock()
	if err := s.evaluate(ctx, side, inputs); err != nil {
		return err
	}
	if !s.CoverageOnly {
		s.trials[side].Engine.Pool.Favour(inputs)
	}
	return nil
}

// evaluate makes inputs that bring something new entries of a side.
func (s *Search) evaluate(ctx context.Context, side int, inputs []*corpus.Input) error {
	if len(inputs) == 0 || ctx.Err() != nil {
		return nil
	}
	t := s.trials[side]
	sel := t.Mutants()
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: sel, Infected: sel != wire.SelectNone, Fuel: s.enterFuel})
	if err != nil {
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the search ends
		}
		return t.EngineError(err)
	}
	t.Engine.Found(inputs, ev)
	return nil
}

// enterFuel bounds what mutants burn on the entries of the other side in a long search.
const enterFuel = 300_000_000

// failures compares the failing inputs of the part that has ended. They are among those
// that were bred, unless they ended the process.
func (s *Search) failures(ctx context.Context) error { return s.take(ctx, s.unknownFailures(), 0) }

// unknownFailures returns the failing inputs since it was called last that were not compared
// as such.
func (s *Search) unknownFailures() (inputs []*corpus.Input) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.failed {
		if _, ok := s.known[in.Key()]; !ok {
			s.known[in.Key()] = struct{}{}
			inputs = append(inputs, in)
		}
	}
	s.failed = nil
	return inputs
}

// chunk is how many inputs are compared at a time, at most: the end of the budget is looked at
// in between, and what is being compared then is lost. So it is fewer while they take long.
const (
	chunk      = 512
	firstChunk = 1
	chunkTime  = 200 * time.Millisecond
)

// take runs inputs on both sides, and notes what differs. It goes on when the part that
// has bred them is over, up to the end of the search.
func (s *Search) take(_ context.Context, inputs []*corpus.Input, lost int) error {
	s.mu.Lock()
	s.found.Lost += int64(lost)
	s.mu.Unlock()
	_, _, err := s.takeUntil(s.until, func() bool { return false }, inputs)
	return err
}

// takeFuel is what an input may burn on each side of a search: some hundredths of a second.
// Those that burn more would take the time from thousands of others.
const takeFuel = 20_000_000

// takeUntil runs inputs on both sides, and notes what differs, until a time is over, or ctx is
// done, with which what is being compared is lost. It returns
// those that were compared, and how many were run.
func (s *Search) takeUntil(ctx context.Context, over func() bool, inputs []*corpus.Input) (compared []*corpus.Input, done int, err error) {
	size := firstChunk
	for done < len(inputs) && !over() {
		some := inputs[done:min(done+size, len(inputs))]
		begin := time.Now()
		results, err := s.step.Run(ctx, some)
		if ctx.Err() != nil {
			return compared, done, nil //nolint:nilerr // the budget is used up
		}
		if err != nil {
			return compared, done, err
		}
		s.mu.Lock()
		for i := range results {
			if results[i].Slow() {
				s.found.Slow++
				continue
			}
			compared = append(compared, results[i].Input)
			s.found.Compared++
			s.note(&results[i])
		}
		s.mu.Unlock()
		done += len(some)
		if took := time.Since(begin); took < chunkTime {
			size = min(2*size, chunk)
		} else {
			size = max(size/2, 1)
		}
	}
	return compared, done, nil
}

// note notes what one input shows. The caller holds the lock.
func (s *Search) note(r *Result) {
	for _, f := range r.Inside {
		s.found.Inside[f]++
	}
	where := strings.Join(r.Inside, ", ")
	if where != "" {
		if s.inside[where]++; s.inside[where] <= insideMost {
			s.enterBoth(r.Input)
			if s.inside[where] == 1 {
				s.news = s.found.Compared
			}
		}
	}
	if r.Signature() == "" {
		s.noteAlike(r)
		return
	}
	if s.found.First == 0 {
		s.found.First = s.found.Compared
	}
	key := fmt.Sprintf("%s\n%s\n%x %x", r.Signature(), where, r.Runs[0].Path, r.Runs[1].Path)
	i, ok := s.groups[key]
	if !ok {
		if len(s.found.Groups) == groupsMost || r.Signature() == MoreWork && s.heavy == heavyMost {
			return
		}
		if r.Signature() == MoreWork {
			s.heavy++
		}
		i = len(s.found.Groups)
		s.groups[key] = i
		s.found.Groups = append(s.found.Groups, Group{Signature: r.Signature(), Inside: r.Inside})
		s.news = s.found.Compared
		s.enterBoth(r.Input)
	}
	s.found.Groups[i].add(r)
}

// noteAlike keeps an input on which the sides do the same, if few of its way are kept. The caller
// holds the lock.
func (s *Search) noteAlike(r *Result) {
	way := [2]uint64{r.Runs[0].Path, r.Runs[1].Path}
	if way == [2]uint64{} || len(s.found.Alike) == alikeMost || s.ways[way] == alikeWay {
		return
	}
	s.ways[way]++
	s.found.Alike = append(s.found.Alike, r.Input)
}

func (s *Search) enterBoth(in *corpus.Input) {
	if s.CoverageOnly {
		return
	}
	for side := range s.share {
		s.share[side] = append(s.share[side], in)
	}
}

// add counts an input, and keeps it if it is one of the smallest.
func (g *Group) add(r *Result) {
	g.Count++
	at, same := slices.BinarySearchFunc(g.Results, r, func(have Result, r *Result) int { return have.Input.Compare(r.Input) })
	if same || at == keptMost {
		return
	}
	g.Results = slices.Insert(g.Results, at, *r)
	g.Results = g.Results[:min(len(g.Results), keptMost)]
}

// ErrUnlike says that two sides are not the same fuzz test.
var ErrUnlike = errors.New("the two sides take other arguments")

// CheckAlike returns an error if the fuzz tests of the sides take other arguments.
func CheckAlike(before, after *trial.Trial) error {
	if !slices.Equal(before.Types, after.Types) {
		return fmt.Errorf("%w: %s before, %s now", ErrUnlike, strings.Join(before.Types, ", "), strings.Join(after.Types, ", "))
	}
	return nil
}
