// Package generation is what is kept of the last search of a fuzz test's corpus: which
// functions it was for, and which mutants the corpus killed then. The next regeneration
// tells by it what has changed.
package generation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Generation is what is kept of the last search for a fuzz test's corpus, by a run or a
// regeneration. It is in Go's cache directory: without it all counts as changed.
type Generation struct {
	Format string `json:"format"`
	// Test is a hash of the file that the fuzz test is in: another one may kill
	// other mutants of code that is as it was. "" matches none.
	Test string `json:"test"`
	// Declarations are hashes of the functions and variables that were searched,
	// in order, by the directory of their package. Packages that were not mutated the
	// last time are there as they were.
	Declarations map[string][]string `json:"declarations"`
	// Killed are the mutants that the corpus killed then, in order.
	Killed []string `json:"killed"`
	// By names the entry that was the first to kill one of these, in the last run. It is a
	// hint: the next run looks there first.
	By map[string]string `json:"by,omitempty"`
	// Left are the mutants that act before the first input, and that the last run has not judged,
	// since there was too little time or fuel. The next run begins with them.
	Left []string `json:"left,omitempty"`
	// Started is what became of those that were judged; nil: nothing is known.
	Started *Started `json:"started,omitempty"`
}

// format is the value of Generation.Format.
const format = "fuzzmut generation 2"

// maxFile bounds what is read of a generation, in bytes.
const maxFile = 64 << 20

// Read reads what is kept at path. What can't be read is nothing.
func Read(path string) *Generation {
	g := new(Generation)
	data, err := regular.Read(path, maxFile)
	if err != nil || json.Unmarshal(data, g) != nil || g.Format != format {
		return &Generation{Format: format}
	}
	return g
}

// write keeps the generation at path.
func (g *Generation) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return report.Save(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(g) })
}

// key is a hash of a declaration's text and its file's name.
func key(path string, d *change.Declaration) string {
	h := sha256.New()
	digest.Add(h, filepath.Base(path))
	digest.Add(h, string(d.Text))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Scope is the code that a fuzz test is searched for, and what is known of that from
// before.
type Scope struct {
	Code *change.Sources
	Test string // as Generation.Test, of now
	Path string // where generations are kept
	Last *Generation

	binary func() string // a hash of the test binary; nil: none is known

	searched map[string]map[string]bool // Last.Declarations
}

// NewScope finds out what is known of a fuzz test, whose package's code is given.
func NewScope(p *project.Project, pkg *project.Package, code *change.Sources, test instrument.FuzzTest) *Scope {
	path := fileOf(p, pkg, test.Name)
	s := newScope(code, hashFile(test.File), path)
	s.binary = sync.OnceValue(func() string { return hashBinary(pkg.Binary) })
	return s
}

func newScope(code *change.Sources, test, path string) *Scope {
	s := &Scope{Code: code, Test: test, Path: path, Last: Read(path), searched: make(map[string]map[string]bool)}
	for dir, list := range s.Last.Declarations {
		s.searched[dir] = make(map[string]bool)
		for _, d := range list {
			s.searched[dir][d] = true
		}
	}
	return s
}

// fileOf is the file for a fuzz test. Trees that hold the same package have different ones,
// and so have runs with other mutants.
func fileOf(p *project.Project, pkg *project.Package, fuzz string) string {
	h := sha256.New()
	digest.Add(h, pkg.Loaded.Test.Dir)
	digest.Add(h, p.Options.Operators)
	digest.Add(h, strings.Join(p.Options.Arid, ","))
	digest.Add(h, p.Options.Generated)
	digest.Add(h, p.Options.BuildFlags)
	digest.Add(h, p.Options.CorpusDir)
	if p.Options.Oracles.Cost {
		digest.Add(h, "cost")
	}
	return filepath.Join(p.GoCache, "fuzz", "fuzzmut-regen", filepath.FromSlash(pkg.Loaded.Test.ImportPath),
		hex.EncodeToString(h.Sum(nil)[:6]), fuzz+".json")
}

// hashFile is a hash of a file's content, "" if it can't be read.
func hashFile(file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}

// Searched reports whether a declaration was searched as it is, for the fuzz test as it is.
func (s *Scope) Searched(path string, d *change.Declaration) bool {
	return s.SameTest() && s.searched[filepath.Dir(path)][key(path, d)]
}

// Known says whether anything is known of a run before.
func (s *Scope) Known() bool { return s.Last.Test != "" }

// SameTest says whether the file of the fuzz test is as it was then.
func (s *Scope) SameTest() bool { return s.Test != "" && s.Last.Test == s.Test }

// Killers says, for the mutants of a program by number, which entry was the first to kill them
// in the last run of the fuzz test as it is. Where the code has changed since, it may be
// another, or none.
func (s *Scope) Killers(p *instrument.Program) map[uint32]string {
	if !s.SameTest() {
		return nil
	}
	by := make(map[uint32]string)
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if name := s.Last.By[m.Package+" "+m.ID]; name != "" {
			by[uint32(m.Index)] = name
		}
	}
	return by
}

