//go:build linux

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// mostTime is how long a run may take before it counts as one that hangs.
const mostTime = 5 * time.Minute

// A trial is one run of the command, or several, on one copy of a tree.
type trial struct {
	b    *bench
	ctx  context.Context
	slot *slot
	id   string // in the environment of all its processes
	name string
	dir  string // tree, tmp and what is kept of the run
	seed uint64
	rnd  *rand.Rand
	runs int // that the table counts

	lost, left, misreported []string
}

func (t *trial) tree() string { return filepath.Join(t.dir, "tree") }
func (t *trial) temp() string { return filepath.Join(t.dir, "tmp-"+"fuzzmut-fault") }

// lay copies the tree of a name.
func (t *trial) lay(name string) error {
	if err := os.MkdirAll(t.temp(), 0o777); err != nil {
		return err
	}
	return os.CopyFS(t.tree(), os.DirFS(filepath.Join(t.b.Trees, name)))
}

// A run of the command.
type run struct {
	cmd    *exec.Cmd
	out    bytes.Buffer
	done   chan struct{}
	code   int // once done
	signal syscall.Signal
}

// start starts the command in the tree.
func (t *trial) start(args ...string) (*run, error) {
	r := &run{done: make(chan struct{})}
	r.cmd = exec.Command(t.b.Command, args...)
	r.cmd.Dir = t.tree()
	r.cmd.Env = append(os.Environ(), "TMPDIR="+t.temp(), "GOCACHE="+t.slot.cache, "FUZZMUT_FAULT="+t.id, "GOFLAGS=-mod=mod")
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.out
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	r.cmd.WaitDelay = 2 * time.Second
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		r.cmd.Wait()
		r.code = r.cmd.ProcessState.ExitCode()
		if s, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
			r.signal = s.Signal()
		}
		close(r.done)
	}()
	return r, nil
}

// finish waits for a run. One that hangs is ended and reported.
func (t *trial) finish(r *run) {
	select {
	case <-r.done:
	case <-time.After(mostTime):
		t.misreport("did not end within %v", mostTime)
		r.cmd.Process.Signal(syscall.SIGQUIT)
		time.Sleep(time.Second)
		r.cmd.Process.Kill()
		<-r.done
	}
	os.WriteFile(filepath.Join(t.dir, "output"), r.out.Bytes(), 0o666) //nolint:errcheck // for whoever looks at what is kept
}

// do runs the command to its end.
func (t *trial) do(args ...string) (*run, error) {
	r, err := t.start(args...)
	if err == nil {
		t.finish(r)
	}
	return r, err
}

func (t *trial) lose(format string, args ...any) {
	t.lost = append(t.lost, fmt.Sprintf(format, args...))
}

func (t *trial) leave(format string, args ...any) {
	t.left = append(t.left, fmt.Sprintf(format, args...))
}

func (t *trial) misreport(format string, args ...any) {
	t.misreported = append(t.misreported, fmt.Sprintf(format, args...))
}

// failed notes an error of the bench itself, which must not look like success.
func (t *trial) failed(err error) { t.misreport("could not be tried: %v", err) }

// processes lists the trial's processes that live.
func (t *trial) processes() map[int]string {
	list := make(map[int]string)
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		env, err := os.ReadFile(d + "/environ")
		if err != nil || !bytes.Contains(env, []byte("FUZZMUT_FAULT="+t.id+"\x00")) {
			continue
		}
		stat, err := os.ReadFile(d + "/stat")
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(d))
		line, _ := os.ReadFile(d + "/cmdline")
		list[pid] = string(bytes.ReplaceAll(line, []byte{0}, []byte(" ")))
	}
	return list
}

// leaveTime is how long processes may take to be gone after their parent.
const leaveTime = 15 * time.Second

