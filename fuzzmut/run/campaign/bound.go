package campaign

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/selection"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// bounded is what a run does so that no more entries of fuzzmut's own than it should are
// left where its entries go.
type bounded struct {
	now   *trial.Replay // what then stands
	kept  int           // entries of fuzzmut's own
	out   []corpus.Entry
	kills leftKills // that are lost with those
}

// leftKills are inputs that are left out, by the mutants that they kill and the corpus does not: the hash of
// the first that does.
type leftKills map[uint32]string

// bound leaves out the entries that are worth least, if the run leaves more than
// CorpusSize: of those that it adds, and, if it may judge that, of those that earlier
// runs have written. A search for some of the code, or another job, does not: its entries
// are those that are needed for what it is about.
func (c *Campaign) bound(ctx context.Context, now *trial.Replay, written []corpus.Entry, removes bool) (b bounded, err error) {
	b.now = now
	most := c.most()
	if most <= 0 {
		return b, nil
	}
	ours := selection.Replaceable(c.Trial)
	fresh := make(map[string]bool)
	for _, e := range written {
		fresh[e.Input.Hash()] = true
	}
	may, staying := make([]bool, len(now.Entries)), 0
	for i, e := range now.Entries {
		earlier := ours[e.Path]
		if may[i] = e.Path == "" && fresh[e.Input.Hash()] || earlier && removes; may[i] || earlier {
			b.kept++
		}
		if earlier && !may[i] {
			staying++
		}
	}
	if b.kept <= most {
		return b, nil
	}
	c.Trial.Phase("choosing the best %d of %s", most, report.Plural(b.kept, "entry"))
	least, err := c.best(ctx, now, func(i int) bool { return may[i] }, most-staying)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || err == nil && least.Partial && !now.Partial {
		return b, nil // there is no time for it: the next run has some
	}
	if err != nil {
		return b, err
	}
	left := make(map[string]bool)
	for _, e := range least.Entries {
		left[e.Input.Hash()+e.Path] = true
	}
	b.now, b.out = least, slices.DeleteFunc(slices.Clone(now.Entries), func(e corpus.Entry) bool { return left[e.Input.Hash()+e.Path] })
	b.kept -= len(b.out)
	b.kills = lostBy(now, least)
	return b, nil
}

// fewer leaves out new entries before they are scored, where the time for that is bounded:
// those that are worth least by what is known, if there are more than CorpusSize. Then there
// is time to run all mutants on what stays. bound may leave out more, when earlier runs have
// left entries.
func (c *Campaign) fewer(ctx context.Context, stay *selection.Fixed, chosen selection.Chosen) []selection.Candidate {
	most, kept := c.most(), chosen.Kept
	if _, bounded := ctx.Deadline(); !bounded || most <= 0 || len(kept) <= most {
		return kept
	}
	best := c.sel.BestOf(stay, selection.Union(kept, chosen.Tried), most, c.know)
	stays := make(map[string]bool)
	for _, k := range best {
		stays[k.Input.Hash()] = true
	}
	for _, k := range kept {
		if !stays[k.Input.Hash()] {
			c.leftOut = append(c.leftOut, k.Entry)
		}
	}
	return best
}

// lost has the kills, as far as they are known, of the entries which were left out before the others were
// scored.
func (c *Campaign) lost(now *trial.Replay) leftKills {
	killed, lost := killedBy(now), make(leftKills)
	for _, e := range c.leftOut {
		hash := e.Input.Hash()
		for _, k := range c.know[hash] {
			if _, kept := killed[k.Mutant]; !kept && lost[k.Mutant] == "" {
				lost[k.Mutant] = hash
			}
		}
	}
	return lost
}

// most is how many entries of fuzzmut's own the run may leave; 0: any number.
func (c *Campaign) most() int {
	if c.opts.Job != "" || c.Trial.Focus != nil {
		return 0
	}
	return max(c.Trial.Project.Options.CorpusSize, 0)
}

// best leaves out entries until n of those that may go are left.
func (c *Campaign) best(ctx context.Context, now *trial.Replay, may func(i int) bool, n int) (*trial.Replay, error) {
	if c.opts.Thorough {
		return c.sel.Best(ctx, now, may, n)
	}
	return c.sel.BestKnown(ctx, now, may, n, c.know)
}

// lostBy has the kills of a corpus that a smaller one does not have.
func lostBy(all, least *trial.Replay) leftKills {
	lost := killedBy(all)
	for m := range killedBy(least) {
		delete(lost, m)
	}
	return lost
}

// killedBy has the first input that kills a mutant, for those that a corpus kills; "" for one that ends the
// process before the first.
func killedBy(r *trial.Replay) leftKills {
	by := make(leftKills)
	for _, k := range r.Kills() {
		if _, have := by[k.Mutant]; have {
			continue
		}
		by[k.Mutant] = ""
		if k.Input != evaluate.NoInput {
			by[k.Mutant] = r.Entries[k.Input].Input.Hash()
		}
	}
	return by
}

// note enters, into the mutants that live, which input that is left out kills them.
func (l leftKills) note(ms []report.Mutant, program *instrument.Program) {
	for i := range ms {
		if s := ms[i].Status; s == report.Survived || s == report.NotCovered {
			ms[i].KilledByLeftOut = l[uint32(program.Mutants[i].Index)]
		}
	}
}

// putAside moves entries from where the run's entries go to Go's fuzz cache. It returns
// the names of the files that the run has added and removed then.
func putAside(t *trial.Trial, entries []corpus.Entry, files, removed []string) (added, gone []string, err error) {
	if t.Project.Options.DryRun || len(entries) == 0 {
		return files, removed, nil
	}
	list := slices.Clone(entries)
	for i := range list {
		if list[i].Path == "" { // the run has just written it
			list[i].Path = filepath.Join(t.CorpusDir(), list[i].Name)
		}
	}
	names, err := selection.Remove(t, list)
	aside := make(map[string]bool)
	for _, name := range names {
		aside[name] = true
		if !slices.Contains(files, name) {
			removed = append(removed, name)
		}
	}
	slices.Sort(removed)
	return slices.DeleteFunc(files, func(name string) bool { return aside[name] }), removed, err
}
