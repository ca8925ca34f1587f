package worker

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// smallProgram has 3 mutants, 5 counters, 2 sites and 2 tests, and takes a string.
func smallProgram() *known {
	return &known{mutants: 3, counters: 5, sites: 2, tests: 2, args: []string{"string"}}
}

// in is an input that the program takes, and alien one that it does not.
var (
	in    = corpus.Of("in").Wire()
	alien = corpus.Of(1).Wire()
)

// saying is a request with the replies that a sound worker gives to it, the closing one
// last.
type saying struct {
	req     wire.Request
	replies []wire.Reply
}

// talks returns a sound conversation of each kind. What they share is made again each time:
// the tests spoil it.
func talks() map[string]saying {
	kill := func(item int) wire.Reply {
		return wire.Reply{Kill: &wire.Kill{Mutant: 3, Kind: oracle.Panic, Item: item}}
	}
	stats := func() wire.Stats {
		return wire.Stats{Execs: 1, MutantExecs: 2, Bred: 1, Reached: wire.Tally{{3, 1}}, Infected: wire.Tally{{1, 1}}, Executed: wire.Tally{{2, 1}}}
	}
	return map[string]saying{
		"Init": {
			wire.Request{Init: &wire.Init{MutantFunc: make([]int32, 3), Counters: 5}},
			[]wire.Reply{{Hello: &wire.Hello{Types: []string{"string"}, InitReached: wire.IDs{1, 3}, InitInfected: wire.IDs{3}, StartFuel: 9, Tests: []string{"TestA"}}}},
		},
		"Run": {
			wire.Request{Run: &wire.Run{Items: make([]wire.Item, 2)}},
			[]wire.Reply{
				{Result: &wire.Result{Item: 0, Features: wire.Features{wire.FeatureOf(4, 7)}, Reached: wire.IDs{1, 3}, Infected: wire.IDs{3}, Cost: 5, Select: wire.SelectEvery}},
				kill(1),
				{Unstable: &wire.Unstable{Value: wire.Value{Site: 1, Value: observe.WholeSite}}},
				{Result: &wire.Result{Item: 1, Runs: 3, Failed: 3, Outcome: wire.Outcome{Kind: wire.Exit}}},
				{Ran: &wire.Ran{Stats: stats(), Fuel: 7}},
			},
		},
		"Fuzz": {
			wire.Request{Fuzz: &wire.Fuzz{Parents: []wire.Parent{{ID: 4}, {ID: 9}}, Try: [][]byte{in}}},
			[]wire.Reply{
				{About: &wire.About{Input: in}},
				{Found: &wire.Found{Input: in, Features: wire.Features{wire.FeatureOf(4, 0)}, Kills: []wire.Kill{{Mutant: 3, Kind: oracle.Fuel}}, Infects: wire.IDs{2}, Cost: 1}},
				{Failure: &wire.Failure{Input: in, Count: 1, Cost: 2}},
				{Failure: &wire.Failure{Count: 8}}, // of a stack that is known
				{Flaky: &wire.Flaky{Input: in, Runs: 5, Failed: 1}},
				{Fuzzed: &wire.Fuzzed{Stats: stats(), Yields: []wire.Yield{{ID: 9, Fuel: 1, Brought: 1}}, Bred: [][]byte{in, in}, Unlogged: 1, Tried: 1}},
			},
		},
		"Damaged": {
			wire.Request{Fuzz: &wire.Fuzz{}},
			[]wire.Reply{{Damaged: &wire.Damaged{Input: in, Suspects: wire.IDs{2, 3}, Value: &wire.Value{Site: 1, Value: 2}, Kill: &wire.Kill{Mutant: 3}, Stats: stats()}}},
		},
		"Trim": {
			wire.Request{Trim: &wire.Trim{Input: in}},
			[]wire.Reply{{Trimmed: &wire.Trimmed{Input: in, Stats: stats()}}},
		},
		"Replay": {
			wire.Request{Replay: &wire.Replay{Items: make([]wire.ReplayItem, 2)}},
			[]wire.Reply{
				{Recording: &wire.Recording{Item: 0, Cost: 3, Events: []wire.Seen{{Site: 1, Value: 0}, {Site: 0, Value: observe.WholeSite}}}},
				{Recording: &wire.Recording{Item: 1, More: 2, Kind: wire.Exit}},
				kill(1),
				{Replayed: &wire.Replayed{Execs: 2}},
			},
		},
		"Repair": {
			wire.Request{Repair: &wire.Repair{Items: make([]wire.RepairItem, 2)}},
			[]wire.Reply{
				{Effect: &wire.Effect{Item: 0, Mutant: 1, Moved: wire.IDs{0, 4}}},
				{Diagnosis: &wire.Diagnosis{Item: 0, Counters: wire.IDs{4}, Tried: wire.IDs{1, 3}}},
				{Diagnosis: &wire.Diagnosis{Item: 1, Outcome: wire.Outcome{Kind: wire.Panic}}},
				{Ran: &wire.Ran{}},
			},
		},
		"Tests": {
			wire.Request{Tests: &wire.Tests{List: []int{1, 0}}},
			[]wire.Reply{
				{TestRan: &wire.TestRan{Test: 1, Fuel: 4, Time: time.Second, Reached: make([]byte, 8), Infected: make([]byte, 8)}},
				{TestRan: &wire.TestRan{Test: 0}},
				{Ran: &wire.Ran{}},
			},
		},
		"Try": {
			wire.Request{Try: &wire.Try{Tests: make([]wire.TestCost, 2), Items: []wire.TryItem{{Mutant: 2, With: []uint32{3}}, {Mutant: 1}}}},
			[]wire.Reply{
				{Tried: &wire.Tried{Mutant: 2, Ran: []int{1, 0}, Kill: &wire.TestKill{Test: 1, Kind: oracle.Timeout}, Fired: make([]byte, 8)}},
				{Tried: &wire.Tried{Mutant: 1}},
				{Ran: &wire.Ran{}},
			},
		},
		"Observe": {
			wire.Request{Observe: &wire.Observe{Tests: make([]wire.TestCost, 2), Items: []wire.TryItem{{Mutant: 2}, {Mutant: 1}}}},
			[]wire.Reply{
				{Observed: &wire.Observed{Mutant: 2, Runs: 3, Shown: &wire.Shown{Test: 1, Site: 1, Value: observe.WholeSite, Text: "x"}}},
				{Observed: &wire.Observed{Mutant: 1}},
				{Ran: &wire.Ran{}},
			},
		},
	}
}

