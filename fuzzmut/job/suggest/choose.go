package suggest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/witness"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
)

// shrinkTime bounds what makes the inputs of all cases of a package smaller.
const shrinkTime = 15 * time.Second

// choose chooses among the inputs that the searches have found, all together: one input of a
// function may show what several of another do. What is chosen becomes cases. After an interrupt it chooses among
// those that were run often enough, by what they are known to kill.
func (s *session) choose(ctx context.Context) error {
	soon, cancel := s.after(ctx, graceMinimize)
	defer cancel()
	var inputs []*corpus.Input
	var kills [][]uint32
	var of []*searching // by input
	wanted := func(m uint32) bool {
		if m == 0 {
			return false // the original
		}
		v := s.survivors[keyOf(&s.searched.Program.Mutants[m-1])]
		return v != nil && v.found && s.searched.Program.Mutants[m-1].Status == instrument.StatusLive
	}
	for _, t := range s.searches {
		if len(t.kill) == 0 {
			continue
		}
		t.addMore()
		t.trial = s.unspoiled(soon, t.trial)
		t.trial.Brief("choosing among %s", report.Plural(len(t.kill), "input"))
		list, err := witness.Kills(ctx, t.trial, t.kill, t.known, wanted)
		if err != nil {
			return err
		}
		for i, in := range t.kill {
			inputs, kills, of = append(inputs, in), append(kills, list[i]), append(of, t)
		}
	}
	if ctx.Err() != nil {
		for i, in := range inputs {
			if _, ok := s.values[placeOf(of[i].trial, in)]; !ok {
				kills[i] = nil
			}
		}
	}
	by := make(map[*searching][]witness.Witness)
	all := witness.Choose(inputs, kills, s.returnsError)
	for _, w := range all {
		by[of[w.At]] = append(by[of[w.At]], w)
	}
	order := slices.Clone(s.searches)
	if ctx.Err() != nil { // what closes most comes first: the time may not be enough for all
		slices.SortStableFunc(order, func(a, b *searching) int { return mutantsOf(by[b]) - mutantsOf(by[a]) })
	}
	for _, t := range order {
		if chosen := by[t]; len(chosen) > 0 {
			if err := s.takeSoon(ctx, soon, t, chosen, shrinkTime*time.Duration(len(chosen))/time.Duration(len(all))); err != nil {
				return err
			}
		}
	}
	return nil
}

// mutantsOf counts the mutants of witnesses.
func mutantsOf(list []witness.Witness) (n int) {
	for _, w := range list {
		n += len(w.Mutants)
	}
	return n
}

// takeSoon is take. Inputs become cases as they were found if the time after an interrupt is over before.
func (s *session) takeSoon(ctx, soon context.Context, t *searching, chosen []witness.Witness, limit time.Duration) error {
	err := soon.Err()
	if err == nil {
		err = s.take(soon, t, slices.Clone(chosen), limit)
	}
	if soon.Err() == nil || err == nil {
		return err
	}
	var seen []observed.Observation
	known := slices.DeleteFunc(slices.Clone(chosen), func(w witness.Witness) bool {
		values, ok := s.values[placeOf(t.trial, w.Input)]
		if ok {
			seen = append(seen, observed.Observation{Values: values})
		}
		return !ok
	})
	s.hasty += len(known)
	s.add(t.trial, known, seen)
	return nil
}

// placeOf names an input of a fuzz test.
func placeOf(t *trial.Trial, in *corpus.Input) string { return t.Test.Name + " " + in.Found().Name }

// addMore has what a search has left chosen from as well: an input may kill what was found with another one,
// by this search or the next, and stands for both then.
func (t *searching) addMore() {
	t.kill = corpus.Distinct(slices.Concat(t.kill, t.more))
}

// know notes what an input kills that was chosen.
func (t *searching) know(w witness.Witness) {
	if t.known == nil {
		t.known = make(map[string][]uint32)
	}
	t.known[w.Input.Key()] = append(t.known[w.Input.Key()], w.Mutants...)
}

// fit lists the inputs that a test can hold which needs nothing but the standard library: on
// which the code passes, and whose results are values that have literals.
func (s *session) fit(ctx context.Context, t *trial.Trial, inputs []*corpus.Input) ([]*corpus.Input, error) {
	return s.fitAs(ctx, t, inputs, observed.Once)
}

// steady leaves out the inputs that give other results in another run, or in another process: kills
// are what stays the same of a result, and a test compares all of it.
func (s *session) steady(ctx context.Context, t *trial.Trial, found []witness.Witness) ([]witness.Witness, error) {
	fit, err := s.fitAs(ctx, t, inputsOf(found), func(ctx context.Context, t *trial.Trial, entries []corpus.Entry) ([]observed.Observation, error) {
		seen, err := observed.Stable(ctx, t, entries)
		for i := range seen {
			s.values[placeOf(t, entries[i].Input)] = seen[i].Values
		}
		return seen, err
	})
	return slices.DeleteFunc(found, func(w witness.Witness) bool { return !slices.Contains(fit, w.Input) }), err
}

