package triage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
)

// collect reads the inputs: seeds, the corpus directory, what fuzzing has left
// beside Go's fuzz cache, and the directories that were named.
func (t *triager) collect(ctx context.Context) (*shared.Member, error) {
	bad, err := t.trial.Meet(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range t.trial.Given {
		t.sort.Add(e, false)
	}
	t.undecodable(bad)
	member := shared.Join(t.trial)
	if err := t.gather(member); err != nil {
		member.Close()
		return nil, err
	}
	return member, nil
}

// gather reads the inputs that were given as failing. Those that fuzzing has left here are left in
// the shared directory, and with -cells those that were named as well.
func (t *triager) gather(member *shared.Member) error {
	if beside, err := t.trial.CrashersDir(); err == nil {
		entries, bad, err := corpus.ReadDir(beside, t.trial.Types, 0)
		if err != nil {
			return exit.Errorf(exit.Usage, "failing inputs can't be read: %w", err)
		}
		t.addAsked(entries, bad)
		for _, e := range entries {
			member.Fails(e.Input)
		}
	}
	for _, dir := range t.opts.Crashers {
		from := len(t.sort.Inputs)
		if err := t.readCrashers(dir); err != nil {
			return err
		}
		for _, in := range t.sort.Inputs[from:] {
			if t.opts.Cells != nil && in.Entry.Input != nil {
				member.Fails(in.Entry.Input)
			}
		}
	}
	t.addShared(member.Failing())
	return nil
}

// addShared adds the inputs of a shared directory that are nowhere else: files that the user has
// named keep their names.
func (t *triager) addShared(entries []corpus.Entry) {
	have := make(map[string]bool)
	for i := range t.sort.Inputs {
		if in := t.sort.Inputs[i].Entry.Input; in != nil && t.sort.Inputs[i].Asked {
			have[in.Hash()] = true
		}
	}
	t.addAsked(slices.DeleteFunc(entries, func(e corpus.Entry) bool { return have[e.Input.Hash()] }), nil)
}

// addAsked adds what was found in a directory of failing inputs.
func (t *triager) addAsked(entries []corpus.Entry, bad []corpus.BadEntry) {
	for _, e := range entries {
		t.sort.Add(e, true)
	}
	t.undecodable(bad)
}

func (t *triager) undecodable(bad []corpus.BadEntry) {
	for _, b := range bad {
		t.sort.Inputs = append(t.sort.Inputs, bugs.Input{
			Entry: corpus.Entry{Name: filepath.Base(b.Path), Path: b.Path}, Asked: true,
			Status: report.Undecodable, Reason: fmt.Sprintf("%v; %s", b.Err, b.Fix),
		})
	}
}

// readCrashers reads a directory that was named: entries in Go's format, and, if the
// fuzz target takes a single string or byte slice, any other file as it is. Where
// it has a directory of the fuzz test's name, as testdata/fuzz has, that is meant.
func (t *triager) readCrashers(dir string) error {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(t.trial.Project.Options.Dir, dir)
	}
	if info, err := os.Stat(filepath.Join(dir, t.trial.Test.Name)); err == nil && info.IsDir() {
		dir = filepath.Join(dir, t.trial.Test.Name)
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return exit.Errorf(exit.Usage, "-crashers: no directory %s", dir)
	case err != nil:
		return exit.Errorf(exit.Usage, "-crashers: %w", err)
	case !info.IsDir():
		return exit.Errorf(exit.Usage, "-crashers: %s is a file; name the directory that it is in", dir)
	}
	entries, bad, err := corpus.ReadDir(dir, t.trial.Types, 0)
	if err != nil {
		return exit.Errorf(exit.Usage, "-crashers: %w", err)
	}
	var rest []corpus.BadEntry
	for _, b := range bad {
		if e, ok := t.raw(b); ok {
			entries = append(entries, e)
		} else {
			rest = append(rest, b)
		}
	}
	t.addAsked(entries, rest)
	return nil
}

// encodedHead is how a file in Go's format begins, in any version of it.
const encodedHead = "go test fuzz v"

// raw makes an input of a file that is not in Go's format, if that can be done.
func (t *triager) raw(b corpus.BadEntry) (corpus.Entry, bool) {
	var syntax *corpus.SyntaxError
	if !errors.As(b.Err, &syntax) || len(t.trial.Types) != 1 {
		return corpus.Entry{}, false
	}
	data, err := os.ReadFile(b.Path)
	if err != nil || strings.HasPrefix(string(data), encodedHead) {
		return corpus.Entry{}, false
	}
	var vals []any
	switch t.trial.Types[0] {
	case "[]byte", "[]uint8":
		vals = []any{data}
	case "string":
		vals = []any{string(data)}
	default:
		return corpus.Entry{}, false
	}
	e := corpus.Of(vals...).Found()
	e.Name, e.Path, e.Source = filepath.Base(b.Path), b.Path, corpus.File
	return e, true
}
