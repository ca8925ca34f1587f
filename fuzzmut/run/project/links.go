package project

import (
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// CheckLinks returns an error if what a run writes for the fuzz tests of a package would
// be written to a package that is not the user's, or leave the module by symbolic links,
// that is, be written to wherever somebody who made the module wanted it. A directory that
// -corpus names is the user's choice.
func CheckLinks(p *Project, loaded *load.Result) error {
	if !p.writes || p.Options.DryRun {
		return nil
	}
	for i := range loaded.Test.Fuzz {
		test := &loaded.Test.Fuzz[i]
		if test.Target != "" {
			continue // it has its place in Go's fuzz cache
		}
		if p.Options.CorpusDir == "" || p.Options.WriteKnown {
			if err := CheckOwn(loaded); err != nil {
				return err
			}
		}
		if p.Options.FollowLinks {
			continue
		}
		if err := checkLinksOf(&loaded.Test, test.Name); err != nil {
			return err
		}
	}
	return nil
}

// checkLinksOf is checkLinks for one fuzz test.
func checkLinksOf(pkg *instrument.TestPackage, fuzz string) error {
	for _, dir := range append([]string{corpus.TestdataDir(pkg.Dir, fuzz)}, store.Dirs(pkg.Dir, fuzz)...) {
		to, out := corpus.LeadsOut(pkg.Dir, dir)
		if !out {
			continue
		}
		if pkg.ModuleDir != "" {
			if root, err := filepath.EvalSymlinks(pkg.ModuleDir); err == nil {
				if rel, err := filepath.Rel(root, to); err == nil && filepath.IsLocal(rel) {
					continue // elsewhere in the module
				}
			}
		}
		return exit.Errorf(exit.Usage, "%s leads out of the module through a symbolic link to %s, so nothing is written there: replace the link with a directory, or use -follow-links", dir, to)
	}
	return nil
}

// checkWritable returns an error if what a run writes for the fuzz tests of a package can't be
// written, so that nobody waits for what is not kept then.
func (p *Project) checkWritable(loaded *load.Result) error {
	if !p.writes || p.Options.DryRun || p.Options.CorpusDir != "" {
		return nil
	}
	for i := range loaded.Test.Fuzz {
		test := &loaded.Test.Fuzz[i]
		if test.Target != "" {
			continue // it has its place in Go's fuzz cache
		}
		dirs := []string{corpus.TestdataDir(loaded.Test.Dir, test.Name)}
		if !p.Options.NoGolden {
			dirs = append(dirs, store.Root(loaded.Test.Dir))
		}
		for _, dir := range dirs {
			if err := corpus.CheckDir(dir); err != nil {
				return exit.Errorf(exit.Usage, "%w; -n writes nothing", err)
			}
		}
	}
	return nil
}
