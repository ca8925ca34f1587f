package failures

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestBucketKeepsTheSmallestWhateverTheOrder(t *testing.T) {
	var inputs [][]byte
	for i := range 40 {
		inputs = append(inputs, []byte(fmt.Sprintf("%0*d", 1+i%20, i)))
	}
	var want [][]byte
	for seed := range uint64(20) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
		var b Bucket
		for _, in := range inputs {
			b.keep(in)
			if b.keep(in) {
				t.Fatalf("%q is kept twice", in)
			}
		}
		if len(b.Inputs) != inputsPerBucket {
			t.Fatalf("%d inputs kept", len(b.Inputs))
		}
		if want == nil {
			want = slices.Clone(b.Inputs)
		}
		if !reflect.DeepEqual(b.Inputs, want) {
			t.Fatalf("kept %q, in another order %q", b.Inputs, want)
		}
	}
}

func TestFailuresGoToTheirBuckets(t *testing.T) {
	var told []string
	c := New(func(f Failure) { told = append(told, fmt.Sprintf("%s %s %v", f.Key, f.Input, f.First)) })
	panics := wire.Outcome{Kind: wire.Panic, Message: "first"}
	c.Add(Failure{Input: []byte("aaa"), Key: "k", Outcome: panics}, 1)
	c.Add(Failure{Input: []byte("aaa"), Key: "k"}, 7) // known
	c.Add(Failure{Key: "k"}, 2)                       // only counted
	c.Add(Failure{Input: []byte("b"), Key: "k", Outcome: wire.Outcome{Message: "second"}}, 1)
	c.Add(Failure{Input: []byte("b"), Key: "other"}, 1)
	if want := []string{"k aaa true", "k b false", "other b true"}; !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	list := c.Buckets()
	if len(list) != 2 || c.Len() != 2 {
		t.Fatalf("%d buckets", len(list))
	}
	want := Bucket{Key: "k", Outcome: panics, Inputs: [][]byte{[]byte("b"), []byte("aaa")}, Count: 11}
	if !reflect.DeepEqual(*list[0], want) {
		t.Errorf("%+v", *list[0])
	}
	if !c.Has("other") || c.Has("none") {
		t.Error("Has")
	}
}

// An input that ends the process is run again only if it may be a better representative.
func TestABucketSuffices(t *testing.T) {
	c := New(nil)
	c.Add(Failure{Key: "empty"}, 1)
	c.Add(Failure{Input: []byte("abc"), Key: "one"}, 1)
	for i := range inputsPerBucket {
		c.Add(Failure{Input: []byte{'a' + byte(i), 'x'}, Key: "full"}, 1)
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
		if got := c.Suffices(test.key, []byte(test.input)); got != test.want {
			t.Errorf("%s, %q: %v", test.key, test.input, got)
		}
	}
}
