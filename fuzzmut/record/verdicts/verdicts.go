// Package verdicts keeps what tests said of mutants, from one run to the next.
//
// The store of one package's tests is a directory with a journal, to which every
// verdict is appended as one line of JSON once it is final, by one write. Nothing
// is lost with a run that ends early, whatever ends it: at worst the last line is
// torn, and it is skipped. Any number of runs may append at the same time.
// The journal is rewritten, and loses what newer lines have replaced, only by a
// run that has it for itself.
package verdicts

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/filelock"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Verdict is what the tests said of one mutant.
type Verdict struct {
	Status   string   `json:"status"` // as in package mutation
	Kind     string   `json:"kind,omitempty"`
	Test     string   `json:"test,omitempty"`
	Detail   string   `json:"detail,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Fresh    bool     `json:"fresh,omitempty"`
	Reached  int      `json:"reached,omitempty"`  // tests that reach it
	Infected int      `json:"infected,omitempty"` // tests that it infects
	Tests    []string `json:"tests,omitempty"`    // some of those that reach it, the infected first
	Left     []string `json:"left,omitempty"`     // of one with the status "not-run": the tests that the next run goes on with

	// Seen is a call in a test that returns something else with a survivor.
	Seen *report.Seen `json:"seen,omitempty"`
}

// ID names a mutant.
type ID struct {
	Package string // import path
	Mutant  string // instrument.Mutant.ID
}

// line is a line of the journal. The first one says what the file is; the others
// are beginnings of runs, or verdicts.
type line struct {
	Format  string `json:"format,omitempty"`
	Run     string `json:"run,omitempty"`     // random name of the run that wrote it
	Program string `json:"program,omitempty"` // of a beginning: hash of all that the run depends on
	Resumes string `json:"resumes,omitempty"` // of a beginning: name of the run that it goes on with

	Package string   `json:"package,omitempty"`
	Mutant  string   `json:"mutant,omitempty"`
	Key     string   `json:"key,omitempty"` // hash of what the verdict depends on
	Verdict *Verdict `json:"verdict,omitempty"`
	// Withdrawn says that the run has taken its verdict back.
	Withdrawn bool `json:"withdrawn,omitempty"`
}

// format is the content of the first line. The number in the journal's name is
// that of the format: another one has another file.
const format = "fuzzmut verdicts"

const (
	journalName = "verdicts-2.jsonl"
	lockName    = "lock"
)

// Store is the store of one package's tests, open for one run. Its methods are
// not for use by several goroutines at once.
type Store struct {
	dir     string
	run     string
	journal *os.File
	unlock  func()

	last    map[ID]line                // latest verdict on each mutant
	begun   map[string]line            // by run
	order   []string                   // runs as they began
	program map[string]string          // program: the run that began last with it
	byRun   map[string]map[ID]*Verdict // of runs that may be resumed
	resumed map[ID]*Verdict
	damaged []int // numbers of lines that are no JSON, and were not torn by the end of a run
}

// Open opens the store in dir, which it makes if need be. The error names the
// file that can't be used.
func Open(dir string) (_ *Store, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s := &Store{dir: dir, run: rand.Text()[:10]}
	if s.unlock, err = filelock.Share(filepath.Join(dir, lockName)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	size, torn, err := s.read()
	if err != nil {
		return nil, err
	}
	s.journal, err = os.OpenFile(s.path(), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	switch {
	case err != nil:
		return nil, err
	case size == 0: // a second first line, by a run that begins now, does no harm
		err = s.append(line{Format: format})
	case torn:
		err = s.closeTorn()
	}
	return s, err
}

// closeTorn ends a line that a run left torn, and writes the format after it, as a sign
// that the torn line is no damage.
func (s *Store) closeTorn() error {
	text, err := encode(line{Format: format})
	if err != nil {
		return err
	}
	_, err = s.journal.Write(append([]byte("\n"), text...))
	return err
}

// Damaged returns the journal's path and the numbers of its lines, from 1, which are
// damaged: what they said is lost. A last line that the end of a run has torn is none.
func (s *Store) Damaged() (path string, lines []int) { return s.path(), s.damaged }

func (s *Store) path() string { return filepath.Join(s.dir, journalName) }

// read reads the journal, if there is one. torn says that its last line has no
// end.
func (s *Store) read() (size int, torn bool, err error) {
	s.last, s.begun, s.order = make(map[ID]line), make(map[string]line), nil
	s.program, s.byRun = make(map[string]string), make(map[string]map[ID]*Verdict)
	data, err := regular.Read(s.path(), maxJournal)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return 0, false, err
	}
	lines, damaged, err := parse(data)
	s.damaged = damaged
	if err != nil {
		return 0, false, fmt.Errorf("%s:%w", s.path(), err)
	}
	for _, l := range lines {
		s.note(l)
	}
	return len(data), len(data) > 0 && data[len(data)-1] != '\n', nil
}

// maxJournal bounds a journal that is read, in bytes. It is rewritten long before.
const maxJournal = 256 << 20

// parse reads a journal. Lines that are no JSON are skipped, and the verdicts in them
// are given again: the last line may be torn since a run was killed, also if a later run
// has ended it; damaged has the numbers of the others. Any other line must be one that
// could have been written: the error begins with its number.
func parse(data []byte) (lines []line, damaged []int, err error) {
	n, broken := 0, 0 // broken: the line before, if it is no JSON
	for text := range bytes.Lines(data) {
		n++
		var l line
		err := json.Unmarshal(text, &l)
		if n == 1 && (err != nil || l.Format != format) {
			return nil, nil, errors.New("1: not a journal of verdicts")
		}
		if broken > 0 && (err != nil || l.Format == "") {
			damaged = append(damaged, broken)
		}
		broken = 0
		switch {
		case err != nil && !json.Valid(text):
			broken = n
			continue
		case err == nil:
			err = l.check()
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%d: %w: the journal was changed, or a newer fuzzmut wrote it", n, err)
		}
		lines = append(lines, l)
	}
	if broken > 0 && data[len(data)-1] == '\n' {
		damaged = append(damaged, broken)
	}
	return lines, damaged, nil
}

// statuses are what a verdict can be, as in package unittest.
var statuses = []string{"killed", "survived", "not-covered", "skipped", "not-run"}

// isKind reports whether tests kill in a way of that name.
func isKind(name string) bool {
	kind, ok := oracle.Parse(name)
	return ok && kind.ByTest() != ""
}

// check makes sure that a line is one that could have been written.
func (l *line) check() error {
	v := l.Verdict
	switch {
	case l.Format != "" && *l == (line{Format: format}), l.Program != "" && l.Run != "" && v == nil:
		return nil
	case v == nil || l.Package == "" || l.Mutant == "" || l.Run == "":
		return errors.New("neither a verdict nor the beginning of a run")
	}
	return v.Check()
}

// Check makes sure that a verdict is one that could have been given.
func (v *Verdict) Check() error {
	switch {
	case !slices.Contains(statuses, v.Status):
		return fmt.Errorf("the unknown verdict %q", v.Status)
	case v.Status == "killed" && !isKind(v.Kind):
		return fmt.Errorf("the unknown kind of kill %q", v.Kind)
	case (v.Status == "not-run") != (len(v.Left) > 0):
		return fmt.Errorf("the verdict %q with %d tests that are left", v.Status, len(v.Left))
	case v.Reached < 0 || v.Infected < 0:
		return errors.New("a number of tests below 0")
	}
	return nil
}

// note takes in a line of the journal.
func (s *Store) note(l line) {
	switch {
	case l.Program != "":
		s.begun[l.Run] = l
		s.order = append(s.order, l.Run)
		s.program[l.Program] = l.Run
	case l.Verdict != nil:
		id := ID{l.Package, l.Mutant}
		s.last[id] = l
		if s.byRun[l.Run] == nil {
			s.byRun[l.Run] = make(map[ID]*Verdict)
		}
		s.byRun[l.Run][id] = l.Verdict
		if l.Withdrawn {
			delete(s.last, id)
			s.byRun[l.Run][id] = nil // nor does one count of a run that this one went on with
		}
	}
}

// Begin begins the run. program is a hash of all that its verdicts depend on. If
// resume is set, the verdicts of the last run with the same program count as its
// own, and Begin returns how many they are; ok says whether there was such a run.
func (s *Store) Begin(program string, resume bool) (n int, ok bool, err error) {
	l := line{Run: s.run, Program: program}
	s.resumed = make(map[ID]*Verdict)
	if resume {
		l.Resumes, ok = s.program[program]
		for run := l.Resumes; run != ""; run = s.begun[run].Resumes {
			for id, v := range s.byRun[run] {
				if _, ok := s.resumed[id]; !ok {
					s.resumed[id] = v
				}
			}
		}
		maps.DeleteFunc(s.resumed, func(_ ID, v *Verdict) bool { return v == nil })
	}
	return len(s.resumed), ok, s.append(l)
}

// Resumed returns the verdict on a mutant by the run that this one goes on with.
func (s *Store) Resumed(id ID) (Verdict, bool) {
	if v := s.resumed[id]; v != nil {
		return *v, true
	}
	return Verdict{}, false
}

// Known returns the last verdict on a mutant if it was given under the same key.
func (s *Store) Known(id ID, key string) (Verdict, bool) {
	l, ok := s.last[id]
	if !ok || l.Key != key {
		return Verdict{}, false
	}
	return *l.Verdict, true
}

// Of returns what earlier runs with the program have said last of each mutant, whatever tests have reached it.
func (s *Store) Of(program string) map[ID]Verdict {
	all := make(map[ID]Verdict)
	for _, run := range s.order {
		if s.begun[run].Program != program {
			continue
		}
		for id, v := range s.byRun[run] {
			if delete(all, id); v != nil {
				all[id] = *v
			}
		}
	}
	return all
}

// Add keeps a verdict of this run.
func (s *Store) Add(id ID, key string, v Verdict) error {
	return s.append(line{Run: s.run, Package: id.Package, Mutant: id.Mutant, Key: key, Verdict: &v})
}

// Withdraw takes back the verdict v of this run, or of the one that it goes on with, on a
// mutant: no later run has it.
func (s *Store) Withdraw(id ID, v Verdict) error {
	return s.append(line{Run: s.run, Package: id.Package, Mutant: id.Mutant, Verdict: &v, Withdrawn: true})
}

// append writes a line with one write, so that lines of several runs don't mix.
func (s *Store) append(l line) error {
	text, err := encode(l)
	if err != nil {
		return err
	}
	_, err = s.journal.Write(text)
	return err
}

func encode(lines ...line) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Close closes the store. If no other run has it open, and most of the journal has been
// replaced by newer lines or some are damaged, it is rewritten first.
func (s *Store) Close() error {
	var err error
	if s.journal != nil {
		err = s.journal.Close()
		s.journal = nil
	}
	s.unlock()
	if unlock, ok := filelock.Claim(filepath.Join(s.dir, lockName)); ok {
		defer unlock()
		if len(s.damaged) > 0 && err == nil {
			err = s.repair()
		}
		if cerr := s.compact(); err == nil {
			err = cerr
		}
	}
	return err
}
