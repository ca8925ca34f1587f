package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Failing is an input on which the original fails.
type Failing struct {
	Input   []byte
	Outcome wire.Outcome
	Cost    int64 // fuel that the original burns on it
	Passing int64 // fuel that inputs burn that pass, at most
	// Mutants are the only ones to be tried; nil: all that the input infects.
	Mutants []uint32
}

// Repairs is what the mutants make of a failing input.
type Repairs struct {
	// Done says that all mutants have been tried that are to be; else Reason says
	// why not, "" if there was no time. Unsteady inputs do not fail in the same way
	// each time.
	Done, Unsteady bool
	Reason         string

	Identity string   // of the failure, as it is looked at: failure.Identity
	Counters []uint32 // that the original hits
	Tried    []uint32 // mutants
	Repaired []uint32 // mutants with which the input passes, ascending
	Changed  []uint32 // mutants with which it fails in another way, ascending
	// Moved are, by repairing mutant, the counters whose being hit changes. Those of
	// the mutant's function are not among them.
	Moved map[uint32][]uint32
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

// Blocks reports whether an input was ended by the clock. On a slow machine it may
// only have taken long to run out of fuel.
func Blocks(o wire.Outcome) bool {
	return o.Kind == wire.Fuel && !strings.HasSuffix(o.Message, ": out of fuel")
}

// Untreatable says why mutants can't be tried on an input that ends its process; "" if
// they can, or nobody knows.
func (f *Failing) Untreatable() string {
	if o := &f.Outcome; o.Kind == wire.Death && !strings.Contains(o.Message, "stack overflow") && !f.panics() {
		return "it ends the process, as it would with each mutant: " + o.Message
	}
	return ""
}

// panics reports whether the input ends the process by a panic, in a goroutine that is
// not the fuzz test's.
func (f *Failing) panics() bool {
	return f.Outcome.Kind == wire.Death && strings.HasPrefix(f.Outcome.Message, "panic: ")
}

// fuel is what a run of a failing input may burn.
func (f *Failing) fuel() int64 {
	switch {
	case f.Outcome.Kind == wire.Fuel:
		return hangRepairFuel
	case f.panics():
	case f.Outcome.Kind == wire.Death:
		return deathRepairFuel
	}
	return f.Cost*10 + max(repairFuel, f.Passing)
}

// Repairs runs failing inputs with the mutants that they infect. Exclude holds for
// mutants that are not to be run; nil: none. Each input is one worker's work, and
// what mutants make of it does not depend on which. When ctx is done the results so
// far are returned, those of the first inputs first, and no error.
func (e *Engine) Repairs(ctx context.Context, inputs []Failing, exclude func(m uint32) bool) ([]Repairs, error) {
	results := make([]Repairs, len(inputs))
	var next atomic.Int64
	g, ctx := panics.NewGroup(ctx)
	for range min(e.cfg.Parallel, len(inputs)) {
		g.Go(func() error {
			c := e.NewClinic(exclude)
			defer c.Close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(inputs) {
					break
				}
				if err := c.treat(ctx, &inputs[i], &results[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return results, g.Wait()
}

func noMutant(uint32) bool { return false }

// Clinic runs failing inputs with mutants, in one process at a time, which it keeps.
type Clinic struct {
	e       *Engine
	exclude func(m uint32) bool
	p       *worker.Process // nil when there is none
}

// NewClinic makes a clinic that has no process yet. Exclude holds for mutants that are
// not to be run; nil: none.
func (e *Engine) NewClinic(exclude func(m uint32) bool) *Clinic {
	if exclude == nil {
		exclude = noMutant
	}
	return &Clinic{e: e, exclude: exclude}
}

// Treat runs a failing input with mutants. When ctx is done it returns what is known
// by then, and no error.
func (c *Clinic) Treat(ctx context.Context, f Failing) (Repairs, error) {
	var res Repairs
	err := c.treat(ctx, &f, &res)
	return res, err
}

// Close ends the process. Another is started when it is needed.
func (c *Clinic) Close() {
	if c.p != nil {
		c.e.retire(c.p)
		c.p = nil
	}
}

// deathsMost bounds the processes that may end on one failing input.
const deathsMost = 16

// treat tries the mutants on one input, in as many processes as that takes.
func (c *Clinic) treat(ctx context.Context, f *Failing, res *Repairs) error {
	if res.Reason = f.Untreatable(); res.Reason != "" {
		return nil
	}
	if f.panics() {
		return c.revive(ctx, f, res)
	}
	item := wire.RepairItem{Input: f.Input, Fuel: f.fuel(), Mutants: f.Mutants}
	for deaths := 0; ctx.Err() == nil; deaths++ {
		damaged, err := c.session(ctx, item, res)
		var death *worker.Death
		switch {
		case err == nil:
			c.settle(res)
			return nil
		case !errors.As(err, &death) || death.Internal:
			return err
		}
		c.Close()
		m := death.State.Mutant
		switch {
		case damaged != nil:
			for _, id := range damaged.Suspects {
				if err := c.alone(ctx, f, id, res); err != nil {
					return err
				}
				item.After = max(item.After, id)
			}
		case m == 0 && death.TimedOut:
			res.Reason = "it blocks, which each mutant would have to be waited for"
			c.settle(res)
			return nil
		case m == 0:
			res.Reason = "it ends the process: " + death.Cause
			c.settle(res)
			return nil
		default:
			res.Changed = append(res.Changed, m)
			item.After = m
		}
		if deaths == deathsMost {
			res.Reason = "too many mutants end the process"
			c.settle(res)
			return nil
		}
	}
	c.settle(res)
	return nil
}

// reviveMost bounds the mutants that are tried on an input that panics where no recover
// helps. Each that does not repair it costs a process.
const reviveMost = 64

// revive tries the mutants in the functions on the stack, those of the innermost first,
// on an input that ends the process. What a mutant makes of it is the same failure if
// the process ends in the same way.
func (c *Clinic) revive(ctx context.Context, f *Failing, res *Repairs) error {
	tried := f.Mutants
	if tried == nil {
		tried = c.e.onStack(f.Outcome.Frames, c.exclude)
	}
	res.Identity = failure.Identity(f.Outcome)
	for _, m := range tried[:min(reviveMost, len(tried))] {
		if ctx.Err() != nil {
			c.settle(res)
			return nil
		}
		item := wire.RepairItem{Input: f.Input, Fuel: f.fuel(), Mutants: []uint32{m}, Bare: true, Linger: linger}
		_, err := c.session(ctx, item, res)
		var death *worker.Death
		switch {
		case errors.As(err, &death) && !death.Internal:
			c.Close()
			if failure.Identity(c.e.deathOutcome(death)) != res.Identity {
				res.Changed = append(res.Changed, m)
			}
		case err != nil:
			return err
		}
	}
	c.settle(res)
	res.Done, res.Tried, res.Counters = true, tried[:min(reviveMost, len(tried))], nil
	return nil
}

// onStack lists the mutants in the functions of frames, the innermost first.
func (e *Engine) onStack(frames []string, exclude func(m uint32) bool) []uint32 {
	p := e.cfg.Program
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
			if m.FuncIndex == i && m.Status == instrument.StatusLive && !exclude(uint32(m.Index)) {
				list = append(list, uint32(m.Index))
			}
		}
	}
	return list
}

// session tries mutants on an input in the process that there is.
func (c *Clinic) session(ctx context.Context, item wire.RepairItem, res *Repairs) (damaged *wire.Damaged, err error) {
	if c.p == nil {
		if c.p, err = c.e.start(ctx, false, c.exclude); err != nil {
			c.p = nil
			return nil, err
		}
	}
	_, err = c.p.Repair(ctx, &wire.Repair{Items: []wire.RepairItem{item}}, worker.RepairEvents{
		Mended:  func(m *wire.Mended) { c.mended(m, res) },
		Damaged: func(d *wire.Damaged) { damaged = d },
		Diagnosis: func(d *wire.Diagnosis) {
			if !item.Bare {
				c.diagnosed(d, res)
			}
		},
	})
	return damaged, err
}

func (c *Clinic) mended(m *wire.Mended, res *Repairs) {
	if !m.Repaired {
		res.Changed = append(res.Changed, m.Mutant)
		return
	}
	res.Repaired = append(res.Repaired, m.Mutant)
	if res.Moved == nil {
		res.Moved = make(map[uint32][]uint32)
	}
	p := c.e.cfg.Program
	home := p.Mutants[m.Mutant-1].FuncIndex
	res.Moved[m.Mutant] = slices.DeleteFunc(slices.Clone([]uint32(m.Moved)), func(b uint32) bool {
		return int(b) >= len(p.Blocks) || p.Blocks[b].Func == home
	})
}

func (c *Clinic) diagnosed(d *wire.Diagnosis, res *Repairs) {
	res.Counters, res.Tried = d.Counters, d.Tried
	switch {
	case !d.Outcome.Kind.Failed():
		res.Unsteady, res.Reason = true, "passes when it is run again"
	case d.Unsteady != "":
		res.Unsteady, res.Reason = true, d.Unsteady
	default:
		res.Done = true
		res.Identity = failure.Identity(d.Outcome)
	}
}

// alone tries a mutant in a process of its own, since some mutant has damaged the
// state of the process that it was tried in.
func (c *Clinic) alone(ctx context.Context, f *Failing, id uint32, res *Repairs) error {
	own := &Clinic{e: c.e, exclude: func(m uint32) bool { return m != id }}
	defer own.Close()
	var one Repairs
	_, err := own.session(ctx, wire.RepairItem{Input: f.Input, Fuel: f.fuel()}, &one)
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

// settle puts the lists in order.
func (c *Clinic) settle(res *Repairs) {
	slices.Sort(res.Repaired)
	slices.Sort(res.Changed)
	res.Repaired, res.Changed = slices.Compact(res.Repaired), slices.Compact(res.Changed)
}
