package worker

import (
	"fmt"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// watcher looks at a process again and again, and ends it when it blocks, or eats
// memory.
type watcher struct {
	p *Process

	beat    uint64 // executions, when something last happened
	frames  uint64 // and replies
	running bool   // the target was run then
	changed time.Time
	idle    idleness
	labor   labor
	own     ownTime
}

func (p *Process) watch() {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	w := &watcher{p: p, changed: time.Now()}
	for {
		select {
		case <-p.exited:
			return
		case now := <-tick.C:
			if w.look(now) {
				return
			}
		}
	}
}

// look reports whether it has ended the process.
func (w *watcher) look(now time.Time) (ended bool) {
	p, pid := w.p, w.p.cmd.Process.Pid
	c := p.Counts()
	p.mu.Lock()
	busy, since, frames := p.busy, p.since, p.frames
	p.mu.Unlock()
	running := c.Running || c.Heartbeat == 0
	if !busy || c.Heartbeat != w.beat || frames != w.frames || running != w.running || w.changed.Before(since) {
		w.beat, w.frames, w.running, w.changed = c.Heartbeat, frames, running, now
		w.idle, w.labor, w.own = idleness{}, labor{}, ownTime{last: now}
	}
	waited := now.Sub(w.changed)
	p.mu.Lock()
	p.waited = waited
	p.mu.Unlock()
	if running && waited > 0 {
		w.own.note(now, system.CPU(pid), func() bool { return system.Held(pid) })
	}
	switch limit := p.limit(&c); {
	case !running && waited > p.cfg.AnswerTimeout:
		p.end(ending{why: fmt.Sprintf("no answer within %v, although nothing is running", p.cfg.AnswerTimeout), how: garbled})
	case running && w.own.sum > limit:
		p.quit(fmt.Sprintf("not finished within %v", limit))
	case running && c.Idle > 0 && waited > pollInterval && w.idle.at(now, pid) > c.Idle:
		p.quit(fmt.Sprintf("blocked: nothing has run for %v", c.Idle))
	case running && c.CPU > 0 && waited > pollInterval && w.labor.at(system.CPU(pid)) > c.CPU:
		p.quit(fmt.Sprintf("not finished within %v of processor time", c.CPU))
	case p.cfg.MemLimit > 0 && system.Resident(pid) > p.cfg.MemLimit:
		p.end(ending{why: fmt.Sprintf("uses more than %d MiB of memory", p.cfg.MemLimit>>20), how: outOfMemory})
	default:
		return false
	}
	return true
}

// idleness tells how long a process has done nothing but wait.
type idleness struct {
	since, last time.Time
	active      time.Duration
}

// idleShare is the share of the time, as one part in this number, that the runtime of a
// process in which nothing happens may be active itself.
const idleShare = 20

// at looks at the process and returns how long it has been idle. A process that
// wants to run and may not is active.
func (i *idleness) at(now time.Time, pid int) time.Duration {
	active, ok := system.Active(pid)
	if !ok || i.last.IsZero() || active-i.active > now.Sub(i.last)/idleShare {
		i.since = now
	}
	i.last, i.active = now, active
	return now.Sub(i.since)
}

// ownTime is the time by the clock in which a process could do what it wanted. On a busy machine it
// waits for a processor, for seconds if it has a low priority: that is neither an input that hangs
// nor a kill. What it waits for otherwise counts, as sleep, and what it computes. On an idle machine
// it is the time by the clock.
type ownTime struct {
	last time.Time // of the last look
	cpu  time.Duration
	seen bool // cpu is that of the last look
	sum  time.Duration
}

const (
	// ownMost is what one look adds at most: a coordinator that was not run itself has seen nothing
	// of what was between.
	ownMost = 4 * pollInterval
	// heldShare is the share of the time, as one part in this number, that counts of a process
	// that waits for a processor, or was stopped: it may never run again.
	heldShare = 20
)

// note adds the time since the last look. cpu is what the process has taken so far, 0 if that is
// unknown; held reports whether it would do more with another processor.
func (o *ownTime) note(now time.Time, cpu time.Duration, held func() bool) {
	passed, took := now.Sub(o.last), cpu-o.cpu
	known := o.seen
	o.last, o.cpu, o.seen = now, cpu, true
	if known && held() {
		o.sum += max(passed/heldShare, min(passed, took))
		return
	}
	o.sum += min(passed, ownMost)
}

// labor tells how much processor time a process has taken since it was first asked.
type labor struct {
	began time.Duration
	asked bool
}

// at returns that, if the process has taken so much in all; 0 if that is unknown.
func (l *labor) at(cpu time.Duration) time.Duration {
	if !l.asked {
		l.began, l.asked = cpu, cpu > 0
	}
	return cpu - l.began
}

// limit bounds what the worker is doing, by its own time.
func (p *Process) limit(c *wire.Counts) time.Duration {
	switch {
	case c.Heartbeat == 0:
		return p.cfg.StartTimeout
	case c.Limit != 0:
		return c.Limit
	case c.Mutant != 0:
		return p.cfg.Timeout / MutantTimeout
	}
	return p.cfg.Timeout
}

// within returns bounds that the shared memory has, as far as they are what the
// coordinator has set. The caller holds the lock.
func (p *Process) within(b wire.Bounds) wire.Bounds {
	if b.Limit < 0 || b.Limit > p.most.Limit {
		b.Limit = p.most.Limit
	}
	if b.Idle < 0 || b.Idle > p.most.Idle {
		b.Idle = p.most.Idle
	}
	if b.CPU < 0 || b.CPU > p.most.CPU {
		b.CPU = p.most.CPU
	}
	return b
}

// boundsOf returns the longest bounds that a request sets.
func boundsOf(req *wire.Request) wire.Bounds {
	var most wire.Bounds
	take := func(b wire.Bounds) {
		most.Limit, most.Idle, most.CPU = max(most.Limit, b.Limit), max(most.Idle, b.Idle), max(most.CPU, b.CPU)
	}
	var tests []wire.TestCost
	switch {
	case req.Tests != nil:
		take(req.Tests.Bounds)
	case req.Try != nil:
		tests = req.Try.Tests
	case req.Observe != nil:
		tests = req.Observe.Tests
	}
	for i := range tests {
		take(tests[i].Bounds)
	}
	return most
}

// Abort ends the worker at once. A request in progress ends with a *Death.
func (p *Process) Abort() { p.do(func() { p.end(ending{why: "aborted", how: timedOut}) }) }

// quit ends a hanging process in a way that makes it print its goroutines.
func (p *Process) quit(why string) {
	p.note(ending{why: why, how: timedOut})
	if p.child.Dump() {
		select {
		case <-p.exited:
			return
		case <-time.After(quitGrace):
		}
	}
	p.child.Kill()
}

// end ends the process.
func (p *Process) end(e ending) {
	p.note(e)
	p.child.Kill()
}

// note keeps the first reason for which the process is ended.
func (p *Process) note(e ending) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended.how == notEnded {
		p.ended = e
	}
}