// checkLeft reports processes and files that are left behind. Processes are ended.
func (t *trial) checkLeft() {
	for deadline := time.Now().Add(leaveTime); len(t.processes()) > 0 && time.Now().Before(deadline); {
		time.Sleep(100 * time.Millisecond)
	}
	for pid, line := range t.processes() {
		t.leave("process %d: %s", pid, line)
		syscall.Kill(pid, syscall.SIGKILL)
	}
	t.checkTemp()
	t.checkHalves()
}

func (t *trial) checkTemp() {
	files, err := os.ReadDir(t.temp())
	if err != nil && !os.IsNotExist(err) {
		t.failed(err)
	}
	for _, f := range files {
		t.leave("in TMPDIR: %s", f.Name())
	}
}

// checkHalves reports files in the tree that are half written, or no entries.
func (t *trial) checkHalves() {
	root := os.DirFS(t.tree())
	fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || filepath.Base(filepath.Dir(path)) != "fuzz" {
			return err
		}
		dir := filepath.Join(t.tree(), path)
		_, bad, err := corpus.ReadDir(dir, nil, 0)
		if err != nil {
			t.failed(err)
		}
		for _, b := range bad {
			t.lose("bad entry %s: %v", path, b)
		}
		return nil
	})
	fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (strings.Contains(path, ".tmp") || strings.HasPrefix(d.Name(), ".fuzzmut")) {
			t.leave("half written: %s", path)
		}
		return nil
	})
}

func (t *trial) result() string { return filepath.Join(t.dir, "result.json") }

// report reads what a run has written as JSON.
func (t *trial) report() (*report.Report, error) {
	data, err := os.ReadFile(t.result())
	if err != nil {
		return nil, err
	}
	r := new(report.Report)
	return r, json.Unmarshal(data, r)
}

// checkSaid reports what an output says that can't be: a panic of the command.
func (t *trial) checkSaid(r *run) {
	// The runtime's own exit code is 2; with others a target's traceback is shown.
	if r.code == 70 || r.code == 2 && bytes.Contains(r.out.Bytes(), []byte("\ngoroutine 1 [")) {
		t.misreport("exit %d: internal error or panic: %s", r.code, lastLine(r.out.String()))
	}
	if r.signal != 0 && r.signal != syscall.SIGKILL {
		t.misreport("ended by %v", r.signal)
	}
}

// checkScore compares what a run says that its corpus kills with what "score" says of
// the same corpus, undisturbed.
func (t *trial) checkScore(fuzz string) {
	said, err := t.report()
	if err != nil {
		t.lose("result: %v", err)
		return
	}
	if len(said.Tests) == 0 || said.Tests[0].NotMeasured != "" {
		return
	}
	os.Rename(t.result(), filepath.Join(t.dir, "said.json"))
	r, err := t.do("score", "-q", "-parallel", "1", "-fuzz", "^"+fuzz+"$", "-json", t.result(), ".")
	if err != nil {
		t.failed(err)
		return
	}
	is, err := t.report()
	if err != nil || len(is.Tests) == 0 {
		t.misreport("score afterwards: exit %d, %v: %s", r.code, err, lastLine(r.out.String()))
		return
	}
	t.compare(&said.Tests[0], &is.Tests[0])
}

func (t *trial) compare(said, is *report.FuzzTest) {
	status := make(map[string]report.Mutant)
	for _, m := range is.Mutants {
		status[m.ID] = m
	}
	killed := func(m report.Mutant) bool { return m.Status == report.Killed }
	for _, m := range said.Mutants {
		if now := status[m.ID]; killed(m) != killed(now) {
			t.misreport("mutant %s is said to be %s, and is %s (%s, %s)", m.ID, m.Status, now.Status, m.KillKind, now.KillKind)
		}
	}
	if said.Score.Killed != is.Score.Killed {
		t.misreport("%d killed are said, %d are", said.Score.Killed, is.Score.Killed)
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	last := lines[len(lines)-1]
	return last[:min(len(last), 300)]
}
