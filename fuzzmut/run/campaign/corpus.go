package campaign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// found lists what may be added to the corpus, the cheapest first.
func findings(t *trial.Trial) []found {
	given := make(map[string]bool)
	for _, e := range t.Given {
		given[e.Input.Hash()] = true
	}
	entries := t.Engine.Pool.Entries()
	slices.SortStableFunc(entries, func(a, b pool.Entry) int { return cmp.Compare(a.Cost, b.Cost) })
	var list []found
	for _, en := range entries {
		e := en.Input.Found()
		if !given[e.Input.Hash()] {
			given[e.Input.Hash()] = true
			list = append(list, found{e, en})
		}
	}
	return list
}

// found is an input that the run has found, or that was in Go's fuzz cache.
type found struct {
	corpus.Entry
	engine pool.Entry
}

// unchecked chooses by what was seen while fuzzing, when there is no time left to
// run the inputs again: those that killed a mutant, and those that cover a block
// that none before them does.
func unchecked(t *trial.Trial, candidates []found) []corpus.Entry {
	covered := make(map[int]bool)
	covers := func(e pool.Entry) (more bool) {
		for _, f := range e.Features {
			if b := f.Block(); !covered[b] && t.Focus.Block(b) {
				covered[b], more = true, true
			}
		}
		return more
	}
	for _, e := range t.Engine.Pool.Entries() {
		if e.Given {
			covers(e)
		}
	}
	var kept []corpus.Entry
	for _, c := range candidates {
		if covers(c.engine) || c.engine.Kills > 0 {
			kept = append(kept, c.Entry)
		}
	}
	return kept
}

// finalEntries is the corpus as `fuzzmut score` will read it: seeds, then files
// by name.
func finalEntries(t *trial.Trial, kept []corpus.Entry) []corpus.Entry {
	var seeds, files []corpus.Entry
	for _, e := range t.Given {
		if e.Source == corpus.Seed {
			seeds = append(seeds, e)
		} else {
			files = append(files, e)
		}
	}
	files = append(files, kept...)
	slices.SortStableFunc(files, func(a, b corpus.Entry) int { return strings.Compare(a.Name, b.Name) })
	return append(seeds, files...)
}

// writeCorpus writes the entries that the run adds. It returns those that are in their
// place now, and the base names of the new files. What can't be written goes to Go's
// fuzz cache; the error says whether it is there.
func writeCorpus(t *trial.Trial, kept []corpus.Entry) (written []corpus.Entry, files []string, err error) {
	if t.Project.Options.DryRun {
		return kept, nil, nil
	}
	dir := t.CorpusDir()
	var left []corpus.Entry
	for _, e := range kept {
		created, werr := corpus.WriteFile(dir, e.Name, e.Input.Encode())
		if werr != nil {
			left = append(left, e)
			err = cmp.Or(err, werr)
			continue
		}
		written = append(written, e)
		if created {
			files = append(files, e.Name)
		}
	}
	slices.Sort(files)
	if err != nil {
		err = exit.Errorf(exit.Usage, "%d of %s could not be written, and the score excludes them; the first: %w; %s",
			len(left), report.Plural(len(kept), "new entry"), err, refuge(t, left))
	}
	return written, files, err
}

// refuge keeps entries that can't be written to their place in Go's fuzz cache, and says
// where they are.
func refuge(t *trial.Trial, entries []corpus.Entry) string {
	dir, err := t.CacheDir()
	for _, e := range entries {
		if err == nil {
			err = t.Keep(dir, e.Input)
		}
	}
	if err != nil {
		return fmt.Sprintf("they can't be kept in Go's fuzz cache either, and some are lost: %v", err)
	}
	return fmt.Sprintf("they are kept in %s; fuzzmut corpus merge adds them", dir)
}
