package suggest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/callers"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/witness"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/sequence"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// targetsMost is how many fuzz tests are derived for one package at most.
const targetsMost = 32

// search looks for inputs at which survivors show, by fuzz tests derived for the exported
// functions nearest above them.
func (s *session) search(ctx context.Context) error {
	found, err := callers.Above(s.loaded, targetsMost, s.holdsSurvivors)
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	sequences := callers.Sequences(s.loaded, s.holdsSurvivors)
	s.report.NotSearched = append(s.report.NotSearched, leftOut(found.Left, sequences)...)
	if len(found.Targets)+len(sequences.List) == 0 {
		return nil
	}
	if err := s.buildSearched(ctx, searchable{found.Targets, sequences.List}); err != nil || s.searched == nil {
		return err
	}
	var tests []*searching
	for _, test := range s.searched.Program.Test.Fuzz {
		if why := goldentest.Unfit(s.searched.Loaded, test.Name); why != "" {
			s.report.NotSearched = append(s.report.NotSearched, suggestion.Note{What: test.Target, Reason: why})
			continue
		}
		tests = append(tests, &searching{test: test, report: suggestion.Search{Fuzz: test.Name, Function: test.Target}})
	}
	if err := s.rounds(ctx, tests); err != nil {
		return err
	}
	for _, t := range tests {
		switch {
		case t.trial != nil:
			s.report.Searches = append(s.report.Searches, t.report)
		case t.waits() && ctx.Err() == nil && s.open() > 0:
			s.report.NotSearched = append(s.report.NotSearched, suggestion.Note{What: t.test.Target, Reason: "no time was left, and -fuzztime gives more"})
		}
	}
	s.report.NotSearched = notReached(s.report.NotSearched, s.loaded.Packages[0].Types.Name(), func(what string) bool {
		return slices.ContainsFunc(tests, func(t *searching) bool { return t.trial != nil && sequences.Reached[t.test.Name][what] })
	})
	s.searches = tests
	return nil
}

// leftOut are notes on functions that no fuzz test for one function reaches. Of those that one over sequences of calls
// would reach, but for the number of these, that is the reason: others can be called in no other way either. Of methods
// that one leaves out, though it makes their receivers, it is why.
func leftOut(left []callers.Note, s *callers.Sequenced) (notes []suggestion.Note) {
	for _, n := range left {
		if s.Beyond[n.What] {
			n.Reason = callers.BeyondReason
		} else if reason := s.Left[n.What]; reason != "" {
			n.Reason = reason
		}
		notes = append(notes, suggestion.Note{What: n.What, Reason: n.Reason})
	}
	return notes
}

// notReached leaves out notes about functions that calls in turn reached, even if a fuzz test for one alone can't be
// written, or its turn did not come. They have the name of the package before theirs, or none where a fuzz test is
// about them.
func notReached(notes []suggestion.Note, pkg string, reached func(what string) bool) []suggestion.Note {
	return slices.DeleteFunc(notes, func(n suggestion.Note) bool { return reached(n.What) || reached(pkg+"."+n.What) })
}

// parts are as many rounds. In the first each fuzz test shows what it reaches. The others are
// for those that reach survivors that no input was found for.
const parts = 3

// idleLeast is how many executions the searches have made at least before a round that finds nothing ends them: with
// fewer, a round says little of the next one.
const idleLeast = 500_000

// rounds has the fuzz tests search for the whole budget, unless a later round has found nothing: it had as much as those
// before it.
func (s *session) rounds(ctx context.Context, tests []*searching) error {
	all := s.project.Options.FuzzTime
	budget := newShare(project.FuzzTime{})
	weight := s.firstWeight
	tests = s.inOrder(tests, all.Duration/parts)
	for n := range parts {
		part := project.FuzzTime{Duration: all.Duration / parts, Execs: all.Execs / parts}
		if n == parts-1 {
			part = project.FuzzTime{Duration: all.Duration - part.Duration*(parts-1), Execs: all.Execs - part.Execs*(parts-1)}
		}
		budget.left.Duration += part.Duration
		budget.left.Execs += part.Execs
		open := s.open()
		if err := s.round(ctx, tests, budget, weight); err != nil {
			return err
		}
		if n == parts-1 && ctx.Err() == nil {
			s.report.LastFound = open - s.open()
		}
		if ctx.Err() != nil || s.open() == 0 || n > 0 && s.open() == open && s.hadTurns(tests) {
			return nil
		}
		weights := s.laterWeights(tests)
		weight = func(t *searching) int { return weights[t] }
	}
	return nil
}

