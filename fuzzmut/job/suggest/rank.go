package suggest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/properties"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/witness"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/constraints"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// conclude has the properties that hold judge the survivors, and reports those that kill some
// that nothing else kills.
func (o *oracles) conclude(ctx context.Context) error {
	for _, c := range o.claims {
		if c.gone || c.trial == nil || ctx.Err() != nil {
			continue
		}
		if err := o.judgeBy(ctx, c); err != nil {
			return err
		}
	}
	var held []*claim
	covered := make(map[uint32]bool)
	for _, c := range o.claims {
		switch {
		case c.gone || c.trial == nil:
		case c.property() == nil:
			for m := range c.killed() {
				covered[m] = true
			}
		default:
			held = append(held, c)
		}
	}
	o.report.Held = len(held)
	return o.finish(ctx, held, covered)
}

// evaluationFuel is about what the mutants of all properties may burn in the end, in each
// worker: some ten seconds. One property has a part of it, and no less than the other.
const (
	evaluationFuel = 20_000_000_000
	leastFuel      = 300_000_000
)

// judgeBy runs survivors on the inputs of a property.
func (o *oracles) judgeBy(ctx context.Context, c *claim) error {
	inputs := o.given(c)
	own := slices.DeleteFunc(slices.Clone(c.inputs), func(in *corpus.Input) bool { return slices.ContainsFunc(inputs, in.Equal) })
	inputs = append(inputs, own[:min(len(own), inputsMost)]...)
	for m := range o.built.Program.Mutants {
		if k, ok := c.trial.Engine.Kills.First(uint32(m + 1)); ok && k.Input != nil {
			inputs = append(inputs, k.Input)
		}
	}
	slices.SortFunc(inputs, smaller)
	c.inputs = slices.CompactFunc(inputs, (*corpus.Input).Equal)
	if len(c.inputs) == 0 {
		return nil
	}
	c.trial.Phase("running it with mutants")
	stop := c.trial.Watch()
	list, err := o.assertions(ctx, c, c.inputs, max(evaluationFuel/int64(len(o.claims)), leastFuel))
	stop()
	c.kills = list
	return err
}

// assertions lists, by input, the survivors that a property kills by assertion.
func (o *oracles) assertions(ctx context.Context, c *claim, inputs []*corpus.Input, fuel int64) ([][]uint32, error) {
	by := make([][]uint32, len(inputs))
	ev, err := c.trial.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectInfected, Check: true, Fuel: fuel,
		Exclude: func(m uint32) bool { return !c.trial.Focus.Mutant(m) },
	})
	if err != nil && ctx.Err() == nil {
		return by, c.trial.EngineError(err)
	}
	if ev != nil {
		for _, k := range ev.Kills {
			if k.Kind == oracle.Assertion && k.Input >= 0 {
				by[k.Input] = append(by[k.Input], k.Mutant)
			}
		}
	}
	return by, nil
}

// killed are the survivors that a property kills.
func (c *claim) killed() map[uint32]bool {
	all := make(map[uint32]bool)
	for _, list := range c.kills {
		for _, m := range list {
			all[m] = true
		}
	}
	return all
}

// A ranked property kills survivors that no property before it kills.
type ranked struct {
	*claim
	alone map[uint32]bool
	name  string   // of the fuzz test that is written
	seeds []string // its inputs
	part  target.Part
	all   int
	left  string // why it is left out; "": it is not
}

// rank takes, again and again, the property that kills most survivors that are left, of
// several the first. Covered are survivors that count for none.
func rank(held []*claim, covered map[uint32]bool) (list []*ranked) {
	left := slices.Clone(held)
	for {
		best, most := -1, map[uint32]bool(nil)
		for i, c := range left {
			alone := make(map[uint32]bool)
			for m := range c.killed() {
				if !covered[m] {
					alone[m] = true
				}
			}
			if len(alone) > len(most) {
				best, most = i, alone
			}
		}
		if best < 0 {
			return list
		}
		for m := range most {
			covered[m] = true
		}
		list = append(list, &ranked{claim: left[best], alone: most})
		left = slices.Delete(left, best, best+1)
	}
}

// Bounds on what is done for the properties that are reported.
const (
	reportedMost = 16
	seedsMost    = 24
)

