//go:build unix

package worker

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

func init() { maps.Copy(acts, ends) }

// ends are more acts: how a worker ends that does nothing wrong.
var ends = map[string]func(a *actor, r *wire.Reply){
	"Panics":   func(*actor, *wire.Reply) { panic("boom") },
	"Exits":    func(*actor, *wire.Reply) { os.Exit(3) },
	"Internal": func(*actor, *wire.Reply) { os.Exit(wire.ExitInternal) },
	"Damaged": func(a *actor, _ *wire.Reply) {
		a.out.Write(message(wire.Reply{Damaged: &wire.Damaged{Input: wire.Encode([]any{"in"}), Suspects: wire.IDs{2}}}))
		os.Exit(wire.ExitDamaged)
	},
	"Blocks":       func(a *actor, _ *wire.Reply) { a.shared.Begin(0); time.Sleep(time.Hour) },
	"MutantBlocks": func(a *actor, _ *wire.Reply) { a.shared.Begin(2); time.Sleep(time.Hour) },
	"Computes": func(a *actor, _ *wire.Reply) {
		a.shared.BeginTest(2, 0, computes)
		for n := 0; ; n++ {
			a.mem[len(a.mem)-1] = byte(n)
		}
	},
	"Pauses": func(a *actor, _ *wire.Reply) {
		a.shared.Begin(2)
		syscall.Kill(os.Getpid(), syscall.SIGSTOP)
		a.shared.End()
	},
	"Doomed": func(a *actor, _ *wire.Reply) {
		a.shared.Begin(2)
		a.shared.SetDoom(1)
		os.Exit(wire.ExitDamaged)
	},
	"Hoards": func(*actor, *wire.Reply) {
		var kept [][]byte
		for range 1000 {
			b := make([]byte, 1<<20)
			fill(b, 1)
			kept = append(kept, b)
		}
		_ = kept
		time.Sleep(time.Hour)
	},
	"Stubborn": func(a *actor, r *wire.Reply) {
		a.out.Write(message(*r))
		a.shared.Begin(0)
		time.Sleep(time.Hour)
	},
	"Stoppable": func(a *actor, r *wire.Reply) {
		a.out.Write(message(*r))
		for !a.shared.Stopping() {
			time.Sleep(time.Millisecond)
		}
		a.out.Write(message(wire.Reply{Ran: &wire.Ran{Fuel: 3}}))
		a.receive()
		os.Exit(0)
	},
}

// serving starts a worker that does what its name says at the second Run, up to that.
func serving(t *testing.T, cfg Config) *Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Binary, cfg.Dir = self, "."
	p, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Init(context.Background(), &wire.Init{MutantFunc: make([]int32, 3), Counters: 5}); err != nil {
		t.Fatal(err)
	}
	if ran, err := p.Run(context.Background(), oneInput(), RunEvents{}); err != nil || ran.Fuel != 7 {
		t.Fatalf("%+v, %v", ran, err)
	}
	return p
}

func oneInput() *wire.Run {
	return &wire.Run{Items: []wire.Item{{Input: wire.Encode([]any{"in"})}}}
}

// computes bounds what never waits.
var computes = wire.Bounds{Limit: time.Minute, Idle: time.Minute, CPU: 100 * time.Millisecond}

// A test that computes without fuel is ended by the processor time of its process.
func TestProcessorTimeIsBounded(t *testing.T) {
	if system.CPU(os.Getpid()) == 0 && runtime.GOOS != "linux" {
		t.Skip("the system does not tell the processor time of other processes")
	}
	p := serving(t, Config{Fuzz: "Computes"})
	defer p.Close()
	req := &wire.Try{Tests: []wire.TestCost{{Bounds: computes}}, Items: []wire.TryItem{{Mutant: 2, Tests: []int{0}}}}
	_, err := p.Try(context.Background(), req, TryEvents{})
	var d *Death
	if !errors.As(err, &d) || !d.TimedOut || d.Cause != "not finished within 100ms of processor time" || d.State.Mutant != 2 {
		t.Errorf("%v", err)
	}
}

// What a process does not do since it is not run is not counted against the mutant: on a busy machine
// it would be killed by the clock, and what a slice of a fleet finds would depend on the load.
func TestAProcessThatIsNotRunDoesNotHang(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell whether other processes wait for a processor")
	}
	const limit = 300 * time.Millisecond
	p := serving(t, Config{Fuzz: "Pauses", Timeout: 4 * limit})
	defer p.Close()
	ended := make(chan struct{})
	go func() {
		for p.Counts().Mutant != 2 {
			time.Sleep(time.Millisecond)
		}
		for { // it may not have stopped yet
			select {
			case <-ended:
				return
			case <-time.After(5 * limit):
				p.cmd.Process.Signal(syscall.SIGCONT)
			}
		}
	}()
	_, err := p.Run(context.Background(), oneInput(), RunEvents{})
	close(ended)
	if err != nil {
		t.Error(err)
	}
}