// hadTurns says whether all fuzz tests have searched, and long enough that one more round is not likely to find more.
func (s *session) hadTurns(tests []*searching) bool {
	execs := int64(0)
	for _, t := range tests {
		if t.waits() {
			return false
		}
		execs += t.report.Execs
	}
	return execs >= s.idle
}

// inOrder has the fuzz tests over sequences of calls first if a round is too short for all: they call many functions.
// Else they come last, since a case with one call is easier to read.
func (s *session) inOrder(tests []*searching, round time.Duration) []*searching {
	weights := 0
	for _, t := range tests {
		weights += s.firstWeight(t)
	}
	if round == 0 || round >= time.Duration(weights)*leastTime {
		return tests
	}
	return first(tests, s.inTurn)
}

// inTurn says whether a fuzz test is one over sequences of calls.
func (s *session) inTurn(t *searching) bool { return s.searched.Loaded.Sequence(t.test.Name) != nil }

// first lists the fuzz tests for which is holds, and then the others.
func first(tests []*searching, is func(*searching) bool) []*searching {
	var list, others []*searching
	for _, t := range tests {
		if is(t) {
			list = append(list, t)
		} else {
			others = append(others, t)
		}
	}
	return append(list, others...)
}

// firstWeight is the weight of a fuzz test in the first round.
func (s *session) firstWeight(t *searching) int {
	if s.inTurn(t) {
		return sequenceWeight
	}
	return 1
}

// reachersMost is how many fuzz tests search for one survivor once it is known which reach it.
const reachersMost = 4

// laterWeights counts for each fuzz test the survivors that it is to search for: of those that
// reach a survivor the ones that have found most, and then those that reach most. Many methods
// reach the same code, and a budget that all of them share is too small for each.
func (s *session) laterWeights(tests []*searching) map[*searching]int {
	order := slices.Clone(tests)
	slices.SortStableFunc(order, func(a, b *searching) int {
		return cmp.Or(b.report.Found-a.report.Found, s.reachedBy(b)-s.reachedBy(a))
	})
	weights, searched := make(map[*searching]int), make(map[key]int)
	for _, t := range order {
		if t.deadly && t.fresh == 0 {
			continue
		}
		if t.waits() { // it may reach any of them
			weights[t] = max(1, s.open()/reachersMost)
			continue
		}
		for _, k := range t.reach {
			if !s.survivors[k].found && searched[k] < reachersMost {
				searched[k]++
				weights[t]++
			}
		}
	}
	return weights
}

// sequenceWeight is how many shares of that part a fuzz test over sequences of calls has: it
// calls many functions.
const sequenceWeight = 4

// searching is the search by one fuzz test.
type searching struct {
	test   instrument.FuzzTest
	report suggestion.Search
	trial  *trial.Trial        // the last; nil: it has not begun
	reach  []key               // survivors
	inputs []*corpus.Input     // that it has left
	rest   []*corpus.Input     // of the tests, that were not run
	kill   []*corpus.Input     // that were chosen
	known  map[string][]uint32 // of these, what they kill, by the key of the input
	more   []*corpus.Input     // that a test can hold, of all that were chosen from
	deadly bool                // inputs have ended the process in the last search, before its time was up
	cut    bool                // the time was over before all inputs had been run with all survivors
	judged map[string]bool     // keys of the inputs that kill nothing of what is open, or do not fit
	fresh  int                 // survivors that this one has found an input for
	// refused says that it can't search, whatever its time.
	refused bool
}

// waits says that its turn has not come yet: starting those before it took their time, and more.
func (t *searching) waits() bool { return t.trial == nil && !t.refused }

