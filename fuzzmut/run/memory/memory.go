// Package memory keeps what the tests of a package say of mutants from one run to the
// next, with all that it depends on.
//
// A verdict depends on the code of the mutant's function, on what else its package declares
// except other functions, on the tests that reach it, and on all that concerns every mutant.
// It is taken not to depend on other functions: that is what makes it worth keeping.
package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/verdicts"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Options are what verdicts depend on in addition to the code, and how they are used.
type Options struct {
	Run, Skip string // which tests judge
	Short     bool
	Args      []string
	Timeout   time.Duration
	MemLimit  int64

	Part   string // which mutants are judged: "" for all of them
	Resume bool   // the verdicts of the last run that judged the same count as those of this one
	Fresh  bool   // those of other runs are not reused
}

// Keeper opens the memories of the packages of one run.
type Keeper struct {
	Project *project.Project
	Options Options

	mu   sync.Mutex // packages may be worked on side by side
	self []byte     // hash of this program; nil until it is needed
	told bool       // that verdicts can't be kept
}

// Package is a package whose tests judge.
type Package struct {
	Loaded  *load.Result
	Program *instrument.Program
	Code    *change.Sources
	Binary  string // path of the test binary, by which a shared directory knows it; "": none is shared

	Note func(format string, args ...any) // gets what the run goes on with
	Warn func(text string)                // gets what the user should know of verdicts that are lost, or can't be kept
}

// Memory is what is known of a package's mutants from earlier runs, and keeps what this
// run finds.
type Memory struct {
	keeper *Keeper
	pkg    Package
	store  *verdicts.Store // nil if there is none
	common *common         // nil if no directory is shared
	base   []byte          // hash of what concerns every mutant
	decls  map[string][]byte

	mu      sync.Mutex // the callbacks of a run come from its goroutines
	keys    map[uint32]string
	given   map[uint32]verdicts.Verdict // from earlier runs
	resumed map[uint32]bool             // of these, those of the run that this one goes on with
	failed  bool                        // the store takes no more

	partial bool                             // tests are left out, and what reaches a mutant is not known
	whole   map[verdicts.ID]verdicts.Verdict // then: what runs of the same code with all tests have said

	unshared bool            // it was said that verdicts can't be left for others
	aside    map[string]bool // tests that were set aside
}

// testsKept bounds the tests that are kept with a verdict.
const testsKept = 20

// detailKept bounds what is kept of what was seen, in bytes.
const detailKept = 1000

// Open opens the memory of a package. If that can't be done the run goes on without one.
func (k *Keeper) Open(pkg Package) *Memory {
	m := &Memory{
		keeper: k, pkg: pkg, decls: make(map[string][]byte), keys: make(map[uint32]string),
		given: make(map[uint32]verdicts.Verdict), resumed: make(map[uint32]bool), aside: make(map[string]bool),
	}
	if err := m.open(); err != nil {
		m.fail(err)
	}
	var err error
	m.common, err = m.share()
	m.notShared(err)
	return m
}

func (m *Memory) open() error {
	var err error
	if m.base, err = m.keeper.baseKey(&m.pkg); err != nil {
		return err
	}
	for _, p := range m.pkg.Loaded.Packages {
		m.decls[p.ImportPath] = change.HashDeclarations(m.pkg.Code, p)
	}
	store, err := verdicts.Open(m.dir())
	if err != nil {
		return err
	}
	m.store = store
	m.tellDamage()
	opts := &m.keeper.Options
	n, ok, err := store.Begin(m.program(opts.Part), opts.Resume)
	switch {
	case !opts.Resume || err != nil:
	case ok:
		m.pkg.Note("resuming the last run, which has %s", report.Plural(n, "verdict"))
	default:
		m.pkg.Note("no earlier run of this code with these tests and flags: starting over")
	}
	return err
}

// Whole is the part of a run of "fuzzmut test" that judges all mutants.
const Whole = " "

