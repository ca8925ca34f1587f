//go:build unix

package evaluate

import (
	"context"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// knowing says that an input was seen to kill a mutant.
func knowing(input int, mutants ...uint32) (list []Kill) {
	for _, m := range mutants {
		list = append(list, Kill{Kill: wire.Kill{Mutant: m, Kind: oracle.Panic}, Input: input})
	}
	return list
}

func TestKnownKillsAreConfirmedOnce(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs []string
		know   Knowing
		want   string
		runs   []int64 // by mutant
	}{
		{"nothing is known", []string{"i1 k2", "k1"}, Knowing{}, "0:2=panic 1:1=panic", []int64{0, 2, 1}},
		{"the known input alone is run", []string{"i1 k2", "k1"}, Knowing{Kills: append(knowing(1, 1), knowing(0, 2)...)}, "0:2=panic 1:1=panic", []int64{0, 1, 1}},
		{"what is not confirmed is looked at again", []string{"k1", "i1", "i1"}, Knowing{Kills: knowing(2, 1)}, "0:1=panic", []int64{0, 2}},
		{"the first of several", []string{"i1", "k1", "k1"}, Knowing{Kills: append(knowing(2, 1), knowing(1, 1)...)}, "1:1=panic", []int64{0, 1}},
		{"another may show more", []string{"n1", "d1"}, Knowing{Kills: knowing(0, 1)}, "1:1=difference", []int64{0, 3}},
		{"a clean input kills nothing that lives", []string{"i1 k2", "i1"}, Knowing{
			Kills: knowing(0, 2), Clean: func(i int) bool { return i == 0 }, Dead: func(m uint32) bool { return m == 2 },
		}, "0:2=panic", []int64{0, 1, 1}},
		{"but may kill what was killed elsewhere", []string{"k1", "i1"}, Knowing{
			Clean: func(int) bool { return true }, Dead: func(m uint32) bool { return m == 1 },
		}, "0:1=panic", []int64{0, 1}},
		{"what is sure is not run", []string{"i1", "i1 k2"}, Knowing{
			Kills: append(knowing(0, 1), knowing(1, 2)...), Sure: func(m uint32) bool { return m == 1 },
		}, "0:1=panic 1:2=panic", []int64{0, 0, 1}},
		{"but what is sure of another input is", []string{"i1", "d1"}, Knowing{
			Clean: func(int) bool { return true }, Dead: func(m uint32) bool { return m == 1 }, Sure: func(m uint32) bool { return m == 1 },
		}, "1:1=difference", []int64{0, 2}},
	} {
		for _, parallel := range []int{1, 2} {
			ev, err := newEvaluator(parallel).Confirm(t.Context(), fake.Inputs(c.inputs...), c.know)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(ev); got != c.want || len(ev.Late) > 0 || len(ev.Unconfirmed) > 0 {
				t.Errorf("%s: %s, want %s; late %v", c.name, got, c.want, ev.Late)
			}
			for m, n := range c.runs {
				if got := ev.Counts.Executed[m]; got != n {
					t.Errorf("%s: mutant %d was run %d times, want %d", c.name, m, got, n)
				}
			}
			e := newEvaluator(parallel)
			know := c.know
			know.Ledger = e.NewLedger()
			if ev, err = e.Confirm(t.Context(), fake.Inputs(c.inputs...), know); err != nil {
				t.Fatal(err)
			}
			if got := show(ev); got != c.want || len(ev.Late) > 0 || len(ev.Unconfirmed) > 0 {
				t.Errorf("%s, with a ledger: %s, want %s; late %v", c.name, got, c.want, ev.Late)
			}
		}
	}
}

