// Package worker runs rewritten test binaries as worker processes: it starts
// them, talks to them, watches them, and says exactly what they were doing when
// they died.
package worker

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// Config says what a worker runs, and within which limits.
type Config struct {
	Binary  string   // the rewritten test binary
	Fuzz    string   // name of the fuzz test; "" means the package's own tests
	Run     string   // of the package's own tests: which ones, as -run of go test
	Skip    string   // and which not, as -skip
	Short   bool     // as -short
	Args    []string // after the flags
	Dir     string   // working directory: the package's own
	Env     []string // environment; nil means the command's own
	TempDir string   // for shared memory, where it has to be in a file; "" means the system's
	// Temp is the process's own directory for temporary files, which is made where it is
	// not there: a target that removes it removes nothing else. "" means the system's.
	Temp    string
	Timeout time.Duration // of one execution; 0 means 10 s. Fuel ends loops much earlier: this is for what blocks
	// StartTimeout is how long the code before f.Fuzz, or before m.Run in
	// TestMain, may take; 0 means a minute, or Timeout if that is more.
	StartTimeout time.Duration
	MemLimit     int64 // resident bytes; 0 means 2 GiB, negative means no limit
	// AnswerTimeout is how long a worker that is not running the target may take until
	// it runs it again, or replies; 0 means two minutes.
	AnswerTimeout time.Duration

	// CloseTimeout is how long a worker that is asked to end by Close may take for it
	// before it is killed. 0 means 1s.
	CloseTimeout time.Duration

	Sites int // places of the program where values are observed

	// Elsewhere, if it is not zero, has the process run as on a machine in another time zone, and from a binary that was
	// built elsewhere, one for each number: what it then shows depends on the machine.
	Elsewhere int

	Static wire.Static // mutants that are active from the start
	Trace  int         // the number of mutants, to be told which of them initialization reaches; 0: not wanted
}

// MutantTimeout divides the time that a mutant has: it is known that the original
// does not block, and many mutants may.
const MutantTimeout = 4

// DefaultTimeout bounds one execution by the clock.
const DefaultTimeout = 10 * time.Second

const (
	defaultMemLimit = 2 << 30
	pollInterval    = 50 * time.Millisecond
	// quitGrace is how long a hanging process may take to print its goroutines.
	quitGrace           = 3 * time.Second
	defaultStartTimeout = 60 * time.Second

	defaultAnswerTimeout = 2 * time.Minute
	defaultCloseTimeout  = time.Second
)

// Process is one running worker. Its life:
//
//   - Start starts it, and two goroutines that look after it: one waits for its end, one
//     watches it. From then on Close must be called, once.
//   - Init is the first call. The others, see client.go, follow one at a time, from one
//     goroutine at a time. Counts, CPU and Abort may be called from others meanwhile.
//   - It ends when Close hangs up; when the watch, Abort or a reply that is none ends it;
//     or when the program under test does. But for Close, the call in progress then returns
//     a *Death, or the next one does.
//   - Once a call has returned a *Death, the process is gone and waited for, its pipes are
//     closed, and the shared memory is unmapped: Counts returns what was read last.
//   - Close ends what is left: it waits a second for the process to end by itself, kills
//     it with all that it has started otherwise, and gives up what it held. The two
//     goroutines are about to end when it returns.
//
// If the system can't start a process, all that was opened for it is closed again.
type Process struct {
	cfg    Config
	cmd    *exec.Cmd
	child  *system.Child
	memory *system.Memory
	shared *wire.Shared  // nil once the process is gone
	known  known         // of the program, for checking replies
	about  *corpus.Input // the input in progress, if the worker tells

	requests *os.File
	pipe     *os.File // of the replies
	ending   *system.Replies
	replies  *bufio.Reader

	stderr *tail
	exited chan struct{} // closed when the process is gone and reaped
	err    error         // of Wait; valid once exited is closed

	mu     sync.Mutex
	last   wire.Counts // the last that may be true
	ended  ending      // why this side ended the process
	busy   bool        // a request is in progress
	since  time.Time
	frames uint64      // replies so far
	most   wire.Bounds // that the request in progress sets
	cpu    time.Duration
	waited time.Duration // since something last happened, at the last look
	fault  error         // the first panic of a goroutine that looks after the process; nil once it was passed on
}

