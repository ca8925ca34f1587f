package versions

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// checkOut puts the new tree on disk, below the directory for temporary files, unless it
// is in the work tree.
func (c *checkedOut) checkOut(ctx context.Context) error {
	c.outside = c.base
	if c.to.hash == "" {
		return nil
	}
	if clean, err := c.isClean(ctx); err != nil || clean {
		return err
	}
	rel, err := filepath.Rel(c.base, c.Dir)
	if err != nil {
		return err
	}
	c.base = filepath.Join(c.WorkDir, "tree")
	if err := c.files(ctx); err != nil {
		return exit.Errorf(exit.Usage, "%s can't be checked out: %w", c.to.name, err)
	}
	c.Dir = filepath.Join(c.base, rel)
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return exit.Errorf(exit.Usage, "directory %s is not in %s: run fuzzmut diff in one that is", rel, c.to.name)
	}
	if err := c.findWork(); err != nil {
		return err
	}
	c.tool, err = gotool.NewToolchain(ctx, c.Dir, c.Env, c.BuildFlags)
	if err == nil && c.tool.Mod == "" && c.tool.Work == "" {
		return exit.Errorf(exit.Usage, "directory %s is in no module in %s: run fuzzmut diff in one that is", rel, c.to.name)
	}
	return err
}

// isClean says whether the work tree is what the revision holds.
func (c *checkedOut) isClean(ctx context.Context) (bool, error) {
	head, err := lookUp(ctx, c.repo, "HEAD")
	if err != nil || head.hash != c.to.hash {
		return false, err
	}
	list, err := c.repo.List(ctx, "status", "--porcelain", "-z")
	return len(list) == 0, err
}

// files writes the files of the new tree. It uses a separate index, so that the user's stays
// as it is. Submodules are links to where the user has them: git keeps no files of theirs.
func (c *checkedOut) files(ctx context.Context) error {
	r := &git.Repository{Root: c.repo.Root}
	r.Env = append(slices.Clip(environment(c.repo.Env)), "GIT_INDEX_FILE="+filepath.Join(c.WorkDir, "index"))
	if err := os.MkdirAll(c.base, 0o777); err != nil {
		return err
	}
	if _, err := r.Run(ctx, "read-tree", c.to.hash); err != nil {
		return err
	}
	if _, err := r.Run(ctx, "checkout-index", "--all", "--force", "--quiet", "--ignore-skip-worktree-bits", "--prefix="+filepath.ToSlash(c.base)+"/"); err != nil {
		return err
	}
	list, err := r.List(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	for _, line := range list {
		if head, name, _ := strings.Cut(line, "\t"); strings.HasPrefix(head, git.ModeSubmodule+" ") {
			to := filepath.Join(c.base, filepath.FromSlash(name))
			os.Remove(to) // an empty directory
			if err := os.Symlink(filepath.Join(c.outside, filepath.FromSlash(name)), to); err != nil {
				return err
			}
		}
	}
	return nil
}

// findWork has the go command use the go.work of the new tree, or else the one around the
// user's, or none.
func (c *checkedOut) findWork() error {
	user := c.tool.Work
	env := environment(c.Env)
	if slices.Contains(env, "GOWORK=off") {
		return nil
	}
	c.Env = append(slices.Clip(env), "GOWORK=off")
	for dir := c.Dir; len(dir) >= len(c.base); dir = filepath.Dir(dir) {
		work := filepath.Join(dir, "go.work")
		if _, err := os.Stat(work); err == nil {
			c.Env = append(slices.Clip(env), "GOWORK="+work)
			return nil
		}
	}
	rel, err := filepath.Rel(c.outside, user)
	if user == "" || err == nil && filepath.IsLocal(rel) {
		return nil
	}
	data, err := os.ReadFile(user)
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	data = moveWork(data, func(path string) string {
		path = absolute(filepath.Dir(user), path)
		if rel, err := filepath.Rel(c.outside, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(c.base, rel)
		}
		return path
	})
	sum, err := text(user+".sum", nil)
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	to := filepath.Join(c.WorkDir, "work")
	c.Env = append(slices.Clip(env), "GOWORK="+filepath.Join(to, "go.work"))
	return writeFiles(to, map[string][]byte{"go.work": data, "go.work.sum": sum})
}
