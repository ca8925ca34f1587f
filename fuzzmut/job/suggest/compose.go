package suggest

import (
	"math/rand/v2"
	"reflect"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/havoc"
)

// pool are the arguments of the calls of one probe that have returned something, by type, each once.
type pool map[reflect.Type][]any

func newPool(inputs []*corpus.Input) pool {
	p, seen := make(pool), make(map[string]bool)
	for _, in := range inputs {
		for _, v := range in.Values() {
			if key := corpus.Of(v).Key(); !seen[key] {
				seen[key] = true
				p[reflect.TypeOf(v)] = append(p[reflect.TypeOf(v)], v)
			}
		}
	}
	return p
}

// A composer makes inputs of arguments, and of changes of these.
type composer struct {
	r      *rand.Rand
	change *havoc.Mutator
	pools  []pool // by probe
}

func (i *inference) newComposer() *composer {
	r := rand.New(rand.NewPCG(i.project.Options.Seed, 0))
	return &composer{r: r, change: havoc.New(havoc.NewRand(r.Uint64()), havoc.Options{MaxLen: probeLen})}
}

// learn takes up what probes have shown.
func (c *composer) learn(probes []*probe) {
	c.pools = nil
	for _, p := range probes {
		c.pools = append(c.pools, newPool(p.valid))
	}
}

// compose makes inputs for one of the probes. What was tried is changed.
func (c *composer) compose(at int, p *probe) (list []*corpus.Input) {
	seen := make(map[string]bool)
	for range probeInputs {
		in := corpus.Of(c.choose(at, p.claim.trial.Zero.Values())...)
		if p.tried[in.Key()] || seen[in.Key()] {
			in = corpus.Of(c.change.Mutate(nil, in.Values(), nil)...)
		}
		if key := in.Key(); !p.tried[key] && !seen[key] && in.Len() <= probeLen {
			seen[key], list = true, append(list, in)
		}
	}
	return list
}

// choose makes one input. Two arguments of one type are often the same, or nearly: what is compared differs
// in one place.
func (c *composer) choose(at int, vals []any) []any {
	for i, v := range vals {
		changed := c.r.IntN(4) == 0
		vals[i] = c.value(at, v)
		if i > 0 && reflect.TypeOf(vals[i-1]) == reflect.TypeOf(v) && c.r.IntN(3) == 0 {
			vals[i], changed = vals[i-1], c.r.IntN(2) == 0
		}
		if changed {
			vals[i] = c.change.Mutate(nil, []any{vals[i]}, nil)[0]
		}
	}
	return vals
}

// value takes a value of the type of another: half of them have the probe's own, the others that of any
// probe. One function takes anything, and another hardly a text: what all have in common would be what the
// first takes.
func (c *composer) value(at int, zero any) any {
	typ := reflect.TypeOf(zero)
	from := c.pools[at]
	if len(from[typ]) == 0 || c.r.IntN(2) == 0 {
		from = c.pools[c.r.IntN(len(c.pools))]
	}
	if have := from[typ]; len(have) > 0 {
		return have[c.r.IntN(len(have))]
	}
	return zero
}
