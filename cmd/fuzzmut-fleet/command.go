package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// envCommand names the fuzzmut that has started this program.
const envCommand = "FUZZMUT_COMMAND"

// runner runs fuzzmut in a tree.
type runner struct {
	path string // of fuzzmut
	dir  string // where it runs
	temp string // for its temporary files, and for what it is to leave
}

func findCommand() (string, error) {
	if path := os.Getenv(envCommand); path != "" {
		return path, nil
	}
	path, err := exec.LookPath("fuzzmut")
	if err != nil {
		return "", errors.New("there is no fuzzmut in PATH: get it with go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest")
	}
	return path, nil
}

// part is what this program needs of a fuzz test in fuzzmut's result.
type part struct {
	Package    string   `json:"package"`
	Name       string   `json:"name"`
	Executions int64    `json:"executions"`
	Warnings   []string `json:"warnings"`
	Mutants    []struct {
		ID      string `json:"id"`
		Package string `json:"package"`
		Status  string `json:"status"`
	} `json:"mutants"`
	Crashes []json.RawMessage `json:"crashes"`
	Shared  struct {
		Binary  string `json:"binary"`
		Refused []struct {
			Reason string `json:"reason"`
		} `json:"refused"`
	} `json:"shared"`
}

// exits of fuzzmut after a run that is whole: failing inputs, and a score below what the settings say.
var whole = []int{0, 1, 4}

// errBaseline says that the seeds of a fuzz test fail: they do so everywhere.
var errBaseline = errors.New("its baseline fails")

// fuzzmut runs the command, and reads its result.
func (r *runner) fuzzmut(ctx context.Context, args ...string) ([]part, error) {
	file := filepath.Join(r.temp, "result.json")
	os.Remove(file)
	args = append([]string{"-q", "-json", file, "-parallel", "1", "-golden=false", "-corpus-size", "0"}, args...)
	cmd := exec.CommandContext(ctx, r.path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.dir, append(os.Environ(), "TMPDIR="+r.temp, "PWD="+r.dir), 10*time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := runAttached(cmd)
	code := cmd.ProcessState.ExitCode()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case code == 3:
		return nil, fmt.Errorf("%w: %s", errBaseline, lastLine(said.String()))
	case err != nil && !slices.Contains(whole, code):
		return nil, fmt.Errorf("fuzzmut: %w: %s", err, lastLine(said.String()))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("fuzzmut has left no result: %w", err)
	}
	var rep struct {
		Tests []part `json:"tests"`
	}
	if err := json.Unmarshal(text, &rep); err != nil {
		return nil, fmt.Errorf("the result of fuzzmut can't be read: %w", err)
	}
	return rep.Tests, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// targets lists the fuzz tests of packages: with the binaries as they are built here.
func (r *runner) targets(ctx context.Context, fuzz string, packages []string) ([]target, error) {
	args := []string{"-n", "-share", filepath.Join(r.temp, "none"), "-fuzztime", "1x", "-seed", "1"}
	if fuzz != "" {
		args = append(args, "-fuzz", fuzz)
	}
	parts, err := r.fuzzmut(ctx, append(args, packages...)...)
	if err != nil {
		return nil, err
	}
	var list []target
	for _, p := range parts {
		t := target{Package: p.Package, Fuzz: p.Name, Binary: p.Shared.Binary}
		if err := t.check(); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil, errors.New("the packages have no fuzz tests; name others")
	}
	slices.SortFunc(list, func(a, b target) int { return strings.Compare(a.Package+" "+a.Fuzz, b.Package+" "+b.Fuzz) })
	return list, nil
}

// result is what a slice has brought.
type result struct {
	Execs   int64    `json:"executions"`
	Mutants int      `json:"mutants"`
	Killed  []string `json:"killed"`  // package and ID
	Buckets int      `json:"buckets"` // of failing inputs
}

// errTree says that a tree is not what it was.
var errTree = errors.New("the test binary is another one: the tree or the version of Go has changed; start the worker again")

// slice runs a slice with the shared directory dir. The error says why the result does not count.
func (r *runner) slice(ctx context.Context, s *slice, dir string) (*result, error) {
	parts, err := r.fuzzmut(ctx, "-share", dir, "-corpus", filepath.Join(r.temp, "corpus"),
		"-fuzz", "^"+regexp.QuoteMeta(s.Target.Fuzz)+"$", "-fuzztime", strconv.FormatInt(s.Execs, 10)+"x", "-seed", strconv.FormatInt(s.Seed, 10), s.Target.Package)
	if err != nil {
		return nil, err
	}
	if len(parts) != 1 || parts[0].Package != s.Target.Package || parts[0].Name != s.Target.Fuzz {
		return nil, fmt.Errorf("fuzzmut has no result for %s; %w", s.Target.Fuzz, errTree)
	}
	p := &parts[0]
	if p.Shared.Binary != s.Target.Binary {
		return nil, errTree
	}
	if err := p.complete(); err != nil {
		return nil, err
	}
	res := &result{Execs: p.Executions, Mutants: len(p.Mutants), Killed: []string{}, Buckets: len(p.Crashes)}
	for _, m := range p.Mutants {
		if m.Status == "killed" {
			res.Killed = append(res.Killed, m.Package+" "+m.ID)
		}
	}
	slices.Sort(res.Killed)
	return res, nil
}

// complete makes sure that all that was found is in the shared directory.
func (p *part) complete() error {
	for _, text := range p.Warnings {
		if strings.HasPrefix(text, "-share:") {
			return fmt.Errorf("what was found is not all there: %s", text)
		}
	}
	for _, why := range p.Shared.Refused {
		if strings.Contains(why.Reason, "could not be written") {
			return fmt.Errorf("what was found is not all there: %s", why.Reason)
		}
	}
	return nil
}
