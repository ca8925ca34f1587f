// Package covered runs corpora with go test, on the code without mutants: for coverage
// profiles, whose blocks and counts are then those of go test -coverprofile, and for the values
// that inputs stand for.
package covered

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Corpora are the corpora of the fuzz tests of one run. The zero value has none.
type Corpora struct {
	packages []*tested
}

// tested is a package under test with its fuzz tests.
type tested struct {
	loaded *load.Result
	fuzz   map[string]entries // by the name of the fuzz test
}

// entries are those of one fuzz test.
type entries struct {
	files []corpus.Entry
	seeds int      // of f.Add that pass
	skip  []string // names of those that fail
}

// Add adds the corpus of a fuzz test, or replaces it. failing says of the entry with an index
// that the fuzz test does not pass on it: it is left out.
func (c *Corpora) Add(loaded *load.Result, fuzz string, list []corpus.Entry, failing func(int) bool) {
	i := slices.IndexFunc(c.packages, func(p *tested) bool { return p.loaded.Test.ImportPath == loaded.Test.ImportPath })
	if i < 0 {
		i = len(c.packages)
		c.packages = append(c.packages, &tested{fuzz: make(map[string]entries)})
	}
	var of entries
	for n, e := range list {
		switch fails := failing(n); {
		case e.Source == corpus.Seed && fails:
			of.skip = append(of.skip, e.Name)
		case e.Source == corpus.Seed:
			of.seeds++
		case !fails:
			of.files = append(of.files, e)
		}
	}
	c.packages[i].loaded = loaded
	c.packages[i].fuzz[fuzz] = of
}

// Options say what a profile is of.
type Options struct {
	WorkDir string // for what may be removed later
	// Mutated has the profile tell of the packages that are mutated, and not of the package
	// under test alone.
	Mutated bool
}

// A Profile is what corpora cover, by file.
type Profile []*cover.Profile

// Profile has go test make the profile of the corpora, in mode set. A block counts as covered if
// one of the fuzz tests covers it. The warnings say what is wrong with a profile that was made.
func (c *Corpora) Profile(ctx context.Context, o Options) (made Profile, warnings []string, err error) {
	var parts []io.Reader
	for i, p := range c.packages {
		text, warning, err := p.profile(ctx, o, filepath.Join(o.WorkDir, "covered", strconv.Itoa(i)))
		if err != nil {
			return nil, nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
		_, blocks, _ := strings.Cut(text, "\n")
		parts = append(parts, strings.NewReader(blocks))
	}
	// The mode tells how blocks that several packages cover are joined.
	made, err = Read(io.MultiReader(slices.Insert(parts, 0, io.Reader(strings.NewReader("mode: set\n")))...))
	return made, warnings, err
}

// Read reads a profile that the go command has written.
func Read(r io.Reader) (Profile, error) {
	list, err := cover.ParseProfilesFromReader(r)
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "the profile of the go command: %w", err)
	}
	return list, nil
}

// Save writes the profile to a file, in the format of the go command.
func (p Profile) Save(path string) error {
	if err := report.Save(path, p.write); err != nil {
		return exit.Errorf(exit.Usage, "-coverprofile: %w", err)
	}
	return nil
}

func (p Profile) write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "mode: set")
	for _, file := range p {
		for _, b := range file.Blocks {
			fmt.Fprintf(out, "%s:%d.%d,%d.%d %d %d\n", file.FileName, b.StartLine, b.StartCol, b.EndLine, b.EndCol, b.NumStmt, min(b.Count, 1))
		}
	}
	return out.Flush()
}

// Report returns the profile as results have it.
func (p Profile) Report() report.Profile {
	all := make(report.Profile, len(p))
	for _, file := range p {
		for _, b := range file.Blocks {
			all[file.FileName] = append(all[file.FileName], report.ProfileBlock{
				StartLine: b.StartLine, StartColumn: b.StartCol, EndLine: b.EndLine, EndColumn: b.EndCol, Statements: b.NumStmt, Covered: b.Count > 0,
			})
		}
	}
	return all
}

