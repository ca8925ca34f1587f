package unittest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Each function is called by a test that does not check all that the call shows.
const unchecked = `
-- p.go --
package p

import (
	"errors"
	"fmt"
	"math/rand"
)

func Sum(a, b int) (int, error) { return a + b, nil }

type Box struct{ width int }

func NewBox(n int) *Box { return &Box{width: n + 1} }

func Fails(n int) error { return fmt.Errorf("%d is too much", n*2) }

func Same(n int) bool { return n*2 > 0 }

func Random(n int) int { return n*2 + rand.Int() }

func Fill(b []byte) { b[0] = byte(len(b) * 3) }

func Refuse(n int) (int, error) { return n * 2, errors.New("refused") }

func Limit(n int) int { return n * 2 }

func Mark() error { return errors.New("mark") }

func Inside(n int) int { return n * 3 }

func Checked(n int) int { return n * 3 }
-- p_test.go --
package p

import "testing"

func TestSum(t *testing.T) {
	if _, err := Sum(1, 2); err != nil {
		t.Error(err)
	}
}

func TestNewBox(t *testing.T) {
	if NewBox(1) == nil {
		t.Error("no box")
	}
}

func TestFails(t *testing.T) {
	if Fails(2) == nil {
		t.Error("no error")
	}
}

func TestSame(t *testing.T) { Same(4) }

func TestRandom(t *testing.T) {
	if Random(1) < 0 {
		t.Error("below zero")
	}
}

func TestFill(t *testing.T) {
	b := make([]byte, 2)
	Fill(b)
}

func TestRefuse(t *testing.T) {
	if _, err := Refuse(3); err == nil {
		t.Error("no error")
	}
}

func TestLimit(t *testing.T) {
	for range Limit(3) {
		Mark()
	}
}

func twice(n int) int { return 2 * n }

func TestInside(t *testing.T) { twice(2) }

func TestChecked(t *testing.T) {
	if Checked(2) != 6 {
		t.Error("wrong")
	}
}
`