// round has each fuzz test search for its share of a budget, by weight; 0: not at all. Those that wait come first:
// what one takes beyond its share is missing to those after it, in each round.
func (s *session) round(ctx context.Context, tests []*searching, budget *share, weight func(*searching) int) error {
	tests = first(tests, (*searching).waits)
	weights := make([]int, len(tests)) // what is found changes none
	budget.weights = 0
	for i, t := range tests {
		weights[i] = weight(t)
		budget.weights += weights[i]
	}
	for i, t := range tests {
		w := weights[i]
		if budget.weights -= w; w == 0 {
			continue
		}
		if ctx.Err() != nil || s.open() == 0 {
			break
		}
		if err := s.searchBy(ctx, t, budget, w); err != nil {
			return err
		}
	}
	return nil
}

// reachedBy counts the survivors that a fuzz test reaches and no input was found for.
func (s *session) reachedBy(t *searching) (n int) {
	for _, k := range t.reach {
		if !s.survivors[k].found {
			n++
		}
	}
	return n
}

// holdsSurvivors says whether lines of a file hold a survivor.
func (s *session) holdsSurvivors(file string, first, last int) bool {
	for _, v := range s.survivors {
		if v.mutant.File == file && first <= v.mutant.Line && v.mutant.Line <= last {
			return true
		}
	}
	return false
}

// open counts the survivors that no input was found for.
func (s *session) open() (n int) {
	for _, v := range s.survivors {
		if !v.found {
			n++
		}
	}
	return n
}

// build builds the package with derived fuzz tests for functions, and no others.
func (s *session) build(ctx context.Context, targets []load.Target, sequences []*sequence.Sequence) error {
	cfg := s.project.LoadConfig(s.pkg)
	cfg.AnyTests, cfg.Derive, cfg.Targets, cfg.Sequences = true, false, targets, sequences
	loaded, err := s.load(ctx, cfg)
	var bad *problem.Error
	if errors.As(err, &bad) && bad.Kind == problem.KindBroken {
		return exit.Errorf(exit.Internal, "a derived fuzz test does not compile, please report it: %w", err)
	}
	if err != nil {
		return err
	}
	derived := make(map[string]bool)
	for _, d := range loaded.Derived {
		derived[d.Name] = true
	}
	loaded.Test.Fuzz = slices.DeleteFunc(loaded.Test.Fuzz, func(t instrument.FuzzTest) bool { return !derived[t.Name] })
	b := &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}
	if err := b.RegisterDerived(); err != nil {
		return err
	}
	s.project.Phase(s.pkg, "building fuzz tests for %s", report.Plural(len(loaded.Test.Fuzz), "function"))
	s.searched, s.code = b, change.NewSources(loaded)
	return s.builder.Build(ctx, b)
}

// share divides a budget among searches by their weights: what one does not use is left for
// those after it.
type share struct {
	left    project.FuzzTime
	weights int // of the searches that are to come
}

func newShare(all project.FuzzTime) *share { return &share{left: all} }

// of is the part of a search with a weight, which is no longer among weights; zero if too
// little is left for it.
func (s *share) of(weight int) project.FuzzTime {
	all := s.weights + weight
	part := project.FuzzTime{Duration: s.left.Duration * time.Duration(weight) / time.Duration(all), Execs: s.left.Execs * int64(weight) / int64(all)}
	if part.Duration < leastTime {
		part.Duration = 0
		if s.left.Duration >= leastTime {
			part.Duration = leastTime
		}
	}
	return part
}

// used takes what a search has used off the budget.
func (s *share) used(d time.Duration, execs int64) {
	s.left.Duration = max(s.left.Duration-d, 0)
	s.left.Execs = max(s.left.Execs-execs, 0)
}

