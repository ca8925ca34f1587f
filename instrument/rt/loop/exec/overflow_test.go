package exec_test

import (
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// An execution of the original in which a number that lost something is used is a failure, if that
// is asked for and it has no other. Its first frame is where something was lost.
func TestNumbersThatLostSomething(t *testing.T) {
	lose := func(s string) uint8 {
		return fuzzmutrt.WideTo[uint8](len(s) + 255)
	}
	for _, c := range []struct {
		name   string
		target func(*testing.T, string)
		want   wire.OutcomeKind
		says   string
	}{
		{"a size", func(_ *testing.T, s string) { fuzzmutrt.Used(fuzzmutrt.UseMake, lose(s)) }, wire.Overflow, "int64 257 becomes uint8 1; this is a size of make"},
		{"what comes of it", func(_ *testing.T, s string) {
			fuzzmutrt.Used(fuzzmutrt.UseIndex, fuzzmutrt.WideAdd(fuzzmutrt.RightConstant, lose(s), 3))
		}, wire.Overflow, "int64 257 becomes uint8 1; what comes of it, 4 in place of 260, is an index"},
		{"not used", func(_ *testing.T, s string) { lose(s) }, wire.Pass, ""},
		{"it panics", func(_ *testing.T, s string) { panic(fuzzmutrt.Used(fuzzmutrt.UseMake, lose(s))) }, wire.Panic, "1"},
		{"it fails", func(t *testing.T, s string) { fuzzmutrt.Used(fuzzmutrt.UseMake, lose(s)); t.Fail() }, wire.Fail, ""},
		{"it skips", func(t *testing.T, s string) { fuzzmutrt.Used(fuzzmutrt.UseMake, lose(s)); t.SkipNow() }, wire.Overflow, "int64 257 becomes uint8 1; this is a size of make"},
	} {
		x := looptest.New(t, &wire.Init{Overflows: true, UserPackages: []string{thisPackage}}, c.target, make([]uint8, 1), make([]bool, 1)).Exec
		o := x.Outcome(x.Detailed([]any{"xx"}, exec.HangFuel))
		if o.Kind != c.want || c.says != "" && o.Message != c.says {
			t.Errorf("%s: %+v", c.name, o)
		}
		if o.Kind == wire.Overflow && (len(o.Frames) < 2 || !strings.HasSuffix(o.Frames[0], "overflow_test.go:17")) {
			t.Errorf("%s: frames %q", c.name, o.Frames)
		}
		x = looptest.New(t, &wire.Init{UserPackages: []string{thisPackage}}, c.target, make([]uint8, 1), make([]bool, 1)).Exec
		if ex := x.Detailed([]any{"xx"}, exec.HangFuel); ex.Kind == wire.Overflow {
			t.Errorf("%s: it is not asked for", c.name)
		}
	}
}
