package diff

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// compare compares the two sides by the fuzz tests of one package.
func (j *job) compare(ctx context.Context, pkg string) error {
	j.project.LoadPhase(pkg)
	s, err := j.load(ctx, pkg)
	var bad *problem.Error
	switch {
	case errors.As(err, &bad) && (bad.Kind == problem.KindNothingToMutate || bad.Kind == problem.KindNoFuzzTests || bad.Kind == problem.KindNoFuzzMatch):
		j.leaveOut(pkg, bad.Error())
		if bad.Kind == problem.KindNothingToMutate {
			j.unneeded++
		}
		return nil
	case err != nil:
		return exit.AsUsage(err)
	}
	if err := j.readMeant(s.pkgs[after].Loaded); err != nil {
		return err
	}
	if j.needed == nil {
		j.needed = make(map[int]bool)
	}
	for i := range j.pair.Files {
		j.needed[i] = j.needed[i] || s.changed.file(&j.pair.Files[i])
	}
	if err := j.build(ctx, s); err != nil {
		return exit.AsUsage(err)
	}
	j.project.WarnBuild(s.pkgs[after].Program)
	errs := []error{j.compareBy(ctx, s, pkg, s.pkgs[after].Program.Test.Fuzz)}
	more, err := j.deriveMore(ctx, pkg, s)
	if err != nil {
		errs = append(errs, exit.AsUsage(err))
	}
	if more != nil {
		errs = append(errs, j.compareBy(ctx, more, pkg, more.fresh))
		more.take(s)
		s = more
	}
	if j.opts.Input == nil {
		r := j.reach(s)
		j.report.Reach = append(j.report.Reach, r)
		if r.Blocks.Some == 0 {
			j.showWay(r.Package, s.changed.wayThere())
		}
	}
	return errors.Join(errs...)
}

// compareBy compares the two sides by some fuzz tests of them.
func (j *job) compareBy(ctx context.Context, s *sides, pkg string, tests []instrument.FuzzTest) error {
	r := j.reverts(s, pkg)
	var errs []error
	for i, test := range tests {
		if ctx.Err() != nil {
			break
		}
		if all := j.opts.Total.Duration; all > 0 && j.spent >= all {
			j.leaveOut(pkg+"."+test.Name, "the time of -total is used up")
			continue
		}
		c := &comparison{job: j, sides: s, test: test, repairs: r, follow: len(tests) - 1 - i + j.later}
		err := c.run(ctx)
		if c.report != nil {
			j.report.Tests = append(j.report.Tests, *c.report)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// leaveOut notes what is not compared, and why.
func (j *job) leaveOut(what, why string) {
	j.report.NotCompared = append(j.report.NotCompared, behavior.Note{What: what, Reason: why})
}

// comparison is the work on one fuzz test.
type comparison struct {
	*job
	sides   *sides
	test    instrument.FuzzTest
	repairs *revert.Builder
	trials  [2]*trial.Trial
	search  *lockstep.Search
	report  *behavior.Test
	// unstable are values that differ from run to run on one side, without the number of the call,
	// as far as that has shown in what the search took for differences.
	unstable map[string]bool
	follow   int       // fuzz tests, and packages, that are still to be compared
	end      time.Time // when all has to end; zero: at no time
}

// importPath is that of the package under test.
func (c *comparison) importPath() string { return c.trials[after].Package.Program.Test.ImportPath }

// run searches for differences, and for their causes.
func (c *comparison) run(ctx context.Context) error {
	c.search = &lockstep.Search{Work: c.sides.work, CoverageOnly: c.opts.CoverageOnly}
	for i, b := range c.sides.pkgs {
		c.search.Changed[i] = c.sides.changed.holds(i)
		if c.trials[i] = c.trialOf(b, c.search.Hooks()); c.trials[i] == nil {
			c.leaveOut(b.Loaded.Test.ImportPath+"."+c.test.Name, "there is none in "+c.side(i).Name)
			return nil
		}
	}
	begin := time.Now()
	// What is derived, and nobody has asked for, is left out where it can't be run.
	derived := func(err error, code exit.Code) bool { return c.test.Target != "" && exit.CodeOf(err) == code }
	if err := c.greet(ctx); err != nil {
		if !derived(err, exit.Usage) {
			return err
		}
		why := err.Error()
		if no := (*trial.UnderivedError)(nil); errors.As(err, &no) {
			why = no.Short()
		}
		c.leaveOut(c.test.Target, why)
		return nil
	}
	look := c.look
	if c.opts.Input != nil {
		look = c.lookAt
	}
	defer c.search.Close()
	if err := look(ctx); err != nil {
		err = c.trials[after].EngineError(err)
		if c.opts.Fuzz != "" || c.opts.Input != nil || !derived(err, exit.Baseline) {
			return err
		}
		c.leaveOut(c.test.Target, err.Error())
		return nil
	}
	found := c.search.Found()
	c.report.Seconds = time.Since(begin).Seconds()
	if len(found.Groups) == 0 {
		return nil
	}
	c.end, _ = ctx.Deadline()
	ctx, stop := exit.Graceful(ctx, cmp.Or(c.opts.Grace, graceTime))
	defer stop()
	err := c.explain(ctx, &found)
	c.report.Cut = c.report.Cut || ctx.Err() != nil
	return err
}

// look searches for inputs on which the sides differ.
func (c *comparison) look(ctx context.Context) error {
	t := c.trials[after]
	t.Phase("running %s on both sides", trial.DescribeCorpus(len(t.Given), len(t.Cached)))
	budget := c.budget()
	for _, t := range c.trials {
		if err := lockstep.Baseline(ctx, t, budget); err != nil {
			return err
		}
	}
	c.search.Begin(c.trials[before], c.trials[after], c.project.Options.Parallel)
	c.search.Samples = t.SamplesOf(c.sides.rows)
	begin := time.Now()
	t.Phase("looking for differences for %v, seed %d", budget, c.project.Options.Seed)
	stop := t.WatchFuzzing(budget)
	err := c.search.Run(ctx, budget)
	c.spent += time.Since(begin)
	stop()
	if err != nil {
		return err
	}
	found := c.search.Found()
	c.report = c.describe(&found)
	return c.sensitivity(ctx)
}

// lookAt compares the one input that was asked for.
func (c *comparison) lookAt(ctx context.Context) error {
	in, err := c.input()
	if err != nil {
		return err
	}
	c.search.Begin(c.trials[before], c.trials[after], 1)
	if err := c.search.Only(ctx, in); err != nil {
		return err
	}
	if err := c.trace(ctx, in); err != nil {
		return err
	}
	found := c.search.Found()
	c.report = c.describe(&found)
	return nil
}

// trace notes what one input covers on each side: only what it reaches may be the cause of what differs.
// What it covers where it fails is not known.
func (c *comparison) trace(ctx context.Context, in *corpus.Input) error {
	for side, t := range c.trials {
		ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: []*corpus.Input{in}, Select: wire.SelectNone})
		if err != nil {
			return t.EngineError(err)
		}
		if r := &ev.Results[0]; r.Outcome.Kind.Failed() || r.Outcome.Kind == wire.Slow {
			c.sides.untraced = true
		} else {
			c.sides.coverBy(side, r.Features)
		}
	}
	return nil
}

// input reads the input that was asked for.
func (c *comparison) input() (*corpus.Input, error) {
	vals, err := corpus.Unmarshal([]byte(corpusHeader + strings.Join(c.opts.Input, "\n") + "\n"))
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-input: %w; write an argument as in a corpus file, like string(\"x\"), and the flag once for each argument", err)
	}
	in := corpus.Of(vals...)
	if t := c.trials[after]; !in.Is(t.Types) {
		return nil, exit.Errorf(exit.Usage, "-input: %s takes %s: write the flag once for each argument, and choose the fuzz test with -fuzz", t.Name(), strings.Join(t.Types, ", "))
	}
	return in, nil
}

