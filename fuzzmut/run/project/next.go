package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
)

// next lists the commands that a user is likely to want after a run, three at most: one
// that shows the first failing input that is not known, and one that says what repairs it or
// would stop the growth of the costly inputs. Unless inputs fail that are not known, since the golden values are then of
// code that is wrong: one that verifies the golden values, if there was time to record all, since it fails else, or that
// records those of entries which no run has the time for; and one that adds what was written to git, with the fuzz tests
// that git does not know yet.
func (p *Project) next(ctx context.Context, tests []report.FuzzTest) (commands []string) {
	var paths []string
	repro, broken, costly, golden, late, without, derived := "", false, false, false, false, false, false
	for i := range tests {
		t := &tests[i]
		written := t.Corpus.Added + len(t.Corpus.Removed) + t.Corpus.Golden
		for j := range t.Crashes {
			c := &t.Crashes[j]
			broken = broken || !c.Known
			if repro == "" && !c.Known {
				repro = c.Repro
			}
			if c.Repro != "" && !c.Before {
				written++
			}
		}
		costly = costly || slices.ContainsFunc(t.Costs, func(c report.Cost) bool { return c.Entry != "" })
		golden, late = golden || t.Corpus.Golden > 0, late || t.Late.Golden > 0
		without = without || t.Corpus.WithoutGolden > 0
		if written == 0 {
			continue
		}
		derived = derived || t.Derived && !t.Foreign
		for _, path := range append(p.untracked(ctx, t), toCommit(t.Corpus.Dir)...) {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	if repro != "" {
		commands = append(commands, repro)
	}
	if repro != "" || costly {
		commands = append(commands, p.Command("triage", p.Options.Packages...))
	}
	verify := "corpus verify"
	if without {
		verify += " -update"
	}
	if golden && !late && !broken {
		commands = append(commands, p.Command(verify, p.Options.Packages...))
	}
	if derived { // what was written is in a cache, where nobody commits it
		commands = append(commands, p.Command("-write-test", p.Options.Packages...))
	}
	if len(paths) > 0 && !broken {
		add := []string{"git", "add"}
		if p.forced {
			add = append(add, "-f")
		}
		commands = append(commands, quoted(append(add, paths...)))
	}
	return commands
}

// Ignored notes that git ignores what runs write, and warns of it the first time.
func (p *Project) Ignored(warn func()) {
	p.ignored.Do(func() {
		p.forced = true
		warn()
	})
}

// Command is a command of fuzzmut on packages, as it works where the user is, on the code that is
// mutated here.
func (p *Project) Command(name string, packages ...string) string {
	words := append([]string{"fuzzmut"}, strings.Fields(name)...)
	if wd, err := os.Getwd(); err == nil && wd != p.Options.Dir {
		words = append(words, "-C", p.Options.Dir)
	}
	if len(p.Options.Mutate) > 0 {
		words = append(words, "-mutate", strings.Join(p.Options.Mutate, ","))
	}
	if p.Options.Generated {
		words = append(words, "-generated")
	}
	return quoted(slices.Concat(words, p.Options.BuildFlags, packages))
}

// quoted is a command for the user's shell.
func quoted(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = shell.Quote(w)
	}
	return strings.Join(list, " ")
}

// toCommit lists what a run writes for the fuzz test whose entries are in dir,
// testdata/fuzz/FuzzX, as far as it is there: none if that is no part of a work tree of git.
func toCommit(dir string) (list []string) {
	fuzz := filepath.Dir(dir)
	testdata := filepath.Dir(fuzz)
	if filepath.Base(fuzz) != "fuzz" || filepath.Base(testdata) != "testdata" || !inWorkTree(testdata) {
		return nil
	}
	entries, err := os.ReadDir(testdata)
	if err != nil {
		return nil // nothing was written
	}
	for _, e := range entries {
		if e.Name() == "fuzz" || strings.HasPrefix(e.Name(), "fuzz-") {
			list = append(list, fromHere(filepath.Join(testdata, e.Name())))
		}
	}
	return list
}

// untracked is the file of a fuzz test whose entries lie beside it, if git neither has nor ignores it.
func (p *Project) untracked(ctx context.Context, t *report.FuzzTest) (list []string) {
	dir := filepath.Dir(filepath.Dir(filepath.Dir(t.Corpus.Dir)))
	path := filepath.Join(dir, filepath.Base(t.File))
	if t.File == "" || t.Derived || corpus.TestdataDir(dir, t.Name) != t.Corpus.Dir || !inWorkTree(dir) {
		return nil
	}
	repo, err := git.Find(ctx, dir, p.Options.Env)
	if err != nil {
		return nil
	}
	if others, err := repo.List(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--", path); err == nil && len(others) > 0 {
		list = append(list, fromHere(path))
	}
	return list
}

// inWorkTree reports whether a directory is in a work tree of git.
func inWorkTree(dir string) bool {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

// fromHere is path relative to the current directory, if it lies there.
func fromHere(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}
