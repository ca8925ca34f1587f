package show

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// describe says what is known of an entry without running it.
func describe(t *trial.Trial, e *corpus.Entry, values *golden.Entry) report.ListedEntry {
	l := report.ListedEntry{Name: e.Name, Input: corpus.Line(e.Input.Values()), Origin: report.OriginUser}
	switch {
	case e.Source == corpus.Seed:
		l.Origin = report.OriginSeed
	case e.Managed():
		l.Origin = report.OriginFuzzmut
	}
	if e.Path != "" {
		l.Path = report.RelativeFile(t.Package.Program.Test.ModuleDir, e.Path)
	}
	if values != nil {
		for _, v := range values.Values {
			l.Values = append(l.Values, report.ListedValue{Name: v.Name, Text: v.Text})
		}
	}
	return l
}

// addReasons says which mutants an entry kills, and what no other entry does.
func addReasons(t *trial.Trial, list *report.ListedTest, ev *evaluate.Evaluation) {
	killers, first := make(map[uint32]int), make(map[uint32]int)
	for _, k := range ev.Kills {
		if k.Input != evaluate.NoInput {
			killers[k.Mutant]++
			first[k.Mutant] = k.Input
			list.Entries[k.Input].Kills++
		}
	}
	covering := make(map[int]int)
	for i := range ev.Results {
		for _, b := range blocksOf(t, ev, i) {
			covering[b]++
		}
	}
	for i := range list.Entries {
		if o := &ev.Results[i].Outcome; o.Kind.Failed() {
			list.Entries[i].Failure = cmp.Or(trial.FirstLine(o.Message), o.Kind.String())
		}
		for _, b := range blocksOf(t, ev, i) {
			list.Entries[i].Blocks++
			if covering[b] == 1 {
				list.Entries[i].AloneBlocks++
			}
		}
	}
	for i := range t.Package.Program.Mutants {
		m := &t.Package.Program.Mutants[i]
		index := uint32(m.Index)
		switch {
		case killers[index] == 1:
			e := &list.Entries[first[index]]
			e.Alone = append(e.Alone, report.ListedMutant{
				ID: m.ID, File: report.RelativeFile(t.Package.Program.Test.ModuleDir, m.File), Line: m.Line, Operator: m.Operator,
			})
			fallthrough
		case killers[index] > 1:
			list.Killed++
		}
	}
	list.Covered = len(covering)
}

// blocksOf lists the blocks that an entry covers.
func blocksOf(t *trial.Trial, ev *evaluate.Evaluation, i int) (blocks []int) {
	for _, f := range ev.Results[i].Features {
		if b := f.Block(); b < len(t.Package.Program.Blocks) {
			blocks = append(blocks, b)
		}
	}
	slices.Sort(blocks)
	return slices.Compact(blocks)
}