// corpusHeader begins Go's corpus files.
const corpusHeader = "go test fuzz v1\n"

// greet asks both sides for what they begin with.
func (c *comparison) greet(ctx context.Context) error {
	for _, t := range c.trials {
		if err := t.Greet(ctx); err != nil {
			return err
		}
		if t.Project.Options.FuzzTime.Execs == 0 {
			t.ReadCache()
		}
	}
	if err := lockstep.CheckAlike(c.trials[before], c.trials[after]); err != nil {
		return exit.Errorf(exit.Usage, "%s: %w", c.trials[after].Name(), err)
	}
	return nil
}

// describe says how far the search has come.
func (c *comparison) describe(f *lockstep.Found) *behavior.Test {
	t := c.trials[after]
	r := &behavior.Test{
		Package: t.Package.Program.Test.ImportPath, Name: c.test.Name, Derived: c.test.Target,
		Execs: f.Compared, Lost: f.Lost, First: f.First, Ended: f.Ended, Inside: len(f.Inside),
		Unstable: c.search.Lockstep().Unstable(), Untried: len(c.search.Samples) - f.Tried, Left: f.Left, Slow: f.Slow,
	}
	for side, t := range c.trials {
		c.sides.cover(side, t)
	}
	c.climb(f)
	return r
}

// showWay says what a user can do, where no fuzz test of a package has reached the changed code.
func (j *job) showWay(pkg, way string) {
	for i := range j.report.Tests {
		if t := &j.report.Tests[i]; t.Package == pkg && t.Ended == lockstep.Unreached {
			t.Ended += way
		}
	}
}

