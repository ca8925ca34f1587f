package bugs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func panicAt(text, frame string) wire.Outcome {
	return wire.Outcome{Kind: wire.Panic, Message: text, Frames: []string{frame}}
}

func death() wire.Outcome { return wire.Outcome{Kind: wire.Death, Message: "killed"} }

func input(text string) *corpus.Input { return corpus.Of(text) }

// describe names the inputs of a bug, the representative first, and its counts.
func describe(b Bug) string {
	var texts []string
	for _, in := range b.Inputs {
		texts = append(texts, in.Values()[0].(string))
	}
	slices.Sort(texts[1:])
	return fmt.Sprintf("%s: %d executions, %d stacks", strings.Join(texts, " "), b.Count, b.Stacks)
}

func TestBucketsBecomeBugs(t *testing.T) {
	boom, crash, exit := panicAt("boom", "p.F p.go:1"), panicAt("crash", "p.G p.go:9"), wire.Outcome{Kind: wire.Exit, Message: "exit status 3"}
	known := func(text string, o wire.Outcome) *Input {
		return &Input{Entry: input(text).Found(), Result: wire.Result{Outcome: o}}
	}
	boomed, crashed := known("long boom", boom), known("crash", crash)
	for _, c := range []struct {
		name    string
		stacks  []*failures.Stack
		buckets []*bucket
		want    []string
	}{
		{name: "none"},
		{
			name:   "each stack that was not assigned is a bug",
			stacks: []*failures.Stack{{Key: "a", Outcome: boom, Inputs: []*corpus.Input{input("x")}, Count: 3}, {Key: "b", Outcome: exit, Inputs: []*corpus.Input{input("y")}, Count: 1}},
			want:   []string{"x: 3 executions, 1 stacks", "y: 1 executions, 1 stacks"},
		},
		{
			name: "stacks of one bucket are one bug, the smallest input first",
			stacks: []*failures.Stack{
				{Key: "a", Outcome: boom, Inputs: []*corpus.Input{input("long boom")}, Count: 4}, {Key: "b", Outcome: panicAt("boom", "p.H p.go:3"), Inputs: []*corpus.Input{input("other")}, Count: 2},
			},
			buckets: []*bucket{{known: []*Input{boomed}, small: input("b"), inputs: []assigned{{input("long boom"), "a", boomed}, {input("other"), "b", nil}}}},
			want:    []string{"b long boom other: 6 executions, 2 stacks"},
		},
		{
			name: "buckets with the same representative are one bug",
			stacks: []*failures.Stack{
				{Key: "a", Outcome: boom, Inputs: []*corpus.Input{input("long boom")}, Count: 4}, {Key: "b", Outcome: crash, Inputs: []*corpus.Input{input("crash")}, Count: 2},
			},
			buckets: []*bucket{
				{known: []*Input{boomed}, small: input("b"), inputs: []assigned{{input("long boom"), "a", boomed}}},
				{known: []*Input{crashed}, small: input("b"), inputs: []assigned{{input("crash"), "b", crashed}}},
			},
			want: []string{"b crash long boom: 6 executions, 2 stacks"},
		},
		{
			name:   "the executions of a stack count once",
			stacks: []*failures.Stack{{Key: "a", Outcome: boom, Inputs: []*corpus.Input{input("long boom"), input("crash")}, Count: 9}},
			buckets: []*bucket{
				{known: []*Input{boomed}, inputs: []assigned{{input("long boom"), "a", boomed}}},
				{known: []*Input{crashed}, inputs: []assigned{{input("crash"), "a", crashed}}},
			},
			want: []string{"long boom: 9 executions, 1 stacks", "crash: 1 executions, 1 stacks"},
		},
		{
			name: "what fails like a bug goes with it",
			stacks: []*failures.Stack{
				{Key: "a", Outcome: boom, Inputs: []*corpus.Input{input("long boom")}, Count: 1}, {Key: "b", Outcome: boom, Inputs: []*corpus.Input{input("later")}, Count: 5},
			},
			buckets: []*bucket{{known: []*Input{boomed}, inputs: []assigned{{input("long boom"), "a", boomed}}}},
			want:    []string{"long boom later: 6 executions, 2 stacks"},
		},
		{
			name:   "of deaths the engine knows which input is to blame",
			stacks: []*failures.Stack{{Key: "d", Outcome: death(), Inputs: []*corpus.Input{input("culprit")}, Count: 2}},
			buckets: []*bucket{
				{known: []*Input{known("bystander", death())}, small: input("bystander"), inputs: []assigned{{input("bystander"), "d", nil}}},
			},
			want: []string{"culprit: 2 executions, 1 stacks"},
		},
	} {
		x := newCollector(c.stacks)
		x.buckets = c.buckets
		x.collect(false)
		x.addRest()
		x.joinSame()
		var got []string
		for _, b := range x.bugs {
			got = append(got, describe(b))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What nobody sorts is one bug if it fails alike in one place, whatever has called that.
func TestUnsortedStacksThatFailAlikeAreOneBug(t *testing.T) {
	at := func(key, message, line, caller string, inputs ...string) *failures.Stack {
		s := &failures.Stack{Key: key, Outcome: panicAt(message, "p.F p.go:"+line), Count: int64(len(inputs))}
		s.Outcome.Frames = append(s.Outcome.Frames, caller)
		for _, text := range inputs {
			s.Inputs = append(s.Inputs, input(text))
		}
		return s
	}
	stacks := []*failures.Stack{
		at("a", "index out of range [3] with length 3", "1", "p.G p.go:8", "long", "longer"),
		at("b", "index out of range [5] with length 2", "1", "p.H p.go:9", "x"),
		at("c", "index out of range [5] with length 2", "2", "p.H p.go:9", "yy"),
		at("d", "nil pointer dereference", "1", "p.H p.go:9", "z"),
	}
	want := []string{"x long longer: 3 executions, 2 stacks", "yy: 1 executions, 1 stacks", "z: 1 executions, 1 stacks"}
	// By an interruption before they are sorted, and without anything to sort them by.
	c := newCollector(stacks)
	c.buckets = ofStacks(stacks)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.run(ctx, nil); err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]Bug{Unsorted(stacks), c.bugs} {
		var got []string
		for _, b := range list {
			got = append(got, describe(b))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if stacks[0].Inputs[0].Values()[0] != "long" {
		t.Error("the engine's own list is in another order")
	}
}

// Without a second binary each stack is a bucket. A few inputs of it are run with
// mutants, as far as mutants can be run on them.
func TestEachStackIsABucket(t *testing.T) {
	var many []*corpus.Input
	for i := range 9 {
		many = append(many, input(strings.Repeat("x", i)))
	}
	list := ofStacks([]*failures.Stack{
		{Key: "a", Outcome: panicAt("boom", "p.F p.go:1"), Inputs: many},
		{Key: "h", Outcome: wire.Outcome{Kind: wire.Fuel, Message: "p.F: out of fuel", Frames: []string{"p.F p.go:1"}}, Inputs: many},
		{Key: "d", Outcome: death(), Inputs: many},
	})
	if len(list) != 2 {
		t.Fatalf("%d buckets", len(list))
	}
	for i, most := range []int{joinInputs, joinHangs} {
		if b := list[i]; len(b.known) != most || len(b.inputs) != len(many) || b.inputs[0].known != b.known[0] || b.inputs[most].known != nil {
			t.Errorf("bucket %d: %d of %d inputs are to be run", i, len(b.known), len(b.inputs))
		}
	}
}

func TestWithoutAnIntakeEachStackIsShown(t *testing.T) {
	var in *Intake
	if !in.Add(failures.Failure{First: true}) || in.Add(failures.Failure{}) || in.Known(3) != 3 || in.Finish() {
		t.Error("an intake that is not there does something")
	}
	in.Close()
	in.Stop()
}
