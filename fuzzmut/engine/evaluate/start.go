package evaluate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Mutants that act while packages are initialized are run here: each in a separate
// process that has it active from the start, over a given corpus, up to the first
// kill. They are compared with what processes of the original did on the same
// inputs in the same order.

// What the code before the first input may burn with a mutant, next to the
// original.
const (
	startFuelFactor = 100
	startFuelExtra  = 1_000_000
)

// A start with a mutant may take startTimes what the original took when it was traced, or the time of an execution with a
// mutant if that is more; and as little as startLeast where the phase ends before.
const (
	startTimes = 10
	startLeast = 100 * time.Millisecond
)

// Interrupted, NoTime and NoBudget are why a mutant is left: the user has ended the run, the time
// is over, or StartQuery.Fuel is burned.
const (
	Interrupted = "not run: interrupted"
	NoTime      = "not run: the time was over"
	NoBudget    = "not run: the budget for mutants that act before the first input was used up"
)

// late says why a mutant is left once ctx is done.
func late(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return NoTime
	}
	return Interrupted
}

// NoInput is the Input of a Kill that came before the first input.
const NoInput = -1

// Starting is what became of the mutants that act before the first input.
type Starting struct {
	// Judged are the mutants that were compared with the original, and Kills those
	// of them that are killed, ascending. What does not infect the start was not
	// run: it can't differ.
	Judged map[uint32]bool
	Kills  []Kill
	// Reached and Infected are the mutants that the start reaches and infects.
	Reached, Infected map[uint32]bool
	Left              map[uint32]string // not judged, and why not
	Executed          map[uint32]int64  // inputs run
	Processes         map[uint32]int    // that were run with it, whatever came of it
	Reused            map[uint32]bool   // judged by an earlier run
}

// Renumber gives the inputs of kills other numbers: input i becomes numbers[i].
func (s *Starting) Renumber(numbers []int) {
	for i := range s.Kills {
		if k := &s.Kills[i]; k.Input != NoInput {
			k.Input = numbers[k.Input]
		}
	}
}

// StartQuery is what EvaluateStart is asked.
type StartQuery struct {
	Inputs []*corpus.Input // that pass on the original
	// Done holds for mutants that can be switched and are not to be run; nil: none.
	Done func(m uint32) bool
	// Only holds for the mutants that the query is about; nil: all.
	Only func(m uint32) bool
	// Fuel is about what the processes may burn, each at the price of a start and of the inputs
	// on the original; 0: no limit. What is left then has NoBudget as its reason.
	Fuel int64
	// Seed decides which mutants come first where Fuel or the time is bounded: there may be too
	// little for all, and other runs are to judge others.
	Seed uint64
	// First holds for mutants that come before all others then; nil: none.
	First func(m uint32) bool
	// Progress gets sometimes how many mutants are judged, and of how many; nil discards.
	Progress func(judged, all int)
}

// starter is the state of one EvaluateStart.
type starter struct {
	procs  *processes.Set
	inputs []int // of the query, that the original does the same on in two processes
	items  []wire.ReplayItem
	noise  []wire.Value // values that differ from process to process
	base   int64        // that the start of the original burns
	fuel   int64        // for the start of a mutant
	start  time.Duration

	written func() ([]Observed, error) // what a caller sees of the original on each item

	out *Starting // what is known for certain; the lanes have theirs
}

// newStarting knows nothing.
func newStarting() *Starting {
	return &Starting{
		Judged: make(map[uint32]bool), Reached: make(map[uint32]bool), Infected: make(map[uint32]bool),
		Left: make(map[uint32]string), Executed: make(map[uint32]int64),
		Processes: make(map[uint32]int), Reused: make(map[uint32]bool),
	}
}