// hear checks the replies of a conversation. It returns the error, and at which reply.
func hear(s saying, stopped bool) (at int, closed bool, err error) {
	check, err := newChecker(smallProgram(), &s.req, func() bool { return stopped })
	for i := range s.replies {
		if err != nil {
			break
		}
		at = i
		closed, err = check.reply(&s.replies[i])
	}
	return at, closed, err
}

// What a sound worker says passes, so that the faults below are the only ones.
func TestSoundRepliesPass(t *testing.T) {
	for name, s := range talks() {
		at, closed, err := hear(s, false)
		if err != nil || closed == (name == "Damaged") { // nothing closes that request
			t.Errorf("%s, reply %d: %v, closed %v", name, at, err, closed)
		}
	}
}

// Each number that a reply has, and that indexes something or counts, is checked: it is an
// error at the reply that has it, and none of it is used.
func TestEachFaultInAReplyIsFound(t *testing.T) {
	for _, c := range []struct {
		talk  string
		at    int
		spoil func(r *wire.Reply)
		want  string
	}{
		{"Init", 0, func(r *wire.Reply) { r.Hello.InitReached = wire.IDs{4} }, "mutant 4"},
		{"Init", 0, func(r *wire.Reply) { r.Hello.InitInfected = wire.IDs{1, 1 << 31} }, "mutant"},
		{"Init", 0, func(r *wire.Reply) { r.Hello.StartFuel = -1 }, "fuel -1"},

		{"Run", 0, func(r *wire.Reply) { r.Result.Item = 1 }, "item 1 instead of 0"},
		{"Run", 3, func(r *wire.Reply) { r.Result.Item = 0 }, "item 0 instead of 1"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Item = -1 }, "item -1"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Features = wire.Features{wire.FeatureOf(5, 0)} }, "feature"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Reached = wire.IDs{4} }, "mutant 4"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Infected = wire.IDs{4} }, "mutant 4"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Cost = -5 }, "fuel -5"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Select = wire.SelectEvery + 1 }, "selection"},
		{"Run", 0, func(r *wire.Reply) { r.Result.Outcome.Kind = wire.Death }, "outcome"}, // only the coordinator sees it
		{"Run", 3, func(r *wire.Reply) { r.Result.Failed = 4 }, "4 of 3 runs failed"},
		{"Run", 3, func(r *wire.Reply) { r.Result.Failed, r.Result.Runs = -1, 3 }, "-1 of 3 runs failed"},
		{"Run", 1, func(r *wire.Reply) { r.Kill.Mutant = 0 }, "mutant"},
		{"Run", 1, func(r *wire.Reply) { r.Kill.Mutant = 4 }, "mutant"},
		{"Run", 1, func(r *wire.Reply) { r.Kill.Item = 0 }, "a kill by item 0 instead of 1"},
		{"Run", 1, func(r *wire.Reply) { r.Kill.Kind = oracle.Timeout }, "a kill of kind"}, // only tests kill so
		{"Run", 1, func(r *wire.Reply) { r.Kill.Kind = 0 }, "a kill of kind"},
		{"Run", 2, func(r *wire.Reply) { r.Unstable.Value.Site = 2 }, "site 2 of 2"},
		{"Run", 2, func(r *wire.Reply) { r.Unstable.Value.Value = observe.WholeSite - 1 }, "value"},
		{"Run", 4, func(r *wire.Reply) { r.Ran.Fuel = -1 }, "fuel -1"},
		{"Run", 4, func(r *wire.Reply) { r.Ran.Stats.Execs = -1 }, "count -1"},
		{"Run", 4, func(r *wire.Reply) { r.Ran.Stats.Inside = -1 }, "count -1"},
		{"Run", 4, func(r *wire.Reply) { r.Ran.Stats.Executed = wire.Tally{{4, 1}} }, "mutant 4 of 3"},
		{"Run", 4, func(r *wire.Reply) { r.Ran.Stats.Infected = wire.Tally{{1, 1}, {9, 1}} }, "mutant 9 of 3"},
		{"Run", 3, func(r *wire.Reply) { *r = wire.Reply{Ran: &wire.Ran{}} }, "1 of 2 items are done"},
		{"Run", 1, func(r *wire.Reply) { *r = wire.Reply{Found: &wire.Found{Input: in}} }, "another request"},
		{"Run", 1, func(r *wire.Reply) { r.Unstable = new(wire.Unstable) }, "2 parts"},

		{"Fuzz", 0, func(r *wire.Reply) { r.About.Input = alien }, "does not take"},
		{"Fuzz", 1, func(r *wire.Reply) { r.Found.Input = nil }, "does not take"},
		{"Fuzz", 1, func(r *wire.Reply) { r.Found.Features[0] = wire.FeatureOf(5, 0) }, "feature"},
		{"Fuzz", 1, func(r *wire.Reply) { r.Found.Kills[0].Mutant = 4 }, "mutant"},
		{"Fuzz", 1, func(r *wire.Reply) { r.Found.Infects = wire.IDs{4} }, "mutant 4"},
		{"Fuzz", 1, func(r *wire.Reply) { r.Found.Cost = -1 }, "fuel"},
		{"Fuzz", 2, func(r *wire.Reply) { r.Failure.Input = alien }, "does not take"},
		{"Fuzz", 2, func(r *wire.Reply) { r.Failure.Outcome.Kind = wire.Death + 1 }, "outcome"},
		{"Fuzz", 3, func(r *wire.Reply) { r.Failure.Count = -1 }, "count"},
		{"Fuzz", 2, func(r *wire.Reply) { r.Failure.Cost = -1 }, "fuel"},
		{"Fuzz", 4, func(r *wire.Reply) { r.Flaky.Failed = 6 }, "6 of 5 runs failed"},
		{"Fuzz", 4, func(r *wire.Reply) { r.Flaky.Input = alien }, "does not take"},
		{"Fuzz", 4, func(r *wire.Reply) { r.Flaky.Outcome.Kind = wire.Death }, "outcome"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Yields[0].ID = 5 }, "entry 5, which is no parent"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Yields[0].Fuel = -1 }, "fuel"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Yields[0].Brought = -1 }, "yield"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Bred[1] = alien }, "does not take"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Unlogged = -1 }, "count"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Tried = 2 }, "2 of 1 inputs tried"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Tried = -1 }, "-1 of 1 inputs tried"},
		{"Fuzz", 5, func(r *wire.Reply) { r.Fuzzed.Stats.Bred = -1 }, "count"},

		{"Damaged", 0, func(r *wire.Reply) { r.Damaged.Input = alien }, "does not take"},
		{"Damaged", 0, func(r *wire.Reply) { r.Damaged.Suspects = wire.IDs{4} }, "mutant 4"},
		{"Damaged", 0, func(r *wire.Reply) { r.Damaged.Value.Site = 2 }, "site 2"},
		{"Damaged", 0, func(r *wire.Reply) { r.Damaged.Kill.Mutant = 4 }, "mutant"},
		{"Damaged", 0, func(r *wire.Reply) { r.Damaged.Stats.MutantExecs = -1 }, "count"},

		{"Trim", 0, func(r *wire.Reply) { r.Trimmed.Input = alien }, "does not take"},
		{"Trim", 0, func(r *wire.Reply) { r.Trimmed.Stats.Time = -1 }, "count"},

		{"Replay", 0, func(r *wire.Reply) { r.Recording.Events[0].Site = 2 }, "site 2"},
		{"Replay", 0, func(r *wire.Reply) { r.Recording.Events[1].Value = observe.WholeSite - 1 }, "value"},
		{"Replay", 0, func(r *wire.Reply) { r.Recording.Kind = wire.Death }, "outcome"},
		{"Replay", 0, func(r *wire.Reply) { r.Recording.Cost = -1 }, "fuel"},
		{"Replay", 1, func(r *wire.Reply) { r.Recording.More = -1 }, "count"},
		{"Replay", 1, func(r *wire.Reply) { r.Recording.Item = 0 }, "item 0 instead of 1"},
		{"Replay", 2, func(r *wire.Reply) { r.Kill.Item = 2 }, "item 2 of 2"},
		{"Replay", 3, func(r *wire.Reply) { r.Replayed.Execs = 3 }, "3 of 2 items"},
		{"Replay", 3, func(r *wire.Reply) { r.Replayed.Execs = -1 }, "-1 of 2 items"},

		{"Repair", 0, func(r *wire.Reply) { r.Effect.Mutant = 0 }, "mutant"},
		{"Repair", 0, func(r *wire.Reply) { r.Effect.Item = 2 }, "item 2 of 2"},
		{"Repair", 0, func(r *wire.Reply) { r.Effect.Moved = wire.IDs{5} }, "counter 5 of 5"},
		{"Repair", 1, func(r *wire.Reply) { r.Diagnosis.Counters = wire.IDs{5} }, "counter 5"},
		{"Repair", 1, func(r *wire.Reply) { r.Diagnosis.Tried = wire.IDs{4} }, "mutant 4"},
		{"Repair", 1, func(r *wire.Reply) { r.Diagnosis.Item = 1 }, "item 1 instead of 0"},
		{"Repair", 2, func(r *wire.Reply) { r.Diagnosis.Outcome.Kind = 200 }, "outcome"},

		{"Tests", 0, func(r *wire.Reply) { r.TestRan.Test = 0 }, "test 0 instead of 1"},
		{"Tests", 1, func(r *wire.Reply) { r.TestRan.Leaked = -1 }, "count"},
		{"Tests", 1, func(r *wire.Reply) { r.TestRan.Allocs = -1 }, "count"},
		{"Tests", 1, func(r *wire.Reply) { r.TestRan.Bytes = -1 }, "count"},
		{"Tests", 1, func(r *wire.Reply) { r.TestRan.Outcome.Kind = wire.Death }, "outcome"},
		{"Tests", 0, func(r *wire.Reply) { r.TestRan.Reached = make([]byte, 9) }, "sets of 9"},
		{"Tests", 0, func(r *wire.Reply) { r.TestRan.Infected = make([]byte, 16) }, "16 bytes"},
		{"Tests", 2, func(r *wire.Reply) { *r = wire.Reply{TestRan: &wire.TestRan{}} }, "test 2 of 2"},

		{"Try", 0, func(r *wire.Reply) { r.Tried.Mutant = 1 }, "mutant 1 instead of 2"},
		{"Try", 0, func(r *wire.Reply) { r.Tried.Ran[1] = 2 }, "test 2 of 2"},
		{"Try", 0, func(r *wire.Reply) { r.Tried.Kill.Test = 2 }, "test 2 of 2"},
		{"Try", 0, func(r *wire.Reply) { r.Tried.Kill.Kind = oracle.Difference }, "a kill of kind"}, // only inputs kill so
		{"Try", 0, func(r *wire.Reply) { r.Tried.Ran = nil }, "a kill without a test"},
		{"Try", 0, func(r *wire.Reply) { r.Tried.Fired = make([]byte, 9) }, "a set of 9"},
		{"Try", 2, func(r *wire.Reply) { *r = wire.Reply{Tried: &wire.Tried{}} }, "item 2 of 2"},
		{"Observe", 0, func(r *wire.Reply) { r.Observed.Mutant = 1 }, "mutant 1 instead of 2"},
		{"Observe", 0, func(r *wire.Reply) { r.Observed.Runs = -1 }, "runs -1"},
		{"Observe", 0, func(r *wire.Reply) { r.Observed.Shown.Test = 2 }, "test 2 of 2"},
		{"Observe", 0, func(r *wire.Reply) { r.Observed.Shown.Site = 2 }, "site 2 of 2"},
		{"Observe", 0, func(r *wire.Reply) { r.Observed.Shown.Value = -2 }, "value -1 of"},
		{"Observe", 2, func(r *wire.Reply) { *r = wire.Reply{Observed: &wire.Observed{}} }, "item 2 of 2"},
	} {
		s := talks()[c.talk]
		c.spoil(&s.replies[c.at])
		at, _, err := hear(s, false)
		if !errors.Is(err, errReply) || !strings.Contains(err.Error(), c.want) || at != c.at {
			t.Errorf("%s, reply %d, want %q: reply %d: %v", c.talk, c.at, c.want, at, err)
		}
	}
}

