package exec_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// saying is an error whose text is what a function says.
type saying struct{ say func() string }

func (e saying) Error() string { return e.say() }

// The methods of an observed value are called while the target runs, and may do anything: an
// execution goes on after them as it was before, with the fuel that it had.
func TestMethodsOfObservedValuesDoNoHarm(t *testing.T) {
	for name, say := range map[string]func() string{
		"speaks":          func() string { return "what I say" },
		"panics":          func() string { panic("in Error") },
		"panics with nil": func() string { panic(nil) },
		"does not end": func() string {
			for {
				fuzzmutrt.Burn()
			}
		},
		"burns": func() string { fuzzmutrt.Fuel -= 1000; return "burned" },
	} {
		after := false
		var fuel int64
		target := func(_ *testing.T, in []byte) {
			fuzzmutrt.Fuel -= 10
			if fuzzmutrt.Observing {
				before := fuzzmutrt.Fuel
				fuzzmutrt.ObserveHook(0, []any{saying{say}})
				fuel = before - fuzzmutrt.Fuel
			}
			after = true
		}
		w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
		ex := w.Exec.Observed([]any{[]byte("a")}, exec.HangFuel)
		if ex.Kind != wire.Pass || !after || fuel != 0 || ex.Burned != 10 {
			t.Errorf("%s: %v, %d units burned, %d of them by the method", name, ex.Kind, ex.Burned, fuel)
		}
		if n := len(w.Exec.Rec.Log().Events); n != 1 {
			t.Errorf("%s: %d values", name, n)
		}
		if ex := w.Exec.Original([]any{[]byte("a")}, exec.HangFuel); ex.Kind != wire.Pass || ex.Burned != 10 {
			t.Errorf("%s: the next execution: %+v", name, ex)
		}
	}
}

// A method that would fill the memory or the stack is ended long before it is out of fuel.
func TestMethodsOfObservedValuesAreBounded(t *testing.T) {
	stack := fuzzmutrt.StackSize
	defer func() { fuzzmutrt.StackSize = stack }()
	var text []byte
	turns := 0
	for name, turn := range map[string]func(){
		"allocates":     func() { text = make([]byte, 64<<10) },
		"fills a stack": func() { fuzzmutrt.StackSize = func() uintptr { return 64 << 20 } },
		"does no harm":  func() {},
	} {
		fuzzmutrt.StackSize = nil
		target := func(_ *testing.T, in []byte) {
			if fuzzmutrt.Observing {
				fuzzmutrt.ObserveHook(0, []any{saying{func() string {
					for turns = 0; ; turns++ {
						fuzzmutrt.Burn()
						turn()
					}
				}}})
			}
		}
		w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
		if ex := w.Exec.Observed([]any{[]byte("a")}, exec.HangFuel); ex.Kind != wire.Pass {
			t.Errorf("%s: %v", name, ex.Kind)
		}
		least, most := 0, 20_000
		if name == "does no harm" {
			least, most = 1_000_000, 1_000_000
		}
		if turns < least || turns > most {
			t.Errorf("%s: %d turns", name, turns)
		}
	}
	_ = text
}

// What an error says is part of what a mutant does: its methods run with the mutant on. What
// they call of the package is not observed a second time.
func TestMethodsOfObservedValuesRunWithTheMutant(t *testing.T) {
	var slow [1]bool
	calls := 0
	target := func(_ *testing.T, in []byte) {
		if fuzzmutrt.Observing {
			fuzzmutrt.ObserveHook(0, []any{saying{func() string {
				calls++
				fuzzmutrt.ObserveHook(1, []any{"not by the target"})
				if slow[0] && fuzzmutrt.Active == 1 {
					return "the mutant's"
				}
				return "the original's"
			}}})
		}
	}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), slow[:])
	vals := []any{[]byte("a")}
	w.Exec.Observed(vals, exec.HangFuel)
	ref := w.Exec.Rec.Log()
	w.Exec.Rec.Reset()
	if calls == 0 || len(ref.Events) != 1 {
		t.Fatalf("%d calls, %d values", calls, len(ref.Events))
	}
	if ex := w.Exec.Again(vals, ref, exec.HangFuel); ex.Kind != wire.Pass {
		t.Fatal(ex)
	}
	if diff, same := w.Exec.Rec.Compare(ref); !same {
		t.Errorf("the original differs from itself: %s", diff.Text)
	}
	w.Exec.Mutant(vals, 1, ref, exec.HangFuel)
	if diff, same := w.Exec.Rec.Compare(ref); same || diff.Site != 0 || !strings.Contains(diff.Text, "mutant") {
		t.Errorf("the mutant: the same %v, %+v", same, diff)
	}
	if fuzzmutrt.Active != 0 || slow[0] {
		t.Error("the mutant stays on")
	}
}