// A death says why the process has ended, and what it was doing.
func TestDeaths(t *testing.T) {
	const limit = 300 * time.Millisecond
	for name, c := range map[string]struct {
		cfg  Config
		want func(d *Death) bool
	}{
		"Panics": {Config{}, func(d *Death) bool {
			return d.Cause == "panic: boom" && strings.Contains(d.Output, "life_test.go") && d.State.Mutant == 0
		}},
		"Exits":    {Config{}, func(d *Death) bool { return d.Cause == "exit status 3" && !d.Damaged }},
		"Internal": {Config{}, func(d *Death) bool { return d.Internal }},
		"Damaged":  {Config{}, func(d *Death) bool { return d.Damaged && !d.TimedOut }},
		"Doomed":   {Config{}, func(d *Death) bool { return d.Damaged && d.State.Doom == 1 && d.State.Mutant == 2 }},
		"Blocks":   {Config{Timeout: limit}, func(d *Death) bool { return d.TimedOut && d.Cause == "not finished within 300ms" && d.State.Running }},
		"MutantBlocks": {Config{Timeout: 4 * limit}, func(d *Death) bool {
			return d.TimedOut && d.Cause == "not finished within 300ms" && d.State.Mutant == 2
		}},
		"Hoards": {Config{MemLimit: 300 << 20}, func(d *Death) bool { return d.Memory && d.Cause == "uses more than 300 MiB of memory" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.cfg.Fuzz = name
			p := serving(t, c.cfg)
			defer p.Close()
			var damaged *Damaged
			ran, err := p.Run(context.Background(), oneInput(), RunEvents{Damaged: func(d *Damaged) { damaged = d }})
			var d *Death
			if !errors.As(err, &d) || !c.want(d) || d.Garbled || d.Killed || ran != nil {
				t.Fatalf("%+v, %+v", ran, err)
			}
			if (damaged != nil) != (name == "Damaged") {
				t.Errorf("damaged: %+v", damaged)
			}
			if in := d.State.Input; in == nil || !in.Equal(corpus.Of("in")) {
				t.Errorf("input %+v", in)
			}
			// What was counted stays known once the memory is gone.
			if n := p.Counts(); n.Execs < 2 {
				t.Errorf("%+v", n)
			}
			if p.CPU() < 0 {
				t.Error("negative time")
			}
		})
	}
}

// A call whose context is cancelled ends when the worker has stopped: that is no error,
// and what was done until then has been handed over.
func TestCancelledCalls(t *testing.T) {
	p := serving(t, Config{Fuzz: "Stoppable"})
	defer p.Close()
	ctx, cancel := context.WithCancel(context.Background())
	results := 0
	ran, err := p.Run(ctx, oneInput(), RunEvents{Result: func(*wire.Result) { results++; cancel() }})
	if err != nil || ran.Fuel != 3 || results != 1 {
		t.Errorf("%+v, %d results, %v", ran, results, err)
	}
}

// A worker that does not stop when it is asked to is ended: an execution that blocks would
// else take its whole -timeout, and a sleeping one as long as it likes.
func TestWorkersThatDoNotStopAreGivenUp(t *testing.T) {
	p := serving(t, Config{Fuzz: "Stubborn"})
	defer p.Close()
	ctx, cancel := context.WithCancel(context.Background())
	results := 0
	ran, err := p.Run(ctx, oneInput(), RunEvents{Result: func(*wire.Result) { results++; cancel() }})
	if !errors.Is(err, context.Canceled) || ran != nil || results != 1 {
		t.Errorf("%+v, %d results, %v", ran, results, err)
	}
}

// Abort ends a call in progress, from any goroutine.
func TestAbort(t *testing.T) {
	p := serving(t, Config{Fuzz: "Stoppable"})
	defer p.Close()
	_, err := p.Run(context.Background(), oneInput(), RunEvents{Result: func(*wire.Result) { go p.Abort() }})
	var d *Death
	if !errors.As(err, &d) || !d.TimedOut || d.Cause != "aborted" {
		t.Errorf("%v", err)
	}
}

// A worker that is asked to end does so by itself, and is gone when Close returns. On a
// busy machine, or built with the race detector, it may take more than a second.
func TestClose(t *testing.T) {
	p := serving(t, Config{Fuzz: "Nothing", CloseTimeout: time.Minute})
	p.Close()
	if ps := p.cmd.ProcessState; ps == nil || ps.ExitCode() != 0 {
		t.Errorf("%v", ps)
	}
	if n := p.Counts(); n.Execs != 1 {
		t.Errorf("%+v", n)
	}
}

func TestBinariesThatCannotBeStarted(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone.test")
	p, err := Start(Config{Binary: gone, Fuzz: "FuzzX", Dir: "."})
	var start *StartError
	if p != nil || !errors.As(err, &start) || !strings.Contains(err.Error(), "it was removed during the run") {
		t.Errorf("%v, %v", p, err)
	}
	foreign := filepath.Join(t.TempDir(), "foreign.test")
	if err := os.WriteFile(foreign, []byte("MZ of another system"), 0o777); err != nil {
		t.Fatal(err)
	}
	p, err = Start(Config{Binary: foreign, Fuzz: "FuzzX", Dir: "."})
	if p != nil || !errors.As(err, &start) || !strings.Contains(err.Error(), "unset GOOS and GOARCH") {
		t.Errorf("built for another system: %v, %v", p, err)
	}
}