// roundsMost is how often properties are written, since those that are written first may not kill what
// the search for them has.
const roundsMost = 3

// finish writes the properties as fuzz tests with the inputs that kill, has these judge the
// survivors by themselves, and reports what they kill. What one does not kill then counts for the next
// property that kills it. Covered are survivors that count for none.
func (o *oracles) finish(ctx context.Context, held []*claim, covered map[uint32]bool) error {
	for round := 1; ; round++ {
		list := rank(held, maps.Clone(covered))
		o.report.Idle = len(held) - len(list)
		list, err := o.written(ctx, list)
		if err != nil || len(list) == 0 {
			return err
		}
		verdicts, err := o.verify(ctx, list)
		if err != nil || ctx.Err() != nil {
			return err
		}
		again := o.forgotten(list, verdicts, held)
		if round < roundsMost && (o.narrowed(list, verdicts) || again) {
			continue
		}
		if list = o.confirmed(list, verdicts); len(list) == 0 {
			return nil
		}
		return o.save(ctx, list)
	}
}

// written writes properties, and leaves out those without inputs.
func (o *oracles) written(ctx context.Context, list []*ranked) ([]*ranked, error) {
	list = list[:min(len(list), reportedMost)]
	for _, r := range list {
		if ctx.Err() != nil {
			break
		}
		if err := o.writeTest(ctx, r, shrinkTime/time.Duration(len(list))); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(r *ranked) bool { return len(r.seeds) == 0 }), nil
}

// forgotten has properties forget the survivors that their fuzz tests do not kill as they are written,
// and says whether another property kills one of these.
func (o *oracles) forgotten(list []*ranked, verdicts []map[key]*unittest.Verdict, held []*claim) (others bool) {
	for i, r := range list[:min(len(list), len(verdicts))] {
		for m := range r.alone {
			if verdicts[i][keyOf(&o.built.Program.Mutants[m-1])] != nil {
				continue
			}
			for k := range r.kills {
				r.kills[k] = slices.DeleteFunc(r.kills[k], func(n uint32) bool { return n == m })
			}
			others = others || slices.ContainsFunc(held, func(c *claim) bool { return c.killed()[m] })
		}
	}
	return others
}

// narrowed has properties of several relations check those alone that kill, and says whether there are
// others.
func (o *oracles) narrowed(list []*ranked, verdicts []map[key]*unittest.Verdict) (some bool) {
	for i, r := range list[:min(len(list), len(verdicts))] {
		var messages []string
		for _, v := range verdicts[i] {
			messages = append(messages, v.Detail)
		}
		slices.Sort(messages)
		if p := r.property().Narrowed(messages); p != nil {
			r.family, some = properties.Family{p}, true
		}
	}
	return some
}

// writeTest chooses the inputs of a property, makes them smaller, and writes the fuzz test.
func (o *oracles) writeTest(ctx context.Context, r *ranked, limit time.Duration) error {
	kills := make([][]uint32, len(r.kills))
	for i, list := range r.kills {
		for _, m := range list {
			if r.alone[m] {
				kills[i] = append(kills[i], m)
			}
		}
	}
	chosen := witness.Choose(r.inputs, kills, nil)
	chosen = chosen[:min(len(chosen), seedsMost)]
	if err := o.shrink(ctx, r.claim, chosen, limit); err != nil {
		return err
	}
	r.seeds = nil
	for _, w := range chosen {
		in := r.inputs[w.At]
		if s := r.small[w.At]; s.covers(w.Mutants) {
			in = s.input
		}
		if seed, ok := target.Seed(in.Values()); ok && !slices.Contains(r.seeds, seed) {
			r.seeds = append(r.seeds, seed)
		}
	}
	var err error
	r.name, r.all = r.property().Plain, len(r.killed())
	r.part, err = r.property().Source(r.name, r.seeds)
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	return nil
}

// shrunk is what an input was minimized to, with the survivors that it had to kill, and those that it
// kills by assertion.
type shrunk struct {
	input        *corpus.Input
	asked, kills []uint32
}

// covers says whether it kills all of some survivors. One that kills some of them in another way may not.
func (s *shrunk) covers(mutants []uint32) bool { return s != nil && within(mutants, s.kills) }

