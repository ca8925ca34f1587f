package fuzzmut

import (
	"errors"
	"fmt"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/search"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// driven is what testing.F is, too, in the test binaries that the command fuzzmut
// builds. There Fuzz hands over what breeds inputs of its type; anywhere else, there is
// nobody who would take it.
type driven interface{ FuzzmutInputs(inputs any) }

// observing is what testing.F is there, and what stands for it in copies of fuzz tests: it
// receives the results of each operation of a sequence.
type observing interface {
	FuzzmutObserve(op string, results []any)
}

// unobserving is what these are, too, in versions that know it: nothing more of the input in progress is observed.
type unobserving interface{ FuzzmutUnobserve() }

// inputs breeds the inputs of one fuzz test, on behalf of the command fuzzmut, which
// runs within the process and calls the exported methods one at a time. They are the
// interface between two modules: they have types of the language only, and mean the
// same in every version. Where it calls functions that the user has registered, an
// error tells what these did wrong.
type inputs struct {
	typ   *term.Type
	name  string
	tally *tally

	strategy search.Strategy
	breeder  *search.Breeder
}

// Enumerate tells the constants of a type, by the name that reflection has for it: they
// are drawn more often than its other values. What inputs stand for is the same.
func (in *inputs) Enumerate(name string, numbers []uint64, texts []string) {
	for _, t := range in.typ.All() {
		if t.Name == name && t.Generate == nil {
			search.Prefer(t, numbers, texts)
		}
	}
}

// offer hands the inputs of a fuzz test to the command, if it is there.
func offer(f F, typ *term.Type, name string, tally *tally) {
	if d, ok := any(f).(driven); ok {
		d.FuzzmutInputs(&inputs{typ: typ, name: name, tally: tally})
	}
}

// Type is the name of the type that the inputs are values of.
func (in *inputs) Type() string { return in.name }

// Start chooses a strategy of package search, and starts it again.
func (in *inputs) Start(strategy string, seed uint64) (err error) {
	o := search.Options{Seed: seed}
	in.breeder = search.NewBreeder(in.typ, o)
	in.strategy, err = search.New(strategy, in.typ, o)
	return err
}

// Next returns the input that the strategy wants to be run.
func (in *inputs) Next() (data []byte, err error) {
	defer recovered(&err)
	return encoded(in.strategy.Next()), nil
}

// Learn tells the strategy what became of it: see search.Feedback.
func (in *inputs) Learn(discarded bool, kills int, counts []uint8, path []uint16) (err error) {
	defer recovered(&err)
	in.strategy.Learn(search.Feedback{Discarded: discarded, Kills: kills, Counts: counts, Path: path})
	return nil
}

// Take tells the strategy of an input that it did not choose.
func (in *inputs) Take(data []byte, discarded bool, kills int, counts []uint8, path []uint16) (err error) {
	defer recovered(&err)
	if t, ok := in.strategy.(search.Taker); ok {
		t.Take(in.decoded(data), search.Feedback{Discarded: discarded, Kills: kills, Counts: counts, Path: path})
	}
	return nil
}

// Mutate returns a mutant of an input, which may have parts of another one.
func (in *inputs) Mutate(data, other []byte) (mutant []byte, err error) {
	defer recovered(&err)
	return encoded(in.breeder.Mutate(in.decoded(data), in.decoded(other))), nil
}

// Constants tells numbers and texts that inputs may hold.
func (in *inputs) Constants(numbers []uint64, texts []string) {
	for _, n := range numbers {
		in.breeder.Number(n)
	}
	for _, s := range texts {
		in.breeder.Text(s)
	}
}

// MatchNumber returns at most most inputs whose values differ from that of data in one
// part, a number or a length: it is to instead of from.
func (in *inputs) MatchNumber(data []byte, from, to uint64, most int) [][]byte {
	return allEncoded(search.MatchNumber(in.decoded(data), from, to, most))
}

// MatchText does the same for a text, or a part of one.
func (in *inputs) MatchText(data []byte, from, to string, most int) [][]byte {
	return allEncoded(search.MatchText(in.decoded(data), from, to, most))
}

func allEncoded(list []*term.Term) [][]byte {
	out := make([][]byte, len(list))
	for i, x := range list {
		out[i] = encoded(x)
	}
	return out
}

// Canonical returns the bytes that stand for the same value as data and are what
// Encode returns, and the number of bytes at the end of data that say nothing about it.
func (in *inputs) Canonical(data []byte) (canonical []byte, rest int) {
	x, used := term.Decode(in.typ, data)
	return encoded(x), len(data) - used
}

// Shrink returns a smaller input for which keep holds, as it does for data. It calls
// keep as often as calls says at most.
func (in *inputs) Shrink(data []byte, calls int, keep func(data []byte) bool) []byte {
	x := in.decoded(data)
	least, _ := term.Shrink(x, calls, func(y *term.Term) bool { return keep(encoded(y)) })
	if least == x {
		return data
	}
	return encoded(least)
}

// Discarded returns where the test of the last input was discarded by Assume; "" if it
// was not.
func (in *inputs) Discarded() string { return in.tally.lastSite() }

func (in *inputs) decoded(data []byte) *term.Term {
	x, _ := term.Decode(in.typ, data)
	return x
}

// encoded returns the bytes that stand for a term. One that goes beyond the limits, as
// a mutant may, is cut off there.
func encoded(x *term.Term) []byte {
	data, err := term.Encode(x)
	var bound *term.BoundError
	if errors.As(err, &bound) {
		x, _ = term.Decode(x.Type, x.Bytes())
		data, err = term.Encode(x)
	}
	if err != nil {
		panic(fmt.Sprintf("fuzzmut: the decoded value can't be encoded: %v", err))
	}
	return data
}

// recovered makes an error of what a function of the user's did wrong.
func recovered(err *error) {
	switch v := recover().(type) {
	case nil:
	case *derive.UserError:
		*err = v
	default:
		panic(v)
	}
}
