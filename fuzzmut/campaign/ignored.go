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
func (s *session) warnIgnored(ctx context.Context) {
	if s.opts.DryRun || s.test.Target != "" || s.corpusDir(s.b, &s.test) != s.testdata() {
		return
	}
	repo, err := git.Find(ctx, s.b.program.Test.Dir, s.opts.Env)
	if err != nil {
		return // without git, or a repository, nothing is ignored
	}
	text := IgnoredByGit(ctx, repo, s.testdata(), s.goldenDir())
	if text != "" {
		s.ignored.Do(func() { s.warning(text) })
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
func (s *session) files() bool {
	for i := range s.given {
		if s.given[i].Source == corpus.File {
			return true
		}
	}
	files, bad, err := store.Read(s.goldenDir())
	return err == nil && len(files)+len(bad) > 0
}
