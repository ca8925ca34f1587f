package share

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// Limits say what Prune keeps.
type Limits struct {
	// Age is how long what nobody needs is kept since it was written: what is known of test
	// binaries whose processes have written nothing since, and inputs that no kept log is
	// about. 0 means DefaultAge.
	Age time.Duration
	// Size bounds the inputs, in bytes; 0 means DefaultSize.
	Size int64
	// DryRun removes and writes nothing.
	DryRun bool
}

// Defaults of the zero values of Limits.
const (
	DefaultAge  = 90 * 24 * time.Hour
	DefaultSize = 1 << 30
)

func (l Limits) orDefaults() Limits {
	l.Age, l.Size = cmp.Or(l.Age, DefaultAge), cmp.Or(l.Size, DefaultSize)
	return l
}

// grace is the age from which on Prune touches a file: until then the process that has written
// it may go on, or is about to say what it is for.
const grace = time.Hour

// Amount is a number of files, and how many bytes they have.
type Amount struct {
	Files int
	Bytes int64
}

func (a *Amount) add(size int64) { a.Files, a.Bytes = a.Files+1, a.Bytes+size }

// Pruned says what Prune has done.
type Pruned struct {
	Entries, Failing, Logs Amount   // that were there
	Redundant              Amount   // of the inputs: others show and kill all that these do
	Old                    Amount   // of the inputs: beyond Limits.Age
	Cut                    Amount   // of the inputs: needed, and beyond Limits.Size
	Joined                 Amount   // logs that others replace
	Dropped                Amount   // logs beyond Limits.Age
	Written                Amount   // logs that replace others
	Damaged                []string // what could not be read, each with its file
}

// Prune removes what others show as well, and what is beyond the limits. It may run beside
// processes that use the directory: it touches no file that was written within the last hour,
// and writes the union of logs before it removes them.
func (d *Dir) Prune(now time.Time, lim Limits) (*Pruned, error) {
	p := &pruner{dir: d, now: now, lim: lim.orDefaults(), done: new(Pruned)}
	if err := p.read(); err != nil {
		return p.done, err
	}
	p.choose()
	p.sweep()
	// Logs first: if this ends early, inputs are there that nobody tells of, and no log is
	// missing.
	errs := []error{p.writeLogs()}
	for _, in := range p.inputs {
		if in.why != nil {
			in.why.add(in.size)
			errs = append(errs, p.remove(in.path))
		}
	}
	return p.done, errors.Join(errs...)
}

// pruner is the work of one Prune.
type pruner struct {
	dir      *Dir
	now      time.Time
	lim      Limits
	done     *Pruned
	binaries []*known
	inputs   []*stored
	have     map[place]*stored
}

// place is where an input is.
type place struct{ kind, pkg, fuzz, name string }

// stored is an input of the directory.
type stored struct {
	place
	path     string
	size     int64
	time     time.Time
	needed   bool
	measured bool    // a log tells of it
	why      *Amount // it is removed for this reason; nil: it stays
}

// known is what the logs of one binary say.
type known struct {
	dir, pkg string
	files    []logFile
	records  []Record
}

type logFile struct {
	path string
	size int64
	time time.Time
}

// old reports whether a file was written before the limit.
func (p *pruner) old(t time.Time) bool { return p.now.Sub(t) > p.lim.Age }

// fresh reports whether a file may still be in use.
func (p *pruner) fresh(t time.Time) bool { return p.now.Sub(t) < grace }

// remove removes a file, unless it is a dry run.
func (p *pruner) remove(path string) error {
	if p.lim.DryRun {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s can't be removed: %w; %s", path, cause(err), fix(err))
	}
	return nil
}

// read looks at all that is there.
func (p *pruner) read() error {
	names, err := sortedNames(p.dir.path, func(f fs.DirEntry) bool { return f.IsDir() && isHash(f.Name()) })
	if err != nil {
		return fmt.Errorf("%s can't be read: %w; %s", p.dir.path, cause(err), fix(err))
	}
	for _, name := range names {
		if err := p.readBinary(name); err != nil {
			return err
		}
	}
	p.have = make(map[place]*stored)
	return errors.Join(p.readInputs(Entries, &p.done.Entries), p.readInputs(Failing, &p.done.Failing))
}

// readBinary reads what is known of a binary.
func (p *pruner) readBinary(name string) error {
	k := &known{dir: filepath.Join(p.dir.path, name)}
	names, err := sortedNames(k.dir, func(f fs.DirEntry) bool { return f.Type().IsRegular() && strings.HasSuffix(f.Name(), logSuffix) })
	if err != nil {
		return fmt.Errorf("%s can't be read: %w; %s", k.dir, cause(err), fix(err))
	}
	old := true
	for _, base := range names {
		info, err := os.Stat(filepath.Join(k.dir, base))
		if err != nil {
			continue // removed meanwhile
		}
		k.files = append(k.files, logFile{filepath.Join(k.dir, base), info.Size(), info.ModTime()})
		p.done.Logs.add(info.Size())
		old = old && p.old(info.ModTime())
	}
	if old {
		return p.drop(k)
	}
	if k.records, err = p.dir.NewReader(name, nil).Next(); err != nil {
		p.done.Damaged = append(p.done.Damaged, strings.Split(err.Error(), "\n")...)
	}
	for i := range k.records {
		if b := k.records[i].Begin; b != nil {
			k.pkg = b.Package
		}
	}
	p.binaries = append(p.binaries, k)
	return nil
}