// A failure tells what was panicked with and where, also where nobody had asked for it before
// the execution; and only failures do.
func TestTheLastFailureIsDescribed(t *testing.T) {
	target := func(t *testing.T, in []byte) {
		switch string(in) {
		case "panic":
			panic(errors.New("an error"))
		case "goexit":
			fuzzmutrt.Exit(func(int) {}, 3)
		case "fail":
			t.Error("wrong")
		}
	}
	w := looptest.New(t, &wire.Init{UserPackages: []string{"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec_test"}}, target, make([]uint8, 1), make([]bool, 1))
	for _, c := range []struct {
		in      string
		kind    wire.OutcomeKind
		message string
		frame   string
	}{
		{"panic", wire.Panic, "an error", "TestTheLastFailureIsDescribed"},
		{"goexit", wire.Exit, "the process would have ended: os.Exit or log.Fatal was called", "TestTheLastFailureIsDescribed"},
		{"fail", wire.Fail, "", ""},
	} {
		ex := w.Exec.Original([]any{[]byte(c.in)}, exec.HangFuel)
		if ex.Message != "" {
			t.Errorf("%s: nobody has asked, and it says %q", c.in, ex.Message)
		}
		o := w.Exec.LastFailure(ex)
		if o.Kind != c.kind || o.Message != c.message || c.frame != "" && (len(o.Frames) == 0 || !strings.Contains(o.Frames[0], c.frame)) {
			t.Errorf("%s: %+v", c.in, o)
		}
		if ex := w.Exec.Detailed([]any{[]byte(c.in)}, exec.HangFuel); ex.Message != c.message {
			t.Errorf("%s, asked for: %q", c.in, ex.Message)
		}
	}
	if ex := w.Exec.Detailed([]any{[]byte("ok")}, exec.HangFuel); ex.Kind != wire.Pass || ex.Message != "" || w.Exec.Outcome(ex).Frames != nil {
		t.Errorf("%+v", ex)
	}
}

// Goroutines that a target leaves are waited for, as long as the caller says at most.
func TestLingeringEndsWithTheGoroutines(t *testing.T) {
	release := make(chan struct{})
	ended := make(chan struct{})
	target := func(_ *testing.T, in []byte) {
		if len(in) > 0 {
			go func() {
				<-release
				close(ended)
			}()
		}
	}
	w := looptest.New(t, &wire.Init{}, target, make([]uint8, 1), make([]bool, 1))
	w.Exec.Original([]any{[]byte(nil)}, exec.HangFuel)
	w.Exec.Linger(time.Hour) // nothing is left: this returns at once
	w.Exec.Original([]any{[]byte("a")}, exec.HangFuel)
	w.Exec.Linger(5 * time.Millisecond)
	select {
	case <-ended:
		t.Error("it has waited for a goroutine that does not end")
	default:
	}
	close(release)
	w.Exec.Linger(time.Hour)
	<-ended
}

// views hide the first value of a site.
func views(site uint32) map[uint32][]golden.View {
	return map[uint32][]golden.View{site: {golden.ViewNone}}
}

// A difference is sure to be in golden values if it is plain, and nothing of it is hidden.
func TestWhichDifferencesShow(t *testing.T) {
	plain := observe.Difference{Site: 1, Value: 0, Plain: true}
	inner := plain
	inner.Plain = false
	whole := observe.Difference{Site: 1, Value: observe.WholeSite, Plain: true}
	for _, c := range []struct {
		name string
		init wire.Init
		diff observe.Difference
		want bool
	}{
		{"plain", wire.Init{}, plain, true},
		{"not plain", wire.Init{}, inner, false},
		{"of a hidden value", wire.Init{SiteViews: views(1)}, plain, false},
		{"of another site", wire.Init{SiteViews: views(2)}, plain, true},
		{"of a whole site", wire.Init{SiteViews: views(1)}, whole, true},
	} {
		w := looptest.New(t, &c.init, func(*testing.T, []byte) {}, make([]uint8, 1), make([]bool, 1))
		if got := w.Exec.Shows(c.diff); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A goroutine that an execution has left may write back what it has read of the fuel when there was no limit.
func TestFuelThatAnotherGoroutinePutsBack(t *testing.T) {
	target := func(_ *testing.T, in []byte) {
		if string(in) == "puts back" {
			fuzzmutrt.Fuel = exec.NoFuelLimit - 3
		}
	}
	w := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), make([]bool, 1))
	for _, run := range []func([]any, int64) exec.Execution{w.Exec.Original, w.Exec.Observed} {
		if ex := run([]any{[]byte("puts back")}, 1000); ex.Kind != wire.Pass || ex.Burned != 0 {
			t.Errorf("%v, %d units burned", ex.Kind, ex.Burned)
		}
	}
}