// within says whether all of some mutants are among others.
func within(mutants, others []uint32) bool {
	return !slices.ContainsFunc(mutants, func(m uint32) bool { return !slices.Contains(others, m) })
}

// shrink minimizes the inputs that were not minimized before for the same survivors: a property is written
// again where what it has to kill changes.
func (o *oracles) shrink(ctx context.Context, c *claim, chosen []witness.Witness, limit time.Duration) error {
	left := slices.DeleteFunc(slices.Clone(chosen), func(w witness.Witness) bool {
		s := c.small[w.At]
		return s != nil && within(w.Mutants, s.asked)
	})
	if len(left) == 0 {
		return nil
	}
	c.trial.Phase("minimizing %s", report.Plural(len(left), "input"))
	if err := witness.Shrink(ctx, c.trial, left, 0, limit); err != nil {
		return err
	}
	inputs := make([]*corpus.Input, len(left))
	for i, w := range left {
		inputs[i] = w.Input
	}
	kills, err := o.assertions(ctx, c, inputs, leastFuel)
	if err != nil {
		return err
	}
	if c.small == nil {
		c.small = make(map[int]*shrunk)
	}
	for i, w := range left {
		c.small[w.At] = &shrunk{input: w.Input, asked: w.Mutants, kills: kills[i]}
	}
	return nil
}

// file is the test file of the properties.
func (o *oracles) file(list []*ranked) (map[string][]byte, error) {
	var parts []target.Part
	for _, r := range list {
		parts = append(parts, r.part)
	}
	text, err := target.Join(o.loaded.Packages[0].Name, oraclesMark, parts...)
	if err == nil {
		text, err = constraints.Constrained(o.loaded, text)
	}
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "%w", err)
	}
	return map[string][]byte{filepath.Join(o.loaded.Test.Dir, oraclesFile): text}, nil
}

// oraclesFile is what -write-test writes the properties to, and oraclesMark its first lines.
const (
	oraclesFile = "fuzzmut_oracles_test.go"
	oraclesMark = "// Properties that kill mutants which no other test kills, by fuzzmut suggest -oracles -write-test.\n" +
		"// They held on all inputs that were tried: check that they are meant to hold.\n"
)

// verify runs the written fuzz tests as go test does, each with the survivors that it is to
// kill.
func (o *oracles) verify(ctx context.Context, list []*ranked) ([]map[key]*unittest.Verdict, error) {
	files, err := o.file(list)
	if err != nil {
		return nil, err
	}
	o.project.Phase(o.pkg, "building %s, to see what %s", report.Plural(len(list), "written test"), report.Verb(len(list), "it kills", "they kill"))
	b, err := o.builder.BuildTests(ctx, o.pkg, "oracles", func(cfg *load.Config) { cfg.Overlay = files })
	if ctx.Err() != nil {
		return nil, nil
	}
	if err != nil || b == nil {
		return nil, exit.Errorf(exit.Internal, "the written tests do not compile, please report it: %w", err)
	}
	var all []map[key]*unittest.Verdict
	for _, r := range list {
		wanted := make(map[key]bool)
		for m := range r.alone {
			wanted[keyOf(&o.built.Program.Mutants[m-1])] = true
		}
		opts := o.unitOptions(b)
		opts.Run, opts.Mutants = "^"+r.name+"$", []uint32{}
		for _, n := range candidates(b.Program) {
			if wanted[keyOf(&b.Program.Mutants[n-1])] {
				opts.Mutants = append(opts.Mutants, n)
			}
		}
		o.project.Phase(o.pkg, "running %s with %s", r.name, report.Plural(len(opts.Mutants), "mutant"))
		killed, err := o.killedBy(ctx, b.Program, opts)
		if err != nil {
			return nil, err
		}
		all = append(all, killed)
	}
	return all, nil
}

