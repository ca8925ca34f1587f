package trial

import (
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Summary is the part of a result that neither the engine nor a replay knows.
type Summary struct {
	Engine    string // what has led the search, or what was done instead
	NoChance  bool   // nothing was searched: neither chance nor repetition counts
	Before    int    // entries that were given
	Files     []string
	Started   time.Duration // until fuzzing began
	Fuzzed    time.Duration
	FuzzedCPU time.Duration // until fuzzing ended
	// NotMeasured says why the replay is not whole; "" if it is.
	NotMeasured string
}

// Place is where the fuzz test is, or else the function that it is derived for.
func (t *Trial) Place() (file string, line int) {
	test := &t.Package.Program.Test
	file, line = t.Test.File, t.Test.Line
	for i := range t.Package.Loaded.Derived {
		d := &t.Package.Loaded.Derived[i]
		if d.At.IsValid() && d.Name == t.Test.Name {
			file, line = d.At.Filename, d.At.Line
		}
	}
	return report.RelativeFile(test.ModuleDir, file), line
}

// Result makes the result of a trial from the replay of the resulting corpus.
func (p *Replay) Result(about Summary) *report.FuzzTest {
	t, st := p.Trial, p.Trial.Engine.Status()
	// An input that passes may be in no file, where none can be written.
	if none := !p.passes() && len(t.Engine.Pool.Entries()) == 0; about.NotMeasured == "" && none && len(t.Engine.Failures.Stacks()) > 0 {
		about.NotMeasured = "no input passes"
	}
	t.Project.Covers(t.Package, &t.Test, p.Entries, func(i int) bool { return p.Evaluation.Results[i].Outcome.Kind.Failed() })
	if t.Project.Options.Tyche != "" {
		t.Project.Shows(t.Package, &t.Test, p.Entries, p.cases(), t.OfValues())
	}
	r := &report.FuzzTest{
		Package: t.Package.Program.Test.ImportPath, Name: t.Test.Name,
		Engine: about.Engine, Filter: t.Project.Filter.String(), Seed: t.Project.Options.Seed,
		Executions: st.Inputs, MutantExecutions: st.MutantExecs,
		WallSeconds: time.Since(t.Start).Seconds(),
		CPUSeconds:  t.CPU().Seconds(), FuzzCPUSeconds: about.FuzzedCPU.Seconds(),
		StartSeconds: about.Started.Seconds(), FuzzSeconds: about.Fuzzed.Seconds(),
		Corpus: report.Corpus{
			Before: about.Before, Added: len(about.Files), After: about.Before + len(about.Files),
			Dir: t.CorpusDir(), Files: about.Files,
		},
		Sites:    report.SitesOf(t.Package.Program),
		Discards: discards(t), Coverage: p.Coverage(),
		NotMeasured: about.NotMeasured,
		Entries:     p.entries(), Golden: t.GoldenFile(),
		Foreign: project.Foreign(t.Package.Loaded) != "",
		Derived: t.Test.Target != "",
	}
	r.File, r.Line = t.Place()
	if r.FuzzSeconds > 0 {
		r.ExecsPerSecond = float64(st.Inputs) / r.FuzzSeconds
	}
	if totals := t.Engine.Totals(); totals.Time > 0 {
		r.TargetShare, r.CostSeconds = totals.Inside.Seconds()/totals.Time.Seconds(), totals.Hunted.Seconds()
	}
	unstable := t.Engine.Processes.Unstable()
	for _, u := range unstable {
		r.Unstable = append(r.Unstable, describeUnstable(t, u))
	}
	r.UnstableFunctions = unstableFunctions(t, unstable)
	r.Fixed, r.KnownWritten = t.Known.Fixed(), t.Project.Options.WriteKnown
	r.Flaky = flakes(t)
	warnOutside(t)
	p.warnElsewhere(r.Coverage.Covered)
	r.Warnings = t.Warnings()
	r.Mutants = p.mutants()
	if about.NotMeasured != "" {
		leaveUnjudged(r.Mutants)
	}
	report.Classify(r.Mutants)
	r.Score = report.Summarise(r.Mutants)
	if about.NoChance {
		r.Filter, r.Seed = "", 0
		r.Executions, r.MutantExecutions = int64(len(p.Entries)), 0
		for i := range r.Mutants {
			r.MutantExecutions += r.Mutants[i].Executed
		}
	}
	return r
}

// passes reports whether there is an entry that does.
func (p *Replay) passes() bool {
	return slices.ContainsFunc(p.Evaluation.Results, func(r wire.Result) bool { return !r.Outcome.Kind.Failed() })
}

// Coverage counts the blocks that the entries cover.
func (p *Replay) Coverage() report.Coverage {
	covered := make([]bool, len(p.Trial.Package.Program.Blocks))
	c := report.Coverage{Blocks: len(covered)}
	for i := range p.Evaluation.Results {
		for _, f := range p.Evaluation.Results[i].Features {
			if b := f.Block(); b < len(covered) && !covered[b] {
				covered[b] = true
				c.Covered++
			}
		}
	}
	return c
}

// entries are those of the resulting corpus, with what was seen of each.
func (p *Replay) entries() []report.Entry {
	list := make([]report.Entry, len(p.Entries))
	for i := range p.Entries {
		e := &p.Entries[i]
		list[i] = report.Entry{Name: e.Name, Path: e.Path, Data: string(e.Input.Encode())}
		if i < len(p.Evaluation.Results) {
			blocks := make(map[int]bool)
			for _, f := range p.Evaluation.Results[i].Features {
				blocks[f.Block()] = true
			}
			list[i].Blocks = len(blocks)
		}
	}
	return list
}

// mutants gives every mutant its fate: killed only if an entry of the resulting
// corpus kills it when replayed, or if it ends the process before the first.
func (p *Replay) mutants() []report.Mutant {
	t, ev, start := p.Trial, p.Evaluation, p.Start
	list := report.FromProgram(t.Package.Program)
	killers := make(map[int]evaluate.Kill)
	for _, k := range p.Kills() {
		if _, have := killers[int(k.Mutant)]; !have {
			killers[int(k.Mutant)] = k
		}
	}
	killedAtStart := make(map[int]int)
	for _, k := range start.Kills {
		killedAtStart[int(k.Mutant)]++
	}
	totals := t.Engine.Totals()
	reachedBy := p.reachedBy()
	for i := range list {
		m := &list[i]
		index := t.Package.Program.Mutants[i].Index
		m.Reached = max(totals.Reached[index], ev.Counts.Reached[index])
		m.Infected = max(totals.Infected[index], ev.Counts.Infected[index])
		m.Executed = max(totals.Executed[index], ev.Counts.Executed[index]) + start.Executed[uint32(index)]
		enterStart(m, uint32(index), start)
		m.Reused = start.Reused[uint32(index)]
		if m.Status == report.Static || m.Status == report.Skipped || m.Reason == evaluate.KilledFromOutside {
			continue
		}
		k, killed := killers[index]
		switch {
		case killed:
			m.Status = report.Killed
			m.KillKind = k.Kind.String()
			m.Start.Killed = killedAtStart[index]
			if m.Reused {
				m.Start.Killed = 0 // no process of this run was
			}
			m.Detail = k.Detail
			m.Unconfirmed = ev.Unconfirmed[uint32(index)]
			if k.Input != evaluate.NoInput {
				m.KilledBy = p.Entries[k.Input].Name
			}
		case start.Left[uint32(index)] != "":
			m.Status, m.Reason = report.Pending, start.Left[uint32(index)]
		case ev.Late[uint32(index)]:
			m.Status, m.Reason = report.Pending, evaluate.NoTime
		case ev.NotRun[uint32(index)]:
			m.Status, m.Reason = report.Pending, evaluate.KilledFromOutside
		case ev.Counts.Reached[index] > 0 || start.Reached[uint32(index)]:
			m.Status = report.Survived
		default:
			m.Status = report.NotCovered
		}
		if m.Status == report.Survived {
			m.ReachedBy = reachedBy[uint32(index)]
			if diff, err := report.MutantDiff(t.Package.Program, &t.Package.Program.Mutants[i]); err == nil {
				m.Diff = diff
			}
		}
	}
	return list
}

// reachedBy names, by mutant, the first entry that infects it, or else the first that reaches it.
func (p *Replay) reachedBy() map[uint32]string {
	by := make(map[uint32]string)
	enter := func(of func(*wire.Result) []uint32) {
		for i := range min(len(p.Entries), len(p.Evaluation.Results)) {
			for _, m := range of(&p.Evaluation.Results[i]) {
				if by[m] == "" {
					by[m] = p.Entries[i].Name
				}
			}
		}
	}
	enter(func(r *wire.Result) []uint32 { return r.Infected })
	enter(func(r *wire.Result) []uint32 { return r.Reached })
	return by
}

// leaveUnjudged takes back what an evaluation says that was not ended: of a mutant that
// is not killed nothing is known.
func leaveUnjudged(ms []report.Mutant) {
	for i := range ms {
		if m := &ms[i]; m.Status == report.Survived || m.Status == report.NotCovered {
			m.Status, m.Diff, m.ReachedBy = report.Pending, "", ""
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