// Where the time is over before kills have said what they show, those count as confirmed that
// were seen again, and those that were found.
func TestKillsCountWithoutWhatTheyShow(t *testing.T) {
	for _, parallel := range []int{1, 2} {
		e := newEvaluator(parallel)
		original, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("w900 k1 d3 k4", "w1 k2 d3 e5"), Select: wire.SelectNone, Infected: true, Reached: true, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		original.Late, original.Unconfirmed = make(map[uint32]bool), make(map[uint32]bool)
		c := &confirmation{e: e, ev: original, killed: make(map[uint32]Kill), plain: make(map[uint32]Kill), know: Knowing{
			Kills: append(knowing(0, 1), knowing(1, 2)...), Ledger: e.NewLedger(),
		}}
		for _, err := range []error{c.find(t.Context(), func(m uint32) bool { return m == 3 || m == 5 }, 0), c.check(t.Context(), map[uint32]int{1: 0})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(c.killed) != 1 || c.killed[5].Kind != oracle.Exit || len(c.plain) != 2 || c.plain[1].Input != 0 {
			t.Errorf("killed %v, without what it shows %v", c.killed, c.plain)
		}
		if c.plain[3].Input != 1 {
			t.Errorf("found on input %d: not where the original does least", c.plain[3].Input)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := c.confirm(ctx, c.first()); err != nil {
			t.Fatal(err)
		}
		if len(c.killed) != 4 || len(original.Unconfirmed) != 1 || !original.Unconfirmed[2] {
			t.Errorf("killed %v, unconfirmed %v", c.killed, original.Unconfirmed)
		}
		for m, want := range []int64{0, 1, 0, 1, 0, 1} {
			if got := original.Counts.Executed[m]; got != want {
				t.Errorf("mutant %d was run %d times, want %d", m, got, want)
			}
		}
	}
}

// What another input has killed comes before what lives, and last what takes long.
func TestWhatIsLikelyToFallComesFirst(t *testing.T) {
	e := newEvaluator(1)
	original, err := e.Evaluate(t.Context(), Query{Inputs: fake.Inputs("k1 k2 k3"), Select: wire.SelectNone, Infected: true, Reached: true, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	c := &confirmation{e: e, ev: original, killed: make(map[uint32]Kill), plain: make(map[uint32]Kill), know: Knowing{
		Dear: func(m uint32) bool { return m == 1 }, Ledger: e.NewLedger(),
	}}
	if err := c.findAll(t.Context(), func(m uint32) bool { return m == 1 || m == 3 }, func(m uint32) bool { return m == 2 }); err != nil {
		t.Fatal(err)
	}
	var order []uint32
	for _, k := range c.know.Kills {
		order = append(order, k.Mutant)
	}
	if !slices.Equal(order, []uint32{3, 2, 1}) {
		t.Errorf("found in the order %v", order)
	}
}

// Without time, known kills count, and what may live is not judged.
func TestWhatIsKnownCountsWithoutTime(t *testing.T) {
	e := newEvaluator(2)
	inputs := fake.Inputs("k1 i3", "k2 i4")
	original, err := e.Evaluate(t.Context(), Query{Inputs: inputs, Select: wire.SelectNone, Infected: true})
	if err != nil {
		t.Fatal(err)
	}
	original.Late, original.Unconfirmed = make(map[uint32]bool), make(map[uint32]bool)
	c := &confirmation{e: e, ev: original, killed: make(map[uint32]Kill), plain: make(map[uint32]Kill), know: Knowing{
		Kills: append(knowing(0, 1), knowing(1, 2)...), Clean: func(i int) bool { return i == 1 }, Dead: func(m uint32) bool { return m < 3 },
	}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.run(ctx); err != nil {
		t.Fatal(err)
	}
	if len(c.killed) != 2 || !original.Unconfirmed[1] || !original.Unconfirmed[2] {
		t.Errorf("killed %v, unconfirmed %v", c.killed, original.Unconfirmed)
	}
	if len(original.Late) != 1 || !original.Late[3] {
		t.Errorf("late: %v", original.Late)
	}
}

// A mutant whose first kill is known is not run from there on, and may fall before.
func TestMutantsAreRunUpToTheirKnownKill(t *testing.T) {
	for _, parallel := range []int{1, 2} {
		ev, err := newEvaluator(parallel).Evaluate(t.Context(), Query{
			Inputs: fake.Inputs("i1 k2 k3", "k1 k2 k4", "i1 k3"), Select: wire.SelectAlive, Known: map[uint32]int{1: 1, 2: 1, 3: 0},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := show(ev), "0:2=panic 1:4=panic"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if n := ev.Counts.Executed[1]; n != 1 {
			t.Errorf("mutant 1 was run %d times", n)
		}
	}
}

// Where entries are left out, only the mutants that they had killed are run again.
func TestNarrowingRunsWhatIsLost(t *testing.T) {
	for _, c := range []struct {
		name   string
		inputs []string
		keep   []int
		know   []Kill // of those kept
		want   string
		runs   []int64
	}{
		{"nothing is lost", []string{"k1", "i1 i2", "k2"}, []int{0, 2}, nil, "0:1=panic 1:2=panic", []int64{0, 1, 2}},
		{"another kills it", []string{"k1", "i2", "k1 k2"}, []int{1, 2}, nil, "1:1=panic 1:2=panic", []int64{0, 2, 2}},
		{"another is known to kill it", []string{"k1", "i1", "k1"}, []int{1, 2}, knowing(1, 1), "1:1=panic", []int64{0, 2}},
		{"no other kills it", []string{"k1", "i1"}, []int{1}, nil, "", []int64{0, 2}},
	} {
		e := newEvaluator(2)
		all, err := e.Confirm(t.Context(), fake.Inputs(c.inputs...), Knowing{})
		if err != nil {
			t.Fatal(err)
		}
		ev, err := e.Narrow(t.Context(), all, c.keep, Knowing{Kills: c.know})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(ev); got != c.want || len(ev.Inputs) != len(c.keep) || len(ev.Late) > 0 {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for m, n := range c.runs {
			if got := ev.Counts.Executed[m]; got != n {
				t.Errorf("%s: mutant %d was run %d times, want %d", c.name, m, got, n)
			}
		}
	}
	e := newEvaluator(1)
	all, err := e.Confirm(t.Context(), fake.Inputs("k1", "i1"), Knowing{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if ev, err := e.Narrow(ctx, all, []int{1}, Knowing{}); err != nil || !ev.Late[1] || len(ev.Kills) != 0 {
		t.Errorf("without time: %+v, %v", ev, err)
	}
}

// A mutant that several inputs do not kill makes room for the others.
func TestMutantsHaveTheirTries(t *testing.T) {
	words := make([]string, 40)
	for i := range words {
		words[i] = "i1"
	}
	words[3], words[39] = "i1 k2", "k1 k3"
	for tries, want := range map[int64]string{0: "3:2=panic 39:1=panic 39:3=panic", 8: "3:2=panic 39:3=panic"} {
		ev, err := newEvaluator(2).Evaluate(t.Context(), Query{Inputs: fake.Inputs(words...), Select: wire.SelectAlive, Tries: tries})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(ev); got != want {
			t.Errorf("%d tries: %s, want %s", tries, got, want)
		}
		if n := ev.Counts.Executed[1]; tries > 0 && (n < tries || n > tries+triesChunk) {
			t.Errorf("%d tries: mutant 1 was run %d times", tries, n)
		}
	}
}
