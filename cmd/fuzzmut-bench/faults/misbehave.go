//go:build linux

package faults

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// A kind is a fuzz test of testdata/trees/misbehave, and what a run of it has to say.
type kind struct {
	fuzz  string
	dir   string // of its package; "": the tree's own
	codes []int  // exit codes that fit
	says  string // part of the output
}

// Exit codes by what becomes of the run.
var (
	fails   = []int{1}    // each input that is long enough fails
	passes  = []int{0}    // what it does harms nobody
	either  = []int{0, 1} // it depends on the moment whether an input fails
	any013  = []int{0, 1, 3}
	refused = []int{2, 3} // the fuzz test can't be run
)

var kinds = slices.Concat(
	of(fails, "Exit", "ExitZero", "LogFatal", "ExitElsewhere", "PanicElsewhere", "Deadlock", "Select", "Sleep", "Spin", "Memory", "Stack", "Unlock"),
	of(fails, "Panic", "PanicNil", "NilPointer", "PanicOdd", "PanicFunc", "PanicHuge", "PanicEscapes", "PanicTwice", "ErrorEscapes", "ErrorHuge", "Goexit", "CleanupPanics"),
	of(fails, "Kill", "Terminate", "Abort", "Segment", "Stop", "Fault", "ExitGroup", "ChildAndPanic"),
	of(either, "Maps", "Flaky", "FlakyError", "FailElsewhere"),
	of(passes, "Goroutines", "Timers", "LateTimer", "Child", "Directory", "Environment", "Stdout", "NoStdout", "Output", "Logs"),
	of(passes, "Thread", "GCOff", "Procs", "Args", "Flags", "TestFlags", "Signals", "MaxThreads", "Files"),
	of(any013, "MaxStack", "Parallel", "Subtests", "Descriptors", "AllDescriptors", "Protocol", "AllPipes", "Scribble", "Limits", "Group"),
	of([]int{0, 1, 3}, "TempDir"),
	[]kind{
		{"FuzzDouble", "initpanics", refused, "before anything"},
		{"FuzzDouble", "mainskips", refused, "f.Fuzz"},
		{"FuzzDouble", "mainexits", refused, ""},
		{"FuzzDouble", "mainmoves", passes, ""},
		{"FuzzDouble", "mainok", passes, ""},
		{"FuzzDouble", "nofuzz", refused, ""},
		{"FuzzDouble", "fuzzskips", []int{0, 2, 3}, ""},
		{"FuzzDouble", "fuzzfails", refused, ""},
		{"FuzzDouble", "fuzzpanics", any013, ""},
	},
)

func of(codes []int, names ...string) []kind {
	var list []kind
	for _, n := range names {
		list = append(list, kind{fuzz: "Fuzz" + n, codes: codes})
	}
	return list
}

func (k kind) name() string {
	if k.dir != "" {
		return k.dir
	}
	return k.fuzz
}

// misbehaving runs each of the fuzz tests that misbehave.
func (b *bench) misbehaving(ctx context.Context) error {
	const name = "misbehaving targets"
	list := slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return !b.wants(name) && !b.wants(k.name()) })
	if len(list) == 0 {
		return nil
	}
	r := b.row(fmt.Sprintf("%s, %d kinds", name, len(list)))
	b.each(ctx, r, len(list)*b.count(1), func(t *trial, i int) {
		k := list[i%len(list)]
		t.name = k.name() + ", " + t.name
		t.misbehave(k)
		for _, p := range []*[]string{&t.lost, &t.left, &t.misreported} {
			for i := range *p {
				(*p)[i] = k.name() + ": " + (*p)[i]
			}
		}
		b.book(r, t)
	})
	return nil
}

func (t *trial) misbehave(k kind) {
	if err := t.lay("misbehave"); err != nil {
		t.failed(err)
		return
	}
	r, err := t.do("-q", "-seed", fmt.Sprint(t.seed), "-fuzztime", "10s", "-parallel", "2", "-timeout", "2s", "-memlimit", "512MiB",
		"-fuzz", "^"+k.fuzz+"$", "-json", t.result(), "./"+k.dir)
	if err != nil {
		t.failed(err)
		return
	}
	t.checkSaid(r)
	if !slices.Contains(k.codes, r.code) {
		t.misreport("exit %d, want one of %v: %s", r.code, k.codes, lastLine(r.out.String()))
	}
	if k.says != "" && !bytes.Contains(r.out.Bytes(), []byte(k.says)) {
		t.misreport("nothing says %q: %s", k.says, lastLine(r.out.String()))
	}
	if bytes.Contains(r.out.Bytes(), []byte("\x1b[2J")) || bytes.Contains(r.out.Bytes(), []byte("\x1b]0;")) {
		t.misreport("an escape sequence of the target is shown as it is")
	}
	t.checkLeft()
}