// EvaluateStart runs the mutants that act before the first input: static ones, and
// those that can be switched but that the start reaches. An error is one of the
// machinery; when ctx is cancelled, mutants not yet judged are left.
func (e *Evaluator) EvaluateStart(ctx context.Context, q StartQuery) (*Starting, error) {
	s := &starter{procs: e.procs, out: newStarting()}
	if ctx.Err() != nil && late(ctx) == Interrupted {
		for i := range e.procs.Program().Mutants {
			if m := &e.procs.Program().Mutants[i]; m.Status == instrument.StatusStatic {
				s.out.Left[uint32(m.Index)] = Interrupted
			}
		}
		return s.out, nil
	}
	// One process tells which mutants are to be run. There is time for that in any case: of
	// those that can be switched nobody would know else that they were not judged.
	if err := s.trace(ctx); err != nil {
		return nil, err
	}
	todo := s.candidates(&q)
	if len(todo) == 0 {
		return s.out, nil
	}
	if ctx.Err() != nil {
		s.leaveAll(ctx, todo)
		return s.out, nil
	}
	err := s.reference(ctx, q.Inputs)
	if ctx.Err() != nil {
		s.leaveAll(ctx, todo)
		return s.out, nil
	}
	if err != nil {
		return nil, err
	}
	s.written = sync.OnceValues(func() ([]Observed, error) { return e.Observe(ctx, s.inputsOf(q.Inputs), nil) })
	err = s.inLanes(ctx, &q, todo)
	slices.SortFunc(s.out.Kills, func(a, b Kill) int { return int(a.Mutant) - int(b.Mutant) })
	return s.out, err
}

// trace finds out which mutants the start reaches and infects.
func (s *starter) trace(ctx context.Context) error {
	cfg := s.procs.Worker()
	cfg.Trace = len(s.procs.Program().Mutants)
	began := time.Now()
	p, hello, err := s.procs.Launch(ctx, cfg, processes.Everything, nil)
	if err != nil {
		return err
	}
	s.procs.Retire(p)
	for _, m := range hello.InitReached {
		s.out.Reached[m] = true
	}
	for _, m := range hello.InitInfected {
		s.out.Infected[m] = true
	}
	s.start = max(cfg.Timeout/worker.MutantTimeout, startTimes*time.Since(began))
	s.base, s.fuel = hello.StartFuel, hello.StartFuel*startFuelFactor+startFuelExtra
	return nil
}

// candidates lists the mutants that have to be run, and notes the verdicts of those that
// need not be.
func (s *starter) candidates(q *StartQuery) []*instrument.Mutant {
	p := s.procs.Program()
	machinery := make(map[string]bool)
	for _, pkg := range p.Packages {
		machinery[pkg.ImportPath] = pkg.Machinery
	}
	var todo []*instrument.Mutant
	for i := range p.Mutants {
		m := &p.Mutants[i]
		index := uint32(m.Index)
		static := m.Status == instrument.StatusStatic
		switch {
		case m.Status == instrument.StatusSkipped, q.Only != nil && !q.Only(index), !static && q.Done != nil && q.Done(index):
		case s.out.Infected[index] && !machinery[m.Package]:
			todo = append(todo, m)
		case static:
			s.out.Judged[index] = true
		}
	}
	return todo
}

// reference records what the original does on the inputs, in two processes. What
// differs between them tells nothing of a mutant.
func (s *starter) reference(ctx context.Context, inputs []*corpus.Input) error {
	first, second, err := s.recordTwice(ctx, inputs)
	if err != nil {
		return err
	}
	noise := make(map[wire.Value]bool)
	for i := range min(len(first), len(second)) {
		a, b := &first[i], &second[i]
		if a.Kind != b.Kind || a.Kind.Failed() || a.More != b.More || a.Folded != b.Folded {
			continue
		}
		compareRecordings(a, b, noise)
		s.inputs = append(s.inputs, i)
		s.items = append(s.items, wire.ReplayItem{Input: inputs[i].Wire(), Ref: a})
	}
	for v := range noise {
		s.noise = append(s.noise, v)
	}
	return nil
}

