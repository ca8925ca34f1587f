package hook

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// checkout is a copy of what the index holds, outside the user's tree. It lies
// below base at the path that the tree has below the root of the file system, so
// that relative paths that lead out of it lead to where links can be put. The
// place is the same each time: the go command takes what it has built before.
type checkout struct {
	repo *git.Repository
	base string
	root string // counterpart of repo.Root
	env  []string
}

// newCheckout checks out the index below base, where nothing may be that is still
// needed.
func newCheckout(ctx context.Context, repo *git.Repository, base string) (*checkout, error) {
	c := &checkout{repo: repo, base: base, env: repo.Env}
	c.root = c.mirror(repo.Root)
	if err := c.remove(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.root, 0o777); err != nil {
		return nil, exit.Errorf(exit.Usage, "the checkout of the index can't be created: %w", err)
	}
	for _, step := range []func(context.Context) error{c.files, c.linkSubmodules, c.linkIgnored, c.linkModules, c.clearEnv} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, c.remove())
		}
	}
	return c, nil
}

// mirror is the counterpart of an absolute path.
func (c *checkout) mirror(path string) string {
	return filepath.Join(c.base, strings.TrimPrefix(path, filepath.VolumeName(path)))
}

// userText replaces paths of the checkout by those of the user's tree.
func (c *checkout) userText(text string) string { return strings.ReplaceAll(text, c.base, "") }

// remove removes the checkout. Links are removed, not what they lead to.
func (c *checkout) remove() error {
	if err := os.RemoveAll(c.base); err != nil {
		return exit.Errorf(exit.Usage, "the checkout of the index can't be removed: %w", err)
	}
	return nil
}

// files writes the files of the index.
func (c *checkout) files(ctx context.Context) error {
	unmerged, err := c.repo.List(ctx, "ls-files", "--unmerged", "-z")
	if err == nil && len(unmerged) > 0 {
		return exit.Errorf(exit.Usage, "the index has unmerged files: resolve the conflicts, and git add them")
	}
	if err == nil {
		_, err = c.repo.Run(ctx, "checkout-index", "--all", "--force", "--quiet", "--ignore-skip-worktree-bits",
			"--prefix="+filepath.ToSlash(c.root)+"/")
	}
	if err != nil {
		return exit.Errorf(exit.Usage, "the index can't be checked out: %w", err)
	}
	return nil
}

// linkSubmodules links the work trees of submodules: the index holds no files of
// theirs.
func (c *checkout) linkSubmodules(ctx context.Context) error {
	list, err := c.repo.List(ctx, "ls-files", "--stage", "-z")
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	for _, line := range list {
		head, name, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(head, "160000 ") {
			os.Remove(filepath.Join(c.root, name)) // an empty directory
			if err := c.link(filepath.Join(c.repo.Root, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// linkIgnored links files and directories that git ignores: code that is generated,
// say, without which the rest can't be built.
func (c *checkout) linkIgnored(ctx context.Context) error {
	list, err := c.repo.List(ctx, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	for _, name := range list {
		// What is written there must not reach the user's tree.
		if slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		if err := c.link(filepath.Join(c.repo.Root, name)); err != nil {
			return err
		}
	}
	return nil
}

// link makes the counterpart of a path a link to it, if there is such a path and
// no counterpart yet.
func (c *checkout) link(path string) error {
	to := c.mirror(path)
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(to), 0o777)
	if err == nil {
		err = os.Symlink(path, to)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return exit.Errorf(exit.Usage, "the index can't be checked out: %w", err)
	}
	return nil
}

// linkModules links the modules outside that go.mod and go.work name by their
// directories, and has a go.work outside take effect.
func (c *checkout) linkModules(ctx context.Context) error {
	mods, err := c.repo.List(ctx, "ls-files", "-z", "--", ":(glob)**/go.mod", ":(glob)**/go.work")
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	works := []string{}
	for _, name := range mods {
		path := filepath.Join(c.repo.Root, name)
		if filepath.Base(name) == "go.work" {
			works = append(works, path)
		} else if err := c.linkReplaced(path); err != nil {
			return err
		}
	}
	work, err := c.workspace(ctx)
	if err != nil {
		return err
	}
	if work != "" && !slices.Contains(works, work) {
		works = append(works, work)
	}
	for _, path := range works {
		if err := c.linkWorkspace(path); err != nil {
			return err
		}
	}
	return nil
}

// linkReplaced links the directories that a go.mod has in place of modules. A
// file that can't be read or parsed is for the go command to complain of.
func (c *checkout) linkReplaced(path string) error {
	data, err := os.ReadFile(c.mirror(path))
	if err != nil {
		return nil
	}
	mod, err := modfile.Parse(path, data, nil)
	if err != nil {
		return nil
	}
	return c.linkDirs(path, mod.Replace, nil)
}

// workspace returns the go.work that applies in the user's tree, "" if none does,
// and has the go command take its counterpart if the environment names it.
func (c *checkout) workspace(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOWORK")
	cmd.Dir, cmd.Env = c.repo.Root, c.repo.Env
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", exit.Errorf(exit.Usage, "go env GOWORK: %w: is the go command in PATH?", err)
	}
	work := strings.TrimSpace(string(out))
	if work == "off" || !filepath.IsAbs(work) {
		return "", nil
	}
	for i, v := range c.env {
		if v == "GOWORK="+work {
			c.env = slices.Clone(c.env)
			c.env[i] = "GOWORK=" + c.mirror(work)
		}
	}
	return work, nil
}

// linkWorkspace copies a go.work, unless it is checked out, and links the modules
// outside that it names.
func (c *checkout) linkWorkspace(path string) error {
	for _, name := range []string{path, path + ".sum"} {
		if _, err := os.Lstat(c.mirror(name)); err == nil {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(c.mirror(name)), 0o777); err != nil {
			return exit.Errorf(exit.Usage, "the index can't be checked out: %w", err)
		}
		if err := os.WriteFile(c.mirror(name), data, 0o666); err != nil {
			return exit.Errorf(exit.Usage, "the index can't be checked out: %w", err)
		}
	}
	data, err := os.ReadFile(c.mirror(path))
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork(path, data, nil)
	if err != nil {
		return nil
	}
	return c.linkDirs(path, work.Replace, work.Use)
}

// linkDirs links the directories that a go.mod or go.work at path names. Absolute
// paths mean the user's tree, wherever they are read.
func (c *checkout) linkDirs(path string, replaced []*modfile.Replace, used []*modfile.Use) error {
	var dirs []string
	for _, r := range replaced {
		if r.New.Version == "" {
			dirs = append(dirs, r.New.Path)
		}
	}
	for _, u := range used {
		dirs = append(dirs, u.Path)
	}
	for _, dir := range dirs {
		if filepath.IsAbs(dir) {
			continue
		}
		if err := c.link(filepath.Join(filepath.Dir(path), filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

// clearEnv takes the variables out of the environment by which git tells a hook
// what repository it is for.
func (c *checkout) clearEnv(ctx context.Context) error {
	out, err := c.repo.Run(ctx, "rev-parse", "--local-env-vars")
	if err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	local := strings.Fields(string(out))
	c.env = slices.DeleteFunc(slices.Clone(c.env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name) || name == "PWD"
	})
	return nil
}
