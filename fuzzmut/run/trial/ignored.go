package trial

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
)

// WarnIgnored warns, once in a run, if git ignores what the fuzz test's corpus is made
// of: a commit of all there is would then have golden values and no entries, say.
func WarnIgnored(ctx context.Context, t *Trial) {
	if t.Project.Options.DryRun || t.Test.Target != "" || t.CorpusDir() != t.Testdata() {
		return
	}
	repo, err := git.Find(ctx, t.Package.Program.Test.Dir, t.Project.Options.Env)
	if err != nil {
		return // without git, or a repository, nothing is ignored
	}
	text := IgnoredByGit(ctx, repo, t.Testdata(), t.GoldenFile())
	if text != "" {
		t.Project.Ignored(func() { t.Warn(text) })
	}
}

// IgnoredByGit says that git ignores what fuzzmut writes for a fuzz test in a repository, to
// its directory of entries or its golden file, and what to do about it; "" if it does not, or does not say.
func IgnoredByGit(ctx context.Context, repo *git.Repository, entries, golden string) string {
	files := []string{filepath.Join(entries, corpus.ManagedName(nil)), golden} // that name is as good as any other
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
	return fmt.Sprintf("git ignores %s (pattern %s), so new %s are not committed: add the line %s at the end of %s",
		dir, i, what, strings.Join(lines, ", then "), file)
}

// HasFiles says whether there are entries in files, or golden values.
func HasFiles(t *Trial) bool {
	for i := range t.Given {
		if t.Given[i].Source == corpus.File {
			return true
		}
	}
	values, err := store.Read(t.GoldenFile())
	return err == nil && !values.None()
}
