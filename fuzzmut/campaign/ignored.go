package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
)

// warnIgnored warns, once in a run, if git ignores what the fuzz test's corpus is made
// of: a commit of all there is would then have golden values and no entries, say.
func (t *trial) warnIgnored(ctx context.Context) {
	if t.runner.opts.DryRun || t.test.Target != "" || t.corpusDir() != t.testdata() {
		return
	}
	repo, err := git.Find(ctx, t.b.program.Test.Dir, t.runner.opts.Env)
	if err != nil {
		return // without git, or a repository, nothing is ignored
	}
	text := IgnoredByGit(ctx, repo, t.testdata(), t.goldenDir())
	if text != "" {
		t.runner.ignored.Do(func() { t.warning(text) })
	}
}

// IgnoredByGit says that git ignores what fuzzmut writes to one of the directories of a
// fuzz test in a repository, and what to do about it; "" if it does not, or does not say.
func IgnoredByGit(ctx context.Context, repo *git.Repository, entries, golden string) string {
	name := corpus.ManagedName(nil) // as good as any other
	files := []string{filepath.Join(entries, name), filepath.Join(golden, name)}
	i, err := repo.Ignored(ctx, files...)
	if err != nil || i == nil {
		return ""
	}
	what, dir := "entries", filepath.Dir(entries)
	if i.Path == files[1] {
		what, dir = "golden values", filepath.Dir(golden)
	}
	file, lines := i.Remedy(dir)
	for n := range lines {
		lines[n] = fmt.Sprintf("%q", lines[n])
	}
	return fmt.Sprintf("git ignores %s, by the pattern %s, so that %s are not committed: add the line %s at the end of %s",
		dir, i, what, strings.Join(lines, ", then "), file)
}

// files says whether there are entries in files, or golden values.
func (t *trial) files() bool {
	for i := range t.given {
		if t.given[i].Source == corpus.File {
			return true
		}
	}
	files, bad, err := store.Read(t.goldenDir())
	return err == nil && len(files)+len(bad) > 0
}
