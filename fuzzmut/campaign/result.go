package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// finish makes the result from the evaluation of the resulting corpus. notMeasured says
// why that is not whole, "" if it is.
func (s *session) finish(engineName string, entries []corpus.Entry, ev *evaluate.Evaluation, start *evaluate.Starting, before int, files []string, notMeasured string) {
	st := s.eng.Status()
	t := &report.FuzzTest{
		Package: s.b.program.Test.ImportPath, Name: s.test.Name,
		Engine: engineName, Filter: s.filter.String(), Seed: s.opts.Seed,
		Executions: st.Inputs, MutantExecutions: st.MutantExecs,
		WallSeconds: time.Since(s.start).Seconds(),
		CPUSeconds:  s.cpu().Seconds(), FuzzCPUSeconds: s.fuzzedCPU.Seconds(),
		Corpus: report.Corpus{
			Before: before, Added: len(files), After: before + len(files),
			Dir: s.corpusDir(s.b, &s.test), Files: files,
		},
		Sites:    report.SitesOf(s.b.program),
		Warnings: s.warnings,
	}
	if t.FuzzSeconds = s.fuzzed.Seconds(); t.FuzzSeconds > 0 {
		t.ExecsPerSecond = float64(st.Inputs) / t.FuzzSeconds
	}
	if totals := s.eng.Totals(); totals.Time > 0 {
		t.TargetShare = totals.Inside.Seconds() / totals.Time.Seconds()
	}
	t.Discards = s.discards()
	t.Coverage = s.coverage(ev)
	for _, u := range s.eng.Processes.Unstable() {
		t.Unstable = append(t.Unstable, s.describeUnstable(u))
	}
	s.flaky(t)
	s.fromOutside()
	t.Warnings = s.warnings
	t.Mutants = s.mutants(entries, ev, start)
	t.NotMeasured = notMeasured
	if notMeasured != "" {
		leaveUnjudged(t.Mutants)
	}
	report.Classify(t.Mutants)
	t.Score = report.Summarise(t.Mutants)
	if engineName == engineScore || engineName == engineMerge {
		// Neither is there chance in it, nor does it count what workers repeat.
		t.Filter, t.Seed = "", 0
		t.Executions, t.MutantExecutions = int64(len(entries)), 0
		for i := range t.Mutants {
			t.MutantExecutions += t.Mutants[i].Executed
		}
	}
	s.result = t
}

func (s *session) coverage(ev *evaluate.Evaluation) report.Coverage {
	covered := make([]bool, len(s.b.program.Blocks))
	c := report.Coverage{Blocks: len(covered)}
	for i := range ev.Results {
		for _, f := range ev.Results[i].Features {
			if b := f.Block(); b < len(covered) && !covered[b] {
				covered[b] = true
				c.Covered++
			}
		}
	}
	return c
}

// mutants gives every mutant its fate: killed only if an entry of the resulting
// corpus kills it when replayed, or if it ends the process before the first.
func (s *session) mutants(entries []corpus.Entry, ev *evaluate.Evaluation, start *evaluate.Starting) []report.Mutant {
	list := report.FromProgram(s.b.program)
	killers := make(map[int]evaluate.Kill)
	for _, k := range slices.Concat(ev.Kills, start.Kills) {
		if _, have := killers[int(k.Mutant)]; !have {
			killers[int(k.Mutant)] = k
		}
	}
	killedAtStart := make(map[int]int)
	for _, k := range start.Kills {
		killedAtStart[int(k.Mutant)]++
	}
	totals := s.eng.Totals()
	for i := range list {
		m := &list[i]
		index := s.b.program.Mutants[i].Index
		m.Reached = max(totals.Reached[index], ev.Counts.Reached[index])
		m.Infected = max(totals.Infected[index], ev.Counts.Infected[index])
		m.Executed = max(totals.Executed[index], ev.Counts.Executed[index]) + start.Executed[uint32(index)]
		s.started(m, uint32(index), start)
		if m.Status == report.Static || m.Status == report.Skipped || m.Reason == evaluate.KilledFromOutside {
			continue
		}
		k, killed := killers[index]
		switch {
		case killed:
			m.Status = report.Killed
			m.KillKind = k.Kind
			m.Start.Killed = killedAtStart[index]
			m.Detail = k.Detail
			if k.Input != evaluate.NoInput {
				m.KilledBy = entries[k.Input].Name
			}
		case start.Left[uint32(index)] != "":
			m.Status, m.Reason = report.Pending, start.Left[uint32(index)]
		case ev.NotRun[uint32(index)]:
			m.Status, m.Reason = report.Pending, evaluate.KilledFromOutside
		case ev.Counts.Reached[index] > 0 || start.Reached[uint32(index)]:
			m.Status = report.Survived
		default:
			m.Status = report.NotCovered
		}
		if m.Status == report.Survived {
			if diff, err := report.MutantDiff(s.b.program, &s.b.program.Mutants[i]); err == nil {
				m.Diff = diff
			}
		}
	}
	return list
}

// leaveUnjudged takes back what an evaluation says that was not ended: of a mutant that
// is not killed nothing is known.
func leaveUnjudged(ms []report.Mutant) {
	for i := range ms {
		if m := &ms[i]; m.Status == report.Survived || m.Status == report.NotCovered {
			m.Status, m.Diff = report.Pending, ""
		}
	}
}

// started fills in what a mutant does before the first input. A static mutant that was
// judged is one like the others.
func (s *session) started(m *report.Mutant, index uint32, start *evaluate.Starting) {
	m.Start = report.Start{
		Reached: start.Reached[index], Infected: start.Infected[index], Processes: start.Processes[index],
	}
	if m.Status != report.Static {
		return
	}
	if start.Judged[index] {
		m.Status, m.Reason = report.Pending, ""
	} else if why := start.Left[index]; why == evaluate.KilledFromOutside {
		m.Status, m.Reason = report.Pending, why
	} else if why != "" {
		m.Reason = why
	}
}

// evaluateStart runs the mutants that act before the first input, over the
// resulting corpus. A mutant that an entry kills without that is settled.
func (s *session) evaluateStart(ctx context.Context, entries []corpus.Entry, ev *evaluate.Evaluation) (*evaluate.Starting, error) {
	if slices.ContainsFunc(s.b.program.Mutants, func(m instrument.Mutant) bool { return m.Status == instrument.StatusStatic }) {
		s.phase(s.b.program.Test.ImportPath, "%s: running the mutants that act before the first input, each in a process of its own", s.test.Name)
	}
	killed := make(map[uint32]bool)
	for _, k := range ev.Kills {
		killed[k.Mutant] = true
	}
	start, err := s.eng.Exact.EvaluateStart(ctx, inputsOf(entries), func(m uint32) bool { return killed[m] })
	if death, ok := asDeath(err); ok && !death.Internal {
		s.warning("mutants that act while packages are initialised could not be judged: " + death.Cause)
		return &evaluate.Starting{}, nil
	}
	if err != nil {
		return nil, s.engineError(err)
	}
	if n := len(start.Left); n > 0 {
		s.warning(fmt.Sprintf("%s that act while packages are initialised could not be judged", report.Plural(n, "mutant")))
	}
	return start, nil
}