// searchBy looks for inputs by one fuzz test.
func (s *session) searchBy(ctx context.Context, by *searching, budget *share, weight int) error {
	begin := time.Now()
	part := budget.of(weight)
	if part == (project.FuzzTime{}) {
		return nil
	}
	program := s.searched.Program
	focus := change.FocusOnMutants(program, s.code, func(m *instrument.Mutant) bool {
		v := s.survivors[keyOf(m)]
		return m.Status == instrument.StatusLive && v != nil && !v.found
	})
	t := s.newTrial(by.test, focus)
	found, err := s.fuzz(ctx, t, by, part)
	execs := t.Engine.Status().Inputs
	budget.used(time.Since(begin), execs)
	var none *notSearched
	switch {
	case errors.As(err, &none):
		by.refused = true
		s.report.NotSearched = append(s.report.NotSearched, suggestion.Note{What: by.test.Target, Reason: none.Error()})
		return nil
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	}
	s.learn(t)
	by.leave(t)
	by.fresh = 0
	switch by.report.Ended = ""; {
	case by.deadly:
		by.report.Ended = "the code ends its process on many inputs, or blocks"
	case by.cut:
		by.report.Ended = "values take long to compare, some inputs ran with only a part of the survivors, and a larger -fuzztime gives more"
	}
	by.report.Execs += execs
	by.report.Seconds += time.Since(begin).Seconds()
	for _, w := range found {
		by.report.Found += len(w.Mutants)
		by.fresh += len(w.Mutants)
		by.kill = append(by.kill, w.Input)
		by.know(w)
		for _, m := range w.Mutants {
			v := s.survivors[keyOf(&program.Mutants[m-1])]
			v.found, v.why = true, suggestion.NotKept
		}
	}
	return nil
}

// learn notes how far a search has come with the survivors that it was for. What another has come further with stays.
func (s *session) learn(t *trial.Trial) {
	totals := t.Engine.Totals()
	unreached, unseen := suggestion.NotReached, suggestion.NotSeen
	if t.Engine.Status().Inputs == 0 { // it was interrupted as it began
		unreached = suggestion.NotSearched
	}
	if len(t.Engine.Processes.Unstable()) > 0 {
		unseen = suggestion.NotSteady
	}
	for i := range t.Package.Program.Mutants {
		m := &t.Package.Program.Mutants[i]
		if v := s.survivors[keyOf(m)]; v != nil && t.Focus.Mutant(uint32(m.Index)) {
			why := unreached
			k, killed := t.Engine.Kills.First(uint32(m.Index))
			switch {
			case killed && k.Input != nil && k.Kind != oracle.OnlyInside:
				why = suggestion.NotCompared
				v.left = suggestion.Note{What: t.Test.Target, Reason: s.unfit[placeOf(t, k.Input)]}
			case totals.Infected[m.Index] > 0:
				why = unseen
			case totals.Reached[m.Index] > 0:
				why = suggestion.SameValues
			}
			if slices.Index(suggestion.Whys, why) > slices.Index(suggestion.Whys, v.why) {
				v.why = why
			}
		}
	}
}

// addOpen lists the survivors that no case kills, and notes what no case can compare.
func (s *session) addOpen() {
	list := slices.SortedFunc(maps.Values(s.survivors), func(a, b *survivor) int {
		x, y := a.mutant, b.mutant
		return cmp.Or(cmp.Compare(x.File, y.File), x.Line-y.Line, x.Column-y.Column, cmp.Compare(x.ID, y.ID))
	})
	waits := slices.ContainsFunc(s.searches, (*searching).waits)
	for _, v := range list {
		if v.closed {
			continue
		}
		m := v.mutant
		if v.why == suggestion.NotReached && waits { // by those that had their turn
			v.why = suggestion.NotSearched
		}
		s.report.Open = append(s.report.Open, suggestion.Open{
			ID: m.ID, File: report.RelativeFile(s.loaded.Test.ModuleDir, m.File), Line: m.Line, Column: m.Column, Description: m.Description, Reached: v.reached, Why: v.why,
		})
		if v.why == suggestion.NotCompared && v.left.Reason != "" {
			s.leave(v.left.What, v.left.Reason, 1)
		}
	}
}

// leastTime is the least time for a search.
const leastTime = 200 * time.Millisecond

// leave notes what a search leaves for the next by the same fuzz test.
func (by *searching) leave(t *trial.Trial) {
	by.trial, by.reach, by.inputs = t, nil, nil
	reached := t.Engine.Totals().Reached
	for i := range t.Package.Program.Mutants {
		if m := &t.Package.Program.Mutants[i]; t.Focus.Mutant(uint32(m.Index)) && reached[m.Index] > 0 {
			by.reach = append(by.reach, keyOf(m))
		}
	}
	for _, e := range t.Engine.Pool.Entries() {
		by.inputs = append(by.inputs, e.Input)
	}
}

