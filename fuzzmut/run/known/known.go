// Package known knows which failures of a fuzz test are on the list of known failures, and
// keeps that list up to date. A failure is named by its kind, its message without numbers
// and quotations, and its function, so that the name stays the same when code elsewhere
// changes. What an input on the list shows in a run is known in that run, too.
package known

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Path is where the list of a package lies if no other is asked for. home is the directory
// that has testdata.
func Path(home string) string { return filepath.Join(home, "testdata", "fuzz-known.txt") }

// List says which failures of one fuzz test are known. The zero value knows none, and a
// nil List neither. Saw must not be called while another method is.
type List struct {
	path      string
	pkg, fuzz string
	file      *accepted.List
	byID      map[string]*accepted.Entry // of the package
	keys      map[string]bool            // buckets of the engine that a known input is in
	passed    map[string]bool            // inputs of the list that pass, as the list names them
}

// Open reads the list of a package for one of its fuzz tests. A list that does not exist is
// an error if it must, else an empty one.
func Open(path string, must bool, pkg, fuzz string) (*List, error) {
	l := &List{path: path, pkg: pkg, fuzz: fuzz, byID: make(map[string]*accepted.Entry), keys: make(map[string]bool), passed: make(map[string]bool)}
	var err error
	l.file, err = accepted.Failures.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !must:
		l.file = &accepted.List{Form: accepted.Failures}
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "-known: %w; -write-known makes it", err)
	case err != nil:
		return nil, exit.Errorf(exit.Usage, "the list of known failures: %w", err)
	}
	for i := range l.file.Entries {
		if e := &l.file.Entries[i]; e.Package == pkg {
			l.byID[e.Mutant] = e
		}
	}
	return l, nil
}

// None says that no failure is on the list.
func (l *List) None() bool { return l == nil || len(l.byID) == 0 }

// id names a failure in a list.
func id(o wire.Outcome) string {
	sum := sha256.Sum256([]byte(failure.Lasting(o)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:8])[:12])
}

// input names an input in a list.
func (l *List) input(name string) string { return l.fuzz + "/" + url.PathEscape(name) }

// Inputs lists the names of the inputs of the fuzz test that are on the list.
func (l *List) Inputs() []string {
	if l == nil {
		return nil
	}
	names := make(map[string]bool)
	for _, e := range l.byID {
		if rest, ok := strings.CutPrefix(e.Operator, l.fuzz+"/"); ok {
			if name, err := url.PathUnescape(rest); err == nil && filepath.IsLocal(name) {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Saw notes what an input does that the run begins with. An input on the list that fails
// in the way that the list says is known, whatever its message.
func (l *List) Saw(name string, o wire.Outcome, kind string) {
	if l == nil {
		return
	}
	if !o.Kind.Failed() {
		l.passed[l.input(name)] = true
		return
	}
	listed := l.byID[id(o)] != nil
	for _, e := range l.byID {
		listed = listed || e.Operator == l.input(name) && strings.HasPrefix(e.What, kind+":")
	}
	if listed {
		l.keys[failure.Key(o)] = true
	}
}

// Has reports whether a failure is known.
func (l *List) Has(o wire.Outcome) bool {
	return l != nil && (l.byID[id(o)] != nil || l.keys[failure.Key(o)])
}

// Fixed describes the failures on the list whose input passes now.
func (l *List) Fixed() []string {
	var list []string
	if l == nil {
		return nil
	}
	for i := range l.file.Entries {
		if e := &l.file.Entries[i]; l.fixed(e) {
			list = append(list, e.Operator+": "+e.What)
		}
	}
	return list
}

func (l *List) fixed(e *accepted.Entry) bool { return e.Package == l.pkg && l.passed[e.Operator] }

// Found is a failure for the list.
type Found struct {
	Outcome wire.Outcome
	Input   string // name of the file with an input that shows it
	What    string // for people, on one line
}

// Write adds failures to the list, and removes those that are fixed. Without a change
// nothing is written.
func (l *List) Write(found []Found) error {
	var fresh []accepted.Entry
	for _, f := range found {
		name := id(f.Outcome)
		if l.byID[name] != nil {
			continue
		}
		e := accepted.Entry{ID: accepted.ID{Package: l.pkg, Mutant: name}, Operator: l.input(f.Input), What: f.What}
		l.byID[name] = &e
		fresh = append(fresh, e)
	}
	if len(fresh)+len(l.Fixed()) == 0 {
		return nil
	}
	l.file.Refresh(fresh, func(e *accepted.Entry) bool { return !l.fixed(e) })
	if err := report.Save(l.path, l.file.Write); err != nil {
		return exit.Errorf(exit.Usage, "the list of known failures: %w", err)
	}
	return nil
}
