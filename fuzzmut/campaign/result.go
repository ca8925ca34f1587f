package campaign

import (
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/report"
)

// finish makes the result from the evaluation of the resulting corpus.
func (s *session) finish(engineName string, entries []corpus.Entry, ev *engine.Evaluation, before int, files []string) {
	st := s.eng.Status()
	t := &report.FuzzTest{
		Package: s.b.program.Test.ImportPath, Name: s.test.Name,
		Engine: engineName, Filter: s.filter.String(), Seed: s.opts.Seed,
		Executions: st.Inputs, MutantExecutions: st.MutantExecs,
		WallSeconds: time.Since(s.start).Seconds(),
		CPUSeconds:  (s.eng.CPU() + ownCPU() - s.cpuStart).Seconds(),
		Corpus: report.Corpus{
			Before: before, Added: len(files), After: before + len(files),
			Dir: s.corpusDir(s.b, s.test.Name), Files: files,
		},
		Warnings: s.warnings,
	}
	if engineName == "score" {
		t.Filter = ""
	}
	if d := s.fuzzed.Seconds(); d > 0 {
		t.ExecsPerSecond = float64(st.Inputs) / d
	}
	t.Coverage = s.coverage(ev)
	for _, u := range s.eng.Unstable() {
		t.Unstable = append(t.Unstable, s.describeUnstable(u))
	}
	t.Mutants = s.mutants(entries, ev)
	t.Score = report.Summarise(t.Mutants)
	s.result = t
}

func (s *session) coverage(ev *engine.Evaluation) report.Coverage {
	covered := make([]bool, len(s.b.program.Blocks))
	c := report.Coverage{Blocks: len(covered)}
	for i := range ev.Results {
		for _, f := range ev.Results[i].Features {
			if b := f >> 3; int(b) < len(covered) && !covered[b] {
				covered[b] = true
				c.Covered++
			}
		}
	}
	return c
}

// mutants gives every mutant its fate: killed only if an entry of the resulting
// corpus kills it when replayed.
func (s *session) mutants(entries []corpus.Entry, ev *engine.Evaluation) []report.Mutant {
	list := report.FromProgram(s.b.program)
	killers := make(map[int]engine.Kill)
	for _, k := range ev.Kills {
		if _, have := killers[int(k.Mutant)]; !have {
			killers[int(k.Mutant)] = k
		}
	}
	totals := s.eng.Totals()
	for i := range list {
		m := &list[i]
		index := s.b.program.Mutants[i].Index
		m.Reached = max(totals.Reached[index], ev.Stats.Reached[index])
		m.Infected = max(totals.Infected[index], ev.Stats.Infected[index])
		m.Executed = max(totals.Executed[index], ev.Stats.Executed[index])
		if m.Status == report.Static || m.Status == report.Skipped {
			continue
		}
		k, killed := killers[index]
		switch {
		case killed:
			m.Status = report.Killed
			m.KillKind = k.Kind
			m.KilledBy = entries[k.Input].Name
			m.Detail = k.Detail
		case ev.Stats.Reached[index] > 0:
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
