package regen

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/digest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// generation is what is kept of the last regeneration of a fuzz test's corpus. It
// lies in Go's cache directory: without it all counts as changed.
type generation struct {
	Format string `json:"format"`
	// Test is a hash of the file that the fuzz test is in: another one may kill
	// other mutants of code that is as it was. "" matches none.
	Test string `json:"test"`
	// Declarations are hashes of the functions and variables that were searched,
	// in order.
	Declarations []string `json:"declarations"`
	// Killed are the mutants that the corpus killed then, in order.
	Killed []string `json:"killed"`

	searched map[string]bool // Declarations
}

// generationFormat is the value of generation.Format.
const generationFormat = "fuzzmut generation 1"

// generationPath is the file for a fuzz test. Trees that hold the same package have
// different ones, and so have runs with other mutants.
func generationPath(p *project.Project, pkg *project.Package, fuzz string) string {
	h := sha256.New()
	digest.Add(h, pkg.Loaded.Test.Dir)
	digest.Add(h, p.Options.Operators)
	digest.Add(h, pkg.Loaded.Mutate)
	digest.Add(h, p.Options.Generated)
	digest.Add(h, p.Options.BuildFlags)
	digest.Add(h, p.Options.CorpusDir)
	return filepath.Join(p.GoCache, "fuzz", "fuzzmut-regen", filepath.FromSlash(pkg.Loaded.Test.ImportPath),
		hex.EncodeToString(h.Sum(nil)[:6]), fuzz+".json")
}

// maxGeneration bounds what is read of a generation, in bytes.
const maxGeneration = 64 << 20

// readGeneration reads what is kept. What can't be read is nothing.
func readGeneration(path string) *generation {
	g := new(generation)
	data, err := regular.Read(path, maxGeneration)
	if err != nil || json.Unmarshal(data, g) != nil || g.Format != generationFormat {
		g = &generation{Format: generationFormat}
	}
	g.searched = make(map[string]bool)
	for _, d := range g.Declarations {
		g.searched[d] = true
	}
	return g
}

// write keeps the generation at path.
func (g *generation) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return report.Save(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(g) })
}

// next is the generation after a run that has searched the declarations for which
// searched holds. What g has searched of the others stays so.
func (g *generation) next(code *change.Sources, test string, searched func(path string, d *change.Declaration) bool, killed []string) *generation {
	n := &generation{Format: generationFormat, Test: test, Killed: killed}
	code.Any(func(path string, d *change.Declaration) bool {
		key := declarationKey(path, d)
		if searched(path, d) || g.Test == test && g.searched[key] {
			n.Declarations = append(n.Declarations, key)
		}
		return false
	})
	slices.Sort(n.Declarations)
	return n
}

// declarationKey is a hash of a declaration's text and its file's name.
func declarationKey(path string, d *change.Declaration) string {
	h := sha256.New()
	digest.Add(h, filepath.Base(path))
	digest.Add(h, string(d.Text))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// hashFile is a hash of a file's content, "" if it can't be read.
func hashFile(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:12])
}