func (s *session) fitAs(ctx context.Context, t *trial.Trial, inputs []*corpus.Input, observe func(context.Context, *trial.Trial, []corpus.Entry) ([]observed.Observation, error)) ([]*corpus.Input, error) {
	if len(inputs) == 0 {
		return nil, nil
	}
	entries := make([]corpus.Entry, len(inputs))
	for i, in := range inputs {
		entries[i] = in.Found()
	}
	seen, err := observe(ctx, t, entries)
	if err != nil {
		return nil, err
	}
	test := goldentest.Test{Name: t.Test.Name}
	for i, e := range entries {
		test.Cases = append(test.Cases, goldentest.Case{Name: e.Name, Args: e.Input.Values(), Values: seen[i].Values})
	}
	var list []*corpus.Input
	for i, fit := range goldentest.Fit(s.searched.Loaded, test) {
		if fit.Plain && seen[i].Failure == "" {
			list = append(list, inputs[i])
			s.errors[entries[i].Name] = fit.Error
		} else {
			s.unfit[placeOf(t, inputs[i])] = cmp.Or(fit.Why, "the code fails on the input")
		}
	}
	return list, nil
}

// returnsError says whether the code returns an error on an input that was fit. Such inputs
// become cases for what no other kills: what a function makes of what it accepts is easier to
// judge than what it says of anything else, and that is often another package's text.
func (s *session) returnsError(in *corpus.Input) bool { return s.errors[in.Found().Name] }

// accepted makes small inputs large again if they fail, as where the code returns an error, and did not
// before, or no test can hold them: what is seen of them is a call before the one of the test.
func (s *session) accepted(ctx context.Context, t *trial.Trial, before []*corpus.Input, chosen []witness.Witness, fails func(*corpus.Input) bool) error {
	var small []*corpus.Input
	for i, w := range chosen {
		if w.Input != before[i] {
			small = append(small, w.Input)
		}
	}
	fit, err := s.fit(ctx, t, small)
	if err != nil {
		return err
	}
	restore(before, chosen, func(in *corpus.Input) bool { return slices.Contains(fit, in) }, fails)
	return nil
}

// restore puts an input in place of a smaller one that no test can hold, or that fails where it
// did not.
func restore(before []*corpus.Input, chosen []witness.Witness, fit, fails func(*corpus.Input) bool) {
	for i := range chosen {
		if w := &chosen[i]; w.Input != before[i] && (!fit(w.Input) || fails(w.Input) && !fails(before[i])) {
			w.Input = before[i]
		}
	}
}

// minimize makes inputs small that tests can hold. Of calls in turn those go first that kill nothing, also
// if an error is what is left: it was there before.
func (s *session) minimize(ctx context.Context, t *trial.Trial, chosen []witness.Witness, limit time.Duration) error {
	record := 0
	if calls := s.searched.Loaded.Sequence(t.Test.Name); calls != nil {
		record = calls.Width()
		before := inputsOf(chosen)
		if err := witness.Cut(ctx, t, chosen, record, limit/2); err != nil {
			return err
		}
		if err := s.accepted(ctx, t, before, chosen, func(*corpus.Input) bool { return false }); err != nil {
			return err
		}
	}
	before := inputsOf(chosen)
	if err := witness.Shrink(ctx, t, chosen, record, limit); err != nil {
		return err
	}
	return s.accepted(ctx, t, before, chosen, s.returnsError)
}

// inputsOf are the inputs of witnesses.
func inputsOf(list []witness.Witness) (inputs []*corpus.Input) {
	for _, w := range list {
		inputs = append(inputs, w.Input)
	}
	return inputs
}

// take makes cases of the inputs that were chosen of one fuzz test.
func (s *session) take(ctx context.Context, by *searching, chosen []witness.Witness, limit time.Duration) error {
	t := by.trial
	t.Brief("minimizing %s", report.Plural(len(chosen), "input"))
	if err := s.minimize(ctx, t, chosen, limit); err != nil {
		return err
	}
	entries := make([]corpus.Entry, len(chosen))
	for i, w := range chosen {
		entries[i] = w.Input.Found()
	}
	seen, err := observed.Stable(ctx, t, entries)
	if err != nil {
		return err
	}
	s.add(t, chosen, seen)
	return nil
}

// add makes cases of inputs of one fuzz test, with what is seen of them.
func (s *session) add(t *trial.Trial, chosen []witness.Witness, seen []observed.Observation) {
	test := goldentest.Test{Name: t.Test.Name}
	var claims [][]key
	for i, w := range chosen {
		var list []key
		for _, m := range w.Mutants {
			list = append(list, keyOf(&t.Package.Program.Mutants[m-1]))
		}
		if seen[i].Failure != "" {
			s.leave(t.Test.Target, "the code fails on the input", len(list))
			continue
		}
		test.Cases = append(test.Cases, goldentest.Case{
			Name: w.Input.Found().Name, Args: w.Input.Values(), Values: seen[i].Values, Beside: true,
		})
		claims = append(claims, list)
	}
	if len(test.Cases) > 0 {
		s.tests, s.claims = append(s.tests, test), append(s.claims, claims)
	}
}
