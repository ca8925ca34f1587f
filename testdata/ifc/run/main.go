// Command run looks for the faults of a machine with a strategy, and prints a line of
// JSON for each run.
package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
)

func main() { hunt.Main(machineOf) }

// size is that of drawn states: numbers from -3 to 3, and up to three elements.
const size = 3

// machineOf returns the machine of a name.
func machineOf(name string) (*hunt.Subject, error) {
	switch name {
	case "stack":
		return stackMachine()
	case "register":
		return registerMachine()
	}
	return nil, fmt.Errorf("there is no machine %q: there are stack and register", name)
}

func stackMachine() (*hunt.Subject, error) {
	reg := derive.NewRegistry()
	if err := hunt.Values(reg, stack.Ops()); err != nil {
		return nil, err
	}
	check := func(fault int) func(*stack.Pair) hunt.Outcome {
		t := stack.New(fault)
		return func(p *stack.Pair) hunt.Outcome { return hunt.Outcome(t.Check(p)) }
	}
	m, err := hunt.New(reg, stack.Faults, size, check)
	if err != nil {
		return nil, err
	}
	copied(m.Codec.Type(), 0, 1)
	hunt.ByHand(m, "by-hand", check, stack.Draw)
	hunt.ByHand(m, "blind-by-hand", check, stack.DrawBlind)
	return m, nil
}

func registerMachine() (*hunt.Subject, error) {
	reg := derive.NewRegistry()
	impls := []any{register.Int(0), register.Ptr{}, register.Lab(0)}
	for _, err := range []error{
		hunt.Values(reg, register.Ops()), hunt.Values(reg, register.Bins()), hunt.Values(reg, register.Labels()),
		reg.Implementations(reflect.TypeFor[register.Value](), impls),
	} {
		if err != nil {
			return nil, err
		}
	}
	check := func(fault int) func(*register.Case) hunt.Outcome {
		t := register.New(fault)
		return func(c *register.Case) hunt.Outcome { return hunt.Outcome(t.Check(c)) }
	}
	m, err := hunt.New(reg, register.Faults, size, check)
	if err != nil {
		return nil, err
	}
	copied(m.Codec.Type(), 1, 2)
	hunt.ByHand(m, "by-hand", check, register.Draw)
	return m, nil
}

// copied has a product's field be drawn as a copy of another one, as in the
// experiments of the papers: two states drawn by themselves are never alike.
func copied(t *term.Type, from, to int) {
	draw := t.Fields
	t.Generate = func(r *rand.Rand, size int) *term.Term {
		x := &term.Term{Type: t, Kids: make([]*term.Term, len(draw))}
		for i, f := range draw {
			if i != to {
				x.Kids[i] = f.Type.Draw(r, size)
			}
		}
		x.Kids[to] = x.Kids[from]
		return x
	}
}
