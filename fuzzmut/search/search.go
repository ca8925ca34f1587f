// Package search looks for inputs that fail a property, among the terms of a type:
// it says which to run next, and learns their results.
//
// The strategies are those of three papers, two without feedback to compare with, and
// a mix:
//
//   - derived draws each input again.
//   - blind redraws one to four numbers of a newly drawn input, whatever came of it.
//   - bytes mutates the bytes from which inputs are decoded, by coverage.
//   - fuzzchick mutates inputs at random places, by coverage (Lampropoulos, Hicks and
//     Pierce, Coverage Guided, Property Based Testing, §3).
//   - mutagen runs all mutants of an input, one place after the other (Mista and Russo,
//     MUTAGEN: Reliable Coverage-Guided, Property-Based Testing using Exhaustive
//     Mutations, §II).
//   - default mixes what of these and others brings most.
//
// All are deterministic: the same seed and the same feedback give the same inputs.
// None reads a clock.
package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Feedback is what became of an input.
type Feedback struct {
	Discarded bool     // it does not fulfil what the property assumes
	Counts    []uint8  // hits of each block of the program; nil if unknown
	Path      []uint16 // the blocks in the order in which they ran, or the first of them; nil if unknown
	Kills     int      // mutants that no input before it has killed: as good as something new
}

// A Strategy chooses inputs.
type Strategy interface {
	// Next returns the input to run.
	Next() *term.Term
	// Learn takes the result of the input that Next returned last. It keeps
	// nothing of what f refers to.
	Learn(f Feedback)
}

// A Taker is a strategy that makes use of inputs which it has not chosen.
type Taker interface {
	// Take takes an input that is worth mutating, and its result.
	Take(x *term.Term, f Feedback)
}

// Options of strategies.
type Options struct {
	Seed uint64 // of the random numbers
	Size int    // of drawn terms, see term.Type.Draw; 0 means 10

	Mutagen MutagenOptions
}

// MutagenOptions choose among the variants that the papers on MUTAGEN compare. A name
// of the strategy may choose them, too: "mutagen+mixed+fragments".
type MutagenOptions struct {
	Inherit   bool // a mutant leaves out the paths that its parent has been through
	Mixed     bool // one mutant in two does
	Fragments bool // parts of inputs that were new take the place of others of the same type
	NoReset   bool // traces are never forgotten
	Unordered bool // mutants wait their turn, however new their trace is
}

// set chooses the variants that a name lists after that of the strategy.
func (o *MutagenOptions) set(names []string) error {
	variants := map[string]*bool{
		"inherit": &o.Inherit, "mixed": &o.Mixed, "fragments": &o.Fragments, "no-reset": &o.NoReset, "unordered": &o.Unordered,
	}
	for _, name := range names {
		v := variants[name]
		if v == nil {
			return fmt.Errorf("strategy mutagen has no variant %q: the variants are %s", name, strings.Join(slices.Sorted(maps.Keys(variants)), ", "))
		}
		*v = true
	}
	return nil
}

// A named strategy can be chosen by its name.
type namedStrategy struct {
	name     string
	make     func(b base) Strategy
	variants bool // Options.Mutagen may change it
}

// strategies lists all strategies.
var strategies = []namedStrategy{
	{name: "derived", make: func(b base) Strategy { return &derived{b} }},
	{name: "blind", make: func(b base) Strategy { return &blind{b} }},
	{name: "bytes", make: func(b base) Strategy { return newBytes(b) }},
	{name: "fuzzchick", make: func(b base) Strategy { return newFuzzChick(b) }},
	{name: "mutagen", make: func(b base) Strategy { return newMutagen(b) }, variants: true},
	{name: "default", make: func(b base) Strategy { return newMix(b) }},
}

// Names returns the names of the strategies.
func Names() []string {
	var names []string
	for _, s := range strategies {
		names = append(names, s.name)
	}
	return names
}

// Check returns an error for what is no name of a strategy, with variants or without.
func Check(name string) error {
	_, err := (&Options{}).named(name)
	return err
}

// named returns the strategy of a name, and sets the variants in it.
func (o *Options) named(name string) (*namedStrategy, error) {
	strategy, variants, has := strings.Cut(name, "+")
	i := slices.IndexFunc(strategies, func(s namedStrategy) bool { return s.name == strategy })
	switch {
	case i < 0:
		return nil, fmt.Errorf("unknown strategy %q: the strategies are %s", strategy, strings.Join(Names(), ", "))
	case !has:
		return &strategies[i], nil
	case !strategies[i].variants:
		return nil, fmt.Errorf("strategy %s has no variants", strategy)
	}
	return &strategies[i], o.Mutagen.set(strings.Split(variants, "+"))
}

// New returns the strategy of that name, for terms of a sealed type.
func New(name string, t *term.Type, o Options) (Strategy, error) {
	if o.Size == 0 {
		o.Size = 10
	}
	s, err := o.named(name)
	if err != nil {
		return nil, err
	}
	return s.make(base{t: t, r: rand.New(rand.NewPCG(o.Seed, 0x5ea5c4)), o: o}), nil
}

// base is what all strategies have.
type base struct {
	t *term.Type
	r *rand.Rand
	o Options
}

func (b *base) draw() *term.Term { return b.t.Draw(b.r, b.o.Size) }

// derived draws every input again.
type derived struct{ base }

func (s *derived) Next() *term.Term { return s.draw() }
func (s *derived) Learn(Feedback)   {}

// blind redraws a few numbers of inputs that it has just drawn. It shows what feedback
// is worth: see the specification of the stack machine.
type blind struct{ base }

func (s *blind) Next() *term.Term {
	x := s.draw()
	for range 1 + s.r.IntN(4) {
		x = redraw(s.r, x, s.o.Size)
	}
	return x
}

func (s *blind) Learn(Feedback) {}
