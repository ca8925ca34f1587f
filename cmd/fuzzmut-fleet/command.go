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
	"slices"
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

	copied, from string // a tree in whose copy it runs: messages name the tree

	packed string // the file that stands for the packages; "": there is a tree

	// Of a server alone.
	packs    string   // where fuzzmut leaves packed binaries; "": it leaves none
	share    string   // its directory
	crashers []string // directories of failing inputs
	untested []string // packages without tests: nothing has to be run for them
}

// none is a shared directory that is not there: the names of binaries are asked for with it.
func (r *runner) none() string { return filepath.Join(r.temp, "none") }

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

// exits of fuzzmut after a run that is whole: failing inputs, and a score below what the settings say.
var whole = []int{0, 1, 4}

// errBaseline says that the seeds of a fuzz test fail: they do so everywhere.
var errBaseline = errors.New("its baseline fails")

// fuzzmut runs the command, and reads its result into v.
func (r *runner) fuzzmut(ctx context.Context, v any, args ...string) ([]byte, error) {
	file := filepath.Join(r.temp, "result.json")
	os.Remove(file)
	cut := 0
	if args[0] == kindTest || args[0] == kindTriage {
		cut = 1
	}
	args = slices.Insert(slices.Clone(args), cut, "-q", "-json", file, "-parallel", "1")
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
		return nil, fmt.Errorf("%w: %s", errBaseline, r.reason(said.String()))
	case code == usage:
		return nil, errors.New(r.reason(said.String()))
	case err != nil && !slices.Contains(whole, code):
		return nil, fmt.Errorf("fuzzmut has failed: %w: %s", err, r.reason(said.String()))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("fuzzmut has left no result: %w", err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("the result of fuzzmut can't be read: %w", err)
	}
	return text, nil
}

// reason is the last line that fuzzmut has printed, without its name.
func (r *runner) reason(text string) string {
	if r.copied != "" {
		text = strings.ReplaceAll(text, r.copied, r.from)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "fuzzmut: ")
}

// targets lists what packages have for a kind of job: with the binaries as they are built here.
func (r *runner) targets(ctx context.Context, kind, fuzz string, packages []string) ([]target, error) {
	list, err := kinds[kind].targets(ctx, r, fuzz, packages)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := list[i].check(); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		what := "fuzz tests"
		if kind == kindTest {
			what = "tests"
		}
		return nil, fmt.Errorf("the packages have no %s; name others", what)
	}
	slices.SortFunc(list, func(a, b target) int { return strings.Compare(a.Package+" "+a.Fuzz, b.Package+" "+b.Fuzz) })
	return list, nil
}

// errTree says that a tree is not what it was.
var errTree = errors.New("the test binary is another one: the tree or the version of Go has changed; start the worker again")
