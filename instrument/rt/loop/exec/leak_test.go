package exec_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

const thisPackage = "github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"

// wait is where the goroutines of these tests wait.
func wait(ch chan bool) { <-ch }

// tended stands for what a goroutine tends as long as somebody has it.
type tended struct{ _ [64]byte }

// A call leaks if each leaves a goroutine there.
func TestGoroutinesThatOutliveACall(t *testing.T) {
	never := make(chan bool)
	defer close(never)
	var once sync.Once
	for _, c := range []struct {
		name   string
		target func(*testing.T, string)
		want   wire.OutcomeKind
		says   string
	}{
		{"it waits for ever", func(*testing.T, string) { go wait(never) }, wire.Leak, "goroutines that outlive the call: 1, waiting in chan receive"},
		{"two do", func(*testing.T, string) { go wait(never); go wait(never) }, wire.Leak, "goroutines that outlive the call: 2, waiting in chan receive"},
		{"one for all calls", func(*testing.T, string) { once.Do(func() { go wait(never) }) }, wire.Pass, ""},
		{"it ends soon", func(*testing.T, string) { go time.Sleep(20 * time.Millisecond) }, wire.Pass, ""},
		{"it ends with the call", func(*testing.T, string) {
			done := make(chan bool)
			go wait(done)
			close(done)
		}, wire.Pass, ""},
		{"a finalizer ends it", func(*testing.T, string) {
			stop := make(chan bool)
			runtime.SetFinalizer(new(tended), func(*tended) { close(stop) })
			go wait(stop)
		}, wire.Pass, ""},
		{"it works", func(*testing.T, string) {
			end := time.Now().Add(30 * time.Millisecond)
			go func() {
				for time.Now().Before(end) {
				}
			}()
		}, wire.Pass, ""},
		{"none", func(*testing.T, string) {}, wire.Pass, ""},
		{"it fails", func(t *testing.T, _ string) {
			go wait(never)
			t.Fail()
		}, wire.Fail, ""},
	} {
		counters := make([]uint8, 1)
		target := func(t *testing.T, s string) {
			counters[0]++
			c.target(t, s)
		}
		x := looptest.New(t, &wire.Init{Leaks: true, UserPackages: []string{thisPackage}}, target, counters, make([]bool, 1)).Exec
		o := x.Outcome(x.Whole([]any{"x"}, exec.HangFuel))
		if o.Kind != c.want || o.Kind == wire.Leak && o.Message != c.says {
			t.Errorf("%s: %+v", c.name, o)
		}
		if o.Kind == wire.Leak && (!strings.HasPrefix(o.Frames[0], thisPackage+"_test.wait ") || !strings.HasSuffix(o.Frames[0], "leak_test.go:18")) {
			t.Errorf("%s: frames %q", c.name, o.Frames)
		}
		if counters[0] != 1 {
			t.Errorf("%s: the coverage is that of %d runs", c.name, counters[0])
		}
		x = looptest.New(t, &wire.Init{UserPackages: []string{thisPackage}}, target, counters, make([]bool, 1)).Exec
		if ex := x.Whole([]any{"x"}, exec.HangFuel); ex.Kind == wire.Leak {
			t.Errorf("%s: it is not asked for", c.name)
		}
	}
}
