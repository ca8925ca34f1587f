//go:build linux

package faults

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// subjects are the fuzz tests whose runs are harmed: two packages that are quick to
// build.
var subjects = []struct{ tree, fuzz string }{
	{"calc", "FuzzPrint"}, {"calc", "FuzzEval"}, {"boundary", "FuzzTotal"},
}

// fuzzArgs are those of a run that takes some seconds.
func (t *trial) fuzzArgs(fuzz, budget string) []string {
	return []string{
		"-q", "-seed", fmt.Sprint(t.seed), "-fuzztime", budget, "-parallel", "2",
		"-fuzz", "^" + fuzz + "$", "-json", t.result(), ".",
	}
}

// killsPerRun is how many workers are killed in one run at most.
const killsPerRun = 20

// killedWorkers kills workers at random moments. Nothing may be lost by that: the run
// goes on, and what it says of its corpus holds.
func (b *bench) killedWorkers(ctx context.Context) error {
	if !b.wants("workers killed") {
		return nil
	}
	r := b.row("workers killed (SIGKILL)")
	// Some runs end before so much of them has been killed.
	var kills atomic.Int64
	all := int64(b.count(1000))
	b.each(ctx, r, 2*b.count(1000/killsPerRun), func(t *trial, i int) {
		if kills.Load() >= all {
			return
		}
		s := subjects[i%len(subjects)]
		if err := t.lay(s.tree); err != nil {
			t.failed(err)
			return
		}
		run, err := t.start(t.fuzzArgs(s.fuzz, "60000x")...)
		if err != nil {
			t.failed(err)
			return
		}
		t.runs = t.killWorkers(run)
		kills.Add(int64(t.runs))
		t.finish(run)
		t.checkSaid(run)
		if run.code != 0 {
			t.misreport("exit %d, want 0: %s", run.code, lastLine(run.out.String()))
		}
		t.checkLeft()
		t.checkScore(s.fuzz)
		b.book(r, t)
	})
	return nil
}

// killWorkers kills workers of a run until it ends, or enough have been. It returns how
// many were killed.
func (t *trial) killWorkers(r *run) (kills int) {
	for kills < killsPerRun {
		select {
		case <-r.done:
			return kills
		case <-time.After(time.Duration(t.rnd.IntN(300)) * time.Millisecond):
		}
		var workers []int
		for pid, line := range t.processes() {
			// Workers run the test binary; the go command and compilers do not.
			if pid != r.cmd.Process.Pid && strings.Contains(line, "-test.run=") {
				workers = append(workers, pid)
			}
		}
		if len(workers) > 0 && syscall.Kill(workers[t.rnd.IntN(len(workers))], syscall.SIGKILL) == nil {
			kills++
		}
	}
	return kills
}

// An ending is a way in which coordinators are ended.
type ending struct {
	name    string
	signals []syscall.Signal
	runs    int
}

var endings = []ending{
	{"coordinators killed (SIGKILL)", []syscall.Signal{syscall.SIGKILL}, 200},
	{"coordinators interrupted (SIGINT)", []syscall.Signal{syscall.SIGINT}, 80},
	{"coordinators interrupted twice", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, 40},
	{"coordinators terminated (SIGTERM)", []syscall.Signal{syscall.SIGTERM}, 40},
	{"coordinators hung up (SIGHUP)", []syscall.Signal{syscall.SIGHUP}, 40},
}

// endedCoordinators ends coordinators at random moments. What was found by then is
// written where the signal leaves time for that. No file is half written, and no
// process or temporary file remains. After SIGKILL some may, if a later run removes them.
func (b *bench) endedCoordinators(ctx context.Context) error {
	for _, e := range endings {
		if !b.wants(e.name) {
			continue
		}
		r := b.row(e.name)
		b.each(ctx, r, b.count(e.runs), func(t *trial, i int) {
			if err := t.lay(subjects[i%len(subjects)].tree); err != nil {
				t.failed(err)
				return
			}
			t.end(e, subjects[i%len(subjects)].fuzz, i)
			b.book(r, t)
		})
	}
	return nil
}

// endWithin is the time in which runs of endBudget are ended: it is about theirs.
const (
	endWithin = 12 * time.Second
	endBudget = "40000x"
)

func (t *trial) end(e ending, fuzz string, i int) {
	r, err := t.start(t.fuzzArgs(fuzz, endBudget)...)
	if err != nil {
		t.failed(err)
		return
	}
	after := time.Duration(t.rnd.Int64N(int64(endWithin)))
	ended := false
	for _, s := range e.signals {
		select {
		case <-r.done:
			ended = true
		case <-time.After(after):
			r.cmd.Process.Signal(s)
		}
		after = time.Duration(t.rnd.IntN(500)) * time.Millisecond
	}
	t.finish(r)
	if r.signal == e.signals[0] && r.signal != syscall.SIGKILL && t.untouched(r) {
		return // the command did not listen yet; a shell makes 130 of that, too
	}
	t.checkSaid(r)
	switch killed := e.signals[0] == syscall.SIGKILL; {
	case killed:
		t.next(fuzz)
	case ended && r.code == 0, r.code == 130, r.signal != 0 && len(e.signals) > 1:
	case r.code == 0 && t.complete(): // the signal came when all was done
	default:
		t.misreport("exit %d, want 130: %s", r.code, lastLine(r.out.String()))
	}
	t.checkLeft()
	// To score takes as long as the run: every fifth is.
	if len(e.signals) == 1 && e.signals[0] != syscall.SIGKILL && i%5 == 0 {
		if _, err := os.Stat(t.result()); err == nil {
			t.checkScore(fuzz)
		}
	}
}

// untouched reports whether a run has said, written and left nothing.
func (t *trial) untouched(r *run) bool {
	temporary, err := os.ReadDir(t.temp())
	_, said := os.Stat(t.result())
	return err == nil && len(temporary) == 0 && said != nil && r.out.Len() == 0
}

// complete reports whether a run's result says that nothing was left undone.
func (t *trial) complete() bool {
	said, err := t.report()
	return err == nil && len(said.Tests) == 1 && !said.Tests[0].Interrupted && said.Tests[0].NotMeasured == ""
}

// next runs the command once more: it must be able to, and removes what a killed one has
// left.
func (t *trial) next(fuzz string) {
	for deadline := time.Now().Add(leaveTime); len(t.processes()) > 0 && time.Now().Before(deadline); {
		time.Sleep(100 * time.Millisecond)
	}
	r, err := t.do("-q", "-seed", "1", "-fuzztime", "100x", "-parallel", "1", "-fuzz", "^"+fuzz+"$", "-json", filepath.Join(t.dir, "next.json"), ".")
	switch {
	case err != nil:
		t.failed(err)
	case r.code != 0:
		t.misreport("the next run: exit %d: %s", r.code, lastLine(r.out.String()))
	}
}
