package diff

import (
	"context"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// observeAgain runs the inputs that were observed a second time on each side, in their order, since
// what one leaves behind may show in the next. What is another in other processes and with other
// orders of maps, like an address in a text, is no difference between the sides. Inputs on which a
// side does not end stay as they are: each would take as long again.
func (c *comparison) observeAgain(ctx context.Context, list []*difference) error {
	list = slices.DeleteFunc(slices.Clone(list), func(d *difference) bool { return d.sides[before].Hangs || d.sides[after].Hangs })
	if !slices.ContainsFunc(list, func(d *difference) bool { return len(changes(d)) > 0 }) {
		return nil
	}
	was := make([][]golden.Change, len(list))
	for i, d := range list {
		was[i] = changes(d)
	}
	for side, t := range c.trials {
		more, err := observed.Again(ctx, t, entriesOf(list))
		if err != nil {
			return err
		}
		for i, d := range list {
			if d.sides[before].Failure == "" && d.sides[after].Failure == "" {
				d.sides[side].Merge(&more[i])
			}
		}
	}
	for i, d := range list {
		now := changes(d)
		for _, ch := range was[i] {
			if !slices.ContainsFunc(now, func(o golden.Change) bool { return o.Name == ch.Name }) {
				c.noteUnstable(ch.Name)
			}
		}
	}
	return nil
}

// noteUnstable notes that a value differs from run to run.
func (c *comparison) noteUnstable(name string) {
	if c.unstable == nil {
		c.unstable = make(map[string]bool)
	}
	c.unstable[(&behavior.Value{Name: name}).Of()] = true
}

// noteUnstableOf notes what differs from run to run in an input that was run often.
func (c *comparison) noteUnstableOf(d *difference) {
	for side := range d.sides {
		for _, v := range d.sides[side].Values {
			if strings.Contains(v.Text, golden.Unstable) {
				c.noteUnstable(v.Name)
			}
		}
	}
}

// onlyUnstable says whether all differences are in values that are known to differ from run to run.
func (c *comparison) onlyUnstable(list []*difference) bool {
	for _, d := range list {
		different := changes(d)
		if len(different) == 0 || d.More {
			return false
		}
		for _, ch := range different {
			if !c.unstable[(&behavior.Value{Name: ch.Name}).Of()] {
				return false
			}
		}
	}
	return true
}

// reportUnstable adds what explaining has shown to differ from run to run to what the search knew.
func (c *comparison) reportUnstable() {
	for name := range c.unstable {
		if !slices.Contains(c.report.Unstable, name) {
			c.report.Unstable = append(c.report.Unstable, name)
		}
	}
	slices.Sort(c.report.Unstable)
}
