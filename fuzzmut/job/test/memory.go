package test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// verdict is what is kept, and reported, of a mutant.
type verdict = verdicts.Verdict

// memory is what is known of a package's mutants from earlier runs, and keeps what
// this run finds. A verdict hangs on the code of the mutant's function, on what
// else its package declares but for other functions, and on the tests that reach
// it, besides all that concerns every mutant. It is taken not to hang on other
// functions: that is what makes it worth keeping.
type memory struct {
	s     *testSession
	store *verdicts.Store // nil if there is none
	base  []byte          // hash of what concerns every mutant
	decls map[string][]byte

	mu      sync.Mutex // the callbacks of a run come from its goroutines
	keys    map[uint32]string
	given   map[uint32]verdict // from earlier runs
	resumed map[uint32]bool    // of these, those of the run that this one goes on with
	failed  bool               // the store takes no more
	aside   map[string]bool    // tests that were set aside
}

// testsKept bounds the tests that are kept with a verdict.
const testsKept = 20

// detailKept bounds what is kept of what was seen, in bytes.
const detailKept = 1000

// openMemory opens the store of the package's tests. Without one the run goes on.
func (s *testSession) openMemory() *memory {
	m := &memory{
		s: s, decls: make(map[string][]byte), keys: make(map[uint32]string),
		given: make(map[uint32]verdict), resumed: make(map[uint32]bool), aside: make(map[string]bool),
	}
	if err := m.open(); err != nil {
		m.fail(err)
	}
	return m
}

func (m *memory) open() error {
	var err error
	if m.base, err = m.s.baseKey(); err != nil {
		return err
	}
	for _, p := range m.s.loaded.Packages {
		m.decls[p.ImportPath] = change.HashDeclarations(m.s.code, p)
	}
	store, err := verdicts.Open(m.s.storeDir())
	if err != nil {
		return err
	}
	m.store = store
	m.tellDamage()
	h := sha256.New()
	h.Write(m.base)
	opts := &m.s.tester.opts
	for _, v := range []string{m.s.code.Hash(), opts.Run, opts.Skip, m.s.tester.report.Shard, m.s.tester.report.Diff} {
		digest.Add(h, v)
	}
	n, ok, err := store.Begin(hex.EncodeToString(h.Sum(nil)[:16]), m.s.tester.opts.Resume)
	switch {
	case !m.s.tester.opts.Resume || err != nil:
	case ok:
		m.s.tester.project.Note(m.s.run.Package, "resuming the last run, which has %s", report.Plural(n, "verdict"))
	default:
		m.s.tester.project.Note(m.s.run.Package, "no earlier run of this code with these tests and flags: starting over")
	}
	return err
}

// tellDamage warns of verdicts that are lost.
func (m *memory) tellDamage() {
	path, lines := m.store.Damaged()
	if len(lines) == 0 {
		return
	}
	text := fmt.Sprintf("%s:%d: damaged: the mutant is judged again", path, lines[0])
	if n := len(lines); n > 1 {
		text = fmt.Sprintf("%s:%d: damaged, and so are %s: the mutants are judged again", path, lines[0], report.Plural(n-1, "line")+" below it")
	}
	m.s.tester.report.Warnings = append(m.s.tester.report.Warnings, text)
	m.s.tester.project.Warn("%s", text)
}

// fail gives up the store, and says so once.
func (m *memory) fail(err error) {
	if m.failed {
		return
	}
	m.failed = true
	if !m.s.tester.told {
		m.s.tester.told = true
		text := fmt.Sprintf("verdicts can't be kept for the next run: %v; remove %s or make it writable", err, m.s.storeDir())
		m.s.tester.report.Warnings = append(m.s.tester.report.Warnings, text)
		m.s.tester.project.Warn("%s", text)
	}
}

func (m *memory) close() {
	if m.store == nil {
		return
	}
	if err := m.store.Close(); err != nil {
		m.fail(err)
	}
}

// storeDir is where the verdicts of the package's tests are kept. Trees that hold
// the same package have different ones.
func (s *testSession) storeDir() string {
	sum := sha256.Sum256([]byte(s.program.Test.Dir))
	return filepath.Join(s.tester.project.GoCache, "fuzz", "fuzzmut-test", filepath.FromSlash(s.run.Package), hex.EncodeToString(sum[:6]))
}

