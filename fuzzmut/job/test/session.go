package test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// testSession is the work on the tests of one package.
type testSession struct {
	lane    *lane
	loaded  *load.Result
	code    *change.Sources
	choice  *change.Choice
	program *instrument.Program
	binary  string
	run     report.TestRun
	begin   time.Time
}

// runAll runs the tests against the mutants that are asked for and not killed
// yet, and enters the verdicts.
func (s *testSession) runAll(ctx context.Context) error {
	pkg := s.run.Package
	chosen := s.choose()
	s.lane.out.note(pkg, "%s in %s to judge", report.Plural(len(chosen), "mutant"), report.Plural(s.functions(chosen), "function"))
	if err := s.identify(); err != nil {
		return err
	}
	if s.lane.project.Options.DryRun {
		s.run.Source, s.lane.run = s.code.Hash(), &s.run
		return nil
	}
	if len(chosen) == 0 {
		return nil
	}
	memory := s.lane.memory.Open(memory.Package{
		Loaded: s.loaded, Program: s.program, Code: s.code, Binary: s.binary, Warn: s.lane.warn,
		Note: func(format string, args ...any) { s.lane.out.note(pkg, format, args...) },
	})
	defer memory.Close()
	s.begin = time.Now()
	res, err := s.lane.runTests(ctx, unittest.Options{
		Program: s.program, Binary: s.binary, Dir: s.program.Test.Dir, Env: s.lane.project.Options.Env, TempDir: s.lane.project.WorkDir,
		Run: s.lane.opts.Run, Skip: s.lane.opts.Skip, Short: s.lane.opts.Short, Args: s.lane.opts.Args,
		Mutants: chosen, Known: memory.Known, Withdrawn: memory.Withdraw,
		Isolated: s.lane.opts.Isolate, Strict: s.lane.opts.Strict, FailFast: s.lane.opts.FailFast,
		SetAside: func(list []unittest.SetAside) { s.setAside(list, memory) }, Place: s.loaded.TestPlace, Counts: s.loaded.CountsAllocations,
		Alone:    s.alone,
		Parallel: s.lane.project.Options.Parallel, Slots: s.lane.slots, Rank: s.lane.rank, Timeout: s.lane.opts.Timeout, MemLimit: s.lane.opts.MemLimit,
		Observe:  !s.lane.opts.FailFast && !s.lane.opts.Isolate,
		Verdicts: func(v unittest.Verdict) { memory.Keep(v); s.tell(v) }, Progress: s.progress, Log: s.lane.out,
	})
	var red *unittest.BaselineError
	switch {
	case errors.As(err, &red):
		s.forget()
		return s.baselineError(red)
	case err != nil && ctx.Err() == nil:
		s.forget()
		return &exit.Error{Code: exit.CodeOf(err), Err: fmt.Errorf("%s: %w", pkg, err)}
	case res == nil:
		return nil
	case len(res.Tests) == 0 && !res.Interrupted:
		s.forget()
		return s.uncovered(s.noTests())
	}
	s.enter(res, memory)
	return nil
}

// identify notes the name by which a shared directory knows the test binary.
func (s *testSession) identify() (err error) {
	if s.lane.project.Share != nil {
		s.run.Binary, err = s.lane.project.BinaryName(s.program, s.binary)
	}
	return err
}

// forget takes those mutants out of the sheet that no tests were run with.
func (s *testSession) forget() {
	sheet := s.lane.sheet
	sheet.mutants = slices.DeleteFunc(sheet.mutants, func(m report.Mutant) bool { return m.Status == report.Pending })
	clear(sheet.index)
	for i := range sheet.mutants {
		sheet.index[[2]string{sheet.mutants[i].Package, sheet.mutants[i].ID}] = i
	}
}

// choose enters the mutants that are asked for into the sheet, and returns the
// numbers of those that are to be run: tests of another package may have killed
// them already.
func (s *testSession) choose() []uint32 {
	chosen := []uint32{}
	sheet := s.lane.sheet
	list := report.FromProgram(s.program)
	for i := range list {
		m := &s.program.Mutants[i]
		if !s.lane.opts.Shard.Has(m) || !s.choice.Has(m) {
			continue
		}
		key := [2]string{m.Package, m.ID}
		at, ok := sheet.index[key]
		if !ok {
			at = len(sheet.mutants)
			sheet.index[key] = at
			if list[i].Status == report.Static {
				list[i].Status, list[i].Reason = report.Pending, "" // in its own process, it can be run
			}
			list[i].Changed = s.choice != nil
			sheet.mutants = append(sheet.mutants, list[i])
		}
		if m.Status != instrument.StatusSkipped && sheet.mutants[at].Status != report.Killed {
			chosen = append(chosen, uint32(m.Index))
		}
	}
	return chosen
}

