// Package worker runs rewritten test binaries as worker processes: it starts
// them, talks to them, watches them, and says exactly what they were doing when
// they died.
package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Config says what a worker runs, and within which limits.
type Config struct {
	Binary  string        // the rewritten test binary
	Fuzz    string        // name of the fuzz test; "" means the package's own tests
	Run     string        // of the package's own tests: which ones, as -run of go test
	Dir     string        // working directory: the package's own
	Env     []string      // environment; nil means the command's own
	TempDir string        // where the shared mapping's file is made; "" means the system's
	Timeout time.Duration // of one execution; 0 means 10 s. Fuel ends loops much earlier: this is for what blocks
	// StartTimeout is how long the code before f.Fuzz, or before m.Run in
	// TestMain, may take; 0 means a minute.
	StartTimeout time.Duration
	MemLimit     int64 // resident bytes; 0 means 2 GiB, negative means no limit

	Static wire.Static // a mutant that is active from the start; the zero value: none
	Trace  int         // the number of mutants, to be told which of them initialisation reaches; 0: not wanted
}

// mutantTimeout divides the time that a mutant has: it is known that the original
// does not block, and many mutants may.
const mutantTimeout = 4

// DefaultTimeout bounds one execution by the clock.
const DefaultTimeout = 10 * time.Second

const (
	defaultMemLimit = 2 << 30
	pollInterval    = 50 * time.Millisecond
	// quitGrace is how long a hanging process may take to print its goroutines.
	quitGrace           = 3 * time.Second
	defaultStartTimeout = 60 * time.Second
)

// Process is one running worker. It serves one request at a time; Counts and
// RequestStop may be called from other goroutines.
type Process struct {
	cfg    Config
	cmd    *exec.Cmd
	shared *wire.Shared
	mem    []byte

	requests io.WriteCloser
	replies  *bufio.Reader
	files    []io.Closer

	stderr *tail
	exited chan struct{} // closed when the process is gone and reaped
	err    error         // of Wait; valid once exited is closed

	mu     sync.Mutex
	last   wire.Counts // once the mapping is gone
	killed string      // why the watchdog ended the process
	busy   bool        // a request is under way
	since  time.Time
	cpu    time.Duration
}

// Start starts a worker. It has not reached f.Fuzz or m.Run yet: the first
// request, Init, waits for that.
func Start(cfg Config) (*Process, error) {
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MemLimit == 0 {
		cfg.MemLimit = defaultMemLimit
	}
	if cfg.StartTimeout == 0 {
		cfg.StartTimeout = defaultStartTimeout
	}
	p := &Process{cfg: cfg, stderr: newTail(), exited: make(chan struct{})}
	if err := p.start(); err != nil {
		p.release()
		return nil, fmt.Errorf("starting the test binary: %w", err)
	}
	go p.wait()
	go p.watch()
	return p, nil
}

func (p *Process) start() error {
	shared, err := p.mapFile()
	if err != nil {
		return err
	}
	reqR, reqW, err := os.Pipe()
	if err != nil {
		return err
	}
	p.requests = reqW
	repR, repW, err := os.Pipe()
	if err != nil {
		reqR.Close()
		return err
	}
	p.replies = bufio.NewReaderSize(repR, 1<<16)
	p.files = append(p.files, reqW, repR)

	args, vars := p.cfg.invocation()
	cmd := exec.Command(p.cfg.Binary, args...)
	cmd.Dir = p.cfg.Dir
	env := p.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(env[:len(env):len(env)], vars...)
	if p.cfg.Static.Mutant != 0 {
		cmd.Env = append(cmd.Env, wire.StaticEnv(p.cfg.Static))
	} else if p.cfg.Trace > 0 {
		cmd.Env = append(cmd.Env, wire.InitEnv(p.cfg.Trace))
	}
	cmd.ExtraFiles = []*os.File{reqR, repW, shared}
	cmd.Stderr = p.stderr
	if p.cfg.Fuzz != "" {
		cmd.Stdout = p.stderr
	}
	cmd.SysProcAttr = procAttr()
	cmd.WaitDelay = time.Second
	p.cmd = cmd
	err = cmd.Start()
	reqR.Close()
	repW.Close()
	shared.Close()
	return err
}

