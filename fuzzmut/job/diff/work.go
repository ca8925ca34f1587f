package diff

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// WorkFactor is by how much the work on an input has to grow to be a difference, unless
// Options.Work says something else: changes that only move code stay far below.
const WorkFactor = 4

// measure says how the work of both sides is compared. It is not where a file burns fuel
// on one side alone: what the other side does there is not counted.
func (j *job) measure(s *sides) lockstep.Measure {
	if j.opts.Work == 0 {
		return lockstep.Measure{}
	}
	alone := [2][]string{filesLeft(s.pkgs[before].Program), filesLeft(s.pkgs[after].Program)}
	for i, files := range alone {
		for _, f := range files {
			if !slices.Contains(alone[1-i], f) {
				j.leaveOut("the work of "+s.pkgs[after].Loaded.Test.ImportPath, f+" can be rewritten on one side only, so that the work there is not counted on both")
				return lockstep.Measure{}
			}
		}
	}
	return lockstep.Measure{Factor: j.opts.Work}
}

// filesLeft lists the files of rewritten packages that are left as they were.
func filesLeft(p *instrument.Program) (files []string) {
	for _, s := range p.Skips {
		if s.What == "file" {
			files = append(files, s.Package+"/"+filepath.Base(s.File))
		}
	}
	return files
}

// workOnly says that new code does much more on an input, and nothing else.
func (d *difference) workOnly() bool { return d.More && len(changes(d)) == 0 }

// byKind separates inputs on which new code alone fails, those that differ in something else,
// and those that differ in work alone. One part of the change may do all of that: what is
// meant must not hide that new code fails on other inputs.
func byKind(list []*difference) (kinds [3][]*difference) {
	for _, d := range list {
		at := 1
		switch {
		case d.workOnly():
			at = 2
		case kindOf(d) == behavior.KindPanic:
			at = 0
		}
		kinds[at] = append(kinds[at], d)
	}
	return kinds
}

// once runs inputs as observed.Once does. Where work counts it runs all of them twice:
// what is done once in a process says nothing about an input.
func once(ctx context.Context, t *trial.Trial, list []*difference) ([]observed.Observation, error) {
	entries := entriesOf(list)
	if !slices.ContainsFunc(list, (*difference).workOnly) {
		return observed.Once(ctx, t, entries)
	}
	seen, err := observed.Once(ctx, t, slices.Concat(entries, entries))
	if err != nil {
		return nil, err
	}
	for i, again := range seen[len(entries):] {
		seen[i].Fuel, seen[i].Bytes = min(seen[i].Fuel, again.Fuel), min(seen[i].Bytes, again.Bytes)
	}
	return seen[:len(entries)], nil
}

// weigh takes the work over from what was observed in separate processes.
func (c *comparison) weigh(d *difference) {
	for side := range d.sides {
		d.Runs[side].Work = workOf(&d.sides[side])
		d.More = d.More && d.sides[side].Failure == ""
	}
	d.More = d.More && c.sides.work.More(d.Runs[before].Work, d.Runs[after].Work, d.Input.Len())
}

// isRepaired says whether a run without a part of the change is as it was before: in what it
// shows and, if that is the difference, in its work.
func (c *comparison) isRepaired(d *difference, without *observed.Observation) bool {
	return len(observed.Compare(&d.sides[before], without)) == 0 &&
		!(d.workOnly() && c.sides.work.More(d.Runs[before].Work, workOf(without), d.Input.Len()))
}

// workOf is the work of an observed run.
func workOf(o *observed.Observation) lockstep.Work {
	return lockstep.Work{Fuel: o.Fuel, Bytes: o.Bytes}
}

// growth is how many times as much work is done now, in what has grown more.
func growth(before, now lockstep.Work) float64 {
	times := func(before, now int64) float64 { return float64(now) / float64(max(before, 1)) }
	if before.Bytes == 0 || now.Bytes == 0 {
		return times(before.Fuel, now.Fuel)
	}
	return max(times(before.Fuel, now.Fuel), times(before.Bytes, now.Bytes))
}
