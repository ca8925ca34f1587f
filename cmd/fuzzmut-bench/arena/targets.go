// Package arena holds what the benches share: copies of the targets, the built
// commands, processes on their own processor, and stock go test -fuzz.
package arena

import (
	"bytes"
	"cmp"
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

// Bench is one measurement: a copy of the targets, and the command built.
type Bench struct {
	Time time.Duration
	Reps int

	Root    string   // of the targets; "" is testdata/targets
	Work    string   // temporary
	Targets []Target // in the order of the table
	Command string   // the built fuzzmut
	GoCache string

	mu    sync.Mutex
	built map[string]func() (*Binaries, error) // by target
	runs  int                                  // of workspaces, for their names
}

// Target is one fuzz test over a real package.
type Target struct {
	Name   string // directory below the root of the targets
	Fuzz   string
	Dir    string   // in the copy
	Mutate []string // packages
}

// Prepare copies the targets into a module of a name that nobody has used: Go's
// fuzz cache goes by import path, and must not hold finds of earlier runs.
func (b *Bench) Prepare(names []string) error {
	work, err := os.MkdirTemp("", "fuzzmut-bench-")
	if err != nil {
		return err
	}
	b.Work = work
	root := filepath.Join(work, "targets")
	if err := os.CopyFS(root, os.DirFS(cmp.Or(b.Root, filepath.Join("testdata", "targets")))); err != nil {
		return fmt.Errorf("run from the repository's root: %w", err)
	}
	if err := RenameModule(root, "example.com/"+filepath.Base(work)); err != nil {
		return err
	}
	if b.Targets, err = findTargets(root, names); err != nil {
		return err
	}
	if b.Command, err = BuildFuzzmut(work); err != nil {
		return err
	}
	if b.GoCache, err = GoCache(); err != nil {
		return err
	}
	return nil
}

// GoCache finds Go's cache.
func GoCache() (string, error) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	return strings.TrimSpace(string(out)), err
}

// RenameModule gives the module in dir another path.
func RenameModule(dir, path string) error {
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

// BuildFuzzmut builds the command into dir and returns its path.
func BuildFuzzmut(dir string) (string, error) {
	command := filepath.Join(dir, "fuzzmut")
	if out, err := exec.Command("go", "build", "-o", command, "./cmd/fuzzmut").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building fuzzmut: %w\n%s", err, out)
	}
	return command, nil
}

var (
	mutateLine = regexp.MustCompile(`(?m)^// mutate: (\S+)$`)
	FuzzFunc   = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
)

// findTargets lists the fuzz tests of the named directories, or of all.
func findTargets(root string, names []string) ([]Target, error) {
	if len(names) == 0 {
		docs, err := filepath.Glob(filepath.Join(root, "*", "doc.go"))
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			names = append(names, filepath.Base(filepath.Dir(d)))
		}
	}
	var list []Target
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
			for _, m := range FuzzFunc.FindAllSubmatch(src, -1) {
				list = append(list, Target{Name: name, Fuzz: string(m[1]), Dir: dir, Mutate: mutate})
			}
		}
	}
	return list, nil
}

// One runs a command on one processor in the target's directory and returns its
// standard output.
func (b *Bench) One(t Target, args ...string) ([]byte, error) {
	p, err := Run(context.Background(), 0, t.Dir, args...)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.Name, err)
	}
	return p.Stdout, err
}

var stockProgress = regexp.MustCompile(`fuzz: elapsed: (\S+), execs: (\d+) `)

// Stock fuzzes the unmodified package with go test and returns the executions
// per second. Minimizing is switched off: it can use up a short run.
func (b *Bench) Stock(t Target) (float64, error) {
	cache := filepath.Join(b.Work, "stock", t.Name+t.Fuzz)
	if err := os.RemoveAll(cache); err != nil {
		return 0, err
	}
	out, err := b.One(t, "go", "test", "-run=^$", "-fuzz=^"+t.Fuzz+"$", "-fuzztime="+b.Time.String(),
		"-fuzzminimizetime=0s", "-parallel=1", ".", "-args", "-test.fuzzcachedir="+cache)
	all := stockProgress.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		return 0, errors.Join(err, fmt.Errorf("%s: go test -fuzz prints no progress:\n%s", t.Name, out))
	}
	last := all[len(all)-1]
	elapsed, perr := time.ParseDuration(string(last[1]))
	if perr != nil || elapsed <= 0 {
		return 0, fmt.Errorf("%s: elapsed %s: %w", t.Name, last[1], perr)
	}
	execs, perr := strconv.ParseFloat(string(last[2]), 64)
	return execs / elapsed.Seconds(), perr
}

// Ours fuzzes with fuzzmut, writing nothing, and returns the result.
func (b *Bench) Ours(t Target, filter string) (*report.FuzzTest, error) {
	return RunFuzzmut(context.Background(), 0, b.Command, t, "fuzz", "-n", "-fuzztime="+b.Time.String(), "-filter="+filter)
}
