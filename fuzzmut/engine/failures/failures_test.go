package failures

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestStackKeepsTheSmallestWhateverTheOrder(t *testing.T) {
	var inputs []*corpus.Input
	for i := range 40 {
		inputs = append(inputs, corpus.Of(fmt.Sprintf("%0*d", 1+i%20, i)))
	}
	var want []*corpus.Input
	for seed := range uint64(20) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
		var b Stack
		for _, in := range inputs {
			b.keep(in)
			if b.keep(in) {
				t.Fatalf("%q is kept twice", in.Values())
			}
		}
		if len(b.Inputs) != inputsPerStack {
			t.Fatalf("%d inputs kept", len(b.Inputs))
		}
		if want == nil {
			want = slices.Clone(b.Inputs)
		}
		if !reflect.DeepEqual(b.Inputs, want) {
			t.Fatalf("kept %q, in another order %q", keys(b.Inputs), keys(want))
		}
	}
}

func keys(inputs []*corpus.Input) (list []string) {
	for _, in := range inputs {
		list = append(list, in.Key())
	}
	return list
}

func TestFailuresGoToTheirStacks(t *testing.T) {
	var told []string
	c := New(func(f Failure) { told = append(told, fmt.Sprintf("%s %s %v", f.Key, f.Input.Values()[0], f.First)) })
	panics := wire.Outcome{Kind: wire.Panic, Message: "first"}
	c.Add(Failure{Input: corpus.Of("aaa"), Key: "k", Outcome: panics}, 1)
	c.Add(Failure{Input: corpus.Of("aaa"), Key: "k"}, 7) // known
	c.Add(Failure{Key: "k"}, 2)                          // only counted
	second := wire.Outcome{Kind: wire.Panic, Message: "second"}
	c.Add(Failure{Input: corpus.Of("b"), Key: "k", Outcome: second}, 1)
	c.Add(Failure{Input: corpus.Of("cc"), Key: "k", Outcome: wire.Outcome{Kind: wire.Panic, Message: "third"}}, 1)
	c.Add(Failure{Input: corpus.Of("b"), Key: "other"}, 1)
	if want := []string{"k aaa true", "k b false", "k cc false", "other b true"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	list := c.Stacks()
	if len(list) != 2 || c.Len() != 2 {
		t.Fatalf("%d stacks", len(list))
	}
	want := Stack{Key: "k", Outcome: second, Inputs: []*corpus.Input{corpus.Of("b"), corpus.Of("cc"), corpus.Of("aaa")}, Count: 12}
	if !reflect.DeepEqual(*list[0], want) {
		t.Errorf("%+v", *list[0])
	}
	if !c.Has("other") || c.Has("none") {
		t.Error("Has")
	}
}

// An input that ends the process is run again only if it may be a better representative.
func TestAStackSuffices(t *testing.T) {
	c := New(nil)
	c.Add(Failure{Key: "empty"}, 1)
	c.Add(Failure{Input: corpus.Of("abc"), Key: "one"}, 1)
	for i := range inputsPerStack {
		c.Add(Failure{Input: corpus.Of(string([]byte{'a' + byte(i), 'x'})), Key: "full"}, 1)
	}
	for _, test := range []struct {
		key, input string
		want       bool
	}{
		{"none", "abcdef", false},
		{"empty", "abcdef", false},
		{"one", "ab", false},
		{"one", "xyz", true},
		{"full", "a", true},
	} {
		if got := c.Suffices(test.key, corpus.Of(test.input)); got != test.want {
			t.Errorf("%s, %q: %v", test.key, test.input, got)
		}
	}
}