// reach says how far the fuzz tests of the package came together.
func (j *job) reach(s *sides) behavior.Reach {
	p := s.pkgs[after].Program
	r := behavior.Reach{Package: p.Test.ImportPath}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if !s.changed.touches(after, b.File, b.Line, b.EndLine) {
			continue
		}
		if r.Blocks.All++; s.covered[after][i] {
			r.Blocks.Some++
		} else {
			r.NotReach = append(r.NotReach, behavior.Place{File: j.relative(p, b.File), Line: b.Line})
		}
	}
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if m.Status != instrument.StatusLive || m.FuncIndex < 0 || !j.project.Filter.RunsMutants() || j.isFresh(&p.Funcs[m.FuncIndex]) {
			continue
		}
		if r.Unmeasured = s.unmeasured; r.Unmeasured {
			break
		}
		if r.Mutants.All++; s.killed[m.Index] {
			r.Mutants.Some++
		} else {
			r.NotSeen = append(r.NotSeen, behavior.Place{File: j.relative(p, m.File), Line: m.Line, Column: m.Column, Text: m.Description})
		}
	}
	return r
}

const (
	// scoreFuel bounds what the mutants of each worker burn to tell which of them are seen:
	// some seconds.
	scoreFuel = 1_500_000_000
	// scoreLeast is how long that takes at most, if a quarter of the time to search is less.
	scoreLeast = 3 * time.Second
)

// sensitivity finds out which mutants of the changed functions the inputs of the search
// tell from new code, in what a caller can see: so much would have been seen of another
// change.
func (c *comparison) sensitivity(ctx context.Context) error {
	t := c.trials[after]
	if !t.Project.Filter.RunsMutants() {
		return nil
	}
	t.Phase("measuring what the inputs would have shown of other changes")
	var inputs []*corpus.Input
	for _, e := range t.Engine.Pool.Entries() {
		inputs = append(inputs, e.Input)
	}
	if limit := c.unlessCounted(max(scoreLeast, t.Project.Options.FuzzTime.Duration/4)); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Explain: true, Fuel: scoreFuel,
		Exclude: func(m uint32) bool { return c.sides.killed[m] || !t.Engine.Kills.Dead(int(m)) },
	})
	if ctx.Err() != nil {
		c.sides.unmeasured = true
		return nil
	}
	if err != nil {
		return t.EngineError(err)
	}
	for _, k := range ev.Kills {
		if k.Kind != oracle.OnlyInside {
			c.sides.killed[k.Mutant] = true
		}
	}
	return nil
}

// climb notes how far inputs got at each hunk.
func (c *comparison) climb(f *lockstep.Found) {
	inners := [2]map[int]string{c.trials[before].Package.Program.Inner(), c.trials[after].Package.Program.Inner()}
	shown := make(map[string]bool) // functions of the old code whose results can be compared
	for _, name := range inners[before] {
		shown[name] = true
	}
	compared := make(map[string]bool)
	for _, name := range inners[after] {
		compared[name] = shown[name]
	}
	for i := range c.pair.Files {
		file := &c.pair.Files[i]
		for k, h := range file.Hunks {
			to := &c.job.report.Changes[i].Hunks[k]
			lines := [2]span{{h.OldLine, h.OldCount}, {h.NewLine, h.NewCount}}
			only, both := "", false
			for side, path := range [2]string{file.OldPath, file.Path} {
				p := c.trials[side].Package.Program
				inner := inners[side]
				for b := range p.Blocks {
					block := &p.Blocks[b]
					if block.File == path && c.sides.covered[side][b] && lines[side].touches(block.Line, block.EndLine) {
						to.Reached = true
					}
				}
				for n := range p.Funcs {
					fn := &p.Funcs[n]
					if fn.File != path || !lines[side].touches(fn.Line, fn.EndLine) {
						continue
					}
					to.Inside = to.Inside || f.Inside[inner[n]] > 0
					to.Compared = to.Compared || compared[inner[n]]
					if name := c.sides.changed.at[side][path][fn.Line]; name != "" {
						if both = both || c.sides.changed.has(1-side, name); !both {
							only = [2]string{behavior.Old, behavior.New}[side]
						}
					}
				}
			}
			switch {
			case both:
				to.OnlyIn = ""
			case only != "": // otherwise the packages of this fuzz test do not have the place
				to.OnlyIn = only
			}
		}
	}
}

// cover notes which blocks the entries of a trial cover.
func (s *sides) cover(side int, t *trial.Trial) {
	for _, e := range t.Engine.Pool.Entries() {
		s.coverBy(side, e.Features)
	}
}

func (s *sides) coverBy(side int, features wire.Features) {
	for _, f := range features {
		if b := f.Block(); b < len(s.covered[side]) {
			s.covered[side][b] = true
		}
	}
}

// relative is a path as the report has it.
func (j *job) relative(p *instrument.Program, path string) string {
	for i := range j.pair.Files {
		if f := &j.pair.Files[i]; f.Path == path || f.OldPath == path {
			return f.Name
		}
	}
	return filepath.ToSlash(report.RelativeFile(p.Test.ModuleDir, path))
}