// functions counts the functions that have some of the mutants, which are in order.
func (s *testSession) functions(chosen []uint32) int {
	return s.program.CountFuncs(func(m *instrument.Mutant) bool {
		_, is := slices.BinarySearch(chosen, uint32(m.Index))
		return is
	})
}

func (s *testSession) progress(p unittest.Progress) {
	s.lane.out.status(&project.TestStatus{Package: s.run.Package, Elapsed: time.Since(s.begin), Progress: p})
}

// enter puts the result into the sheet and the lane.
func (s *testSession) enter(res *unittest.Result, memory *memory.Memory) {
	left := make(map[string]int)
	for _, v := range res.Verdicts {
		if v.Mutant == 0 || int(v.Mutant) > len(s.program.Mutants) {
			continue
		}
		kept, reused, resumed := memory.Verdict(v)
		for _, name := range kept.Left {
			left[name]++
		}
		if s.enterVerdict(&s.program.Mutants[v.Mutant-1], kept, reused); len(v.Aside) > 0 {
			s.enterAside(&s.program.Mutants[v.Mutant-1], v.Aside)
		}
		if v.Status != unittest.StatusNotRun {
			s.run.Judged++
		}
		if reused {
			s.run.Reused++
		}
		if resumed {
			s.run.Resumed++
		}
		s.countBelieved(kept)
	}
	s.run.Source = s.code.Hash()
	for _, t := range res.Tests {
		s.run.Tests = append(s.run.Tests, report.TestResult{Name: t.Name, Seconds: t.Time.Seconds(), Kills: t.Kills, Left: left[t.Name]})
	}
	s.run.Unobserved = res.Unobserved
	s.run.Executions, s.run.MutantRuns, s.run.Processes = res.Executions, res.MutantRuns, res.Processes
	s.run.WallSeconds, s.run.CPUSeconds = time.Since(s.begin).Seconds(), res.CPU.Seconds()
	s.enterSetAside(res)
	s.run.Shared, s.run.Reason = res.Shared, res.Reason
	s.run.Interrupted = res.Interrupted
	if res.Stopped {
		s.lane.stopped.Store(true)
	}
	s.lane.run = &s.run
}

// countBelieved counts survivors that are believed because of a sample.
func (s *testSession) countBelieved(v verdicts.Verdict) {
	switch {
	case v.Status != string(unittest.StatusSurvived):
	case v.Reason == unittest.LongTestsLeftOut:
		s.run.LongTestsLeftOut++
	case v.Reason == "" && !v.Fresh:
		s.run.NotRunAgain++
	}
}

// enterVerdict adds what one package's tests say of a mutant to what is known of
// it.
func (s *testSession) enterVerdict(m *instrument.Mutant, v verdicts.Verdict, reused bool) {
	r := s.lane.sheet.of(m)
	qualify := func(test string) string {
		if test != "" && s.run.Package != m.Package {
			return s.run.Package + "." + test
		}
		return test
	}
	switch v.Status {
	case string(unittest.StatusKilled):
		r.Status, r.KillKind, r.KilledBy, r.Detail = report.Killed, v.Kind, qualify(v.Test), v.Detail
		r.Diff, r.Tests, r.Reason, r.Seen = "", nil, "", nil
	case string(unittest.StatusSurvived):
		r.Status, r.Seen = report.Survived, cmp.Or(r.Seen, v.Seen)
		if v.Infected > 0 || r.Infected == 0 { // else other tests know more
			r.Reason = v.Reason
		}
		var tests []string
		for _, name := range v.Tests {
			tests = append(tests, qualify(name))
		}
		// The infected ones of either package stand first.
		r.Tests = slices.Insert(r.Tests, min(int(r.Infected), len(r.Tests)), tests...)
		if diff, err := report.MutantDiff(s.program, m); err == nil {
			r.Diff = diff
		}
	case string(unittest.StatusNotCovered):
		if r.Status != report.Survived && r.Status != report.NotCovered {
			r.Status, r.Reason = report.NotCovered, ""
		}
	case string(unittest.StatusNotRun):
		r.Status, r.Reason, r.Diff, r.Tests = report.Pending, v.Reason, "", nil
	case string(unittest.StatusSkipped):
		if r.Status == report.Pending {
			r.Status, r.Reason = report.Skipped, v.Reason
		}
	}
	r.Reused = reused
	if m.Status == instrument.StatusStatic {
		// All tests reach it, and none of them more than the others.
		r.Tests = nil
		r.Start.Reached = r.Start.Reached || v.Reached > 0
		r.Start.Infected = r.Start.Infected || v.Infected > 0
		return
	}
	r.Reached += int64(v.Reached)
	r.Infected += int64(v.Infected)
}