// program names the runs of the same code with the same tests, for a part of the mutants.
func (m *Memory) program(part string) string {
	opts := &m.keeper.Options
	h := sha256.New()
	h.Write(m.base)
	for _, v := range []string{m.pkg.Code.Hash(), opts.Run, opts.Skip, part} {
		digest.Add(h, v)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// tellDamage warns of verdicts that are lost.
func (m *Memory) tellDamage() {
	path, lines := m.store.Damaged()
	if len(lines) == 0 {
		return
	}
	text := fmt.Sprintf("%s:%d: damaged: the mutant is judged again", path, lines[0])
	if n := len(lines); n > 1 {
		text = fmt.Sprintf("%s:%d: damaged, and so are %s: the mutants are judged again", path, lines[0], report.Plural(n-1, "line")+" below it")
	}
	m.pkg.Warn(text)
}

// fail gives up the store. The first time, it warns.
func (m *Memory) fail(err error) {
	if m.failed {
		return
	}
	m.failed = true
	if m.keeper.tells() {
		m.pkg.Warn(fmt.Sprintf("verdicts can't be kept for the next run: %v; remove %s or make it writable", err, m.dir()))
	}
}

// tells says that it has not been told yet that verdicts can't be kept.
func (k *Keeper) tells() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	first := !k.told
	k.told = true
	return first
}

// Close closes the memory.
func (m *Memory) Close() {
	m.notShared(m.common.close())
	if m.store == nil {
		return
	}
	if err := m.store.Close(); err != nil {
		m.fail(err)
	}
}

// dir is where the verdicts of the package's tests are kept. Trees that hold the same
// package have different ones.
func (m *Memory) dir() string {
	test := &m.pkg.Program.Test
	sum := sha256.Sum256([]byte(test.Dir))
	return filepath.Join(m.keeper.Project.GoCache, "fuzz", "fuzzmut-test", filepath.FromSlash(test.ImportPath), hex.EncodeToString(sum[:6]))
}

// key names all that the verdict on a mutant hangs on.
func (m *Memory) key(mut *instrument.Mutant, reach []string) string {
	h := sha256.New()
	h.Write(m.base)
	h.Write(m.decls[mut.Package])
	if d := m.pkg.Code.Of(mut); d != nil {
		digest.Add(h, string(d.Text))
	}
	digest.Add(h, len(reach))
	for _, name := range reach {
		digest.Add(h, name)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Known gives the verdict of an earlier run on a mutant, or what that has left of it. It is for
// unittest.Options.
func (m *Memory) Known(mut *instrument.Mutant, reach []string) (unittest.Verdict, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	index := uint32(mut.Index)
	key := m.key(mut, reach)
	m.keys[index] = key
	v, ok := m.earlier(mut, key)
	if m.partial {
		// The same tests may have reached it in a run that had no others.
		full, known := m.whole[verdicts.ID{Package: mut.Package, Mutant: mut.ID}]
		if known && full.Status != string(unittest.StatusNotRun) {
			v, ok = full, true
		} else {
			ok = ok && len(reach) > 0
		}
	}
	if !ok || m.byAside(v) {
		delete(m.resumed, index)
		return unittest.Verdict{}, false
	}
	if v.Status == string(unittest.StatusNotRun) {
		delete(m.resumed, index)
		return unittest.Verdict{Mutant: index, Status: unittest.StatusNotRun, Left: v.Left}, true
	}
	m.given[index] = v
	kind, _ := oracle.Parse(v.Kind) // the store knows no others
	return unittest.Verdict{
		Mutant: index, Status: unittest.Status(v.Status), Kind: kind, Test: v.Test, Detail: v.Detail,
		Tests: reach, Reason: v.Reason, Fresh: v.Fresh, Reused: true,
	}, true
}

// earlier is the verdict of an earlier run, or of another process that shares a directory.
func (m *Memory) earlier(mut *instrument.Mutant, key string) (v verdicts.Verdict, ok bool) {
	id := verdicts.ID{Package: mut.Package, Mutant: mut.ID}
	if m.store != nil {
		v, ok = m.store.Resumed(id)
		m.resumed[uint32(mut.Index)] = ok
	}
	if ok || m.keeper.Options.Fresh {
		return v, ok
	}
	if m.store != nil {
		v, ok = m.store.Known(id, key)
	}
	if !ok {
		v, ok = m.common.known(mut)
	}
	return v, ok
}

// byAside reports whether tests that are set aside have a part in a verdict.
func (m *Memory) byAside(v verdicts.Verdict) bool {
	return m.aside[v.Test] || slices.ContainsFunc(v.Tests, func(name string) bool { return m.aside[name] })
}

// SetAside notes tests that are set aside.
func (m *Memory) SetAside(list []unittest.SetAside) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range list {
		m.aside[a.Test] = true
	}
}

// LeaveOut notes that the run leaves out some tests: what reaches a mutant is not known, and so neither is the key of
// a verdict that all tests have given. Verdicts of "fuzzmut test" on the same code count in its place.
func (m *Memory) LeaveOut() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.partial = true
	if m.store != nil && !m.keeper.Options.Fresh {
		m.whole = m.store.Of(m.program(Whole))
	}
}

// Withdraw takes back verdicts. It is for unittest.Options.
func (m *Memory) Withdraw(mutants []uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, index := range mutants {
		delete(m.given, index)
		delete(m.resumed, index)
		delete(m.keys, index)
		mut := &m.pkg.Program.Mutants[index-1]
		m.notShared(m.common.add(mut, verdicts.Verdict{Status: string(unittest.StatusNotCovered)}, true))
		if m.store == nil || m.failed {
			continue
		}
		if err := m.store.Withdraw(verdicts.ID{Package: mut.Package, Mutant: mut.ID}, verdicts.Verdict{Status: string(unittest.StatusNotCovered)}); err != nil {
			m.fail(err)
		}
	}
}

// Keep keeps a verdict of this run. It is for unittest.Options.
func (m *Memory) Keep(v unittest.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	begun := v.Status == unittest.StatusNotRun && len(v.Left) > 0
	if _, ok := m.given[v.Mutant]; ok || v.Status == unittest.StatusSkipped || v.Status == unittest.StatusNotRun && !begun {
		return
	}
	mut := &m.pkg.Program.Mutants[v.Mutant-1]
	if !begun {
		m.notShared(m.common.add(mut, m.kept(v), false))
	}
	if m.store == nil || m.failed {
		return
	}
	key, ok := m.keys[v.Mutant]
	if !ok {
		key = m.key(mut, v.Tests)
	}
	if err := m.store.Add(verdicts.ID{Package: mut.Package, Mutant: mut.ID}, key, m.kept(v)); err != nil {
		m.fail(err)
	}
}

// Verdict returns what is reported of a mutant, and whether it is from an earlier
// run that this one does not go on with, or from the one that it does.
func (m *Memory) Verdict(v unittest.Verdict) (_ verdicts.Verdict, reused, resumed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	given, ok := m.given[v.Mutant]
	if !ok {
		return m.kept(v), false, false
	}
	if m.byAside(given) { // a survivor, with a test that was set aside after it was taken over
		given = m.kept(v)
	}
	resumed = m.resumed[v.Mutant]
	return given, !resumed, resumed
}

// abridge takes what is worth keeping of a verdict.
func abridge(v unittest.Verdict) verdicts.Verdict {
	out := verdicts.Verdict{
		Status: string(v.Status), Kind: v.Kind.String(), Test: v.Test, Detail: v.Detail, Reason: v.Reason, Fresh: v.Fresh,
		Reached: len(v.Tests), Infected: len(v.Infected), Left: v.Left,
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

// kept is abridge with what was seen.
func (m *Memory) kept(v unittest.Verdict) verdicts.Verdict {
	out := abridge(v)
	if v.Seen != nil {
		out.Seen = m.seen(m.pkg.Program, v.Seen)
	}
	return out
}

// seen describes a call that returns something else with a survivor.
func (m *Memory) seen(p *instrument.Program, s *unittest.Seen) *report.Seen {
	site := &p.Sites[s.Site]
	out := &report.Seen{
		Test: s.Test, Call: site.Name, File: report.RelativeFile(p.Test.ModuleDir, site.File), Line: site.Line, Inside: !s.Plain, Weak: string(s.Weak),
	}
	name := site.Name[strings.LastIndexByte(site.Name, '.')+1:]
	closed := standard(s.Field, p.Test.ModulePath) || foreign(s.Field, p.Test.ImportPath) || m.external(site.File)
	if out.Weak == "" && (!ast.IsExported(name) || out.Inside && closed) {
		out.Weak = report.Unexported
	}
	if s.Value == observe.WholeSite {
		out.Inside = false
		return out
	}
	if s.Value < len(site.Values) {
		out.Value = site.Values[s.Value]
	}
	if out.Weak == "" && name == "Error" && out.Value == "result 0 (string)" {
		out.Weak = string(observe.Message)
	}
	out.Text = s.Text
	return out
}

// standard says whether a field, as observe.Difference has it, is one of a type of the standard library: the package
// under test says nothing of it. The import path of the module under test may be as short as those.
func standard(field, module string) bool {
	dir, rest := field[:strings.LastIndexByte(field, '/')+1], field[strings.LastIndexByte(field, '/')+1:]
	path := dir + rest[:max(0, strings.IndexByte(rest, '.'))]
	first, _, _ := strings.Cut(path, "/")
	return path != "" && !strings.Contains(first, ".") && path != module && !strings.HasPrefix(path, module+"/")
}

// foreign says whether a field, as observe.Difference has it, is an unexported one of another package than that under
// test: no test of the package can name it.
func foreign(field, pkg string) bool {
	typ, name := cutLast(strings.TrimSuffix(field, observe.AnyOrder))
	home, _ := cutLast(typ)
	return home != "" && home != pkg && !ast.IsExported(name)
}

// cutLast cuts a name at its last period: the import path before it may have some.
func cutLast(name string) (before, after string) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:]
}

// external says whether a file is one of tests in another package: they can't name unexported fields.
func (m *Memory) external(file string) bool {
	for _, test := range m.pkg.Loaded.Tests {
		for _, f := range test.Files {
			if f.Path == file {
				return strings.HasSuffix(f.Syntax.Name.Name, "_test")
			}
		}
	}
	return false
}

// baseKey hashes what every verdict depends on: fuzzmut itself, the toolchain, the
// flags and the environment, the modules, the tests with their data, and the
// limits.
func (k *Keeper) baseKey(pkg *Package) ([]byte, error) {
	self, err := k.hash()
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	h.Write(self)
	tool := pkg.Loaded.Toolchain
	digest.Add(h, tool.Version)
	digest.Add(h, tool.Flags)
	for _, v := range slices.Sorted(slices.Values(k.Project.Options.Env)) {
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
	change.HashTests(h, pkg.Loaded)
	hashData(h, filepath.Join(pkg.Program.Test.Dir, "testdata"))
	digest.Add(h, k.Options.Short)
	digest.Add(h, strings.Join(k.Options.Args, "\x00"))
	for _, pattern := range []string{k.Options.Run, k.Options.Skip} {
		if strings.Contains(pattern, "/") { // it chooses subtests: the tests are others
			digest.Add(h, pattern)
		}
	}
	digest.Add(h, k.Options.Timeout)
	digest.Add(h, k.Options.MemLimit)
	return h.Sum(nil), nil
}

// hash returns the hash of this program.
func (k *Keeper) hash() (self []byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.self == nil {
		k.self, err = hashSelf()
	}
	return k.self, err
}

// hashSelf hashes this program: the modules that it is made of, if all have a version and a
// checksum, so that go run and go install make the same; or else its file.
func hashSelf() ([]byte, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if text, ok := released(info); ok {
			sum := sha256.Sum256([]byte(text))
			return sum[:], nil
		}
	}
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

// released are the modules of a program; ok is false if one of them may have changed without
// another version.
func released(info *debug.BuildInfo) (text string, ok bool) {
	text = fmt.Sprintf("%s %s\n", info.GoVersion, info.Path)
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version == "" || m.Sum == "" {
			return "", false
		}
		text += fmt.Sprintf("%s %s %s\n", m.Path, m.Version, m.Sum)
	}
	return text, true
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
