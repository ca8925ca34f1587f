package campaign

import (
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// summary is what a result says besides what the engine and a replay know.
type summary struct {
	engine    string // what has led the search, or what was done instead
	noChance  bool   // nothing was searched: neither chance nor repetition counts
	before    int    // entries that were given
	files     []string
	fuzzed    time.Duration
	fuzzedCPU time.Duration // until fuzzing ended
	// notMeasured says why the replay is not whole; "" if it is.
	notMeasured string
}

// result makes the result of a trial from the replay of the resulting corpus.
func (p *replay) result(about summary) *report.FuzzTest {
	t, st := p.trial, p.trial.eng.Status()
	r := &report.FuzzTest{
		Package: t.b.program.Test.ImportPath, Name: t.test.Name,
		Engine: about.engine, Filter: t.runner.filter.String(), Seed: t.runner.opts.Seed,
		Executions: st.Inputs, MutantExecutions: st.MutantExecs,
		WallSeconds: time.Since(t.start).Seconds(),
		CPUSeconds:  t.cpu().Seconds(), FuzzCPUSeconds: about.fuzzedCPU.Seconds(),
		FuzzSeconds: about.fuzzed.Seconds(),
		Corpus: report.Corpus{
			Before: about.before, Added: len(about.files), After: about.before + len(about.files),
			Dir: t.corpusDir(), Files: about.files,
		},
		Sites:    report.SitesOf(t.b.program),
		Discards: t.discards(), Coverage: p.coverage(),
		NotMeasured: about.notMeasured,
	}
	if r.FuzzSeconds > 0 {
		r.ExecsPerSecond = float64(st.Inputs) / r.FuzzSeconds
	}
	if totals := t.eng.Totals(); totals.Time > 0 {
		r.TargetShare = totals.Inside.Seconds() / totals.Time.Seconds()
	}
	for _, u := range t.eng.Processes.Unstable() {
		r.Unstable = append(r.Unstable, t.describeUnstable(u))
	}
	r.Flaky = t.flakes()
	t.warnOutside()
	r.Warnings = t.allWarnings()
	r.Mutants = p.mutants()
	if about.notMeasured != "" {
		leaveUnjudged(r.Mutants)
	}
	report.Classify(r.Mutants)
	r.Score = report.Summarise(r.Mutants)
	if about.noChance {
		r.Filter, r.Seed = "", 0
		r.Executions, r.MutantExecutions = int64(len(p.entries)), 0
		for i := range r.Mutants {
			r.MutantExecutions += r.Mutants[i].Executed
		}
	}
	return r
}

// coverage counts the blocks that the entries cover.
func (p *replay) coverage() report.Coverage {
	covered := make([]bool, len(p.trial.b.program.Blocks))
	c := report.Coverage{Blocks: len(covered)}
	for i := range p.ev.Results {
		for _, f := range p.ev.Results[i].Features {
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
func (p *replay) mutants() []report.Mutant {
	t, ev, start := p.trial, p.ev, p.start
	list := report.FromProgram(t.b.program)
	killers := make(map[int]evaluate.Kill)
	for _, k := range p.kills() {
		if _, have := killers[int(k.Mutant)]; !have {
			killers[int(k.Mutant)] = k
		}
	}
	killedAtStart := make(map[int]int)
	for _, k := range start.Kills {
		killedAtStart[int(k.Mutant)]++
	}
	totals := t.eng.Totals()
	for i := range list {
		m := &list[i]
		index := t.b.program.Mutants[i].Index
		m.Reached = max(totals.Reached[index], ev.Counts.Reached[index])
		m.Infected = max(totals.Infected[index], ev.Counts.Infected[index])
		m.Executed = max(totals.Executed[index], ev.Counts.Executed[index]) + start.Executed[uint32(index)]
		enterStart(m, uint32(index), start)
		if m.Status == report.Static || m.Status == report.Skipped || m.Reason == evaluate.KilledFromOutside {
			continue
		}
		k, killed := killers[index]
		switch {
		case killed:
			m.Status = report.Killed
			m.KillKind = k.Kind.String()
			m.Start.Killed = killedAtStart[index]
			m.Detail = k.Detail
			if k.Input != evaluate.NoInput {
				m.KilledBy = p.entries[k.Input].Name
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
			if diff, err := report.MutantDiff(t.b.program, &t.b.program.Mutants[i]); err == nil {
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

// enterStart fills in what a mutant does before the first input. A static mutant that was
// judged is one like the others.
func enterStart(m *report.Mutant, index uint32, start *evaluate.Starting) {
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