// invocation returns the arguments of the test binary, and the variables that
// make it a worker. The package's own tests get what the go command gives them;
// what they print is thrown away.
func (c *Config) invocation() (args, vars []string) {
	vars = []string{"GOTRACEBACK=all"}
	if c.Fuzz != "" {
		return []string{"-test.run=^" + c.Fuzz + "$", "-test.timeout=0", "-test.count=1"}, append(vars, wire.EnvWorker+"="+c.Fuzz)
	}
	args = []string{"-test.paniconexit0", "-test.timeout=10m0s", "-test.count=1"}
	if c.Run != "" {
		args = append(args, "-test.run="+c.Run)
	}
	return args, append(vars, wire.EnvTests+"=1", "PWD="+c.Dir)
}

// mapFile makes the shared mapping's file and unlinks it at once: it lives as
// long as someone has it open.
func (p *Process) mapFile() (*os.File, error) {
	f, err := os.CreateTemp(p.cfg.TempDir, "fuzzmut-shared-")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if err := f.Truncate(wire.SharedSize); err != nil {
		f.Close()
		return nil, err
	}
	mem, err := syscall.Mmap(int(f.Fd()), 0, wire.SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("mapping %d bytes: %w", wire.SharedSize, err)
	}
	p.mem, p.shared = mem, wire.NewShared(mem)
	return f, nil
}

func (p *Process) wait() {
	p.err = p.cmd.Wait()
	if ps := p.cmd.ProcessState; ps != nil {
		p.mu.Lock()
		p.cpu = ps.UserTime() + ps.SystemTime()
		p.mu.Unlock()
	}
	close(p.exited)
}

// release gives up the process's resources. Call it only once the process is
// gone.
func (p *Process) release() {
	for _, f := range p.files {
		f.Close()
	}
	p.files = nil
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mem != nil {
		p.last = p.shared.Counts()
		syscall.Munmap(p.mem) //nolint:errcheck // nothing to be done about it
		p.mem, p.shared = nil, nil
	}
}

// requestStop sets the flag that ends a round early.
func (p *Process) requestStop(stop bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared != nil {
		p.shared.RequestStop(stop)
	}
}

// Call sends a request and returns the reply that closes it. Events on the way
// are given to onEvent, in order. When the process dies instead, the error is a
// *Death; when ctx is cancelled, the worker is asked to stop and Call goes on
// until it has.
func (p *Process) Call(ctx context.Context, req wire.Request, onEvent func(wire.Reply)) (wire.Reply, error) {
	p.setBusy(true)
	defer p.setBusy(false)
	p.requestStop(false)
	stop := context.AfterFunc(ctx, func() { p.requestStop(true) })
	defer stop()
	// A dead worker makes the write fail; what it died of is told by the read.
	sendErr := wire.Send(p.requests, req)
	for {
		var r wire.Reply
		if err := wire.Receive(p.replies, &r); err != nil {
			if sendErr != nil && !errors.Is(sendErr, syscall.EPIPE) {
				err = errors.Join(err, sendErr)
			}
			return wire.Reply{}, p.death(err)
		}
		if r.Hello != nil || r.Ran != nil || r.Fuzzed != nil || r.Trimmed != nil || r.Replayed != nil {
			return r, nil
		}
		onEvent(r)
	}
}

func (p *Process) setBusy(busy bool) {
	p.mu.Lock()
	p.busy, p.since = busy, time.Now()
	p.mu.Unlock()
}

// Counts returns what the worker has done so far.
func (p *Process) Counts() wire.Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared == nil {
		return p.last
	}
	return p.shared.Counts()
}

// CPU returns the processor time the worker has used: exact once it has ended,
// and before that what the system tells, or zero.
func (p *Process) CPU() time.Duration {
	p.mu.Lock()
	cpu := p.cpu
	p.mu.Unlock()
	if cpu == 0 && p.cmd.Process != nil {
		return processCPU(p.cmd.Process.Pid)
	}
	return cpu
}

// Close ends the worker and waits until it is gone.
func (p *Process) Close() {
	p.requests.Close()
	select {
	case <-p.exited:
	case <-time.After(time.Second):
		p.cmd.Process.Kill()
		<-p.exited
	}
	p.release()
}