// profile has the go command make the profile of one package. What it says of failing tests is
// a warning.
func (p *tested) profile(ctx context.Context, o Options, dir string) (text, warning string, err error) {
	seeds, made := filepath.Join(dir, "seeds"), filepath.Join(dir, "profile")
	if err := p.lay(seeds); err != nil {
		return "", "", exit.Errorf(exit.Usage, "the entries for go test: %w", err)
	}
	flags, err := p.flags(o, dir, seeds, made)
	if err != nil {
		return "", "", err
	}
	out, failed := goTest(ctx, p.loaded.Toolchain, flags, p.loaded.Test.ImportPath)
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	data, err := os.ReadFile(made)
	if err != nil {
		return "", "", exit.Errorf(exit.Usage, "go test makes no profile of %s: %s", p.loaded.Test.ImportPath, out.firstLine(failed))
	}
	if less := p.less(out); less != "" {
		return "", "", exit.Errorf(exit.Usage, "go test runs %s: %s", less, out.firstLine(failed))
	}
	if failed != nil {
		warning = fmt.Sprintf("the coverage profile is that of a run in which %s failed: %s", p.loaded.Test.ImportPath, out.firstLine(failed))
	}
	return string(data), warning, nil
}

// lay writes the entries as package testing reads them: in a directory for each fuzz test.
func (p *tested) lay(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, of := range p.fuzz {
		taken := make(map[string]bool)
		for _, e := range of.files {
			file := e.Name
			if taken[file] {
				file = e.Input.Hash() // two directories have entries of that name
			}
			taken[file] = true
			if _, err := corpus.WriteFile(filepath.Join(dir, name), file, e.Input.Encode()); err != nil {
				return err
			}
		}
	}
	return nil
}

// flags are those of go test that make a profile, without the package.
func (p *tested) flags(o Options, dir, seeds, made string) ([]string, error) {
	flags, err := p.plainFlags(dir, seeds)
	mode := "set"
	if p.loaded.Toolchain.Race() {
		mode = "atomic" // the only one that the race detector takes
	}
	flags = append(flags, "-covermode="+mode, "-coverprofile="+made)
	if o.Mutated {
		flags = append(flags, "-coverpkg="+strings.Join(p.loaded.Mutate, ","))
	}
	return flags, err
}

// plainFlags are those of go test that run the entries in a directory, without the package.
func (p *tested) plainFlags(dir, seeds string) ([]string, error) {
	tool := p.loaded.Toolchain
	flags := append([]string{"-json", "-vet=off", "-count=1"}, tool.Flags...)
	// Package testing reads the entries from there, and not from the user's testdata.
	flags = append(flags, tool.LinkerFlags("-X=testing.corpusDir="+seeds)...)
	flags = append(flags, "-run="+p.pattern())
	if skip := p.skipped(); skip != "" {
		flags = append(flags, "-skip="+skip)
	}
	l := p.loaded
	if len(l.DerivedFiles)+len(l.Replaced)+len(l.Blanked)+len(l.Library) == 0 {
		return flags, nil
	}
	overlay, err := gotool.OverlayFlag(dir, l.Replaced, l.Blanked, l.DerivedFiles, l.Library)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the files of the build: %w", err)
	}
	return append(flags, overlay), nil
}

// pattern matches the fuzz tests.
func (p *tested) pattern() string {
	return gotool.Exactly(slices.Sorted(maps.Keys(p.fuzz)))
}

// skipped matches the seeds that fail; "" if none does.
func (p *tested) skipped() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.fuzz)) {
		if skip := p.fuzz[name].skip; len(skip) > 0 {
			list = append(list, "^"+name+"$/"+gotool.Exactly(skip))
		}
	}
	return strings.Join(list, "|")
}

// less names a fuzz test with fewer entries run by go test than it has: the profile
// would be that of a smaller corpus. It is "" if all were run.
func (p *tested) less(out *output) string {
	for _, name := range slices.Sorted(maps.Keys(p.fuzz)) {
		if ran, all := out.ran[name], p.fuzz[name].seeds+len(p.fuzz[name].files); ran < all {
			return fmt.Sprintf("%d of %s of %s.%s", ran, report.Plural(all, "entry"), p.loaded.Test.ImportPath, name)
		}
	}
	return ""
}
