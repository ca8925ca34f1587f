package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/register"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
)

// machineOf returns the machine of a name.
func machineOf(name string) (*machine, error) {
	switch name {
	case "stack":
		return stackMachine()
	case "register":
		return registerMachine()
	}
	return nil, fmt.Errorf("there is no machine %q: there are stack and register", name)
}

func stackMachine() (*machine, error) {
	reg := derive.NewRegistry()
	if err := values(reg, stack.Ops()); err != nil {
		return nil, err
	}
	m, err := newMachine(reg, stack.Faults, func(fault int) func(*stack.Pair) outcome {
		t := stack.New(fault)
		return func(p *stack.Pair) outcome { return outcome(t.Check(p)) }
	}, map[string]func(*rand.Rand) stack.Pair{"by-hand": stack.Draw, "blind-by-hand": stack.DrawBlind})
	if err == nil {
		copied(m.codec.Type(), 0, 1)
	}
	return m, err
}

func registerMachine() (*machine, error) {
	reg := derive.NewRegistry()
	impls := []any{register.Int(0), register.Ptr{}, register.Lab(0)}
	for _, err := range []error{
		values(reg, register.Ops()), values(reg, register.Bins()), values(reg, register.Labels()),
		reg.Implementations(reflect.TypeFor[register.Value](), impls),
	} {
		if err != nil {
			return nil, err
		}
	}
	m, err := newMachine(reg, register.Faults, func(fault int) func(*register.Case) outcome {
		t := register.New(fault)
		return func(c *register.Case) outcome { return outcome(t.Check(c)) }
	}, map[string]func(*rand.Rand) register.Case{"by-hand": register.Draw})
	if err == nil {
		copied(m.codec.Type(), 1, 2)
	}
	return m, err
}

// values lists the values of a type.
func values[T any](reg *derive.Registry, all []T) error {
	var list []reflect.Value
	for _, v := range all {
		list = append(list, reflect.ValueOf(v))
	}
	return reg.Values(reflect.TypeFor[T](), list)
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