// drop removes what is known of a binary that nobody uses.
func (p *pruner) drop(k *known) error {
	var errs []error
	for _, f := range k.files {
		p.done.Dropped.add(f.size)
		errs = append(errs, p.remove(f.path))
	}
	if !p.lim.DryRun {
		os.Remove(k.dir) // unless there is something else in it
	}
	return errors.Join(errs...)
}

// sweep removes what interrupted writes have left.
func (p *pruner) sweep() {
	_ = filepath.WalkDir(p.dir.path, func(path string, e fs.DirEntry, err error) error { //nolint:errcheck // what is left does no harm
		if err != nil || !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			return nil
		}
		if info, err := e.Info(); err == nil && !p.fresh(info.ModTime()) && !p.lim.DryRun {
			os.RemoveAll(path)
		}
		return fs.SkipDir
	})
}

// readInputs lists the inputs of a kind.
func (p *pruner) readInputs(kind string, count *Amount) error {
	top := filepath.Join(p.dir.path, kind)
	err := filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !e.Type().IsRegular() || !isInputHash(e.Name()) {
			return err
		}
		rel, err := filepath.Rel(top, filepath.Dir(path))
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return nil // removed meanwhile
		}
		pkg, fuzz := filepath.Split(rel)
		in := &stored{place: place{kind, filepath.ToSlash(filepath.Clean(pkg)), fuzz, e.Name()}, path: path, size: info.Size(), time: info.ModTime()}
		p.inputs, p.have[in.place] = append(p.inputs, in), in
		count.add(in.size)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s can't be read: %w; %s", top, cause(err), fix(err))
	}
	return nil
}

// choose decides which inputs stay.
func (p *pruner) choose() {
	for _, k := range p.binaries {
		p.needs(k)
	}
	for _, in := range p.inputs {
		switch {
		case in.needed || p.fresh(in.time):
		case in.measured:
			in.why = &p.done.Redundant
		case p.old(in.time):
			in.why = &p.done.Old
		}
	}
	p.cut()
}

// cut takes out inputs until the others are within the bound: the oldest of those that no
// log is about, then the largest.
func (p *pruner) cut() {
	var total int64
	var may []*stored
	for _, in := range p.inputs {
		if in.why == nil {
			if total += in.size; !p.fresh(in.time) {
				may = append(may, in)
			}
		}
	}
	slices.SortStableFunc(may, func(a, b *stored) int {
		if a.needed || b.needed {
			return cmp.Or(cmp.Compare(rank(a.needed), rank(b.needed)), cmp.Compare(b.size, a.size), cmp.Compare(a.path, b.path))
		}
		return cmp.Or(a.time.Compare(b.time), cmp.Compare(a.path, b.path))
	})
	for _, in := range may {
		if total <= p.lim.Size {
			return
		}
		in.why = &p.done.Cut
		total -= in.size
	}
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// writeLogs writes the union of the logs of each binary, and removes those that it is of.
func (p *pruner) writeLogs() error {
	var errs []error
	for _, k := range p.binaries {
		errs = append(errs, p.join(k))
	}
	return errors.Join(errs...)
}

// join writes one log in place of those of a binary whose processes have ended, as far as that
// can be told.
func (p *pruner) join(k *known) error {
	var ended []logFile
	var size int64
	for _, f := range k.files {
		if !p.fresh(f.time) {
			ended, size = append(ended, f), size+f.size
		}
	}
	text, err := p.text(k)
	if err != nil || len(ended) == 0 || len(ended) == 1 && int64(len(text)) >= size {
		return err
	}
	p.done.Written.add(int64(len(text)))
	if !p.lim.DryRun {
		if err := corpus.ReplaceFile(k.dir, newName(), text); err != nil {
			return fmt.Errorf("%s can't be written: %w; %s", k.dir, cause(err), fix(err))
		}
	}
	for _, f := range ended {
		if info, err := os.Stat(f.path); err == nil && info.Size() != f.size {
			continue // its process has gone on
		}
		p.done.Joined.add(f.size)
		if err := p.remove(f.path); err != nil {
			return err
		}
	}
	return nil
}

// text is a log of the union: of kills and coverage, what is about inputs that stay; what logs say several
// times, once.
func (p *pruner) text(k *known) ([]byte, error) {
	text := []byte(head)
	said := make(map[string]bool)
	for _, r := range slices.Concat([]Record{{Begin: &Begin{Package: k.pkg}}}, k.records) {
		if r.Begin != nil && len(said) > 0 || r == (Record{Fuzz: r.Fuzz}) || p.gone(k.pkg, &r) {
			continue
		}
		frame, err := encode(&r)
		if err != nil {
			return nil, err
		}
		if !said[string(frame)] {
			said[string(frame)] = true
			text = append(text, frame...)
		}
	}
	return text, nil
}

// gone reports whether a record is about an input that is removed, or was. A kill by one that
// never was there is by a seed.
func (p *pruner) gone(pkg string, r *Record) bool {
	switch {
	case r.Kill != nil:
		in := p.have[place{Entries, pkg, r.Fuzz, r.Kill.Input}]
		return in != nil && in.why != nil
	case r.Cover != nil:
		in := p.have[place{Entries, pkg, r.Fuzz, r.Cover.Input}]
		return in == nil || in.why != nil
	case r.Fail != nil:
		in := p.have[place{Failing, pkg, r.Fuzz, r.Fail.Input}]
		return in == nil || in.why != nil
	case r.Cells != nil:
		in := p.have[place{Failing, pkg, r.Fuzz, r.Cells.Input}]
		return in == nil || in.why != nil
	}
	return false
}

// keys lists the keys of a map in order.
func keys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
