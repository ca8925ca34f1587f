package main

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// longest are the scripts that take the longest, from the longest on.
var longest = []string{
	"diff", "costlyoutside", "suggest", "filters", "costlytriage", "toolchains", "derived", "costly",
	"deaths", "testbad", "triagehard", "exchange", "baseline", "testdiff", "goldenproof", "crashes",
	"test", "types", "testhang", "triagesince", "golden", "goldenbad", "testresume", "faults",
}

// TestTheLongestScriptsAreThere: a script that has another name now is not forgotten.
func TestTheLongestScriptsAreThere(t *testing.T) {
	for _, name := range longest {
		if files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", name+".txtar")); err != nil || len(files) != 1 {
			t.Errorf("longest names %s, but there is no such script", name)
		}
	}
}

func TestTheLongestScriptsBeginFirst(t *testing.T) {
	scripts := []script{{name: "b"}, {name: longest[1]}, {name: "a"}, {name: longest[0]}}
	order(scripts)
	for i, want := range []string{longest[0], longest[1], "b", "a"} {
		if got := scripts[i].name; got != want {
			t.Errorf("script %d is %s, want %s", i, got, want)
		}
	}
}

// inOrder runs the scripts that run has, as many at once as -parallel says: the longest begin
// first. Package testing begins parallel tests in no particular order, often the last ones first.
// Where a long script is among the last to begin, all processors but one wait for it in the end.
func inOrder(t *testing.T, run func(testscript.T)) {
	t.Helper()
	var found []script
	run(collector{T: t, found: &found})
	order(found)
	next := make(chan script, len(found))
	for _, s := range found {
		next <- s
	}
	close(next)
	var workers sync.WaitGroup
	var failed failedScripts
	for range atOnce(t) {
		workers.Go(func() {
			for s := range next {
				var log string
				if !t.Run(s.name, func(t *testing.T) { s.run(collector{T: t, log: &log}) }) {
					failed.add(s.name, log)
				}
			}
		})
	}
	workers.Wait()
	for _, f := range failed.list {
		t.Log(f)
	}
}

// failedScripts are scripts that failed, with the ends of their logs: they are shown once more after all others,
// since what reads a long log often shows its end alone.
type failedScripts struct {
	mu   sync.Mutex
	list []string
}

const logEnd = 30 // lines

// add takes in a script that failed.
func (f *failedScripts) add(name, log string) {
	lines := strings.Split(strings.TrimRight(log, "\n"), "\n")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, name+" failed; the end of its log:\n"+strings.Join(lines[max(0, len(lines)-logEnd):], "\n"))
}

func TestTheEndOfAFailedScriptsLogIsKept(t *testing.T) {
	var f failedScripts
	f.add("short", "> exec false\nFAIL: x.txtar:1: exit status 1\n")
	f.add("long", strings.Repeat("first\n", 5)+strings.Repeat("last\n", logEnd))
	want := []string{
		"short failed; the end of its log:\n> exec false\nFAIL: x.txtar:1: exit status 1",
		"long failed; the end of its log:" + strings.Repeat("\nlast", logEnd),
	}
	if diff := gocmp.Diff(want, f.list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A script is one that is still to run.
type script struct {
	name string
	run  func(testscript.T)
}

// order puts the scripts in the order in which they begin.
func order(scripts []script) {
	slices.SortStableFunc(scripts, func(a, b script) int { return cmp.Compare(rank(a.name), rank(b.name)) })
}

// rank says when a script begins.
func rank(name string) int {
	if i := slices.Index(longest, name); i >= 0 {
		return i
	}
	return len(longest)
}

// atOnce is how many parallel tests run at once.
func atOnce(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(flag.Lookup("test.parallel").Value.String())
	if err != nil {
		t.Fatalf("-parallel: %v", err)
	}
	return n
}

// collector is what testscript runs the scripts in. That of all of them only takes them down.
type collector struct {
	*testing.T
	found *[]script
	log   *string // of a script: all of it
}

// Log is called once, at the end of a script.
func (c collector) Log(args ...any) {
	c.Helper()
	*c.log = fmt.Sprint(args...)
	c.T.Log(args...)
}

// Run takes a script down.
func (c collector) Run(name string, run func(testscript.T)) {
	*c.found = append(*c.found, script{name, run})
}

// Parallel does nothing: inOrder runs the scripts side by side.
func (collector) Parallel() {}

// Verbose is that of package testing.
func (collector) Verbose() bool { return testing.Verbose() }
