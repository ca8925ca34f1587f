package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/growth"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// defaultCost is the exponent above which growth is too fast where no directive says another.
const defaultCost = 1.5

// placesMost bounds the places whose inputs are measured: each takes seconds.
const placesMost = 10

// weighLeast is the least time for it, if the clock bounds it at all. A place
// takes a second or two of a processor, which may be shared with other work.
const weighLeast = 15 * time.Second

// weighCosts has fresh processes measure the inputs that the search has found to cost too
// much, and enters into the result those that do.
func (c *Campaign) weighCosts(ctx context.Context) error {
	limit := c.endTime()
	if limit > 0 {
		limit = max(limit, weighLeast)
	}
	return c.weighWithin(ctx, limit)
}

// weighWithin is weighCosts within a time; 0: there is no bound.
func (c *Campaign) weighWithin(ctx context.Context, limit time.Duration) (err error) {
	t := c.Trial
	places := t.Engine.Growth.Places()
	if len(places) == 0 {
		return nil
	}
	bounds := costBounds{list: t.Package.Loaded.CostBounds(), test: t.Test.Name}
	places = slices.DeleteFunc(places, func(list []growth.Candidate) bool { return bounds.allow(list) })
	t.Phase("measuring inputs that may cost too much, of %s", report.Plural(len(places), "place"))
	if len(places) > placesMost {
		t.Warn("inputs of " + report.Plural(len(places), "place") + " may cost too much; those of " + strconv.Itoa(placesMost) + " are measured")
		places = places[:placesMost]
	}
	user := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	refuted := 0
	defer func() { err = errors.Join(err, c.writeBenchmarks(user)) }()
	for i, list := range places {
		found, err := c.weighPlace(ctx, list, &bounds)
		switch {
		case user.Err() != nil:
			return nil // what is known will do
		case ctx.Err() != nil:
			t.Warn("inputs of " + report.Plural(len(places)-i, "place") + " may cost too much, and there was no time to measure them: a longer -fuzztime gives more")
			return nil
		case err != nil:
			return exit.Errorf(exit.Internal, "measuring inputs that may cost too much: %w", err)
		}
		if !found {
			refuted++
		}
	}
	if err := c.stopGrowth(ctx); err != nil {
		return exit.Errorf(exit.Internal, "looking for what stops the growth of costly inputs: %w", err)
	}
	if refuted > 0 {
		t.Note("inputs of %s seemed to cost too much, and do not when measured", report.Plural(refuted, "place"))
	}
	return nil
}

// weighPlace measures the inputs of one place until one costs too much.
func (c *Campaign) weighPlace(ctx context.Context, list []growth.Candidate, bounds *costBounds) (found bool, err error) {
	for i := range list {
		n := &list[i]
		grown, err := c.Trial.Engine.Growth.Measure(ctx, n)
		if err != nil || grown == nil {
			return false, err
		}
		bound := max(bounds.of(grown.Frames), bounds.of(grown.Allocates), bounds.of(n.Frames))
		v := growth.Judge(grown.Sizes, bound)
		frames := grown.Frames
		if v.Grows == growth.Bytes {
			frames = grown.Allocates
		}
		if len(frames) == 0 {
			frames = n.Frames
		}
		if v.Why != "" {
			c.logf("not a costly input, %s: %s", v.Why, pumpSource(&n.Pump))
			continue
		}
		if c.enterCost(n, grown, frames, &v) {
			c.costly = append(c.costly, costlyInput{n, frames, v, bound})
		}
		return true, nil
	}
	return false, nil
}

// enterCost enters a costly input into the result, and reports whether its place had none.
func (c *Campaign) enterCost(n *growth.Candidate, grown *wire.Grown, frames []string, v *growth.Verdict) bool {
	t := c.Trial
	cost := report.Cost{
		Grows: v.Grows, Exponent: round(v.Exponent), TimeExponent: round(v.Time),
		Frames: trial.Frames(t.Package.Program.Test.ModuleDir, frames), Argument: n.Arg, Pump: pumpSource(&n.Pump), Others: others(n),
		MegabyteSeconds: v.AtMegabyte.Seconds(), Extrapolated: v.Extrapolated, Count: t.Engine.Growth.Count(n.Place),
		FoundSeconds: t.Engine.Growth.First(n.Place).Sub(t.Start).Seconds(),
	}
	if len(frames) > 0 {
		cost.Function, _, _ = strings.Cut(frames[0], " ")
	}
	for _, s := range grown.Sizes {
		cost.Curve = append(cost.Curve, report.CostPoint{Times: s.Times, Length: s.Len, Work: s.Fuel, Allocated: s.Bytes, Seconds: s.CPU.Seconds()})
	}
	if slices.ContainsFunc(c.result.Costs, func(have report.Cost) bool { return have.Function == cost.Function }) {
		return false
	}
	c.result.Costs = append(c.result.Costs, cost)
	return true
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// others lists the arguments as Go source, if there are several.
func others(n *growth.Candidate) []string {
	if len(n.Input.Values()) < 2 {
		return []string{}
	}
	return strings.Split(strings.TrimSpace(string(n.Input.Encode())), "\n")[1:]
}

// costBounds are the directives that say how a cost may grow.
type costBounds struct {
	list []load.CostBound
	test string // the fuzz test
}

// of returns the exponent above which the growth of work with these frames is too fast: the
// highest that one of the functions has, or the fuzz test.
func (b *costBounds) of(frames []string) float64 {
	most := defaultCost
	for _, d := range b.list {
		if d.Name == b.test || slices.ContainsFunc(frames, func(frame string) bool { return within(frame, &d) }) {
			most = max(most, d.Exponent)
		}
	}
	return most
}

// allow reports whether the growth of all candidates is what directives say.
func (b *costBounds) allow(list []growth.Candidate) bool {
	for i := range list {
		bound := b.of(list[i].Frames)
		if bound >= load.Any {
			continue
		}
		if bound == defaultCost || len(list[i].Sizes) < growth.LeastSizes || growth.Judge(list[i].Sizes, bound).Grows != "" {
			return false
		}
	}
	return true
}

// within reports whether a frame is in a function.
func within(frame string, d *load.CostBound) bool {
	_, pos, _ := strings.Cut(frame, " ")
	i := strings.LastIndexByte(pos, ':')
	if i < 0 || pos[:i] != d.File {
		return false
	}
	line, err := strconv.Atoi(pos[i+1:])
	return err == nil && d.Line <= line && line <= d.End
}

// pumpSource writes a pump as a Go expression of n, the number of repetitions.
func pumpSource(p *wire.Pump) string {
	var terms []string
	text := func(b []byte) {
		if len(b) > 0 {
			terms = append(terms, strconv.Quote(string(b)))
		}
	}
	repeated := func(b []byte, at int) {
		switch {
		case len(b) == 0:
		case p.Count:
			terms = append(terms, "numbered("+strconv.Quote(string(b[:at]))+", "+strconv.Quote(string(b[at:]))+", n)")
		default:
			terms = append(terms, "strings.Repeat("+strconv.Quote(string(b))+", n)")
		}
	}
	text(p.Prefix)
	repeated(p.First, p.FirstAt)
	text(p.Middle)
	repeated(p.Second, p.SecondAt)
	text(p.Suffix)
	return cmp.Or(strings.Join(terms, " + "), `""`)
}

// logf writes a line to the log of details.
func (c *Campaign) logf(format string, args ...any) {
	if log := c.Trial.Project.Options.Log; log != nil {
		fmt.Fprintf(log, c.Trial.Name()+": "+format+"\n", args...) //nolint:errcheck // details
	}
}
