package rapid

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/properties/planted"
	"github.com/fuzzmut/fuzzmut/testdata/properties/rbt"
)

// TestMachine runs rapid's state machine.
func TestMachine(t *testing.T) { enterMachine(t, machinist{t}) }

type machinist struct{ t *testing.T }

// repeat runs a state machine; the system is part of the property.
func repeat[S any](m machinist, start func() S, step func(hunt.Outcome) bool, actions func(s S, do func(hunt.Outcome)) map[string]func(*rapid.T)) {
	rapid.Check(m.t, func(t *rapid.T) {
		t.Repeat(actions(start(), func(o hunt.Outcome) {
			if !step(o) {
				t.Fatal(o)
			}
		}))
	})
}

func (m machinist) BTreeMachine(start func() *planted.BTree, step func(hunt.Outcome) bool) {
	repeat(m, start, step, func(s *planted.BTree, do func(hunt.Outcome)) map[string]func(*rapid.T) {
		return map[string]func(*rapid.T){
			"Insert":    func(t *rapid.T) { do(s.Insert(number(t))) },
			"Delete":    func(t *rapid.T) { do(s.Delete(number(t))) },
			"DeleteMin": func(*rapid.T) { do(s.DeleteMin()) },
		}
	})
}

func (m machinist) DequeMachine(start func() *planted.Deque, step func(hunt.Outcome) bool) {
	repeat(m, start, step, func(s *planted.Deque, do func(hunt.Outcome)) map[string]func(*rapid.T) {
		return map[string]func(*rapid.T){
			"PushFront": func(t *rapid.T) { do(s.PushFront(number(t))) },
			"PushBack":  func(t *rapid.T) { do(s.PushBack(number(t))) },
			"PopFront":  func(*rapid.T) { do(s.PopFront()) },
			"PopBack":   func(*rapid.T) { do(s.PopBack()) },
			"Rotate":    func(t *rapid.T) { do(s.Rotate(number(t))) },
		}
	})
}

func (m machinist) CacheMachine(start func() *planted.Cache, step func(hunt.Outcome) bool) {
	repeat(m, start, step, func(s *planted.Cache, do func(hunt.Outcome)) map[string]func(*rapid.T) {
		return map[string]func(*rapid.T){
			"Put":    func(t *rapid.T) { do(s.Put(number(t), number(t))) },
			"Get":    func(t *rapid.T) { do(s.Get(number(t))) },
			"Remove": func(t *rapid.T) { do(s.Remove(number(t))) },
			"Resize": func(t *rapid.T) { do(s.Resize(rapid.Uint8().Draw(t, "n"))) },
		}
	})
}

func (m machinist) RBTMachine(start func() *rbt.Machine, step func(hunt.Outcome) bool) {
	repeat(m, start, step, func(s *rbt.Machine, do func(hunt.Outcome)) map[string]func(*rapid.T) {
		return map[string]func(*rapid.T){
			"Insert": func(t *rapid.T) { do(s.Insert(number(t), number(t))) },
			"Delete": func(t *rapid.T) { do(s.Delete(number(t))) },
		}
	})
}
