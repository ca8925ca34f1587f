package fuzzing

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/values"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// counting is a breeder whose values are bytes from 1 up, one after the other. It
// notes the feedback that it gets.
type counting struct {
	started  []string
	next     byte
	mistake  byte // the value that can't be made; 0: none
	endless  byte // the value that is never done; 0: none
	learned  []feedback
	taken    map[string]feedback
	shrunken int
	place    string
}

func (c *counting) Type() string                         { return "p.T" }
func (c *counting) Enumerate(string, []uint64, []string) {}
func (c *counting) Start(strategy string, _ uint64) error {
	c.started = append(c.started, strategy)
	return nil
}

func (c *counting) Next() ([]byte, error) {
	if c.next++; c.next == 0 {
		c.next = 100
	}
	if c.next == c.endless {
		select {}
	}
	if c.next == c.mistake {
		return nil, errors.New("out of luck")
	}
	return []byte{c.next}, nil
}

func (c *counting) Learn(discarded bool, kills int, counts []uint8, path []uint16) error {
	c.learned = append(c.learned, feedback{discarded, kills, slices.Clone(counts), slices.Clone(path)})
	return nil
}

func (c *counting) Take(data []byte, discarded bool, kills int, counts []uint8, path []uint16) error {
	c.taken[string(data)] = feedback{discarded, kills, slices.Clone(counts), slices.Clone(path)}
	return nil
}

func (c *counting) Mutate(data, _ []byte) ([]byte, error) { return data, nil }
func (c *counting) Constants([]uint64, []string)          {}
func (c *counting) Discarded() string                     { return c.place }

func (c *counting) MatchNumber([]byte, uint64, uint64, int) [][]byte { return nil }
func (c *counting) MatchText([]byte, string, string, int) [][]byte   { return nil }

func (c *counting) Canonical(data []byte) ([]byte, int) {
	return data[:min(len(data), 1)], max(len(data)-1, 0)
}

func (c *counting) Shrink(data []byte, _ int, _ func([]byte) bool) []byte {
	c.shrunken++
	return data
}

// newValueLoop returns a worker of a fuzz target of values, with one mutant, that
// value 7 kills. Value 5 covers another block, and those above 8 are discarded.
func newValueLoop(t *testing.T, strategy string) (*Fuzzer, *counting, func() []wire.Reply) {
	var counters [2]uint8
	b := &counting{taken: make(map[string]feedback)}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, func(t *testing.T, data []byte) {
		counters[0]++
		b.place = ""
		fuzzmutrt.Reached[0] |= 2
		fuzzmutrt.Infected[0] |= 2
		switch {
		case len(data) == 0:
		case data[0] == 5:
			counters[1]++
		case data[0] == 7 && fuzzmutrt.Active == 1:
			panic("killed")
		case data[0] > 8:
			b.place = "t.go:9"
			t.SkipNow()
		}
	}, counters[:], make([]bool, 1))
	l, _ := newFuzzer(w, values.New(b, strategy))
	return l, b, w.Replies
}