// A worker that was asked to stop may leave items out.
func TestAStoppedWorkerNeedNotDoAll(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		s := talks()["Run"]
		s.replies = []wire.Reply{s.replies[0], s.replies[4]}
		if _, closed, err := hear(s, stopped); (err == nil) != stopped || closed != true {
			t.Errorf("stopped %v: %v, closed %v", stopped, err, closed)
		}
	}
}

// What a sound Hello says bounds what comes later, and what a damaged one says does not.
func TestHelloSaysWhatInputsAre(t *testing.T) {
	for _, sound := range []bool{true, false} {
		k := &known{}
		s := talks()["Init"]
		k.request(&s.req)
		if !sound {
			s.replies[0].Hello.InitReached = wire.IDs{4}
		}
		check, err := newChecker(k, &s.req, func() bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := check.reply(&s.replies[0]); (err == nil) != sound {
			t.Fatal(err)
		}
		if k.mutants != 3 || k.counters != 5 || k.tests != map[bool]int{true: 1}[sound] || (k.args != nil) != sound {
			t.Errorf("sound %v: %+v", sound, k)
		}
		if takes := k.input(alien) != nil; takes == sound {
			t.Errorf("sound %v: another type is an input: %v", sound, takes)
		}
	}
}

// Of what the shared memory has those parts are left out that can't be so. The rest stays.
func TestStateThatCanNotBeSo(t *testing.T) {
	state := func() State {
		return State{State: wire.State{
			Counts: wire.Counts{Mutant: 3, Test: 1, Execs: 8}, Doom: doomMost, Last: 3, Before: 2, Input: in, Previous: in,
		}}
	}
	for _, c := range []struct {
		name  string
		spoil func(st *State)
		fixed func(st *State) bool
	}{
		{"mutant", func(st *State) { st.Mutant = 4 }, func(st *State) bool { return st.Mutant == 0 }},
		{"last mutant", func(st *State) { st.Last = 1 << 31 }, func(st *State) bool { return st.Last == 0 }},
		{"mutant before", func(st *State) { st.Before = 4 }, func(st *State) bool { return st.Before == 0 }},
		{"reason", func(st *State) { st.Doom = doomMost + 1 }, func(st *State) bool { return st.Doom == 0 }},
		{"test", func(st *State) { st.Test = 2 }, func(st *State) bool { return st.Test == 0 }},
		{"negative test", func(st *State) { st.Test = -1 }, func(st *State) bool { return st.Test == 0 }},
		{"input", func(st *State) { st.State.Input = alien }, func(st *State) bool { return st.Input == nil && st.Previous != nil }},
		{"previous input", func(st *State) { st.State.Previous = []byte{0xff} }, func(st *State) bool { return st.Input != nil && st.Previous == nil }},
	} {
		st := state()
		c.spoil(&st)
		if sound := smallProgram().clean(&st); sound || !c.fixed(&st) || st.Execs != 8 {
			t.Errorf("%s: sound %v, %+v", c.name, sound, st)
		}
	}
	st := state()
	if !smallProgram().clean(&st) || st.Mutant != 3 || st.Test != 1 || !st.Input.Equal(corpus.Of("in")) || st.Previous == nil {
		t.Errorf("sound: %+v", st)
	}
	// Before anything was run there is no input, and that is sound.
	empty := State{}
	if !smallProgram().clean(&empty) || empty.Input != nil || empty.Previous != nil {
		t.Errorf("nothing was run: %+v", empty)
	}
}

// A panic of the target does not count the same as another's because of an address, and the
// line that says why a program ends is found after others.
func TestCausesOfDeaths(t *testing.T) {
	exit := errors.New("exit status 2")
	for _, c := range []struct {
		output string
		err    error
		want   string
	}{
		{"warming up\n  fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1\n", exit, "fatal error: all goroutines are asleep - deadlock!"},
		{"panic: (main.T) 0xc000010250\npanic: second\n", exit, "panic: (main.T)"},
		{"panic: 0xc000010250 is no address of a value\n", exit, "panic: 0xc000010250 is no address of a value"},
		{"SIGSEGV: segmentation violation\nPC=0x0\n", exit, "SIGSEGV: segmentation violation"},
		{"runtime: out of memory: cannot allocate\nfatal error: out of memory\n", exit, "runtime: out of memory: cannot allocate"},
		{"nothing that says it: panic: within a line\n", exit, "exit status 2"},
		{"", nil, "exit status 0"},
	} {
		if got := causeOf(c.output, c.err); got != c.want {
			t.Errorf("%q: %q, want %q", c.output, got, c.want)
		}
	}
}
