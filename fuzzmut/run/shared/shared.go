// Package shared is what the search of a fuzz test takes from a directory that processes
// share, and what it leaves there.
//
// Inputs are taken for what they are worth, whoever left them. That an input kills a mutant is
// taken from processes with the same test binary alone, and as a hint: the mutant is run on
// that input before all else, and is dead if it is killed.
package shared

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// Member is a fuzz test whose process takes part in a shared directory. A nil one does not.
type Member struct {
	trial     *trial.Trial
	dir       *share.Dir
	pkg, fuzz string
	binary    string     // by which the directory knows the test binary; "" if that can't be told
	log       *share.Log // nil: nothing is left there
	reader    *share.Reader

	turn    sync.Mutex // guards what follows; may be held while the engine's parts are asked
	entries int        // of the pool, that were looked at
	deaths  int        // of mutants, likewise

	mu     sync.Mutex // guards what follows; nothing is asked while it is held
	queue  []*corpus.Input
	has    map[string]bool          // inputs that are there, by hash, or that are unusable
	inputs map[string]*corpus.Input // that are known here, by hash
	hints  map[uint32][]string      // by mutant, the inputs that are said to kill it
	told   map[kill]bool            // kills that are in a log
	shown  map[string]bool          // inputs whose coverage is in a log
	fails  map[string]bool          // failing inputs that are in a log

	account account

	silent bool // what can't be left was said
	blind  bool // inputs that can't be read were named
	deaf   bool // logs likewise
	cut    bool // a bucket that can't be reached was named
}

// kill is a mutant, and the hash of an input that is said to kill it.
type kill struct {
	mutant uint32
	input  string
}

const (
	// inputsMost bounds the inputs that are taken for one fuzz test, and bytesMost their sizes.
	inputsMost = 20_000
	bytesMost  = 256 << 20
	// failingMost bounds those that have failed.
	failingMost = 256
)

// Join has the search of a fuzz test take part in the directory of the project; nil: there is
// none. The fuzz test has been greeted.
func Join(t *trial.Trial) *Member {
	dir := t.Project.Share
	if dir == nil {
		return nil
	}
	m := &Member{
		trial: t, dir: dir, pkg: t.Package.Program.Test.ImportPath, fuzz: t.Test.Name,
		has: make(map[string]bool), inputs: make(map[string]*corpus.Input), hints: make(map[uint32][]string),
		told: make(map[kill]bool), shown: make(map[string]bool), fails: make(map[string]bool),
		account: account{refused: make(map[refusal]int), tried: make(map[uint32]string)},
	}
	binary, err := t.Project.BinaryName(t.Package.Program, t.Package.Binary)
	if err != nil {
		t.Warn(fmt.Sprintf("-share: the test binary can't be read: %v; inputs are taken, and nothing is left", err))
		return m
	}
	m.binary = binary
	m.sync(dir.Sync)
	if !t.Project.Options.DryRun {
		m.log = dir.NewLog(binary, m.pkg)
	}
	m.reader = dir.NewReader(binary, m.log)
	return m
}

// sync has a bucket and its copy here be the same, as far as they matter here, by a method of
// the directory.
func (m *Member) sync(by func(prefixes ...string) (warning string, err error)) {
	warning, err := by(share.Prefixes(m.pkg, m.fuzz, m.binary)...)
	if err != nil {
		warning = err.Error()
	}
	m.mu.Lock()
	said := m.cut
	m.cut = m.cut || err != nil
	m.mu.Unlock()
	if warning != "" && (err == nil || !said) {
		m.trial.Warn("-share: " + warning)
	}
}

// Begin adds the inputs that are there to those of Go's fuzz cache, and returns which is to be
// run first, by mutant: see trial.Trial.Baseline.
func (m *Member) Begin() map[uint32]string {
	if m == nil {
		return nil
	}
	t := m.trial
	m.listen()
	taken := slices.Concat(m.Entries(), m.Failing())
	t.Cached, t.Shared = append(t.Cached, taken...), len(taken)
	known := m.known(nil)
	t.Note("took %s from %s, and kills of %s by the same test binary", report.Plural(t.Shared, "new input"), m.dir.Path(), report.Plural(len(known), "mutant"))
	hints := make(map[uint32]string, len(known))
	for mutant, in := range known {
		hints[mutant] = in.Hash()
	}
	return hints
}

// Entries reads the inputs that are there and new here.
func (m *Member) Entries() []corpus.Entry { return m.read(share.Entries, inputsMost) }

// Failing reads the inputs that have failed, likewise.
func (m *Member) Failing() []corpus.Entry { return m.read(share.Failing, failingMost) }

func (m *Member) read(kind string, most int) (list []corpus.Entry) {
	if m == nil {
		return nil
	}
	for _, e := range slices.Concat(m.trial.Given, m.trial.Cached) {
		m.inputs[e.Input.Hash()] = e.Input
	}
	for _, in := range m.take(kind, most) {
		e := in.Found()
		e.Name, e.Source = in.Hash(), corpus.Cache
		e.Path = m.dir.File(kind, m.pkg, m.fuzz, e.Name)
		list = append(list, e)
	}
	return list
}