// watch ends a process that blocks, or eats memory.
func (p *Process) watch() {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	var beat uint64
	changed := time.Now()
	var idle idleness
	for {
		select {
		case <-p.exited:
			return
		case now := <-tick.C:
			c := p.Counts()
			p.mu.Lock()
			busy, since := p.busy, p.since
			p.mu.Unlock()
			limit := p.limit(c)
			if c.Heartbeat != beat || !busy || (!c.Running && c.Heartbeat > 0) || changed.Before(since) {
				beat, changed = c.Heartbeat, now
				idle = idleness{}
			}
			switch {
			case now.Sub(changed) > limit:
				p.quit(fmt.Sprintf("no end within %v", limit))
				return
			case c.Idle > 0 && now.Sub(changed) > pollInterval && idle.at(now, p.cmd.Process.Pid) > c.Idle:
				p.quit(fmt.Sprintf("blocked: nothing has run for %v", c.Idle))
				return
			case p.cfg.MemLimit > 0 && resident(p.cmd.Process.Pid) > p.cfg.MemLimit:
				p.kill(fmt.Sprintf("uses more than %d MiB of memory", p.cfg.MemLimit>>20))
				return
			}
		}
	}
}

// idleness tells how long a process has done nothing but wait.
type idleness struct {
	since, last time.Time
	active      time.Duration
}

// idleShare is the share of the time, one in so many parts, that the runtime of a
// process in which nothing happens may be active itself.
const idleShare = 20

// at looks at the process and returns how long it has been idle. A process that
// wants to run and may not is active.
func (i *idleness) at(now time.Time, pid int) time.Duration {
	active, ok := processActive(pid)
	if !ok || i.last.IsZero() || active-i.active > now.Sub(i.last)/idleShare {
		i.since = now
	}
	i.last, i.active = now, active
	return now.Sub(i.since)
}

// limit bounds what the worker is doing, by the clock.
func (p *Process) limit(c wire.Counts) time.Duration {
	switch {
	case c.Heartbeat == 0:
		return max(p.cfg.Timeout, p.cfg.StartTimeout)
	case c.Limit != 0:
		return c.Limit
	case c.Mutant != 0:
		return p.cfg.Timeout / mutantTimeout
	}
	return p.cfg.Timeout
}

// Abort ends the worker at once. A request under way ends with a *Death.
func (p *Process) Abort() { p.kill("aborted") }

// quit ends a hanging process in a way that makes it print its goroutines.
func (p *Process) quit(why string) {
	p.mu.Lock()
	p.killed = why
	p.mu.Unlock()
	p.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-p.exited:
	case <-time.After(quitGrace):
		p.cmd.Process.Kill()
	}
}

func (p *Process) kill(why string) {
	p.mu.Lock()
	p.killed = why
	p.mu.Unlock()
	p.cmd.Process.Kill()
}

// Death is a worker that ended in the middle of a request.
type Death struct {
	State    wire.State // what it was doing
	Cause    string     // one line: "fatal error: stack overflow", "no end within 10s"
	TimedOut bool       // ended by the watchdog
	Memory   bool       // ended for its memory
	Killed   bool       // ended by SIGKILL, which the watchdog has not sent
	Damaged  bool       // ended itself, after a Damaged reply or a doom that was swallowed for too long
	Internal bool       // the loop itself failed
	Output   string     // head and tail of what the process printed
}

func (d *Death) Error() string {
	s := "worker ended: " + d.Cause
	if d.Internal {
		s += "\n" + d.Output
	}
	return s
}

// death waits for the process's end and describes it.
func (p *Process) death(cause error) error {
	select {
	case <-p.exited:
	case <-time.After(quitGrace + time.Second):
		p.kill("closed its side of the conversation")
		<-p.exited
	}
	defer p.release()
	d := &Death{State: p.shared.State(), Output: p.stderr.String()}
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	code := p.cmd.ProcessState.ExitCode()
	switch {
	case killed != "":
		d.Cause = killed
		d.Memory = strings.Contains(killed, "memory")
		d.TimedOut = !d.Memory
	case code == wire.ExitDamaged:
		d.Damaged = true
		d.Cause = "state damaged"
	case code == wire.ExitInternal || !errors.Is(cause, io.EOF) && code == 0:
		d.Internal = true
		d.Cause = fmt.Sprintf("internal error: %v", cause)
	default:
		d.Cause = causeOf(d.Output, p.err)
		status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
		d.Killed = ok && status.Signaled() && status.Signal() == syscall.SIGKILL
	}
	return d
}

// panicAddress is how the runtime prints a panic's value of any but a basic type.
// The address is another one in each run.
var panicAddress = regexp.MustCompile(`^(panic: \(.+\)) 0x[0-9a-f]+`)

// causeOf finds the line by which the runtime says why it gives up.
func causeOf(output string, err error) string {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") ||
			strings.HasPrefix(line, "runtime: out of memory") || strings.HasPrefix(line, "SIG") {
			return panicAddress.ReplaceAllString(line, "$1")
		}
	}
	if err != nil {
		return err.Error()
	}
	return "exit status 0"
}