// Left says, by number, which mutants of a program the last run of the fuzz test as it is has left.
func (s *Scope) Left(p *instrument.Program) map[uint32]bool {
	if s.Test == "" || s.Last.Test != s.Test {
		return nil
	}
	names, left := make(map[string]bool), make(map[uint32]bool)
	for _, name := range s.Last.Left {
		names[name] = true
	}
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if names[m.Package+" "+m.ID] {
			left[uint32(m.Index)] = true
		}
	}
	return left
}

// Keep keeps what is known after a search for the declarations for which searched holds.
// What was searched before of the others stays so. A search that was interrupted, or whose
// corpus was not run with all mutants, says nothing.
func (s *Scope) Keep(res *report.FuzzTest, searched func(path string, d *change.Declaration) bool) error {
	if res == nil || res.Interrupted || res.NotMeasured != "" {
		return nil
	}
	return s.next(searched, res.Mutants).write(s.Path)
}

// next is the generation after a search.
func (s *Scope) next(searched func(path string, d *change.Declaration) bool, ms []report.Mutant) *Generation {
	n := &Generation{Format: format, Test: s.Test, Declarations: make(map[string][]string), Killed: killedNames(ms), By: make(map[string]string), Started: s.started(ms)}
	for i := range ms {
		if ms[i].Status == report.Killed && ms[i].KilledBy != "" {
			n.By[mutantName(&ms[i])] = ms[i].KilledBy
		}
		if ms[i].Start.Infected && (ms[i].Reason == evaluate.NoBudget || ms[i].Reason == evaluate.NoTime) {
			n.Left = append(n.Left, mutantName(&ms[i]))
		}
	}
	here := make(map[string]bool)
	s.Code.Any(func(path string, d *change.Declaration) bool {
		dir := filepath.Dir(path)
		here[dir] = true
		if searched(path, d) || s.Searched(path, d) {
			n.Declarations[dir] = append(n.Declarations[dir], key(path, d))
		}
		return false
	})
	if s.Last.Test == s.Test {
		for dir, list := range s.Last.Declarations {
			if !here[dir] {
				n.Declarations[dir] = list
			}
		}
		n.Killed = append(n.Killed, killedElsewhere(s.Last.Killed, ms)...)
	}
	for _, list := range n.Declarations {
		slices.Sort(list)
	}
	slices.Sort(n.Killed)
	return n
}

// killedElsewhere returns those names that are of no package of the mutants.
func killedElsewhere(names []string, ms []report.Mutant) []string {
	here := make(map[string]bool)
	for i := range ms {
		here[ms[i].Package] = true
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		pkg, _, _ := strings.Cut(name, " ")
		return here[pkg]
	})
}

// killedNames names the mutants that are killed.
func killedNames(ms []report.Mutant) []string {
	var list []string
	for i := range ms {
		if ms[i].Status == report.Killed {
			list = append(list, mutantName(&ms[i]))
		}
	}
	return list
}

func mutantName(m *report.Mutant) string { return m.Package + " " + m.ID }

// Lost lists the mutants that the corpus killed then, that still exist, and live now.
func (g *Generation) Lost(now []report.Mutant) []string {
	was := make(map[string]bool)
	for _, name := range g.Killed {
		was[name] = true
	}
	var list []string
	for i := range now {
		m := &now[i]
		if (m.Status == report.Survived || m.Status == report.NotCovered) && was[mutantName(m)] {
			list = append(list, m.ID)
		}
	}
	slices.Sort(list)
	return list
}