// recordTwice records the inputs in two processes, at once where several may run.
func (s *starter) recordTwice(ctx context.Context, inputs []*corpus.Input) (first, second []wire.Recording, err error) {
	if s.procs.Parallel() == 1 {
		if first, err = s.record(ctx, inputs); err == nil {
			second, err = s.record(ctx, inputs)
		}
		return first, second, err
	}
	g, ctx := panics.NewGroup(ctx)
	g.Go(func() (err error) { first, err = s.record(ctx, inputs); return err })
	g.Go(func() (err error) { second, err = s.record(ctx, inputs); return err })
	err = g.Wait()
	return first, second, err
}

// record runs the inputs on one process. If the process dies, the recordings end
// before the input it died of.
func (s *starter) record(ctx context.Context, inputs []*corpus.Input) (list []wire.Recording, err error) {
	started := false
	err = s.procs.Again(func() error {
		list, started, err = s.recordOnce(ctx, inputs)
		return err
	})
	var death *worker.Death
	if started && errors.As(err, &death) && !death.Internal {
		s.procs.LogDeath(death)
		err = nil
	}
	return list, err
}

func (s *starter) recordOnce(ctx context.Context, inputs []*corpus.Input) (list []wire.Recording, started bool, err error) {
	p, _, err := s.procs.Launch(ctx, s.procs.Worker(), processes.Everything, nil)
	if err != nil {
		return nil, false, err
	}
	defer s.procs.Retire(p)
	items := make([]wire.ReplayItem, len(inputs))
	for i, input := range inputs {
		items[i].Input = input.Wire()
	}
	_, err = p.Replay(ctx, &wire.Replay{Items: items}, worker.ReplayEvents{
		Recording: func(r *wire.Recording) { list = append(list, *r) },
	})
	return list, true, err
}

// compareRecordings notes the values that differ, and the sites that are not
// reached in the same order.
func compareRecordings(a, b *wire.Recording, noise map[wire.Value]bool) {
	for i := range max(len(a.Events), len(b.Events)) {
		switch {
		case i >= len(a.Events):
			noise[wholeSite(&b.Events[i])] = true
		case i >= len(b.Events):
			noise[wholeSite(&a.Events[i])] = true
		case a.Events[i].Site != b.Events[i].Site || a.Events[i].Value != b.Events[i].Value:
			noise[wholeSite(&a.Events[i])] = true
			noise[wholeSite(&b.Events[i])] = true
		case a.Events[i].Hash != b.Events[i].Hash:
			noise[wire.Value{Site: a.Events[i].Site, Value: a.Events[i].Value}] = true
		}
	}
}

func wholeSite(s *wire.Seen) wire.Value { return wire.Value{Site: s.Site, Value: observe.WholeSite} }

// judge judges one mutant, again if its process is killed from outside. One that is
// killed each time while it runs does it itself.
func (l *lane) judge(ctx context.Context, m *instrument.Mutant) error {
	defer l.tell()
	own, at := 0, NoInput
	for range alone.Tries {
		err := l.judgeOnce(ctx, m)
		var d *worker.Death
		if !errors.As(err, &d) || !d.Killed {
			return err
		}
		if d.State.Running {
			own, at = own+1, l.inputOf(err)
		} else {
			l.procs.FromOutside(d)
		}
	}
	index := uint32(m.Index)
	if own == alone.Tries {
		l.kill(at, wire.Kill{Mutant: index, Kind: oracle.Exit, Detail: "killed by a signal each time"})
		return nil
	}
	l.leave(index, KilledFromOutside)
	return nil
}

// KilledFromOutside is why a mutant is not judged.
const KilledFromOutside = "workers were killed from outside"

