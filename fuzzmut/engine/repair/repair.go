// Package repair runs failing inputs with mutants: which of them repair a failure, which
// change it, and what else differs where they do. A bug is where its repairs are.
package repair

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/alone"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Failing is an input on which the original fails.
type Failing struct {
	Input   *corpus.Input
	Outcome wire.Outcome
	Cost    int64 // fuel that the original burns on it
	Passing int64 // fuel that inputs burn that pass, at most
	// Mutants are the only ones to be tried; nil: all that the input infects.
	Mutants []uint32
}

// Result is what the mutants make of a failing input.
type Result struct {
	// Done says that all mutants have been tried that are to be; else Reason says
	// why not, "" if there was no time. Unsteady inputs do not fail in the same way
	// each time.
	Done, Unsteady bool
	Reason         string
	Runs           int64 // of mutants

	Identity string   // of the failure, as it is looked at: failure.Identity
	Counters []uint32 // that the original hits
	Tried    []uint32 // mutants
	Repaired []uint32 // mutants with which the input passes, ascending
	Changed  []uint32 // mutants with which it fails in another way, ascending
	// Moved are, by repairing mutant, the counters whose being hit changes. Those of
	// the mutant's function are not among them.
	Moved map[uint32][]uint32

	outside int // processes that were killed from outside
}

// Fuel of failing inputs.
const (
	// A mutant's run may go on where the original failed: it gets so much more, or as
	// much as what passes takes.
	repairFuel = 100_000
	// hangRepairFuel is what a run may burn whose original does not end.
	hangRepairFuel = 1_000_000
	// deathRepairFuel is what a run may burn whose original overflows the stack. It
	// ends before that happens.
	deathRepairFuel = 50_000
)

// Blocks reports whether an input was ended by the clock, and nobody knows a loop in which it burns
// fuel. On a slow machine it may only have taken long to run out of that: see Name.
func Blocks(o wire.Outcome) bool {
	return o.Kind == wire.Fuel && !o.Loop && !strings.HasSuffix(o.Message, ": out of fuel")
}

// Unfit says why mutants can't be tried on an input that ends its process; "" if
// they can, or nobody knows.
func (f *Failing) Unfit() string {
	if f.Outcome.Kind == wire.Leak {
		return "it leaves goroutines waiting, which takes too long to see with each mutant"
	}
	if f.Outcome.Kind == wire.Overflow {
		return "with a mutant no number is watched for what it loses"
	}
	if o := &f.Outcome; o.Kind == wire.Death && !failure.OverflowsStack(o) && !f.panics() {
		return "it ends the process, and would with each mutant: " + o.Message
	}
	return ""
}

// panics reports whether the input ends the process by a panic, in a goroutine that is
// not the fuzz test's.
func (f *Failing) panics() bool {
	return f.Outcome.Kind == wire.Death && strings.HasPrefix(f.Outcome.Message, "panic: ")
}

// Fuel is what a run of a failing input may burn.
func (f *Failing) Fuel() int64 {
	switch {
	case f.Outcome.Kind == wire.Fuel, f.Outcome.Message == failure.ForeseenOverflow:
		return hangRepairFuel // the latter was seen to end with it
	case f.panics():
	case f.Outcome.Kind == wire.Death:
		return deathRepairFuel
	}
	return f.Cost*10 + max(repairFuel, f.Passing)
}

// Divisible reports whether the result with all mutants is the union of those with parts of them:
// the clock takes no part in it, and neither does the order of the mutants.
func (f *Failing) Divisible() bool {
	return f.Unfit() == "" && f.Outcome.Kind != wire.Death && !Blocks(f.Outcome)
}

// Over reports whether nothing is left to try.
func (res *Result) Over() bool { return res.Done || res.Unsteady || res.Reason != "" }

// All runs failing inputs with the mutants that they infect. Exclude holds for
// mutants that are not to be run; nil: none. Each input is one worker's work, and
// what mutants make of it does not depend on which. When ctx is done the results so
// far are returned, those of the first inputs first, and no error.
func All(ctx context.Context, procs *processes.Set, inputs []Failing, exclude func(m uint32) bool) ([]Result, error) {
	results := make([]Result, len(inputs))
	list := make([]*Result, len(inputs))
	for i := range results {
		list[i] = &results[i]
	}
	return results, Continue(ctx, procs, inputs, list, 0, exclude)
}

