//go:build unix

package worker

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// The test binary is its own worker, which does what its name, that of a fuzz test,
// says.
func TestMain(m *testing.M) {
	if name := os.Getenv(wire.EnvWorker); name != "" {
		newActor().play(name)
	}
	os.Exit(m.Run())
}

// actor is a worker that misbehaves in its answer to the second Run.
type actor struct {
	in     *bufio.Reader
	out    *os.File
	mem    []byte
	shared *wire.Shared
}

func newActor() *actor {
	var fds [3]int
	for i, s := range strings.Split(os.Getenv(wire.EnvConn), ",") {
		fds[i], _ = strconv.Atoi(s)
	}
	mem, err := syscall.Mmap(fds[2], 0, wire.SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return &actor{
		in:  bufio.NewReader(os.NewFile(uintptr(fds[0]), "requests")),
		out: os.NewFile(uintptr(fds[1]), "replies"), mem: mem, shared: wire.NewShared(mem),
	}
}

func (a *actor) receive() {
	var req wire.Request
	if err := wire.Receive(a.in, &req, wire.MaxRequest); err != nil {
		os.Exit(0)
	}
}

func message(r wire.Reply) []byte {
	var buf bytes.Buffer
	if err := wire.Send(&buf, r); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// play answers Init and two Runs, and does what name says in between.
func (a *actor) play(name string) {
	a.receive()
	a.out.Write(message(wire.Reply{Hello: &wire.Hello{Types: []string{"string"}, Tests: []string{"TestA", "TestB"}}}))
	a.run(acts["Nothing"])
	a.run(acts[name])
	a.receive()
	os.Exit(0)
}

func (a *actor) run(do func(a *actor, r *wire.Reply)) {
	a.receive()
	a.shared.SetInput([]any{"in"})
	a.shared.Begin(0)
	a.shared.End()
	result := wire.Reply{Result: &wire.Result{}}
	do(a, &result)
	a.out.Write(message(result))
	a.out.Write(message(wire.Reply{Ran: &wire.Ran{Fuel: 7}}))
}

// acts are what the worker does before it replies, and with its reply.
var acts = map[string]func(a *actor, r *wire.Reply){
	"Nothing":       func(*actor, *wire.Reply) {},
	"Stray":         func(a *actor, _ *wire.Reply) { a.out.WriteString("ab 12345\n") },
	"Zeros":         func(a *actor, _ *wire.Reply) { a.out.Write(make([]byte, 100_000)) },
	"Flood":         func(a *actor, _ *wire.Reply) { a.out.Write(make([]byte, 3<<20)) },
	"Within":        func(a *actor, r *wire.Reply) { m := message(*r); m[20]++; a.out.Write(m) },
	"HalfThenEnds":  func(a *actor, r *wire.Reply) { m := message(*r); a.out.Write(m[:len(m)-3]); os.Exit(0) },
	"HalfThenWaits": func(a *actor, r *wire.Reply) { m := message(*r); a.out.Write(m[:len(m)-3]); time.Sleep(time.Hour) },
	"Stops":         func(*actor, *wire.Reply) { syscall.Kill(os.Getpid(), syscall.SIGSTOP); time.Sleep(time.Hour) },
	"KillsItself":   func(*actor, *wire.Reply) { syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) },
	"Closes":        func(a *actor, _ *wire.Reply) { a.out.Close(); os.Exit(wire.ExitBroken) },
	"Fills":         func(a *actor, _ *wire.Reply) { fill(a.mem[:4096], 0xff) },
	"FillsAndDies":  func(a *actor, _ *wire.Reply) { fill(a.mem[:4096], 0x5a); panic("p") },
	"Clears":        func(a *actor, _ *wire.Reply) { clear(a.mem) },
	"WildItem":      func(_ *actor, r *wire.Reply) { r.Result.Item = 1 },
	"WildMutant":    func(_ *actor, r *wire.Reply) { r.Result.Infected = wire.IDs{4} },
	"WildFeature":   func(_ *actor, r *wire.Reply) { r.Result.Features = wire.Features{1 << 31} },
	"WildOutcome":   func(_ *actor, r *wire.Reply) { r.Result.Outcome.Kind = 200 },
	"WildKill":      func(_ *actor, r *wire.Reply) { *r = wire.Reply{Kill: &wire.Kill{Mutant: 0}} },
	"WildFound":     func(_ *actor, r *wire.Reply) { *r = wire.Reply{Found: &wire.Found{}} },
	"Two":           func(_ *actor, r *wire.Reply) { r.Failure = &wire.Failure{} },
	"NoResult":      func(_ *actor, r *wire.Reply) { *r = wire.Reply{Ran: &wire.Ran{}} },
	"Child":         func(*actor, *wire.Reply) { leave(&syscall.SysProcAttr{}); panic("p") },
	"FarChild":      func(*actor, *wire.Reply) { leave(&syscall.SysProcAttr{Setsid: true}); panic("p") },
}

func fill(b []byte, with byte) {
	for i := range b {
		b[i] = with
	}
}

// leave starts a process that has all descriptors of this one open, and tells its number.
func leave(attr *syscall.SysProcAttr) {
	cmd := exec.Command("sleep", "61")
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintf(os.Stderr, "child %d\n", cmd.Process.Pid)
}

func TestWorkersThatMisbehave(t *testing.T) {
	cases := []struct {
		name   string
		want   func(d *Death) bool // nil: it is none
		answer time.Duration       // 0: the usual
	}{
		{name: "Nothing"},
		{name: "Stray"},
		{name: "Zeros"},
		{"Flood", isGarbled, 0},
		{"Within", isGarbled, 0},
		{"HalfThenEnds", func(d *Death) bool { return d.Cause == "exit status 0" && !d.Internal && !d.Garbled }, 0},
		{"HalfThenWaits", isGarbled, 300 * time.Millisecond},
		{"Stops", isGarbled, 300 * time.Millisecond},
		{"KillsItself", func(d *Death) bool { return d.Killed && !d.Garbled }, 0},
		{"Closes", isGarbled, 0},
		{"Fills", isGarbled, 0},
		{"FillsAndDies", func(d *Death) bool { return d.Garbled && d.Cause == "panic: p" }, 0},
		{"Clears", isGarbled, 0},
		{"WildItem", isGarbled, 0},
		{"WildMutant", isGarbled, 0},
		{"WildFeature", isGarbled, 0},
		{"WildOutcome", isGarbled, 0},
		{"WildKill", isGarbled, 0},
		{"WildFound", isGarbled, 0},
		{"Two", isGarbled, 0},
		{"NoResult", isGarbled, 0},
		{"Child", func(d *Death) bool { return d.Cause == "panic: p" }, 0},
		{"FarChild", func(d *Death) bool { return d.Cause == "panic: p" }, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			results, err := perform(t, c.name, c.answer)
			var d *Death
			switch {
			case c.want == nil && (err != nil || results != 2):
				t.Fatalf("%d results, %v", results, err)
			case c.want == nil:
				return
			case !errors.As(err, &d) || !c.want(d):
				t.Fatalf("%+v", err)
			}
			if scribbles := []string{"Fills", "FillsAndDies", "Clears"}; slices.Contains(scribbles, c.name) {
				if d.State.Mutant > 3 || d.State.Heartbeat > 2 {
					t.Errorf("wild numbers: %+v", d.State)
				}
			} else if in := d.State.Input; in == nil || !in.Equal(corpus.Of("in")) {
				t.Errorf("input %+v", in)
			}
			checkChild(t, c.name, d)
		})
	}
}

