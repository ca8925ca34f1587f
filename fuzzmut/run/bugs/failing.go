package bugs

import (
	"context"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// failingTests are the tests of the package that fail each time without a mutant. The bug may be why: with a repair
// that is right, such a test passes.
type failingTests struct {
	binary *project.Package
	names  []string
}

// Bounds on the runs of tests that fail: how many of the first repairs of a bucket they are run with, how many of the tests
// are run, and the part of the time by whose end that is done.
const (
	mostRepairs  = 8
	mostFailing  = 8
	failingShare = 0.95
)

// keepFailing keeps the tests that fail each time, of those that were set aside.
func (t *Sorting) keepFailing(binary *project.Package, aside []unittest.SetAside) {
	t.failed.binary = binary
	for _, a := range aside {
		if a.Passed == 0 && a.Failed > 1 && !a.Endless && !a.Counts {
			t.failed.names = append(t.failed.names, a.Test)
		}
	}
}

// runFailing runs tests of the package that fail without a mutant with the first repairs of each bucket.
func (t *Sorting) runFailing(ctx context.Context) error {
	names := t.failed.names
	if len(names) == 0 {
		return nil
	}
	mutants := t.firstRepairs()
	if len(mutants) == 0 {
		return nil
	}
	if len(names) > mostFailing {
		t.trial.Warn(fmt.Sprintf("of %s that fail without a mutant, the first %d are run with repairs", report.Plural(len(names), "test"), mostFailing))
		names = names[:mostFailing]
	}
	ctx, cancel := t.time.until(ctx, failingShare)
	defer cancel()
	t.trial.Phase("running %s that %s without a mutant with %s",
		report.Plural(len(names), "test"), report.Verb(len(names), "fails", "fail"), report.Plural(len(mutants), "repair"))
	numbers := numbersOf(t.failed.binary.Program)
	back := make(map[uint32]uint32)
	var list []uint32
	for _, m := range mutants {
		if n, ok := numbers[t.idOf(m)]; ok {
			list, back[n] = append(list, n), m
		}
	}
	o := testOptions(t.trial, t.failed.binary, list)
	o.Run = gotool.Exactly(names)
	runs, err := unittest.RunFailing(ctx, o)
	if err != nil {
		t.trial.Warn(fmt.Sprintf("tests that fail without a mutant are not run with repairs: %v", err))
		return nil
	}
	for _, ran := range runs {
		e := t.mutants[back[ran.Mutant]]
		if ran.Passes {
			e.nowPass = append(e.nowPass, ran.Test)
		} else {
			e.stillFail = append(e.stillFail, ran.Test)
		}
	}
	return nil
}

// firstRepairs lists the first repairs of each bucket, the first of all buckets before the second ones.
func (t *Sorting) firstRepairs() (list []uint32) {
	l := NewLocaliser(t)
	seen := make(map[int]bool)
	for place := range mostRepairs {
		for _, items := range t.Sorted.Buckets {
			ranked := l.Repairs(items)
			if place < len(ranked) && !seen[ranked[place].Repair] {
				seen[ranked[place].Repair] = true
				list = append(list, l.mutantOf(ranked[place].Repair))
			}
		}
	}
	return list
}
