package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// bench is one measurement: a copy of the targets, and the command built.
type bench struct {
	time time.Duration
	reps int

	work    string   // temporary
	targets []target // in the order of the table
	command string   // the built fuzzmut
	gocache string

	mu    sync.Mutex
	built map[string]func() (*binaries, error) // by target
	runs  int                                  // of workspaces, for their names
}

// target is one fuzz test over a real package.
type target struct {
	name   string // directory below testdata/targets
	fuzz   string
	dir    string   // in the copy
	mutate []string // packages
}

// prepare copies the targets into a module of a name that nobody has used: Go's
// fuzz cache goes by import path, and must not hold finds of earlier runs.
func (b *bench) prepare(names []string) error {
	work, err := os.MkdirTemp("", "fuzzmut-bench-")
	if err != nil {
		return err
	}
	b.work = work
	root := filepath.Join(work, "targets")
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", "targets"))); err != nil {
		return fmt.Errorf("run from the repository's root: %w", err)
	}
	if err := renameModule(root, "example.com/"+filepath.Base(work)); err != nil {
		return err
	}
	if b.targets, err = findTargets(root, names); err != nil {
		return err
	}
	if b.command, err = buildFuzzmut(work); err != nil {
		return err
	}
	if b.gocache, err = goCache(); err != nil {
		return err
	}
	return nil
}

// goCache finds Go's cache.
func goCache() (string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out)), err
}

// renameModule gives the module in dir another path.
func renameModule(dir, path string) error {
	mod := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	_, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return fmt.Errorf("%s has one line", mod)
	}
	return os.WriteFile(mod, append([]byte("module "+path+"\n"), rest...), 0o666)
}

// buildFuzzmut builds the command into dir and returns its path.
func buildFuzzmut(dir string) (string, error) {
	command := filepath.Join(dir, "fuzzmut")
	if out, err := exec.Command("go", "build", "-o", command, "./cmd/fuzzmut").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building fuzzmut: %w\n%s", err, out)
	}
	return command, nil
}

var (
	mutateLine = regexp.MustCompile(`(?m)^// mutate: (\S+)$`)
	fuzzFunc   = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
)

// findTargets lists the fuzz tests of the named directories, or of all.
func findTargets(root string, names []string) ([]target, error) {
	if len(names) == 0 {
		docs, err := filepath.Glob(filepath.Join(root, "*", "doc.go"))
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			names = append(names, filepath.Base(filepath.Dir(d)))
		}
	}
	var list []target
	for _, name := range names {
		dir := filepath.Join(root, name)
		doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		if err != nil {
			return nil, fmt.Errorf("no such target: %w", err)
		}
		var mutate []string
		for _, m := range mutateLine.FindAllSubmatch(doc, -1) {
			mutate = append(mutate, string(m[1]))
		}
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range tests {
			src, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range fuzzFunc.FindAllSubmatch(src, -1) {
				list = append(list, target{name: name, fuzz: string(m[1]), dir: dir, mutate: mutate})
			}
		}
	}
	return list, nil
}

// one runs a command on one processor in the target's directory and returns its
// standard output.
func (b *bench) one(t target, args ...string) ([]byte, error) {
	p, err := on(context.Background(), 0, t.dir, args...)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.name, err)
	}
	return p.stdout, err
}

var stockProgress = regexp.MustCompile(`fuzz: elapsed: (\S+), execs: (\d+) `)

// stock fuzzes the unmodified package with go test and returns the executions
// per second. Minimising is switched off: it can use up a short run.
func (b *bench) stock(t target) (float64, error) {
	cache := filepath.Join(b.work, "stock", t.name+t.fuzz)
	if err := os.RemoveAll(cache); err != nil {
		return 0, err
	}
	out, err := b.one(t, "go", "test", "-run=^$", "-fuzz=^"+t.fuzz+"$", "-fuzztime="+b.time.String(),
		"-fuzzminimizetime=0s", "-parallel=1", ".", "-args", "-test.fuzzcachedir="+cache)
	all := stockProgress.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		return 0, errors.Join(err, fmt.Errorf("%s: go test -fuzz prints no progress:\n%s", t.name, out))
	}
	last := all[len(all)-1]
	elapsed, perr := time.ParseDuration(string(last[1]))
	if perr != nil || elapsed <= 0 {
		return 0, fmt.Errorf("%s: elapsed %s: %w", t.name, last[1], perr)
	}
	execs, perr := strconv.ParseFloat(string(last[2]), 64)
	return execs / elapsed.Seconds(), perr
}

// ours fuzzes with fuzzmut, writing nothing, and returns the result.
func (b *bench) ours(t target, filter string) (*report.FuzzTest, error) {
	return runFuzzmut(context.Background(), 0, b.command, t, "fuzz", "-n", "-fuzztime="+b.time.String(), "-filter="+filter)
}
