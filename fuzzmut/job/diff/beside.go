package diff

import (
	"context"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/lockstep"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

const (
	// besideTries bounds the inputs of a bucket that are minimized beside known causes.
	besideTries = 2
	// besideTime is the time for making a part smaller that repairs one of them.
	besideTime = 15 * time.Second
)

// beside returns an input that shows what else the part of a bucket changes, beside the
// causes that are known and within it, and gives the bucket the part that repairs the
// input; nil: there is none. The input is minimized as long as it differs between old
// code and new code without those causes, so that it does not end at one of them.
func (r *attempts) beside(ctx context.Context, b *bucket, known []explained) (*difference, error) {
	inner := within(known, b.part, r.tried)
	if len(inner) == 0 || b.list[0].workOnly() {
		return nil, nil
	}
	var parts []revert.Part
	for _, i := range inner {
		parts = append(parts, r.tried[known[i].part])
	}
	joint := revert.Join(parts...)
	rest := slices.DeleteFunc(slices.Clone(r.tried[b.part]), func(h versions.Ref) bool { return joint.Has(h) })
	if len(rest) == 0 {
		return nil, nil
	}
	step, t, err := r.mask(ctx, joint)
	if err != nil || step == nil {
		return nil, err
	}
	defer step.Close()
	byWeightAndSize(b.list)
	for _, d := range b.list[:min(len(b.list), besideTries)] {
		small, err := r.unmask(ctx, d, step, t)
		if small == nil && err == nil {
			continue
		}
		if err == nil {
			small, err = r.repairedBy(ctx, small, rest, b)
		}
		if small != nil || err != nil {
			return small, err
		}
	}
	return nil, nil
}

// mask runs old code beside new code without known causes, in the fuzz test that it returns
// as well; nil: the rest does not compile.
func (r *attempts) mask(ctx context.Context, known revert.Part) (*lockstep.Lockstep, *trial.Trial, error) {
	masked, err := r.repairs.Build(ctx, known)
	if err != nil || masked == nil {
		return nil, nil, err
	}
	t := r.trialOf(masked, trial.Hooks{})
	if t == nil {
		return nil, nil, nil
	}
	step := lockstep.New(r.trials[before].Engine.Processes, t.Engine.Processes, 1)
	step.Ignore(r.search.Lockstep().Unstable()...)
	return step, t, nil
}

// unmask makes an input smaller that differs between old code and new code without known
// causes, as step runs them. It returns what it differs in between old and new code; nil:
// in nothing.
func (r *attempts) unmask(ctx context.Context, d *difference, step *lockstep.Lockstep, masked *trial.Trial) (*difference, error) {
	got, err := step.Run(ctx, []*corpus.Input{d.Input})
	if err != nil || got[0].Signature() == "" {
		return nil, err
	}
	short, err := step.Shrink(ctx, got[0], r.shrinkTime(), func(seen [2]evaluate.Observed) bool {
		cand := difference{sides: [2]observed.Observation{observed.Named(r.trials[before], &seen[before]), observed.Named(masked, &seen[after])}}
		return len(changes(&cand)) > 0
	})
	if err != nil {
		return nil, err
	}
	if got, err = r.search.Lockstep().Run(ctx, []*corpus.Input{short.Input}); err != nil || got[0].Signature() == "" {
		return nil, err
	}
	small := &difference{Result: got[0], group: d.group}
	if err := r.observe(ctx, []*difference{small}); err != nil || len(changes(small)) == 0 {
		return nil, err
	}
	return small, nil
}

// repairedBy returns a difference that a part repairs, confirmed, and gives the bucket the
// smallest such part; nil: the part does not repair it.
func (r *attempts) repairedBy(ctx context.Context, d *difference, p revert.Part, b *bucket) (*difference, error) {
	repairs := func(_ revert.Part, without *project.Package) (bool, error) { return r.isRepairedBy(ctx, d, without) }
	without, err := r.repairs.Build(ctx, p)
	if err != nil || without == nil {
		return nil, err
	}
	if ok, err := repairs(p, without); !ok || err != nil {
		return nil, err
	}
	limited, cancel := r.timed(ctx, besideTime)
	if !r.usedUp() {
		p, err = r.repairs.Minimal(limited, p, repairs)
	}
	cancel()
	if err != nil {
		return nil, err
	}
	number := r.number(p)
	if number < 0 {
		number = len(r.tried)
		r.tried = append(r.tried, p)
	}
	ok, err := r.confirm(ctx, d, number, r.tried)
	if !ok || err != nil {
		return nil, err
	}
	b.part = number
	return d, nil
}

// unaffected takes those differences out of a bucket on which reverting its part has no
// effect: the input that was minimized shows that part, and these show something else.
func (r *attempts) unaffected(ctx context.Context, b *bucket) (rest []*difference, err error) {
	without, err := r.repairs.Build(ctx, r.tried[b.part])
	if err != nil || without == nil {
		return nil, err
	}
	seen, err := r.runOn(ctx, without, b.list)
	if err != nil || seen == nil {
		return nil, err
	}
	var with []*difference
	for i, d := range b.list {
		same := seen[i].Failure == d.sides[after].Failure && len(observed.Compare(&d.sides[after], &seen[i])) == 0
		if same && !d.More {
			rest = append(rest, d)
		} else {
			with = append(with, d)
		}
	}
	b.list = with
	return rest, nil
}

// apart returns an input of a bucket that shows none of the causes that are known; nil: none
// is confirmed. It is minimized as beside does, or stays as it is.
func (r *attempts) apart(ctx context.Context, b *bucket, all []explained) (*difference, error) {
	byWeightAndSize(b.list)
	var known revert.Part
	for _, e := range all {
		if e.part >= 0 {
			known = revert.Join(known, r.tried[e.part])
		}
	}
	step, masked, err := r.mask(ctx, known)
	if err != nil {
		return nil, err
	}
	if step != nil {
		defer step.Close()
	}
	for _, d := range b.list[:min(len(b.list), triesMost)] {
		tries := []*difference{{Result: d.Result, group: d.group}}
		if step != nil {
			small, err := r.unmask(ctx, d, step, masked)
			if err != nil {
				return nil, err
			}
			if small != nil {
				tries = []*difference{small, tries[0]}
			}
		}
		for _, small := range tries {
			if ok, err := r.confirm(ctx, small, -1, r.tried); !ok || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
			err := r.settle(ctx, b, small, r.tried)
			if slices.ContainsFunc(all, func(e explained) bool { return e.part == b.part }) {
				b.part = -1
			}
			return small, err
		}
	}
	return nil, nil
}
