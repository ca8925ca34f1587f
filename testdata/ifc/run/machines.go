package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
	"github.com/fuzzmut/fuzzmut/testdata/ifc/stack"
)

// machineOf returns the machine of a name.
func machineOf(name string) (*machine, error) {
	switch name {
	case "stack":
		return stackMachine()
	}
	return nil, fmt.Errorf("there is no machine %q: there are stack and register", name)
}

func stackMachine() (*machine, error) {
	reg := derive.NewRegistry()
	var list []reflect.Value
	for _, op := range stack.Ops() {
		list = append(list, reflect.ValueOf(op))
	}
	if err := reg.Values(reflect.TypeFor[stack.Op](), list); err != nil {
		return nil, err
	}
	m, err := newMachine(reg, stack.Faults, func(fault int) func(*stack.Pair) outcome {
		t := stack.New(fault)
		return func(p *stack.Pair) outcome { return outcome(t.Check(p)) }
	}, stack.Draw)
	if err == nil {
		copied(m.codec.Type(), 0, 1)
	}
	return m, err
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