func isGarbled(d *Death) bool { return d.Garbled && !d.Internal && !d.TimedOut && !d.Killed }

// perform asks a worker for a result twice, and returns how many come.
func perform(t *testing.T, name string, answer time.Duration) (results int, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(Config{Binary: self, Fuzz: name, Dir: ".", AnswerTimeout: answer})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	init := wire.Init{MutantFunc: make([]int32, 3), Counters: 5}
	if _, err := p.Init(context.Background(), &init); err != nil {
		t.Fatal(err)
	}
	run := wire.Run{Items: []wire.Item{{Input: wire.Encode([]any{"in"})}}}
	for range 2 {
		if _, err = p.Run(context.Background(), &run, RunEvents{Result: func(*wire.Result) { results++ }}); err != nil {
			break
		}
	}
	return results, err
}

// checkChild looks at the process that the worker has started: in its group it is gone
// with it, and beyond it holds nobody up.
func checkChild(t *testing.T, name string, d *Death) {
	t.Helper()
	_, rest, ok := strings.Cut(d.Output, "child ")
	if !ok {
		return
	}
	number, _, _ := strings.Cut(rest, "\n")
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	lives := func() bool { return syscall.Kill(pid, 0) == nil && !zombie(pid) }
	if name == "FarChild" {
		if !lives() {
			t.Error("the child is gone: it has held nobody up")
		}
		syscall.Kill(pid, syscall.SIGKILL)
		return
	}
	// It was killed, but need not have noticed.
	for range 1000 {
		if !lives() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the child lives")
}

// zombie says whether a process is dead, and nobody has waited for it.
func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(data), ") Z ")
}

// A panic in a goroutine that looks after a worker is passed on: by the call in progress,
// or by Close.
func TestPanicsBesideAWorkerArePassedOn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	explode := func() { panic("injected") }
	for name, during := range map[string]bool{"Stops": true, "Nothing": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Start(Config{Binary: self, Fuzz: name, Dir: "."})
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Init(context.Background(), &wire.Init{})
			run := &wire.Run{Items: []wire.Item{{Input: wire.Encode([]any{"in"})}}}
			for i := range 2 {
				if err != nil {
					t.Fatalf("%d calls: %v", i, err)
				}
				if during && i == 1 {
					go p.do(explode)
				}
				_, err = p.Run(context.Background(), run, RunEvents{})
			}
			if panics.Is(err) != during {
				t.Errorf("the call: %v", err)
			}
			if !during {
				p.do(explode)
			}
			if err := panics.Do(func() error { p.Close(); return nil }); panics.Is(err) == during {
				t.Errorf("closing: %v", err)
			}
		})
	}
}