// key names all that the verdict on a mutant hangs on.
func (m *memory) key(mut *instrument.Mutant, reach []string) string {
	h := sha256.New()
	h.Write(m.base)
	h.Write(m.decls[mut.Package])
	if d := m.s.code.Of(mut); d != nil {
		digest.Add(h, string(d.Text))
	}
	digest.Add(h, len(reach))
	for _, name := range reach {
		digest.Add(h, name)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// known gives the verdict of an earlier run on a mutant. It is for
// unittest.Options.
func (m *memory) known(mut *instrument.Mutant, reach []string) (unittest.Verdict, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	index := uint32(mut.Index)
	key := m.key(mut, reach)
	m.keys[index] = key
	if m.store == nil {
		return unittest.Verdict{}, false
	}
	id := verdicts.ID{Package: mut.Package, Mutant: mut.ID}
	v, ok := m.store.Resumed(id)
	m.resumed[index] = ok
	if !ok && !m.s.tester.opts.Fresh {
		v, ok = m.store.Known(id, key)
	}
	if !ok || m.byAside(v) {
		delete(m.resumed, index)
		return unittest.Verdict{}, false
	}
	m.given[index] = v
	kind, _ := oracle.Parse(v.Kind) // the store knows no others
	return unittest.Verdict{
		Mutant: index, Status: unittest.Status(v.Status), Kind: kind, Test: v.Test, Detail: v.Detail,
		Tests: reach, Reason: v.Reason, Fresh: v.Fresh, Reused: true,
	}, true
}

// byAside reports whether tests that are set aside have a part in a verdict.
func (m *memory) byAside(v verdict) bool {
	return m.aside[v.Test] || slices.ContainsFunc(v.Tests, func(name string) bool { return m.aside[name] })
}

// setAside notes tests that are set aside.
func (m *memory) setAside(list []unittest.SetAside) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range list {
		m.aside[a.Test] = true
	}
}

// withdraw takes back verdicts. It is for unittest.Options.
func (m *memory) withdraw(mutants []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, index := range mutants {
		delete(m.given, index)
		delete(m.resumed, index)
		delete(m.keys, index)
		if m.store == nil || m.failed {
			continue
		}
		mut := &m.s.program.Mutants[index-1]
		if err := m.store.Withdraw(verdicts.ID{Package: mut.Package, Mutant: mut.ID}, verdict{Status: string(unittest.StatusNotCovered)}); err != nil {
			m.fail(err)
		}
	}
}

// keep keeps a verdict of this run. It is for unittest.Options.
func (m *memory) keep(v unittest.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.given[v.Mutant]; ok || m.store == nil || m.failed || v.Status == unittest.StatusSkipped || v.Status == unittest.StatusNotRun {
		return
	}
	mut := &m.s.program.Mutants[v.Mutant-1]
	key, ok := m.keys[v.Mutant]
	if !ok {
		key = m.key(mut, v.Tests)
	}
	if err := m.store.Add(verdicts.ID{Package: mut.Package, Mutant: mut.ID}, key, abridge(v)); err != nil {
		m.fail(err)
	}
}

// verdict returns what is reported of a mutant, and whether it is from an earlier
// run that this one does not go on with, or from the one that it does.
func (m *memory) verdict(v unittest.Verdict) (_ verdict, reused, resumed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	given, ok := m.given[v.Mutant]
	if !ok {
		return abridge(v), false, false
	}
	if m.byAside(given) { // a survivor, with a test that was set aside after it was taken over
		given = abridge(v)
	}
	resumed = m.resumed[v.Mutant]
	return given, !resumed, resumed
}

// abridge takes what is worth keeping of a verdict.
func abridge(v unittest.Verdict) verdict {
	out := verdict{
		Status: string(v.Status), Kind: v.Kind.String(), Test: v.Test, Detail: v.Detail, Reason: v.Reason, Fresh: v.Fresh,
		Reached: len(v.Tests), Infected: len(v.Infected),
	}
	if len(out.Detail) > detailKept {
		out.Detail = strings.ToValidUTF8(out.Detail[:detailKept], "") + "..."
	}
	if v.Status != unittest.StatusSurvived {
		return out
	}
	out.Tests = append(out.Tests, v.Infected...)
	for _, name := range v.Tests {
		if !slices.Contains(v.Infected, name) {
			out.Tests = append(out.Tests, name)
		}
	}
	out.Tests = out.Tests[:min(testsKept, len(out.Tests))]
	return out
}

// baseKey hashes what every verdict hangs on: fuzzmut itself, the toolchain, the
// flags and the environment, the modules, the tests with their data, and the
// limits.
func (s *testSession) baseKey() ([]byte, error) {
	if s.tester.self == nil {
		self, err := hashSelf()
		if err != nil {
			return nil, err
		}
		s.tester.self = self
	}
	h := sha256.New()
	h.Write(s.tester.self)
	tool := s.loaded.Toolchain
	digest.Add(h, tool.Version)
	digest.Add(h, tool.Flags)
	for _, v := range slices.Sorted(slices.Values(s.tester.project.Options.Env)) {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO_") {
			digest.Add(h, v)
		}
	}
	for _, file := range []string{tool.Mod, tool.Work} {
		if file == "" {
			continue
		}
		for _, path := range []string{file, strings.TrimSuffix(file, filepath.Ext(file)) + ".sum", file + ".sum"} {
			text, _ := os.ReadFile(path) // one of the sums does not exist
			digest.Add(h, string(text))
		}
	}
	change.HashTests(h, s.loaded)
	hashData(h, filepath.Join(s.program.Test.Dir, "testdata"))
	digest.Add(h, s.tester.opts.Short)
	digest.Add(h, strings.Join(s.tester.opts.Args, "\x00"))
	for _, pattern := range []string{s.tester.opts.Run, s.tester.opts.Skip} {
		if strings.Contains(pattern, "/") { // it chooses subtests: the tests are others
			digest.Add(h, pattern)
		}
	}
	digest.Add(h, s.tester.opts.Timeout)
	digest.Add(h, s.tester.opts.MemLimit)
	return h.Sum(nil), nil
}

// hashSelf hashes this program.
func hashSelf() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// hashData hashes names, sizes and times of the files below dir.
func hashData(h io.Writer, dir string) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what can't be read is no data of a test that passes
		}
		digest.Add(h, path)
		if info, err := d.Info(); err == nil && !d.IsDir() {
			digest.Add(h, info.Size())
			digest.Add(h, info.ModTime().UnixNano())
		}
		return nil
	})
}