// Start starts a worker. It has not reached f.Fuzz or m.Run yet: the first
// request, Init, waits for that. The error is a *StartError, and there is nothing to close
// then.
func Start(cfg Config) (*Process, error) {
	if cfg.Timeout == 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MemLimit == 0 {
		cfg.MemLimit = defaultMemLimit
	}
	if cfg.StartTimeout == 0 {
		cfg.StartTimeout = max(defaultStartTimeout, cfg.Timeout)
	}
	if cfg.AnswerTimeout == 0 {
		cfg.AnswerTimeout = defaultAnswerTimeout
	}
	if cfg.CloseTimeout == 0 {
		cfg.CloseTimeout = defaultCloseTimeout
	}
	p := &Process{cfg: cfg, stderr: newTail(), exited: make(chan struct{})}
	p.known.sites = cfg.Sites
	p.known.sees(cfg.Trace)
	for _, m := range cfg.Static.Mutants {
		p.known.sees(int(m.Mutant))
	}
	if err := p.start(); err != nil {
		p.release()
		return nil, &StartError{p.explain(err)}
	}
	go func() {
		p.do(p.wait)
		p.do(p.gone)
	}()
	go func() { p.do(p.watch) }()
	return p, nil
}

// StartError is an error of the system that keeps a worker from being started.
type StartError struct{ err error }

func (e *StartError) Error() string { return "starting the test binary: " + e.err.Error() }

// Unwrap returns the system's own error.
func (e *StartError) Unwrap() error { return e.err }

// explain says what a user can do who has lost the test binary.
func (p *Process) explain(err error) error {
	if _, gone := os.Stat(p.cfg.Binary); errors.Is(gone, fs.ErrNotExist) {
		return fmt.Errorf("%w: it was removed during the run, perhaps by a package under test that removes os.TempDir()", err)
	}
	if errors.Is(err, syscall.ENOEXEC) {
		return fmt.Errorf("%w: it is built for another system: unset GOOS and GOARCH", err)
	}
	return err
}

func (p *Process) start() error {
	memory, err := system.NewMemory(p.cfg.TempDir, wire.SharedSize)
	if err != nil {
		return err
	}
	p.memory, p.shared = memory, wire.NewShared(memory.Bytes)
	defer memory.Disown()
	reqR, reqW, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reqR.Close()
	p.requests = reqW
	repR, repW, err := os.Pipe()
	if err != nil {
		return err
	}
	defer repW.Close()
	p.pipe, p.ending = repR, system.NewReplies(repR)
	p.replies = bufio.NewReaderSize(p.ending, 1<<16)

	args, vars := p.cfg.invocation()
	binary := p.cfg.Binary
	if p.cfg.Elsewhere != 0 {
		if binary, err = system.ElsewhereBinary(binary, p.cfg.Elsewhere); err != nil {
			return fmt.Errorf("writing a copy of the test binary: %w", err)
		}
	}
	cmd := exec.Command(binary, args...)
	cmd.Dir = p.cfg.Dir
	cmd.Stderr = p.stderr
	if p.cfg.Fuzz != "" {
		cmd.Stdout = p.stderr
	}
	cmd.WaitDelay = time.Second
	p.cmd, p.child = cmd, system.NewChild(cmd)
	names := system.Inherit(cmd, memory, reqR, repW)
	env := p.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Env = append(env[:len(env):len(env)], vars...)
	if p.cfg.Temp != "" {
		if err := os.MkdirAll(p.cfg.Temp, 0o700); err != nil {
			return fmt.Errorf("making a directory for temporary files: %w", err)
		}
		cmd.Env = append(cmd.Env, system.TempEnv(p.cfg.Temp)...)
	}
	if p.cfg.Elsewhere != 0 {
		zone, err := system.ElsewhereEnv(filepath.Dir(p.cfg.Binary))
		if err != nil {
			return fmt.Errorf("writing a time zone: %w", err)
		}
		cmd.Env = append(cmd.Env, zone)
	}
	cmd.Env = append(cmd.Env, wire.EnvConn+"="+strings.Join(names, ","))
	if len(p.cfg.Static.Mutants) > 0 {
		cmd.Env = append(cmd.Env, wire.StaticEnv(p.cfg.Static))
	} else if p.cfg.Trace > 0 {
		cmd.Env = append(cmd.Env, wire.InitEnv(p.cfg.Trace))
	}
	return p.child.Start()
}

