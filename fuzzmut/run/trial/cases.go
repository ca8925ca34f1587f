package trial

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/tyche"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// cases says what became of each entry.
func (p *Replay) cases() []tyche.Case {
	kills := make(map[int]int)
	for _, k := range p.Kills() {
		if k.Input != evaluate.NoInput {
			kills[k.Input]++
		}
	}
	cases := make([]tyche.Case, len(p.Entries))
	for i := range p.Entries {
		c, r := &cases[i], &p.Evaluation.Results[i]
		p.describe(c, &p.Entries[i])
		c.Status, c.StatusReason = statusOf(r.Outcome)
		c.Features.Kills, c.Features.Work = kills[i], r.Cost
		c.Coverage, c.Features.Blocks = p.lines(r.Features)
	}
	return cases
}

// describe fills in what an entry is.
func (p *Replay) describe(c *tyche.Case, e *corpus.Entry) {
	values := e.Input.Values()
	source := strings.Split(strings.TrimSpace(string(e.Input.Encode())), "\n")[1:] // after the version
	c.Property, c.RunStart = p.Trial.Name(), p.Trial.Start.Unix()
	c.Representation, c.Arguments = strings.Join(source, ", "), make(map[string]string)
	for i := range min(len(values), len(source)) {
		c.Arguments[strconv.Itoa(i+1)] = source[i]
	}
	c.Features.Size, c.Metadata.Entry = len(strings.Join(source, "")), e.Name
	switch {
	case e.Source == corpus.Seed:
		c.HowGenerated = "seed of f.Add"
	case e.Managed():
		c.HowGenerated = "found by fuzzmut"
	default:
		c.HowGenerated = "file of the user"
	}
}

// statusOf is what an outcome is for the format.
func statusOf(o wire.Outcome) (status, reason string) {
	switch {
	case o.Kind.Failed():
		return tyche.Failed, FailureKind(o) + ": " + o.Message
	case o.Kind == wire.Skip:
		return tyche.GaveUp, ""
	}
	return tyche.Passed, ""
}

// lines are those of the blocks that are covered, and how many blocks that are.
func (p *Replay) lines(features wire.Features) (lines map[string][]int, blocks int) {
	program := p.Trial.Package.Program
	seen := make(map[int]bool)
	lines = make(map[string][]int)
	for _, f := range features {
		n := f.Block()
		if seen[n] || n >= len(program.Blocks) {
			continue
		}
		seen[n] = true
		b := &program.Blocks[n]
		file := report.RelativeFile(program.Test.ModuleDir, b.File)
		for line := b.Line; line <= max(b.Line, b.EndLine); line++ {
			lines[file] = append(lines[file], line)
		}
	}
	for file, list := range lines {
		slices.Sort(list)
		lines[file] = slices.Compact(list)
	}
	return lines, len(seen)
}