func TestCallsThatReturnSomethingElseAreSeen(t *testing.T) {
	b := build(t, unpack(t, unchecked), "math")
	b.Observe = true
	var told []string
	b.Verdicts = func(v Verdict) {
		if v.Seen != nil {
			told = append(told, v.Seen.Test)
		}
	}
	var phases []string
	var last Progress
	b.Progress = func(p Progress) {
		last = p
		if !slices.Contains(phases, p.Phase) {
			phases = append(phases, p.Phase)
		}
	}
	res := b.run(t)
	got := make(map[string]Seen)
	for _, v := range res.Verdicts {
		if v.Seen == nil {
			continue
		}
		if v.Status != StatusSurvived {
			t.Errorf("seen, and %s", v.show())
		}
		s := *v.Seen
		site := &b.Program.Sites[s.Site]
		if s.Site = 0; site.Name != "p."+b.Program.Mutants[v.Mutant-1].Func {
			t.Errorf("%s is seen at a call of %s", b.Program.Mutants[v.Mutant-1].Func, site.Name)
		}
		got[b.Program.Mutants[v.Mutant-1].Func] = s
	}
	want := map[string]Seen{
		"Sum":    {Test: "TestSum", Text: "3 vs -1", Plain: true},
		"NewBox": {Test: "TestNewBox", Text: ".width: 2 vs 0", Field: "example.com/p.Box.width"},
		"Fails":  {Test: "TestFails", Text: `error "4 is too much" vs error "1 is too much"`, Plain: true, Weak: observe.Message},
		"Fill":   {Test: "TestFill", Text: `"\x06\x00" vs "\x00\x00"`, Plain: true},
		"Refuse": {Test: "TestRefuse", Text: "6 vs 1", Plain: true, Weak: observe.BesideError},
		"Limit":  {Test: "TestLimit", Text: "6 vs 1", Plain: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
	slices.Sort(told)
	if want := []string{"TestFails", "TestFill", "TestLimit", "TestNewBox", "TestRefuse", "TestSum"}; !slices.Equal(told, want) {
		t.Errorf("told of %q", told)
	}
	if len(phases) == 0 || phases[len(phases)-1] != "observation" {
		t.Errorf("phases %q", phases)
	}
	if last.ToSee == 0 || last.Seen != last.ToSee {
		t.Errorf("at the end %d of %d are observed", last.Seen, last.ToSee)
	}

	b.Observe, b.Verdicts = false, nil
	for _, v := range b.run(t).Verdicts {
		if v.Seen != nil {
			t.Errorf("without Observe: %+v", v.Seen)
		}
	}
}

// The first of several calls that differ is the one that is shown.
func TestTheFirstCallIsSeen(t *testing.T) {
	b := build(t, unpack(t, `
-- p.go --
package p

type Counter struct{ left int }

func New(n int) *Counter { return &Counter{left: n} }

func (c *Counter) Next() bool {
	if c.left <= 1 {
		return false
	}
	c.left--
	return true
}
-- p_test.go --
package p

import "testing"

var c = New(3)

func TestAll(t *testing.T) {
	*c = *New(3)
	for c.Next() {
	}
}
`), "conditional-boundary")
	b.Observe = true
	v := b.verdict(t, b.run(t), "(*Counter).Next", "conditional-boundary", "")
	if v.Status != StatusSurvived || v.Seen == nil || v.Seen.Value != 0 || v.Seen.Text != "false vs true" {
		t.Errorf("%s, seen %+v", v.show(), v.Seen)
	}
}

// The cheapest tests come first, and what the budget has no room for is counted.
func TestThePlanOfObservation(t *testing.T) {
	program := &instrument.Program{}
	for i, status := range []instrument.Status{instrument.StatusLive, instrument.StatusLive, instrument.StatusStatic, instrument.StatusLive} {
		program.Mutants = append(program.Mutants, instrument.Mutant{Index: i + 1, FuncIndex: i / 2, Status: status})
	}
	costs := map[string]int64{"TestDear": 50, "TestCheap": 5, "TestOnce": 1, "TestFar": 2, "TestTwin": 50}
	names := []string{"TestDear", "TestCheap", "TestOnce", "TestFar", "TestTwin"}
	survivors := []Verdict{
		{Mutant: 1, Infected: names},
		{Mutant: 2, Infected: []string{"TestDear"}},
		{Mutant: 3, Infected: names},
		{Mutant: 4, Infected: []string{"TestGone", "TestCheap"}},
	}
	for _, c := range []struct {
		name   string
		factor int64 // of the costs
		want   [][]wire.TryItem
		left   int
	}{
		{"all fit", 1, [][]wire.TryItem{
			{{Mutant: 1, Tests: []int{1, 0, 4}}, {Mutant: 2, Tests: []int{0}}},
			{{Mutant: 4, Tests: []int{1}}},
		}, 0},
		{"the first is too much, and nothing is left", observeFuel / 3 / 60, nil, 3},
		{"the last is too much", observeFuel / 3 / 157, [][]wire.TryItem{{{Mutant: 1, Tests: []int{1, 0, 4}}, {Mutant: 2, Tests: []int{0}}}}, 1},
	} {
		s := &suite{launch: &launcher{o: &Options{Program: program}}}
		for i, name := range names {
			tt := &test{Test: Test{Name: name, Fuel: c.factor * costs[name]}, index: i, once: name == "TestOnce"}
			for id := range program.Mutants {
				if name != "TestFar" { // it reaches them before the first test
					tt.infected.Add(id + 1)
				}
			}
			s.tests = append(s.tests, tt)
		}
		o := observer{suite: s}
		left := o.plan(survivors)
		if diff := cmp.Diff(c.want, o.groups); diff != "" || left != c.left {
			t.Errorf("%s: %d have no room, want %d; groups (-want +got):\n%s", c.name, left, c.left, diff)
		}
	}
}
