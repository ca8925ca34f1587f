package project

import (
	"context"
	"errors"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/turns"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// A Parted job fuzzes in turns, with the turns of other fuzz tests in between.
type Parted interface {
	Job
	// Open does what comes before fuzzing.
	Open(ctx context.Context) error
	// Turn fuzzes for Options.FuzzTime. What went wrong is Close's to say.
	Turn(ctx context.Context, t Turn) Progress
	// Close does what comes after. It is called if Open did not fail. After an interrupt it
	// has one part in among of the time that is left to end the work.
	Close(ctx context.Context, among int) error
}

// A Turn is why a fuzz test has a turn: of Number that are not done it has found most lately,
// for what that took.
type Turn struct {
	Number int
	Used   FuzzTime // before
	Recent int      // kills, blocks and failures that were new in the last half of that
}

// Progress is what a fuzz test has reached in all its turns.
type Progress struct {
	Used   FuzzTime
	Recent int  // as in a Turn
	Done   bool // it can find no more, or was to end where it is
}

// Limits of turns.
const (
	// packagesMost bounds the packages whose fuzz tests take turns: all of them are in memory.
	packagesMost = 8
	leastTurn    = 2 * time.Second
	leastExecs   = 1000
)

// takesTurns reports whether fuzz tests share Options.Total in turns.
func (p *Project) takesTurns() bool {
	return p.fill && p.Options.Total != (FuzzTime{}) && p.Options.Engine == EngineGuided
}

// inTurns does a job that is Parted for each of the chosen fuzz tests. done is called when
// nothing more comes of one, in their order.
func (p *Project) inTurns(ctx context.Context, start func(*Package, instrument.FuzzTest) Job, done func(Job)) error {
	return p.walk(ctx, packagesMost, func(pkgs []string, begin func()) error {
		r := &round{p: p, done: done}
		return r.run(ctx, pkgs, start, begin)
	})
}

// round is the fuzz tests that share a part of Options.Total.
type round struct {
	p       *Project
	done    func(Job)
	players []*player
	errs    []error
}

// player is one of them.
type player struct {
	job  Parted
	used FuzzTime
}

func (r *round) run(ctx context.Context, pkgs []string, start func(*Package, instrument.FuzzTest) Job, begin func()) error {
	for _, pkg := range pkgs {
		if ctx.Err() == nil {
			r.open(ctx, pkg, start, begin)
		}
	}
	r.play(ctx)
	r.close(ctx)
	return errors.Join(r.errs...)
}

// open opens the fuzz tests of a package.
func (r *round) open(ctx context.Context, pkg string, start func(*Package, instrument.FuzzTest) Job, begin func()) {
	b, tests, err := r.p.openTests(ctx, pkg)
	r.errs = append(r.errs, err)
	for _, test := range tests {
		if ctx.Err() != nil {
			return
		}
		begin()
		job := start(b, test).(Parted)
		if err := panics.Do(func() error { return job.Open(ctx) }); err != nil {
			r.errs = append(r.errs, err)
			r.done(job)
			continue
		}
		r.players = append(r.players, &player{job: job})
	}
}

// play has the fuzz tests take turns, until the budget is used up.
func (r *round) play(ctx context.Context) {
	table := r.table()
	for ctx.Err() == nil {
		t, ok := table.Next()
		if !ok {
			return
		}
		x := r.players[t.Test]
		r.p.Options.FuzzTime = r.amount(t.Part)
		before := r.units(x.used)
		var done Progress
		err := panics.Do(func() error {
			done = x.job.Turn(ctx, Turn{Number: t.Number, Used: x.used, Recent: t.Recent})
			return nil
		})
		if err != nil {
			r.errs, done.Done = append(r.errs, err), true
		} else {
			x.used = done.Used
		}
		table.Had(t.Test, r.units(x.used)-before, done.Recent)
		if done.Done {
			table.Done(t.Test)
		}
	}
}

// table divides what these fuzz tests have of Options.Total: each package that follows has as
// much as one of them.
func (r *round) table() *turns.Table {
	n, p := len(r.players), r.p
	all, least := p.total.left.Execs, int64(leastExecs)
	if !r.counted() {
		all, least = int64(p.total.left.Duration), int64(leastTurn)
	}
	table := turns.New(n, all*int64(n)/int64(max(n+p.total.later, 1)), least)
	if most := r.units(p.total.most); p.total.bounded {
		for i := range n {
			table.Bound(i, most)
		}
	}
	return table
}

// close ends the jobs, in order.
func (r *round) close(ctx context.Context) {
	for i, x := range r.players {
		r.p.Options.FuzzTime = x.used
		if r.counted() {
			r.p.Options.FuzzTime.Execs = max(x.used.Execs, 1)
			r.p.total.left.Execs -= x.used.Execs
		}
		r.errs = append(r.errs, panics.Do(func() error { return x.job.Close(ctx, len(r.players)-i) }))
		r.done(x.job)
	}
}

// counted reports whether the budget is a number of executions.
func (r *round) counted() bool { return r.p.Options.Total.Execs > 0 }

// units is an amount of the budget as a number.
func (r *round) units(t FuzzTime) int64 {
	if r.counted() {
		return t.Execs
	}
	return int64(t.Duration)
}

// amount is a number as an amount of the budget, which a person reads.
func (r *round) amount(n int64) FuzzTime {
	if r.counted() {
		return FuzzTime{Execs: n}
	}
	return FuzzTime{Duration: max(time.Duration(n).Round(readable), readable)}
}