// killedBy runs tests, and returns the verdicts on mutants that they kill by assertion.
func (o *oracles) killedBy(ctx context.Context, program *instrument.Program, opts unittest.Options) (map[key]*unittest.Verdict, error) {
	killed := make(map[key]*unittest.Verdict)
	res, err := o.runTests(ctx, opts)
	var red *unittest.BaselineError
	if errors.As(err, &red) {
		return killed, nil // it does not pass each time
	}
	if err != nil {
		return nil, err
	}
	for i := range res.Verdicts {
		if v := &res.Verdicts[i]; v.Status == unittest.StatusKilled && v.Kind == oracle.Assertion {
			killed[keyOf(&program.Mutants[v.Mutant-1])] = v
		}
	}
	return killed, nil
}

// confirmed keeps the properties whose fuzz tests kill something, with that.
func (o *oracles) confirmed(list []*ranked, verdicts []map[key]*unittest.Verdict) (left []*ranked) {
	by := make(map[*ranked]suggestion.Property)
	for i, r := range list {
		if i >= len(verdicts) || len(verdicts[i]) == 0 {
			o.report.Idle++
			continue
		}
		p := r.property()
		said := suggestion.Property{Test: r.name, Kind: string(p.Kind), Sentence: p.Sentence, Functions: p.Functions, Source: r.part.Text, All: r.all}
		for k, v := range verdicts[i] {
			m := o.describe(k, v)
			m.Seen = seenByFuzzTest(v)
			said.Kills = append(said.Kills, m)
			o.survivors[k].closed = true
		}
		slices.SortFunc(said.Kills, compareMutants)
		by[r] = said
		left = append(left, r)
	}
	slices.SortStableFunc(left, func(a, b *ranked) int { return len(by[b].Kills) - len(by[a].Kills) })
	for _, r := range left {
		o.report.Properties = append(o.report.Properties, by[r])
		o.report.Asserted += len(by[r].Kills)
	}
	return left
}

// compareMutants sorts by place.
func compareMutants(a, b suggestion.Mutant) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.ID, b.ID))
}

// seenByFuzzTest is what a fuzz test has said of a mutant, without where.
func seenByFuzzTest(v *unittest.Verdict) string {
	for line := range strings.Lines(v.Detail) {
		if said := withoutPlace(line); said != line {
			return withEmpty(strings.TrimRight(said, "\n"))
		}
	}
	return seen(v)
}

// withoutPlace is what a test says without its file, which is not there, and line.
func withoutPlace(text string) string {
	if _, rest, ok := strings.Cut(text, "_test.go:"); ok {
		if _, said, ok := strings.Cut(rest, ": "); ok {
			return said
		}
	}
	return text
}

// save makes sure that go test passes the fuzz tests, and writes them if that is asked for.
func (o *oracles) save(ctx context.Context, list []*ranked) error {
	files, err := o.file(list)
	if err != nil {
		return err
	}
	o.project.Phase(o.pkg, "running the written tests with go test")
	err = o.passes(ctx, files, namesOf(list), 1)
	if left := o.steady(ctx, list, files, err); len(left) < len(list) {
		if o.takeBack(list, left); len(left) == 0 {
			return nil
		}
		return o.save(ctx, left)
	}
	if err != nil {
		return err
	}
	return o.write(files)
}

func namesOf(list []*ranked) (names []string) {
	for _, r := range list {
		names = append(names, r.name)
	}
	return names
}

// steady leaves out the properties whose fuzz tests fail with go test, where err is that some do.
func (o *oracles) steady(ctx context.Context, list []*ranked, files map[string][]byte, err error) []*ranked {
	if exit.CodeOf(err) != exit.Failing {
		return list
	}
	failed := o.failingAlone(ctx, files, namesOf(list))
	if ctx.Err() != nil {
		return list
	}
	var left []*ranked
	for _, r := range list {
		if r.left = failed[r.name]; r.left == "" {
			left = append(left, r)
		}
	}
	return left
}

// takeBack takes properties out of the report that are left out.
func (o *oracles) takeBack(list, left []*ranked) {
	for _, r := range list {
		if slices.Contains(left, r) {
			continue
		}
		at := slices.IndexFunc(o.report.Properties, func(p suggestion.Property) bool { return p.Test == r.name })
		kills := len(o.report.Properties[at].Kills)
		o.report.Properties = slices.Delete(o.report.Properties, at, at+1)
		o.report.Asserted -= kills
		o.report.Held--
		o.session.leave(r.name, cmp.Or(r.left, failsAlone), kills)
	}
}