// listen takes in what the logs say that is new.
func (m *Member) listen() {
	if m.reader == nil {
		return
	}
	records, err := m.reader.Next()
	if err != nil && !m.deaf {
		m.deaf = true
		m.trial.Warn("-share: " + first(err))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range records {
		m.hear(&records[i])
	}
}

// first is an error, or the first of those joined and how many there are in addition.
func first(err error) string {
	var list interface{ Unwrap() []error }
	if !errors.As(err, &list) || len(list.Unwrap()) == 1 {
		return err.Error()
	}
	all := list.Unwrap()
	return fmt.Sprintf("%v; and %d more", all[0], len(all)-1)
}

// hear takes in a record. The caller holds the lock.
func (m *Member) hear(r *share.Record) {
	if r.Fuzz != m.fuzz {
		return
	}
	switch {
	case r.Kill != nil && int(r.Kill.Mutant) > len(m.trial.Package.Program.Mutants):
		m.refuseLocked(noSuchMutant, 1)
	case r.Kill != nil:
		list := m.hints[r.Kill.Mutant]
		if len(list) < hintsMost && !slices.Contains(list, r.Kill.Input) {
			m.hints[r.Kill.Mutant] = append(list, r.Kill.Input)
		}
		m.told[kill{r.Kill.Mutant, r.Kill.Input}] = true
	case r.Cover != nil:
		m.shown[r.Cover.Input] = true
	case r.Fail != nil:
		m.fails[r.Fail.Input] = true
	}
}

// hintsMost bounds the inputs for one mutant.
const hintsMost = 8

// take reads inputs of a kind that are new here, most at most: those that are said to kill a
// mutant first, then by name.
func (m *Member) take(kind string, most int) (list []*corpus.Input) {
	names, err := m.dir.Names(kind, m.pkg, m.fuzz)
	if err != nil {
		m.notRead(err)
		return nil
	}
	m.there(kind, len(names))
	names = slices.DeleteFunc(m.killersFirst(names), m.seen)
	var damaged, others, left int
	var worst error
	size := 0
	for _, name := range names {
		if len(list) >= most || size >= bytesMost {
			left++
			continue
		}
		in, err := m.dir.Read(kind, m.pkg, m.fuzz, name, m.trial.Types)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, share.ErrTypes):
			others++
		case err != nil:
			if damaged++; worst == nil {
				worst = err
			}
		default:
			size += in.Size()
			list = append(list, in)
		}
		m.enter(name, in)
	}
	m.tell(kind, damaged, others, left, worst)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuseLocked(damagedFile, damaged)
	m.refuseLocked(otherTypes, others)
	if kind == share.Failing {
		m.account.taken.Failing += len(list)
	} else {
		m.account.taken.Inputs += len(list)
		m.account.bytes, m.account.over = m.account.bytes+int64(size), left
	}
	return list
}

// there notes how many inputs of a kind the directory has.
func (m *Member) there(kind string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kind == share.Failing {
		m.account.failing = n
	} else {
		m.account.entries = n
	}
}

// tell says which inputs were not taken.
func (m *Member) tell(kind string, damaged, others, left int, worst error) {
	if damaged > 0 && !m.blind {
		m.blind = true
		m.trial.Warn(fmt.Sprintf("-share: %s of %s can't be used, the first: %v", report.Plural(damaged, "file"), m.dir.Path(), worst))
	}
	if others > 0 {
		m.trial.Note("%s of %s %s of other types: left out", report.Plural(others, "input"), m.dir.Path(), report.Verb(others, "is", "are"))
	}
	if left > 0 && kind == share.Entries {
		m.trial.Warn(fmt.Sprintf("-share: %s of %s left out, which has more than %d or %d MiB for the fuzz test; fuzzmut corpus prune -share %[2]s removes what adds nothing",
			report.Plural(left, "input"), m.dir.Path(), inputsMost, bytesMost>>20))
	}
}

// notRead says, once, that the directory can't be read.
func (m *Member) notRead(err error) {
	if !m.blind {
		m.blind = true
		m.trial.Warn("-share: " + m.dir.Problem(err))
	}
}

// seen reports whether an input is known here, which then is known to be there.
func (m *Member) seen(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.has[name] {
		return true
	}
	if in := m.inputs[name]; in != nil {
		m.has[name] = true
		m.account.bytes += int64(in.Size())
		return true
	}
	return false
}

// enter notes that an input is there. in is nil if it is unusable.
func (m *Member) enter(name string, in *corpus.Input) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.has[name] = true
	if in != nil {
		m.inputs[name] = in
	}
}

// killersFirst sorts names: those of inputs that are said to kill mutants come first.
func (m *Member) killersFirst(names []string) []string {
	m.mu.Lock()
	killer := make(map[string]bool)
	for _, list := range m.hints {
		for _, name := range list {
			killer[name] = true
		}
	}
	m.mu.Unlock()
	var first, rest []string
	for _, name := range names {
		if killer[name] {
			first = append(first, name)
		} else {
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
}

// known returns an input that is said to kill it for each mutant that lives, if it is one that
// is known here. Those that were tried are not named again. but has the mutants that are left
// out.
func (m *Member) known(but map[uint32]bool) map[uint32]*corpus.Input {
	m.mu.Lock()
	defer m.mu.Unlock()
	kills := make(map[uint32]*corpus.Input)
	for mutant, list := range m.hints {
		if but[mutant] {
			delete(m.hints, mutant)
			continue
		}
		slices.Sort(list)
		for i, name := range list {
			if in := m.inputs[name]; in != nil {
				kills[mutant] = in
				m.account.tried[mutant] = name
				m.hints[mutant] = slices.Delete(list, i, i+1)
				break
			}
		}
	}
	return kills
}