// hangFuel is what an input burns that does not end, in a search: no test case is to turn that
// many loops. So an endless loop takes milliseconds. An endless recursion, if a call has less than
// some hundred bytes of stack, ends before the stack does, which would end the process. By default
// an input may burn much more, and on a machine with other work the clock is sooner than that.
const hangFuel = 1_000_000

// textTimes has texts of values hold lists of some dozens of structs: with the usual bounds a list of tokens, each
// with its range, ends after eight, and a test compares nothing of the others.
const textTimes = 4

// newTrial is one search by a fuzz test. Calls are cheap, and the survivors are few: each input is run with nearly
// all that it infects. Failing inputs make no case, and no result has them: their number is not shown.
func (s *session) newTrial(test instrument.FuzzTest, focus *change.Focus) *trial.Trial {
	return trial.New(s.project, s.searched, test, focus, trial.Hooks{
		HangFuel: hangFuel, TextTimes: textTimes, Anew: true, NoiseOfInputs: true, Filter: project.FilterEager, Buckets: func(int) int { return -1 },
	})
}

// notSearched says why nothing could be looked for by a fuzz test that nobody has asked for.
type notSearched struct{ error }

// fuzz fuzzes, and chooses among the inputs that kill.
func (s *session) fuzz(ctx context.Context, t *trial.Trial, by *searching, budget project.FuzzTime) ([]witness.Witness, error) {
	if err := t.Greet(ctx); err != nil {
		if exit.CodeOf(err) == exit.Internal {
			return nil, err
		}
		return nil, &notSearched{err}
	}
	begin := by.inputs
	if by.trial == nil {
		begin = trial.Inputs(t.Given)
	}
	if err := s.begin(ctx, t, begin, beginFuel); err != nil {
		if exit.CodeOf(err) == exit.Baseline {
			return nil, &notSearched{err}
		}
		return nil, err
	}
	budget.Duration = budget.Duration.Round(leastTime / 10) // a person reads it
	t.Brief("looking for inputs that kill %s for %v", report.Plural(t.Focus.Count, "survivor"), budget)
	b := engine.Budget{Time: budget.Duration, Inputs: budget.Execs, UntilKilled: true, Deaths: s.deaths, DeathInputs: deathInputs}
	if by.trial != nil {
		b.Part = 1
	} else {
		by.rest = t.Samples()
	}
	b.Samples = by.rest
	stop := t.WatchFuzzing(budget)
	end, err := t.Engine.Fuzz(ctx, b)
	stop()
	if err != nil && ctx.Err() == nil {
		return nil, t.EngineError(err)
	}
	by.rest = t.Engine.UntriedSamples(&b)
	by.deadly = end == engine.Deadly
	return s.find(ctx, t, by, budget.Duration)
}

// begin runs what a search begins with.
func (s *session) begin(ctx context.Context, t *trial.Trial, inputs []*corpus.Input, fuel int64) error {
	defer t.WatchDoing("running " + report.Plural(len(inputs), "input") + " to begin with")()
	return t.Begin(ctx, inputs, fuel, acceptAll(t))
}

// beginFuel bounds what mutants may burn on the seeds of one search, in each worker: some
// seconds.
const beginFuel = 1_500_000_000

// deathsMost is how often the original may end a process until a search ends, for good: what
// does so is no case, and as soon as some have been found, more are found.
const deathsMost = 4

// deathInputs is for how many inputs the original may end one more process: a process takes about
// as long as some hundred calls in turn.
const deathInputs = 2000

// acceptAll takes seeds that fail, which are no inputs then: nobody has asked for the fuzz
// test, and what it does must be the same each time.
func acceptAll(t *trial.Trial) func(*evaluate.Evaluation) error {
	return func(*evaluate.Evaluation) error { return t.CheckStable() }
}

// leave notes survivors for which an input was found and no case is made.
func (s *session) leave(what, why string, mutants int) {
	for i := range s.report.Left {
		if n := &s.report.Left[i]; n.What == what && n.Reason == why {
			n.Mutants += mutants
			return
		}
	}
	s.report.Left = append(s.report.Left, suggestion.Note{What: what, Reason: why, Mutants: mutants})
}
