// Package lockstep runs old and new code on the same inputs, side by side, and says where
// they differ: in what the fuzz target does, in what can be seen of the results of its
// calls, or only in what changed functions return.
//
// The two sides are two test binaries with the same tests. An input is run once on each,
// by a pair of processes. What is seen is compared by hashes of golden texts, so that
// neither addresses nor the identity of types count.
package lockstep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// A Lockstep runs inputs on two sides. It may be used by several goroutines at a time.
type Lockstep struct {
	// Work says when new code does more work. It is set before the first Run.
	Work Measure
	// Fuel is what an input may burn at first, on each side; 0: HangFuel. It is set before the
	// first Run. If one side alone needs more, and not much more, the input is run again with
	// HangFuel. If both do, it is not compared: see Result.Slow.
	Fuel int64

	sides [2]*processes.Set
	names [2][][]string // of the values by site; "" if they are not compared
	inner [2][]string   // functions by site, of inner results; "" otherwise, and if one side alone has it

	idle chan *pair

	mu       sync.Mutex // guards what follows
	unstable map[string]bool
	endless  int // inputs that one side alone does not end on
}

const (
	// HangFuel is when an input that one side alone works on counts as one that it does
	// not end on: some tenths of a second, or seconds where it switches goroutines.
	HangFuel = 2 * takeFuel
	// endlessTimes is how many times as much as the other a side has to burn for that:
	// else it may take somewhat longer, and be no difference.
	endlessTimes = 8
	// endlessSure is how many such inputs of a search burn HangFuel, and endlessKnown after
	// how many others are first run with a part of the fuel. A change that ends no loop may
	// show on every second input, and each would take all of the time. What they differ in
	// is made sure of when they are explained.
	endlessSure  = 2
	endlessKnown = 8
	endlessPart  = 10
)

// New makes a lockstep of an old and a new side, with as many pairs of processes as
// inputs may be run at a time. No process is started yet.
func New(before, after *processes.Set, pairs int) *Lockstep {
	l := &Lockstep{sides: [2]*processes.Set{before, after}, idle: make(chan *pair, pairs), unstable: make(map[string]bool)}
	for i, s := range l.sides {
		l.names[i], l.inner[i] = namesOf(s.Program())
		for _, u := range s.Unstable() {
			if names := l.names[i]; !u.Outcome && int(u.Value.Site) < len(names) && u.Value.Value < len(names[u.Value.Site]) {
				l.ignore(names[u.Value.Site], u.Value.Value)
			}
		}
	}
	common(l.inner[0], l.inner[1])
	for range pairs {
		l.idle <- &pair{l: l}
	}
	return l
}

// common leaves in two lists the names that stand in both: what one side alone has can't return
// something else, and each input that reaches it would count as one that changes a state.
func common(a, b []string) {
	for _, lists := range [2][2][]string{{a, b}, {b, a}} {
		for i, name := range lists[0] {
			if !slices.Contains(lists[1], name) {
				lists[0][i] = ""
			}
		}
	}
}

// ignore leaves a value out of comparisons, or all values of its site.
func (l *Lockstep) ignore(names []string, value int) {
	if value < 0 {
		for _, n := range names {
			l.unstable[n] = true
		}
		return
	}
	l.unstable[names[value]] = true
}

// Ignore leaves values out of comparisons from now on: they differ from run to run.
func (l *Lockstep) Ignore(values ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range values {
		l.unstable[v] = true
	}
}