// judgeOnce runs one mutant over the inputs, in its own process.
func (l *lane) judgeOnce(ctx context.Context, m *instrument.Mutant) error {
	index := uint32(m.Index)
	if ctx.Err() != nil {
		l.leave(index, late(ctx))
		return nil
	}
	cfg := l.procs.Worker()
	// Code that burns no fuel may keep a start from its end. What the clock of the phase ends is not judged.
	cfg.StartTimeout = l.start
	end, bounded := ctx.Deadline()
	short := bounded && time.Until(end) < l.start
	if short {
		cfg.StartTimeout = max(time.Until(end), startLeast)
	}
	cfg.Static = wire.Static{Mutants: []wire.StaticMutant{{Mutant: index, Func: m.FuncIndex}}, Fuel: l.fuel}
	l.burned += l.price()
	p, _, err := l.procs.Launch(ctx, cfg, processes.Everything, l.noise)
	l.out.Processes[index]++
	if d := (*worker.Death)(nil); short && errors.As(err, &d) && d.TimedOut {
		l.leave(index, NoTime)
		return nil
	}
	if err != nil {
		return l.died(index, NoInput, err)
	}
	defer l.procs.Retire(p)
	for from := 0; from < len(l.items); from += chunk {
		killed, kill := false, wire.Kill{}
		items := l.items[from:min(from+chunk, len(l.items))]
		replayed, err := p.Replay(ctx, &wire.Replay{Items: items}, worker.ReplayEvents{Kill: func(k *wire.Kill) {
			killed, kill = true, *k
		}})
		if killed {
			at := from + kill.Item
			if err == nil && kill.Kind == oracle.Difference && l.onlyInside(ctx, p, at) {
				kill.Kind = oracle.OnlyInside
			}
			l.kill(at, kill)
		}
		switch {
		case err != nil && killed:
			return nil
		case err != nil && errors.Is(err, ctx.Err()):
			l.leave(index, late(ctx))
			return nil
		case err != nil:
			return l.died(index, l.inputOf(err), err)
		}
		l.executed(index, replayed.Execs)
		switch {
		case killed:
			return nil
		case replayed.Execs < int64(len(items)):
			l.leave(index, late(ctx))
			return nil
		}
	}
	l.out.Judged[index] = true
	return nil
}

// inputOf returns the number of the item that a process has died of.
func (s *starter) inputOf(err error) int {
	var d *worker.Death
	if !errors.As(err, &d) || d.State.Input == nil {
		return NoInput
	}
	return slices.IndexFunc(s.items, func(i wire.ReplayItem) bool { return string(i.Input) == d.State.Input.Key() })
}

// died judges a mutant by the death of its process, before the first input or on
// item number at.
func (l *lane) died(m uint32, at int, err error) error {
	var d *worker.Death
	switch {
	case !errors.As(err, &d):
		return err
	case d.Internal:
		l.leave(m, "the test binary does not work with it: "+d.Cause)
		return nil
	case d.Killed:
		return err // judge decides
	}
	l.procs.LogDeathOf(d, m)
	l.charge(d)
	k := wire.Kill{Mutant: m, Kind: processes.KillKind(d), Detail: d.Cause}
	if at == NoInput {
		k.Kind, k.Detail = startKind(d), "before the first input: "+d.Cause
	}
	l.kill(at, k)
	return nil
}

// startKind is the kind of kill that a death before the first input is.
func startKind(d *worker.Death) oracle.Kind {
	switch {
	case startDoesNotEnd(d):
		return oracle.Fuel
	case strings.HasPrefix(d.Cause, "panic: "):
		return oracle.Panic
	case strings.Contains(d.Output, "--- FAIL: "):
		return oracle.Assertion
	}
	return oracle.Exit
}

func startDoesNotEnd(d *worker.Death) bool {
	return d.TimedOut || strings.Contains(d.Output, wire.StartOutOfFuel)
}

// kill notes a kill by item number at.
func (l *lane) kill(at int, k wire.Kill) {
	input := NoInput
	if at != NoInput {
		input = l.inputs[at]
	}
	l.out.Judged[k.Mutant] = true
	l.out.Kills = append(l.out.Kills, Kill{Kill: k, Input: input})
}

// leaveAll leaves mutants for which the time is over.
func (s *starter) leaveAll(ctx context.Context, list []*instrument.Mutant) {
	for _, m := range list {
		s.out.Left[uint32(m.Index)] = late(ctx)
	}
}

func (l *lane) leave(m uint32, why string) {
	l.out.Left[m] = why
}

func (l *lane) executed(m uint32, n int64) {
	l.out.Executed[m] += n
}
