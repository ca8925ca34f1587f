package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// results are what a test binary says of its tests.
type results struct {
	tests  map[string]string // PASS, FAIL or SKIP by name, subtests included
	failed bool              // the process
	ended  string            // how a process that failed ended
	cpu    time.Duration
	wall   time.Duration
}

var testResult = regexp.MustCompile(`\x16\s*--- (PASS|FAIL|SKIP): (\S+) \(`)

// address is a pointer in the name of a subtest: another in every run.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// runTests runs a test binary and reads its results. Memory is bounded on
// systems whose shell can do so.
func runTests(ctx context.Context, binary, dir string, env []string, timeout time.Duration, flags ...string) (*results, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout+10*time.Second)
	defer cancel()
	args := []string{
		"-c", `ulimit -v 16000000 2>/dev/null; exec "$0" "$@"`, binary,
		"-test.v=test2json", "-test.count=1", "-test.paniconexit0", fmt.Sprintf("-test.timeout=%v", timeout),
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", append(args, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	child := system.NewChild(cmd)
	cmd.Cancel = func() error { child.Kill(); return nil }
	cmd.WaitDelay = time.Second
	out := &bounded{}
	cmd.Stdout, cmd.Stderr = out, out
	start := time.Now()
	err := child.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	r := &results{tests: make(map[string]string), failed: err != nil, wall: time.Since(start)}
	if ps := cmd.ProcessState; ps != nil {
		r.cpu = ps.UserTime() + ps.SystemTime()
	}
	for _, m := range testResult.FindAllSubmatch(out.text, -1) {
		r.tests[address.ReplaceAllString(string(m[2]), "0x…")] = string(m[1])
	}
	if r.failed {
		r.ended = ending(out.text, err)
	}
	return r, nil
}

// runTests runs the tests that the list does not leave out.
func (s *subject) runTests(ctx context.Context, binary string, env []string, timeout time.Duration, flags ...string) (*results, error) {
	if s.skip != "" {
		flags = append(flags, "-test.skip="+s.skip)
	}
	return runTests(ctx, binary, s.pkgDir, env, timeout, flags...)
}

// bounded keeps so much of the output that the results are in it; a test that
// prints without end is ended by its timeout.
type bounded struct{ text []byte }

const mostOutput = 64 << 20

func (b *bounded) Write(p []byte) (int, error) {
	if room := mostOutput - len(b.text); room > 0 {
		b.text = append(b.text, p[:min(len(p), room)]...)
	}
	return len(p), nil
}

// ending returns the line that says why a process ended, or its exit status.
func ending(out []byte, err error) string {
	for line := range bytes.Lines(out) {
		for _, prefix := range []string{"panic: ", "fatal error: ", "runtime: "} {
			if bytes.HasPrefix(line, []byte(prefix)) {
				return strings.TrimSpace(string(line))
			}
		}
	}
	return err.Error()
}

// differences lists what two runs say differently.
func differences(a, b *results) []string {
	var list []string
	names := maps.Clone(a.tests)
	maps.Copy(names, b.tests)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x, y := a.tests[name], b.tests[name]
		if x != y {
			list = append(list, fmt.Sprintf("%s: %s, rewritten %s", name, orNone(x), orNone(y)))
		}
	}
	if a.failed != b.failed {
		list = append(list, fmt.Sprintf("process: %s, rewritten %s", a.end(), b.end()))
	}
	return list
}

func (r *results) end() string {
	if r.failed {
		return r.ended
	}
	return "exit status 0"
}

func orNone(s string) string {
	if s == "" {
		return "no result"
	}
	return s
}