// Unstable lists the values that are left out, sorted.
func (l *Lockstep) Unstable() (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name := range l.unstable {
		if name != "" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// namesOf names what the sites of a program show.
func namesOf(p *instrument.Program) (values [][]string, inner []string) {
	values, inner = make([][]string, len(p.Sites)), make([]string, len(p.Sites))
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Inner {
			inner[i] = s.Name
			continue
		}
		values[i] = make([]string, len(s.Values))
		for k := range s.Values {
			if !s.Target && s.GoldenView(k) != golden.ViewNone {
				values[i][k] = s.GoldenName() + " " + s.GoldenValue(k)
			}
		}
	}
	return values, inner
}

// Close ends the processes. No Run may be in progress.
func (l *Lockstep) Close() {
	for range cap(l.idle) {
		(<-l.idle).close()
	}
}

// A Run is what one side did on an input.
type Run struct {
	Work
	Kind  wire.OutcomeKind
	Path  uint64 // which way it took through changed functions
	seen  []value
	inner []value
}

// value is the hash of one value that was observed.
type value struct {
	name string
	hash uint64
}

// Result is what both sides did on an input.
type Result struct {
	Input *corpus.Input
	Runs  [2]Run // old and new
	// Differ are the values that differ, sorted, without the number of the call;
	// [Outcome] stands for the outcome.
	Differ []string
	// Inside are the changed functions that did not return the same, sorted.
	Inside []string
	// More says that new code does much more work.
	More bool
}

// Slow says that both sides burned all the fuel that they had, or that one did and the other
// may, for all that is known.
func (r *Result) Slow() bool {
	burned := 0
	for i := range r.Runs {
		if r.Runs[i].Kind == wire.Fuel {
			burned++
		}
	}
	return burned == 2 || burned == 1 && !r.Endless()
}

// Endless says that one side alone burned all of its fuel, many times what the other did.
func (r *Result) Endless() bool { return endless(&r.Runs[0], &r.Runs[1]) }

func endless(a, b *Run) bool {
	if a.Kind != wire.Fuel {
		a, b = b, a
	}
	return a.Kind == wire.Fuel && b.Kind != wire.Fuel && a.Fuel >= endlessTimes*b.Fuel
}

// Outcome stands for a difference that is no value: how the execution ended.
const Outcome = "outcome"

// Run runs inputs on both sides, in order. The allocated bytes of some are measured.
func (l *Lockstep) Run(ctx context.Context, inputs []*corpus.Input) ([]Result, error) {
	fuels := l.fuels()
	results, err := l.run(ctx, inputs, wire.WeighSome, fuels[0])
	if err != nil {
		return nil, err
	}
	for i := range results {
		r := &results[i]
		for _, fuel := range fuels[1:] {
			slow := r.Runs[0].Kind == wire.Fuel && r.Runs[1].Kind == wire.Fuel
			if !r.Slow() && (!r.Endless() || l.seen() >= endlessSure) || slow && fuel == HangFuel {
				break
			}
			again, err := l.run(ctx, []*corpus.Input{r.Input}, wire.WeighSome, fuel)
			if err != nil {
				return nil, err
			}
			*r = again[0]
		}
		if r.Endless() {
			l.mu.Lock()
			l.endless++
			l.mu.Unlock()
		}
	}
	return results, nil
}

// fuels are what an input may burn on each side, until it is known in what the sides differ.
func (l *Lockstep) fuels() []int64 {
	switch {
	case l.Fuel == 0:
		return []int64{HangFuel}
	case l.seen() < endlessKnown:
		return []int64{l.Fuel, HangFuel}
	}
	return []int64{l.Fuel / endlessPart, l.Fuel, HangFuel}
}

// seen counts the inputs that one side alone did not end on.
func (l *Lockstep) seen() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.endless
}