func TestStrategyLearnsWhatBecameOfItsChoices(t *testing.T) {
	l, b, sent := newValueLoop(t, "fuzzchick")
	req := wire.Fuzz{Execs: 10, Filter: "all", Limit: 1000, Slow: 1000, Add: []wire.Entry{{ID: 3, Input: wire.Encode([]any{[]byte{5}})}}}
	if err := ask(l, wire.Request{Fuzz: &req}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(b.started, []string{"fuzzchick"}) || len(b.learned) != 10 {
		t.Fatalf("started %q, learned %d", b.started, len(b.learned))
	}
	for i, f := range b.learned {
		v := byte(i + 1)
		kills := 0
		if v == 7 {
			kills = 1
		}
		if f.discarded != (v > 8) || f.kills != kills || !slices.Equal(f.counts, []uint8{1, map[bool]uint8{true: 1}[v == 5]}) || f.path != nil {
			t.Errorf("of value %d: %+v", v, f)
		}
	}
	if f, ok := b.taken["\x05"]; !ok || len(b.taken) != 1 || !slices.Equal(f.counts, []uint8{1, 1}) {
		t.Errorf("told of entries: %v", b.taken)
	}
	all := sent()
	end := all[len(all)-1].Fuzzed
	if end == nil || end.Stats.Bred != 10 || !slices.Equal(end.Stats.Discards, []wire.Discarding{{Place: "t.go:9", Inputs: 2}}) {
		t.Errorf("the round ends with %+v", all[len(all)-1])
	}
	// What the strategy has chosen is not news to it, though it comes back.
	next := wire.Fuzz{Execs: 1, Filter: "none", Limit: 1000, Slow: 1000, Add: []wire.Entry{{ID: 4, Input: wire.Encode([]any{[]byte{7}})}}}
	if err := ask(l, wire.Request{Fuzz: &next}); err != nil {
		t.Fatal(err)
	}
	if len(b.taken) != 1 || len(b.started) != 1 {
		t.Errorf("told of entries: %v; started %q", b.taken, b.started)
	}
}

func TestDefaultSharesWhatOthersFind(t *testing.T) {
	l, b, sent := newValueLoop(t, "default")
	b.next = 100 // discards only
	req := wire.Fuzz{Seed: 1, Execs: 8000, Filter: "all", Limit: 1000, Slow: 1000, Add: []wire.Entry{{ID: 3, Input: wire.Encode([]any{[]byte{1}})}}}
	req.Parents = []wire.Parent{{ID: 3, Weight: 1}}
	if err := ask(l, wire.Request{Fuzz: &req}); err != nil {
		t.Fatal(err)
	}
	if f, ok := b.taken["\x07"]; !ok || f.kills != 1 || f.discarded {
		t.Errorf("the mutant was not killed, or it was not told: %v", b.taken)
	}
	for _, r := range sent() {
		if r.Found == nil {
			continue
		}
		vals, err := wire.Decode(r.Found.Input)
		if err != nil || len(vals[0].([]byte)) > 1 {
			t.Fatalf("kept %v, which is not canonical: %v", vals, err)
		}
		if v := vals[0].([]byte); r.Found.Discarded != (len(v) > 0 && v[0] > 8) {
			t.Errorf("kept %v as discarded: %t", v, r.Found.Discarded)
		}
	}
	if n := len(b.learned); n < 800 || n > 7600 || b.shrunken == 0 {
		t.Errorf("%d of 8000 by the strategy, %d made smaller", n, b.shrunken)
	}
}

func TestMistakeOfAGeneratorEndsTheRound(t *testing.T) {
	l, b, sent := newValueLoop(t, "derived")
	b.mistake = 4
	if err := ask(l, wire.Request{Fuzz: &wire.Fuzz{Execs: 10, Filter: "none", Limit: 1000, Slow: 1000}}); err != nil {
		t.Fatal(err)
	}
	all := sent()
	end := all[len(all)-1].Fuzzed
	if end == nil || !strings.Contains(end.Error, "out of luck") || end.Stats.Bred != 3 || len(b.learned) > 0 {
		t.Errorf("the round ends with %+v", all[len(all)-1])
	}
}

func TestGeneratorThatDoesNotEndEndsTheProcess(t *testing.T) {
	l, b, sent := newValueLoop(t, "derived")
	b.endless = 4
	exited := make(chan int)
	l.strategy.limit = 50 * time.Millisecond
	l.strategy.exit = func(code int) { exited <- code }
	go ask(l, wire.Request{Fuzz: &wire.Fuzz{Execs: 10, Filter: "none", Limit: 1000, Slow: 1000}})
	if code := <-exited; code != wire.ExitDone {
		t.Errorf("exit code %d", code)
	}
	all := sent()
	if end := all[len(all)-1].Fuzzed; end == nil || !strings.Contains(end.Error, "no value of type p.T was produced within 50ms") {
		t.Errorf("the round ends with %+v", all[len(all)-1])
	}
}

// With -inputs bytes nobody asks the breeder for anything.
func TestBytesAreBredAsEver(t *testing.T) {
	l, b, _ := newValueLoop(t, "bytes")
	if err := ask(l, wire.Request{Fuzz: &wire.Fuzz{Execs: 100, Filter: "none", Limit: 1000, Slow: 1000}}); err != nil {
		t.Fatal(err)
	}
	if b.started != nil || b.next > 0 || b.shrunken > 0 {
		t.Errorf("%+v", b)
	}
}
