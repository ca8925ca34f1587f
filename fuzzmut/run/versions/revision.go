package versions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// workTree is what people know the files on disk by.
const workTree = "the work tree"

// revision is a tree of git.
type revision struct {
	name string // for people
	hash string // of a commit or tree; "" for the work tree
}

// revisions answers a question for revisions.
func (f *finder) revisions(ctx context.Context) (*Pair, error) {
	repo, err := git.Find(ctx, f.Dir, f.Env)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		return nil, exit.Errorf(exit.Usage, "%s: %s is not in a git work tree; compare with another directory: -old DIR", f.Revision, f.Dir)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Revision, err)
	}
	from, to, err := resolve(ctx, repo, f.Revision)
	if err != nil {
		return nil, err
	}
	t := &checkedOut{finder: f, repo: repo, from: from, to: to, base: repo.Root}
	if err := t.findBase(); err != nil {
		return nil, err
	}
	return t.compare(ctx)
}

// resolve finds the two trees that a revision means.
func resolve(ctx context.Context, r *git.Repository, text string) (from, to revision, err error) {
	a, b, two := strings.Cut(text, "..")
	b, atBase := strings.CutPrefix(b, ".")
	switch {
	case two && !atBase && b == "":
		return from, to, exit.Errorf(exit.Usage, "%s: which revision is it compared with? write %s for the work tree, or %s..HEAD", text, a, a)
	case two && a == "":
		return from, to, exit.Errorf(exit.Usage, "%s: the old revision is missing: write HEAD%s", text, text)
	}
	to = revision{name: workTree}
	if b != "" {
		if to, err = lookUp(ctx, r, b); err != nil {
			return from, to, err
		}
	}
	if from, err = lookUp(ctx, r, a); err != nil || !atBase {
		return from, to, err
	}
	hash, err := r.Line(ctx, "merge-base", "--end-of-options", from.hash, cmp.Or(to.hash, "HEAD"))
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended):
		return from, to, exit.Errorf(exit.Usage, "%s: %s and %s have no common ancestor; if this clone is shallow, run git fetch --unshallow", text, a, cmp.Or(b, "HEAD"))
	case err != nil:
		return from, to, err
	}
	short, err := r.Line(ctx, "rev-parse", "--short", hash)
	from = revision{name: fmt.Sprintf("the merge base with %s (%s)", a, short), hash: hash}
	return from, to, err
}

// lookUp finds a commit, or a tree.
func lookUp(ctx context.Context, r *git.Repository, name string) (revision, error) {
	hash, err := r.Line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		hash, err = r.Line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{tree}")
	}
	switch {
	case errors.As(err, &ended):
		return revision{}, exit.Errorf(exit.Usage, "there is no revision %q: git branch -a and git tag list those that have names; git fetch gets those of others", name)
	case err != nil:
		return revision{}, err
	}
	short, err := r.Line(ctx, "rev-parse", "--short", hash)
	if !strings.HasPrefix(hash, name) {
		short = name + " (" + short + ")"
	}
	return revision{name: short, hash: hash}, err
}

// checkedOut is a repository with the new tree on disk.
type checkedOut struct {
	*finder
	repo     *git.Repository
	from, to revision
	base     string // of the new tree
	modules  *modules
}

// findBase finds the root of the work tree as the user writes it: git follows symbolic
// links, and the go command does not.
func (t *checkedOut) findBase() error {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(t.repo.Root, dir)
	if err != nil {
		return err
	}
	if at, ok := strings.CutSuffix(t.Dir, rel); ok || rel == "." {
		if rel == "." {
			at = t.Dir
		}
		if same(at, t.repo.Root) {
			t.base = filepath.Clean(at)
			return nil
		}
	}
	t.Dir = dir
	return nil
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// compare finds out what differs, and how the old side is built.
func (t *checkedOut) compare(ctx context.Context) (*Pair, error) {
	pair := &Pair{
		Old: Side{Name: t.from.name, Dir: t.Dir, BuildFlags: t.tool.Flags, Env: t.Env},
		New: Side{Name: t.to.name, Dir: t.Dir, BuildFlags: t.tool.Flags, Env: t.Env},
	}
	changed, err := t.repo.Changed(ctx, t.from.hash, t.to.hash)
	if err != nil {
		return nil, err
	}
	entries, err := t.read(ctx, changed)
	if err != nil {
		return nil, err
	}
	t.findModules(entries)
	c := &composer{modules: t.modules, main: t.mainDir(), pair: pair}
	c.compose(entries)
	return pair, t.oldModules(pair, entries)
}

// read reads the files that differ and that a build may read.
func (t *checkedOut) read(ctx context.Context, changed []git.Changed) ([]entry, error) {
	var entries []entry
	var hashes []string
	var which []int
	for _, c := range changed {
		e := entry{oldName: wanted(c.Old), newName: wanted(c.New)}
		if e.name() == "" {
			continue
		}
		if e.newName != "" {
			text, err := os.ReadFile(filepath.Join(t.base, filepath.FromSlash(e.newName)))
			if err != nil {
				return nil, exit.Errorf(exit.Usage, "%w", err)
			}
			e.new = text
		}
		if e.oldName != "" {
			hashes, which = append(hashes, c.Old.Hash), append(which, len(entries))
		}
		entries = append(entries, e)
	}
	texts, err := t.repo.Contents(ctx, hashes)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		entries[which[i]].old = text
	}
	return entries, nil
}

// wanted returns the name of a file if a build may read it.
func wanted(b git.Blob) string {
	if b.Mode == git.ModeLink || b.Mode == git.ModeSubmodule || !builds(b.Path) {
		return ""
	}
	switch path.Base(b.Path) {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return b.Path
	}
	if isSource(b.Path) {
		return b.Path
	}
	return ""
}

// findModules finds the modules that are built from the tree, on both sides.
func (t *checkedOut) findModules(entries []entry) {
	t.modules = newModules(t.base)
	if t.tool.Mod != "" {
		t.modules.add(filepath.Dir(t.tool.Mod))
	}
	if t.tool.Work != "" {
		if text, err := os.ReadFile(t.tool.Work); err == nil {
			t.modules.addWork(filepath.Dir(t.tool.Work), text)
		}
	}
	for _, e := range entries {
		at := filepath.Join(t.base, filepath.FromSlash(e.oldName))
		switch at {
		case t.tool.Mod:
			t.modules.addReplaced(filepath.Dir(at), e.old)
		case t.tool.Work:
			t.modules.addWork(filepath.Dir(at), e.old)
		}
	}
}

// mainDir is the directory of the main module, or that of the workspace.
func (t *checkedOut) mainDir() string {
	rel, err := filepath.Rel(t.base, filepath.Dir(cmp.Or(t.tool.Mod, t.tool.Work)))
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}