func (l *Lockstep) run(ctx context.Context, inputs []*corpus.Input, weigh wire.Weigh, fuel int64) ([]Result, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	p := <-l.idle
	defer func() { l.idle <- p }()
	g, gctx := panics.NewGroup(ctx)
	var runs [2][]Run
	for i := range p.procs {
		g.Go(func() (err error) {
			runs[i], err = p.run(gctx, i, inputs, &wire.Replay{Golden: true, Brief: true, Weigh: l.weigh(weigh), Fuel: fuel})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	results := make([]Result, len(inputs))
	for i, in := range inputs {
		r := &results[i]
		r.Input, r.Runs = in, [2]Run{runs[0][i], runs[1][i]}
		r.Differ, r.Inside = differences(&r.Runs[0], &r.Runs[1], l.unstable)
		r.More = l.moreWork(r)
	}
	return results, nil
}

// Texts runs one input on both sides, and returns what was seen as golden texts.
func (l *Lockstep) Texts(ctx context.Context, in *corpus.Input) (seen [2]evaluate.Observed, err error) {
	p := <-l.idle
	defer func() { l.idle <- p }()
	req := &wire.Replay{Golden: true, Items: []wire.ReplayItem{{Input: in.Wire()}}, Weigh: l.weigh(wire.WeighAll), Fuel: HangFuel}
	for i := range seen {
		got := &seen[i]
		err := p.replay(ctx, i, req, func(r *wire.Recording) { got.Recording = *r })
		var death *worker.Death
		switch {
		case errors.As(err, &death) && !death.Internal:
			o := l.sides[i].Outcome(death)
			got.Recording, got.Cause = wire.Recording{Kind: o.Kind, Message: o.Message}, death.Cause
		case err != nil:
			return seen, err
		}
	}
	return seen, nil
}

// differences compares two runs.
func differences(a, b *Run, unstable map[string]bool) (differ, inside []string) {
	inside = unequal(a.inner, b.inner, nil)
	switch {
	case (a.Kind == wire.Fuel || b.Kind == wire.Fuel) && !endless(a, b):
		return nil, inside // one side may only take somewhat longer
	case a.Kind != b.Kind:
		return []string{Outcome}, inside
	case a.Kind.Failed():
		return nil, inside // what was seen up to the failure says nothing about it
	}
	return unequal(a.seen, b.seen, unstable), inside
}

// unequal names the values that differ between two lists, each once, sorted.
func unequal(a, b []value, unstable map[string]bool) (names []string) {
	if slices.Equal(a, b) {
		return nil
	}
	group := func(list []value) map[string][]uint64 {
		m := make(map[string][]uint64)
		for _, v := range list {
			m[v.name] = append(m[v.name], v.hash)
		}
		return m
	}
	before, after := group(a), group(b)
	for name, hashes := range before {
		if !unstable[name] && !slices.Equal(hashes, after[name]) {
			names = append(names, name)
		}
	}
	for name := range after {
		if !unstable[name] && before[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Signature says in one line what differs. Inputs that differ in the same way have the
// same signature. That of more work is only of inputs whose values are the same.
func (r *Result) Signature() string {
	switch {
	case len(r.Differ) == 0 && r.More:
		return MoreWork
	case len(r.Differ) == 0:
		return ""
	}
	s := strings.Join(r.Differ, ", ")
	if r.Differ[0] == Outcome {
		s += " " + r.Runs[0].Kind.String() + " to " + r.Runs[1].Kind.String()
	}
	return s
}

// pair is a process of each side; nil: it is not there yet, or no longer.
type pair struct {
	l     *Lockstep
	procs [2]*worker.Process
}

func (p *pair) close() {
	for i := range p.procs {
		p.retire(i)
	}
}

func (p *pair) retire(side int) {
	if p.procs[side] != nil {
		p.l.sides[side].Retire(p.procs[side])
		p.procs[side] = nil
	}
}

// run runs inputs on one side. An input that ends the process ends in a death, and the
// others are run by another process.
func (p *pair) run(ctx context.Context, side int, inputs []*corpus.Input, how *wire.Replay) (runs []Run, err error) {
	set := p.l.sides[side]
	killed := 0
	for len(runs) < len(inputs) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		req := *how
		for _, in := range inputs[len(runs):] {
			req.Items = append(req.Items, wire.ReplayItem{Input: in.Wire()})
		}
		err := p.replay(ctx, side, &req, func(r *wire.Recording) { runs = append(runs, p.l.read(side, r)) })
		if err == nil {
			continue
		}
		var death *worker.Death
		if !errors.As(err, &death) || death.Internal {
			return nil, err
		}
		set.LogDeath(death)
		if death.Killed && killed < processes.LaunchTries {
			killed++ // from outside, as far as anyone knows
			continue
		}
		killed = 0
		if len(runs) < len(inputs) {
			r := Run{Kind: set.Outcome(death).Kind}
			if r.Kind == wire.Fuel {
				r.Fuel = how.Fuel // another goroutine burned it, or the clock has ended what blocks
			}
			runs = append(runs, r)
		}
	}
	return runs, nil
}

// replay serves a request on one side, by a new process if there is none. After an error of
// any kind the process is gone, also after one that ends the comparison: explanations go on
// when the time of a search is over.
func (p *pair) replay(ctx context.Context, side int, req *wire.Replay, record func(*wire.Recording)) (err error) {
	if p.procs[side] == nil {
		set := p.l.sides[side]
		if p.procs[side], _, err = set.Launch(ctx, set.Worker(), processes.Everything, nil); err != nil {
			return err
		}
	}
	if _, err = p.procs[side].Replay(ctx, req, worker.ReplayEvents{Recording: record}); err != nil {
		p.retire(side)
	}
	return err
}

// read takes in a recording.
func (l *Lockstep) read(side int, rec *wire.Recording) Run {
	r := Run{Kind: rec.Kind, Work: Work{rec.Cost, rec.Bytes}, Path: rec.Path}
	for _, e := range rec.Events {
		if name := l.inner[side][e.Site]; name != "" {
			r.inner = append(r.inner, value{name, e.Hash})
			continue
		}
		if names := l.names[side][e.Site]; e.Value >= 0 && e.Value < len(names) && names[e.Value] != "" {
			r.seen = append(r.seen, value{names[e.Value], e.Hash})
		}
	}
	return r
}
