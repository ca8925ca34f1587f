// Package looptest gives the tests of package loop, and of those below it, a worker
// without a coordinator, and fuzz targets that are rewritten by hand.
package looptest

import (
	"bufio"
	"bytes"
	"reflect"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/conn"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/coverage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Hooks is package testing as it is without the injected file: enough for
// targets that fail and skip.
func Hooks() exec.Testing {
	return exec.Testing{
		Reset:   func(t, _ *testing.T, _ bool) { reflect.ValueOf(t).Elem().SetZero() },
		Cleanup: func(*testing.T) {},
		Quiet:   new(bool),
		Result:  func(t *testing.T) (bool, bool, []byte) { return t.Failed(), t.Skipped(), nil },
	}
}

// Worker is what a worker's parts have in common.
type Worker struct {
	Conn   *conn.Conn
	Target *exec.Target
	Exec   *exec.Executor
	Muts   *mutants.Mutants
	Cov    *coverage.Coverage

	sent bytes.Buffer
}

// New returns a worker of a target with counters and switches, one for each function. A
// Fuzz is in progress, so that parts of a round may reply.
func New(tb testing.TB, init *wire.Init, target any, counters []uint8, slow []bool) *Worker {
	tb.Helper()
	fuzzmutrt.Packages = []*fuzzmutrt.Package{{Path: "p", Counters: counters, Slow: slow}}
	init.Counters, init.Funcs = len(counters), len(slow)
	shared := wire.NewShared(make([]byte, wire.SharedSize))
	w := &Worker{Target: exec.NewTarget(target, Hooks())}
	w.Conn = conn.New(nil, &w.sent, shared)
	x, err := exec.New(w.Target, shared, init)
	if err == nil {
		err = w.Conn.Begin(&wire.Request{Fuzz: &wire.Fuzz{}})
	}
	if err != nil {
		tb.Fatal(err)
	}
	w.Exec, w.Muts, w.Cov = x, mutants.New(x, init), coverage.New(fuzzmutrt.Packages)
	return w
}

// Replies takes the messages that the worker has sent.
func (w *Worker) Replies() []wire.Reply {
	var list []wire.Reply
	for in := bufio.NewReader(&w.sent); ; {
		var r wire.Reply
		if err := wire.Receive(in, &r, wire.MaxReply); err != nil {
			return list
		}
		list = append(list, r)
	}
}

// Reset throws away the messages that the worker has sent.
func (w *Worker) Reset() { w.sent.Reset() }
