package versions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
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
	c := &checkedOut{tree: tree{finder: f, base: repo.Root}, repo: repo, from: from, to: to}
	if err := c.findBase(); err != nil {
		return nil, err
	}
	if err := c.checkOut(ctx); err != nil {
		return nil, err
	}
	return c.compare(ctx)
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
	tree
	repo     *git.Repository
	from, to revision
}

// findBase finds the root of the work tree as the user writes it: git follows symbolic
// links, and the go command does not.
func (c *checkedOut) findBase() error {
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(c.repo.Root, dir)
	if err != nil {
		return err
	}
	if at, ok := strings.CutSuffix(c.Dir, rel); ok || rel == "." {
		if rel == "." {
			at = c.Dir
		}
		if same(at, c.repo.Root) {
			c.base = filepath.Clean(at)
			return nil
		}
	}
	c.Dir = dir
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

// compare finds out what differs.
func (c *checkedOut) compare(ctx context.Context) (*Pair, error) {
	changed, err := c.repo.Changed(ctx, c.from.hash, c.to.hash)
	if err != nil {
		return nil, err
	}
	entries, err := c.read(ctx, changed, mayBuild)
	if err != nil {
		return nil, err
	}
	embedded := newEmbedded(c.base)
	for _, e := range entries {
		embedded.add(e.oldName, e.old)
	}
	others, err := c.read(ctx, changed, func(name string) bool { return !mayBuild(name) && embedded.has(name) })
	if err != nil {
		return nil, err
	}
	pair, err := c.pair(append(entries, others...), c.from.name, c.to.name)
	if err == nil {
		pair.Other = append(pair.Other, special(changed)...)
		err = c.addRaised(ctx, pair)
	}
	return pair, err
}

// special names changes that are not followed: submodules, and symbolic links to Go files.
func special(changed []git.Changed) (names []string) {
	for _, d := range changed {
		b := d.New
		if b.Path == "" {
			b = d.Old
		}
		switch {
		case d.Old.Mode == git.ModeSubmodule || d.New.Mode == git.ModeSubmodule:
			names = append(names, b.Path+" (submodule: as it is on disk)")
		case (d.Old.Mode == git.ModeLink || d.New.Mode == git.ModeLink) && mayBuild(b.Path):
			names = append(names, b.Path+" (symbolic link: as it is on disk)")
		}
	}
	return names
}

// read reads those files that differ whose names are wanted.
func (c *checkedOut) read(ctx context.Context, changed []git.Changed, wanted func(name string) bool) ([]entry, error) {
	var entries []entry
	var hashes []string
	var which []int
	for _, d := range changed {
		if d.Old.Mode == git.ModeLink || d.Old.Mode == git.ModeSubmodule || d.New.Mode == git.ModeLink || d.New.Mode == git.ModeSubmodule {
			continue
		}
		var e entry
		if name := d.New.Path; name != "" && wanted(name) {
			text, err := os.ReadFile(filepath.Join(c.base, filepath.FromSlash(name)))
			switch {
			case err == nil:
				e.newName, e.new = name, text
			case !errors.Is(err, fs.ErrNotExist): // a link to nothing is none for the go command either
				return nil, exit.Errorf(exit.Usage, "%w", err)
			}
		}
		if name := d.Old.Path; name != "" && wanted(name) {
			e.oldName = name
			hashes, which = append(hashes, d.Old.Hash), append(which, len(entries))
		}
		if e.name() != "" {
			entries = append(entries, e)
		}
	}
	texts, err := c.repo.Contents(ctx, hashes)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		entries[which[i]].old = text
	}
	return entries, nil
}