// invocation returns the arguments of the test binary, and the variables that
// make it a worker. The package's own tests get what the go command gives them;
// what they print is thrown away.
func (c *Config) invocation() (args, vars []string) {
	vars = []string{"GOTRACEBACK=all", wire.EnvSteady + "=1"}
	if c.Fuzz != "" {
		return []string{"-test.run=^" + c.Fuzz + "$", "-test.timeout=0", "-test.count=1"}, append(vars, wire.EnvWorker+"="+c.Fuzz)
	}
	args = []string{"-test.paniconexit0", "-test.timeout=10m0s", "-test.count=1"}
	if c.Run != "" {
		args = append(args, "-test.run="+c.Run)
	}
	if c.Skip != "" {
		args = append(args, "-test.skip="+c.Skip)
	}
	if c.Short {
		args = append(args, "-test.short=true")
	}
	return append(args, c.Args...), append(vars, wire.EnvTests+"=1", "PWD="+c.Dir)
}

// do calls f, which looks after the process. If it panics the process is ended: the Call
// in progress, or else Close, passes the panic on to the goroutine that uses the process.
func (p *Process) do(f func()) {
	err := panics.Do(func() error { f(); return nil })
	if err == nil {
		return
	}
	p.mu.Lock()
	if p.fault == nil {
		p.fault = err
	}
	p.mu.Unlock()
	p.child.Kill()
}

// faulty returns the panic that do has noted, once.
func (p *Process) faulty() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.fault
	p.fault = nil
	return err
}

// wait waits until the process is gone.
func (p *Process) wait() {
	p.err = p.child.Wait()
	if errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // the process has ended well; someone else keeps its output open
	}
	if ps := p.cmd.ProcessState; ps != nil {
		p.mu.Lock()
		p.cpu = ps.UserTime() + ps.SystemTime()
		p.mu.Unlock()
	}
}

// gone ends what waits for the process. Others may have its pipes open: processes that it
// has started and that have left its group.
func (p *Process) gone() {
	close(p.exited)
	p.ending.Ended()
	system.Ended(p.requests)
}

// release gives up the process's resources. Call it only once the process is
// gone.
func (p *Process) release() {
	for _, f := range []*os.File{p.requests, p.pipe} {
		if f != nil {
			f.Close()
		}
	}
	p.counts()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared != nil {
		p.shared = nil
		p.memory.Close()
	}
}

// MemLimit is how many bytes may be resident in the process; 0 or less: any number.
func (p *Process) MemLimit() int64 { return p.cfg.MemLimit }

// CPU returns the processor time the worker has used: exact once it has ended,
// and before that what the system tells, or zero.
func (p *Process) CPU() time.Duration {
	p.mu.Lock()
	cpu := p.cpu
	p.mu.Unlock()
	if cpu == 0 && p.cmd.Process != nil {
		return system.CPU(p.cmd.Process.Pid)
	}
	return cpu
}

// Active returns how long the threads of the worker have run, or waited for a processor;
// ok says whether that is known.
func (p *Process) Active() (sum time.Duration, ok bool) {
	if p.cmd.Process == nil {
		return 0, false
	}
	return system.Active(p.cmd.Process.Pid)
}

// Close ends the worker and waits until it is gone, with all that it has started. It
// panics if what looks after the worker has, and no Call has returned that.
func (p *Process) Close() {
	p.requests.Close()
	select {
	case <-p.exited:
	case <-time.After(p.cfg.CloseTimeout):
		p.child.Kill()
		<-p.exited
	}
	p.release()
	if err := p.faulty(); err != nil {
		panic(err)
	}
}
