package suggest

import (
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/reduce"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// fails says whether a property does not hold. A family goes on with its next one then; of the
// last the input is reported. Where the code panics, no property of the family is proposed.
func (o *oracles) fails(ctx context.Context, c *claim) bool {
	var failed *failures.Stack
	panics := false
	for _, f := range c.trial.Engine.Failures.Stacks() {
		switch {
		case len(f.Inputs) == 0:
		case f.Outcome.Kind == wire.Fail:
			failed = f
		case c.property() != nil:
			// What does not end on a large input holds on others.
			panics = panics || f.Outcome.Kind != wire.Fuel
			if id := failure.Identity(f.Outcome); !o.panics[id] {
				o.panics[id] = true
				if f.Outcome.Kind == wire.Fuel && !o.endless(ctx, c, f.Inputs[0]) || announced(o.built.Loaded, c.property().Functions, f.Outcome) {
					continue
				}
				o.fail(ctx, c, f, c.family[len(c.family)-1].Guess) // whether it is one whatever is compared
			}
		}
	}
	if panics && failed == nil {
		c.gone = true // nobody would keep a fuzz test that fails when it is fuzzed
		return true
	}
	if failed == nil {
		return false
	}
	if p := c.property(); p != nil && !c.told && (len(c.family) == 1 || p.Telling) {
		guess := p.Guess || o.wrong(ctx, c)
		c.told = !guess
		o.fail(ctx, c, failed, guess)
	}
	c.failed = append(c.failed, failed.Inputs[0])
	o.drop(c, "")
	return true
}

// mistakes are signs of what the runtime finds.
var mistakes = []string{"runtime error: ", "interface conversion: ", "assignment to entry in nil map"}

// announced says whether a panic is one that the comment of a function speaks of: no bug, and no wrong guess. What
// the runtime finds is a mistake all the same.
func announced(r *load.Result, functions []string, o wire.Outcome) bool {
	if o.Kind != wire.Panic || slices.ContainsFunc(mistakes, func(sign string) bool { return strings.Contains(o.Message, sign) }) {
		return false
	}
	for _, pkg := range r.Packages {
		for _, f := range pkg.Files {
			for _, d := range f.Syntax.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok || !strings.Contains(strings.ToLower(decl.Doc.Text()), "panic") {
					continue
				}
				if fn, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok && slices.Contains(functions, target.Function(fn)) {
					return true
				}
			}
		}
	}
	return false
}

// endlessPatience is how many times hangFuel an input burns until it is said not to end: as much as in fuzzing.
const endlessPatience = 400

// endless says whether the code does not end on an input with which a search has not gone on for long: a large
// size is no fault. Without an answer it ends.
func (o *oracles) endless(ctx context.Context, c *claim, in *corpus.Input) bool {
	d := &engine.Doubt{Kind: wire.Fuel, Inputs: []*corpus.Input{in}, Patience: endlessPatience}
	err := c.trial.Engine.Confirm(ctx, []*engine.Doubt{d})
	return err == nil && d.Shows()
}

// fail reports an input on which a property fails.
func (o *oracles) fail(ctx context.Context, c *claim, f *failures.Stack, guess bool) {
	p := c.property()
	in, outcome := f.Inputs[0], f.Outcome
	if f.Outcome.Kind == wire.Fail {
		in, outcome = o.shrinkFailing(ctx, c.trial, in, outcome)
	}
	input, ok := target.Seed(in.Values())
	if !ok {
		input = corpus.Line(in.Values())
	}
	part, err := p.Source(p.Name, []string{input})
	if err != nil {
		return
	}
	o.report.Failing = append(o.report.Failing, suggestion.Failing{
		Kind: string(p.Kind), Sentence: p.Sentence, Functions: p.Functions, Input: input, Failure: withoutPlace(trial.DescribeOutcome(outcome)),
		Panic: outcome.Kind != wire.Fail, Guess: guess, Source: part.Text,
	})
}

// Bounds on what makes a failing input smaller.
const (
	failingRuns = 2000
	failingTime = 2 * time.Second
)

// shrinkFailing makes an input smaller on which a fuzz test fails by an assertion.
func (o *oracles) shrinkFailing(ctx context.Context, t *trial.Trial, in *corpus.Input, outcome wire.Outcome) (*corpus.Input, wire.Outcome) {
	p, err := t.Engine.Processes.Start(ctx, true, func(uint32) bool { return true })
	if err != nil {
		return in, outcome
	}
	defer t.Engine.Processes.Retire(p)
	runs, broken, end := 0, false, time.Now().Add(failingTime)
	red := reduce.Reducer{
		Best: in.Values(),
		Keep: func(vals []any) bool {
			runs++
			smaller, fails := corpus.Of(vals...), false
			_, err := p.Run(ctx, &wire.Run{Items: []wire.Item{{Input: smaller.Wire(), Select: wire.SelectNone}}}, worker.RunEvents{
				Result: func(r *wire.Result) {
					if fails = r.Outcome.Kind == wire.Fail; fails {
						in, outcome = smaller, r.Outcome
					}
				},
			})
			broken = err != nil
			return fails && err == nil
		},
		Spent: func() bool { return broken || ctx.Err() != nil || runs >= failingRuns || time.Now().After(end) },
	}
	red.Reduce()
	red.Normalise()
	red.Reduce()
	return in, outcome
}
