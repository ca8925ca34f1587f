package campaign

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
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/repair"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// failing is an input that may fail.
type failing struct {
	entry   corpus.Entry
	asked   bool   // it was given as a failing one
	input   []byte // encoded for the wire
	status  string // of the report; "" while it is not known
	reason  string
	result  wire.Result
	treated bool // repairs is known
	number  int  // among the inputs that are sorted
	repairs repair.Result
}

// collect reads the inputs: seeds, the corpus directory, what fuzzing has left
// beside Go's fuzz cache, and the directories that were named.
func (t *triager) collect(ctx context.Context) error {
	bad, err := t.meet(ctx)
	if err != nil {
		return err
	}
	for _, e := range t.given {
		t.add(e, false)
	}
	t.undecodable(bad)
	if beside, err := corpus.CrashersDir(t.gocache, t.b.program.Test.ImportPath, t.test.Name); err == nil {
		entries, bad, err := corpus.ReadDir(beside, t.types, 0)
		if err != nil {
			return exit.Errorf(exit.Usage, "failing inputs can't be read: %w", err)
		}
		t.addAsked(entries, bad)
	}
	for _, dir := range t.opts.Crashers {
		if err := t.readCrashers(dir); err != nil {
			return err
		}
	}
	return nil
}

func (t *triager) add(e corpus.Entry, asked bool) {
	t.inputs = append(t.inputs, failing{entry: e, asked: asked, input: wire.Encode(e.Values)})
}

// addAsked adds what was found in a directory of failing inputs.
func (t *triager) addAsked(entries []corpus.Entry, bad []corpus.BadEntry) {
	for _, e := range entries {
		t.add(e, true)
	}
	t.undecodable(bad)
}

func (t *triager) undecodable(bad []corpus.BadEntry) {
	for _, b := range bad {
		t.inputs = append(t.inputs, failing{
			entry: corpus.Entry{Name: filepath.Base(b.Path), Path: b.Path}, asked: true,
			status: report.Undecodable, reason: fmt.Sprintf("%v; %s", b.Err, b.Mend),
		})
	}
}

// readCrashers reads a directory that was named: entries in Go's format, and, if the
// fuzz target takes a single string or byte slice, any other file as it is. Where
// it has a directory of the fuzz test's name, as testdata/fuzz has, that is meant.
func (t *triager) readCrashers(dir string) error {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(t.runner.opts.Dir, dir)
	}
	if info, err := os.Stat(filepath.Join(dir, t.test.Name)); err == nil && info.IsDir() {
		dir = filepath.Join(dir, t.test.Name)
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return exit.Errorf(exit.Usage, "-crashers: there is no directory %s", dir)
	case err != nil:
		return exit.Errorf(exit.Usage, "-crashers: %w", err)
	case !info.IsDir():
		return exit.Errorf(exit.Usage, "-crashers: %s is a file; name the directory that it is in", dir)
	}
	entries, bad, err := corpus.ReadDir(dir, t.types, 0)
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
	if !errors.As(b.Err, &syntax) || len(t.types) != 1 {
		return corpus.Entry{}, false
	}
	data, err := os.ReadFile(b.Path)
	if err != nil || strings.HasPrefix(string(data), encodedHead) {
		return corpus.Entry{}, false
	}
	var vals []any
	switch t.types[0] {
	case "[]byte", "[]uint8":
		vals = []any{data}
	case "string":
		vals = []any{string(data)}
	default:
		return corpus.Entry{}, false
	}
	e := corpus.NewFound(vals)
	e.Name, e.Path, e.Source = filepath.Base(b.Path), b.Path, corpus.File
	return e, true
}

// dropDuplicates keeps the first of the inputs with the same values, one that was
// given as failing before others.
func (t *triager) dropDuplicates() {
	first := make(map[string]int)
	order := make([]int, len(t.inputs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := t.inputs[a].asked, t.inputs[b].asked; {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	for _, i := range order {
		f := &t.inputs[i]
		if f.status != "" {
			continue
		}
		if have, ok := first[f.entry.Hash]; ok {
			f.status, f.reason = report.Duplicate, "of "+t.inputs[have].entry.Name
			continue
		}
		first[f.entry.Hash] = i
	}
}