// Continue is All that goes on from what is known of each input, and that spends so much
// processor time on each at most, and a multiple of it by the clock; 0: no matter how much.
func Continue(ctx context.Context, procs *processes.Set, inputs []Failing, results []*Result, slice time.Duration, exclude func(m uint32) bool) error {
	var next atomic.Int64
	g, ctx := panics.NewGroup(ctx)
	for range min(procs.Parallel(), len(inputs)) {
		g.Go(func() error {
			r := New(procs, exclude)
			defer r.Close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(inputs) {
					break
				}
				if err := r.tryFor(ctx, slice, &inputs[i], results[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// Repairer runs failing inputs with mutants, in one process at a time, which it keeps. It
// is for one goroutine.
type Repairer struct {
	procs   *processes.Set
	exclude func(m uint32) bool
	limit   time.Duration // of an execution, by the clock; 0: as usual

	mu   sync.Mutex
	p    *worker.Process // nil when there is none; it changes under the lock
	gone spent           // by processes that have ended
}

// spent is what processes have used.
type spent struct {
	cpu  time.Duration
	runs int64
}

// spent returns what the repairer's processes have used so far. It may be called at any
// time.
func (r *Repairer) spent() spent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.spentLocked()
}

func (r *Repairer) spentLocked() spent {
	s := r.gone
	if r.p != nil {
		s.cpu += r.p.CPU()
		s.runs += int64(r.p.Counts().MutantExecs)
	}
	return s
}

// New makes a repairer that has no process yet. Close it in the end. Exclude holds for
// mutants that are not to be run; nil: none.
func New(procs *processes.Set, exclude func(m uint32) bool) *Repairer {
	if exclude == nil {
		exclude = processes.Nothing
	}
	return &Repairer{procs: procs, exclude: exclude}
}

// Try runs a failing input with mutants. When ctx is done it returns what is known
// by then, and no error.
func (r *Repairer) Try(ctx context.Context, f Failing) (Result, error) {
	var res Result
	err := r.try(ctx, &f, &res)
	return res, err
}

// Close ends the process. Another is started when it is needed.
func (r *Repairer) Close() {
	if r.p == nil {
		return
	}
	r.procs.Retire(r.p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = r.spentLocked()
	r.p = nil
}

// start starts the process if there is none.
func (r *Repairer) start(ctx context.Context) error {
	if r.p != nil {
		return nil
	}
	p, err := r.procs.StartWithin(ctx, r.limit, false, r.exclude)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.p = p
	return nil
}

// clockShare divides the time by the clock that counts as processor time: what waits has to
// end as well.
const clockShare = 8

// blockedShare divides the time of an execution whose original has been ended by the clock:
// what only takes long to run out of fuel has less of it here.
const blockedShare = 8

// tryFor is try for so much processor time at most; 0: no matter how much. Starting the
// first process costs nothing.
func (r *Repairer) tryFor(ctx context.Context, slice time.Duration, f *Failing, res *Result) error {
	switch {
	case res.Over():
		return nil
	case Blocks(f.Outcome) && r.limit == 0:
		own := &Repairer{procs: r.procs, exclude: r.exclude, limit: r.procs.Worker().Timeout / blockedShare}
		defer own.Close()
		return own.tryFor(ctx, slice, f, res)
	}
	if slice > 0 {
		if err := r.start(ctx); err != nil {
			return err
		}
		start, begin := time.Now(), r.spent()
		var cancel context.CancelFunc
		ctx, cancel = processes.Until(ctx, slice, func() time.Duration {
			return max(r.spent().cpu-begin.cpu, time.Since(start)/clockShare)
		})
		defer cancel()
	}
	return r.try(ctx, f, res)
}

// deathsMost bounds the processes that may end on one failing input.
const deathsMost = 16

// try tries the mutants on one input, in as many processes as that takes. Running out of
// time is no error, even if the process did not stop and was given up.
func (r *Repairer) try(ctx context.Context, f *Failing, res *Result) error {
	err := r.tryAll(ctx, f, res)
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		r.Close()
		return nil
	}
	return err
}

func (r *Repairer) tryAll(ctx context.Context, f *Failing, res *Result) error {
	if res.Reason = f.Unfit(); res.Reason != "" {
		return nil
	}
	before := r.spent().runs
	defer func() {
		res.sort()
		res.Runs += r.spent().runs - before
	}()
	if f.panics() {
		return r.tryOnStack(ctx, f, res)
	}
	item := wire.RepairItem{Input: f.Input.Wire(), Fuel: f.Fuel(), Mutants: f.Mutants, After: res.last()}
	for range deathsMost + 1 {
		if ctx.Err() != nil {
			return nil
		}
		damaged, err := r.run(ctx, item, res)
		var death *worker.Death
		if err == nil || !errors.As(err, &death) || death.Internal {
			return err
		}
		r.Close()
		if over, err := r.died(ctx, f, &item, damaged, death, res); over || err != nil {
			return err
		}
	}
	res.Reason = "too many mutants end the process"
	return nil
}

// died takes in the death of a process that tried the mutants of an item, and has the item
// go on after the mutant that is to blame. If none is, it is over, and the result says why.
func (r *Repairer) died(ctx context.Context, f *Failing, item *wire.RepairItem, damaged *worker.Damaged, d *worker.Death, res *Result) (over bool, err error) {
	m := d.State.Mutant
	switch {
	case d.Killed && damaged == nil && res.outside+1 < processes.LaunchTries:
		res.outside++
		r.procs.FromOutside(d)
		if m == 0 {
			item.After = max(item.After, d.State.Last)
		} else {
			item.After = m - 1
		}
		return false, nil
	case damaged != nil:
		for _, id := range damaged.Suspects {
			if err := r.apart(ctx, f, id, res); err != nil {
				return false, err
			}
			item.After = max(item.After, id)
		}
	case m == 0 && d.TimedOut:
		res.Reason = "it blocks: each mutant would take the whole timeout"
	case m == 0:
		res.Reason = "it ends the process: " + d.Cause
	default:
		res.Changed = append(res.Changed, m)
		item.After = m
	}
	return m == 0 && damaged == nil, nil
}

// onStackMost bounds the mutants that are tried on an input that panics where no recover
// helps. Each that does not repair it costs a process.
const onStackMost = 64

// tryOnStack tries the mutants in the functions on the stack, those of the innermost first,
// on an input that ends the process. What a mutant makes of it is the same failure if
// the process ends in the same way.
func (r *Repairer) tryOnStack(ctx context.Context, f *Failing, res *Result) error {
	tried := f.Mutants
	if tried == nil {
		tried = r.onStack(f.Outcome.Frames)
	}
	res.Identity = failure.Identity(f.Outcome)
	for _, m := range tried[:min(onStackMost, len(tried))] {
		if ctx.Err() != nil {
			return nil
		}
		item := wire.RepairItem{Input: f.Input.Wire(), Fuel: f.Fuel(), Mutants: []uint32{m}, Bare: true, Linger: alone.Linger}
		err := r.procs.Again(func() error {
			_, err := r.run(ctx, item, res)
			if err != nil {
				r.Close()
			}
			return err
		})
		var death *worker.Death
		switch {
		case errors.As(err, &death) && !death.Internal:
			if failure.Identity(r.procs.Outcome(death)) != res.Identity {
				res.Changed = append(res.Changed, m)
			}
		case err != nil:
			return err
		}
	}
	res.Done, res.Tried, res.Counters = true, tried[:min(onStackMost, len(tried))], nil
	return nil
}

// onStack lists the mutants in the functions of frames, the innermost first.
func (r *Repairer) onStack(frames []string) []uint32 {
	p := r.procs.Program()
	var list []uint32
	seen := make(map[int]bool)
	for _, frame := range frames {
		_, at, _ := strings.Cut(frame, " ")
		colon := strings.LastIndexByte(at, ':')
		line, err := strconv.Atoi(at[colon+1:])
		if colon < 0 || err != nil {
			continue
		}
		i := slices.IndexFunc(p.Funcs, func(f instrument.Func) bool {
			return f.File == at[:colon] && f.Line <= line && line <= f.EndLine
		})
		if i < 0 || seen[i] {
			continue
		}
		seen[i] = true
		for _, m := range p.Mutants {
			if m.FuncIndex == i && m.Status == instrument.StatusLive && !r.exclude(uint32(m.Index)) {
				list = append(list, uint32(m.Index))
			}
		}
	}
	return list
}

// run tries mutants on an input in the current process, or in a new one if there is none.
func (r *Repairer) run(ctx context.Context, item wire.RepairItem, res *Result) (damaged *worker.Damaged, err error) {
	if err := r.start(ctx); err != nil {
		return nil, err
	}
	_, err = r.p.Repair(ctx, &wire.Repair{Items: []wire.RepairItem{item}}, worker.RepairEvents{
		Effect:  func(m *wire.Effect) { r.effect(m, res) },
		Damaged: func(d *worker.Damaged) { damaged = d },
		Diagnosis: func(d *wire.Diagnosis) {
			if !item.Bare {
				res.diagnosed(d)
			}
		},
	})
	return damaged, err
}

func (r *Repairer) effect(m *wire.Effect, res *Result) {
	if !m.Repaired {
		res.Changed = append(res.Changed, m.Mutant)
		return
	}
	res.Repaired = append(res.Repaired, m.Mutant)
	if res.Moved == nil {
		res.Moved = make(map[uint32][]uint32)
	}
	p := r.procs.Program()
	home := p.Mutants[m.Mutant-1].FuncIndex
	res.Moved[m.Mutant] = slices.DeleteFunc(slices.Clone([]uint32(m.Moved)), func(b uint32) bool {
		return int(b) >= len(p.Blocks) || p.Blocks[b].Func == home
	})
}

func (res *Result) diagnosed(d *wire.Diagnosis) {
	res.Counters, res.Tried = d.Counters, d.Tried
	switch {
	case !d.Outcome.Kind.Failed():
		res.Unsteady, res.Reason = true, "passes when run again"
	case d.Unsteady != "":
		res.Unsteady, res.Reason = true, d.Unsteady
	default:
		res.Done = true
		res.Identity = failure.Identity(d.Outcome)
	}
}

// apart tries a mutant in its own process, since some mutant has damaged the
// state of the process that it was tried in.
func (r *Repairer) apart(ctx context.Context, f *Failing, id uint32, res *Result) error {
	own := &Repairer{procs: r.procs, exclude: func(m uint32) bool { return m != id }}
	defer own.Close()
	var one Result
	err := r.procs.Again(func() error {
		one = Result{}
		_, err := own.run(ctx, wire.RepairItem{Input: f.Input.Wire(), Fuel: f.Fuel()}, &one)
		if err != nil {
			own.Close()
		}
		return err
	})
	var death *worker.Death
	switch {
	case err == nil:
		res.Repaired, res.Changed = append(res.Repaired, one.Repaired...), append(res.Changed, one.Changed...)
		if moved, ok := one.Moved[id]; ok {
			if res.Moved == nil {
				res.Moved = make(map[uint32][]uint32)
			}
			res.Moved[id] = moved
		}
	case errors.As(err, &death) && !death.Internal:
		// It does the input no good that its process is not what it was.
		res.Changed = append(res.Changed, id)
	default:
		return err
	}
	return nil
}

// last is the last mutant that did something: those before it have been tried.
func (res *Result) last() uint32 {
	if len(res.Repaired)+len(res.Changed) == 0 {
		return 0
	}
	return slices.Max(slices.Concat(res.Repaired, res.Changed))
}

// sort puts the lists in order.
func (res *Result) sort() {
	slices.Sort(res.Repaired)
	slices.Sort(res.Changed)
	res.Repaired, res.Changed = slices.Compact(res.Repaired), slices.Compact(res.Changed)
}
