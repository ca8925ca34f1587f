package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
)

// marker stands in the second line of our hooks.
const marker = "# Installed by fuzzmut hook install; fuzzmut hook uninstall removes it."

// A Kind is a hook of git's that fuzzmut can be.
type Kind struct {
	name   string // as git knows it
	script string
	// What varies in the script stands in lines that begin like this.
	varies []string
}

// beforeName is what a hook is called that was there before.
func (k *Kind) beforeName() string { return k.name + beforeEnd }

const beforeEnd = ".before-fuzzmut"

// head is the beginning of our hooks. The hook that was there before runs first, and what
// it refuses is refused.
func head(name string) string {
	return `#!/bin/sh
` + marker + `
before="$(dirname "$0")/` + name + beforeEnd + `"
if [ -x "$before" ]; then
	"$before" "$@" || exit
fi
fuzzmut() { %[1]s; }
`
}

// Commit checks a commit before it is made. If fuzzmut can't be run, nobody has looked at
// the commit: it is refused.
var Commit = &Kind{"pre-commit", head("pre-commit") + `if ! why=$(fuzzmut version 2>&1); then
	echo "fuzzmut: it can't be run, and the commit is refused: $why;" %[2]s"; or skip the check: git commit --no-verify" >&2
	exit 1
fi
fuzzmut hook run%[3]s
`, []string{"fuzzmut() {", "\techo \"fuzzmut: it can't be run", "fuzzmut hook run"}}

// Message says in the template of a commit message what the commit changes in behavior. It
// refuses nothing.
var Message = &Kind{"prepare-commit-msg", head("prepare-commit-msg") + `fuzzmut hook message%[3]s "$@" || echo "fuzzmut: what the commit changes in behavior is not known" >&2
exit 0
`, []string{"fuzzmut() {", "fuzzmut hook message"}}

// An Installation says where a hook is.
type Installation struct {
	Path   string // of the hook
	Before string // of the hook that was there before and runs first; "" for none
	// Everywhere says that core.hooksPath is set for all repositories of the user.
	Everywhere bool
	// Already says that the hook was there, and Tracked that the repository holds
	// the directory of hooks.
	Already, Tracked bool

	kind *Kind
}

// Install installs a hook of the repository that dir is in: a script that runs the
// program with the arguments.
func Install(ctx context.Context, dir string, env []string, kind *Kind, program *Program, args []string) (*Installation, error) {
	repo, i, err := locate(ctx, dir, env, kind)
	if err != nil {
		return nil, err
	}
	i.Tracked = tracked(ctx, repo, filepath.Dir(i.Path))
	text := kind.scriptFor(program, args)
	old, err := os.ReadFile(i.Path)
	switch {
	case err == nil && kind.isOurs(old):
		i.Already = true
	case err == nil:
		if err := setAside(i); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "the existing hook can't be read: %w", err)
	}
	if _, err := os.Stat(i.before()); err == nil {
		i.Before = i.before()
	}
	if err := writeHook(i.Path, text); err != nil {
		return nil, err
	}
	return i, nil
}

// scriptFor is the hook that runs a program with arguments.
func (k *Kind) scriptFor(program *Program, args []string) []byte {
	var tail strings.Builder
	if program.Elsewhere {
		tail.WriteString(` -C "$PWD"`) // git runs hooks at the root
	}
	for _, arg := range args {
		tail.WriteString(" " + shell.Quote(arg))
	}
	return fmt.Appendf(nil, k.script, program.call(), shell.Quote(program.Fix), tail.String())
}

// setAside gives the hook that is there another name.
func setAside(i *Installation) error {
	if _, err := os.Lstat(i.before()); err == nil {
		return exit.Errorf(exit.Usage, "%s was not written by fuzzmut, and %s exists already: join the two, or remove one of them", i.Path, i.before())
	}
	if err := os.Rename(i.Path, i.before()); err != nil {
		return exit.Errorf(exit.Usage, "the existing hook can't be renamed: %w", err)
	}
	return nil
}

// writeHook writes an executable file, whole or not at all.
func writeHook(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return exit.Errorf(exit.Usage, "the hook can't be written: %w", err)
	}
	write := func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	if err := report.Save(path, write); err != nil {
		return exit.Errorf(exit.Usage, "the hook can't be written: %w", err)
	}
	if err := os.Chmod(path, 0o755); err != nil {
		return exit.Errorf(exit.Usage, "the hook can't be made executable: %w", err)
	}
	return nil
}

// Uninstall removes the hook and puts back the one that was there before. It
// returns nil if there is no hook of fuzzmut's.
func Uninstall(ctx context.Context, dir string, env []string, kind *Kind) (*Installation, error) {
	_, i, err := locate(ctx, dir, env, kind)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(i.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Contains(text, []byte(marker)):
		return nil, nil
	case err != nil:
		return nil, exit.Errorf(exit.Usage, "the hook can't be read: %w", err)
	case !kind.isOurs(text):
		return nil, exit.Errorf(exit.Usage, "%s was edited after fuzzmut wrote it: remove the lines of fuzzmut yourself", i.Path)
	}
	if _, err := os.Lstat(i.before()); err == nil {
		i.Before = i.before()
		err = os.Rename(i.Before, i.Path)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the previous hook can't be restored: %w", err)
		}
		return i, nil
	}
	if err := os.Remove(i.Path); err != nil {
		return nil, exit.Errorf(exit.Usage, "the hook can't be removed: %w", err)
	}
	return i, nil
}

func (i *Installation) before() string {
	return filepath.Join(filepath.Dir(i.Path), i.kind.beforeName())
}

// isOurs says whether a hook is one that Install wrote and nobody has edited.
func (k *Kind) isOurs(text []byte) bool {
	shape := func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			for _, prefix := range k.varies {
				if strings.HasPrefix(line, prefix) {
					lines[i] = prefix
				}
			}
		}
		return strings.Join(lines, "\n")
	}
	return shape(string(text)) == shape(k.script)
}

// locate finds a hook of the repository that dir is in.
func locate(ctx context.Context, dir string, env []string, kind *Kind) (*git.Repository, *Installation, error) {
	repo, err := find(ctx, dir, env)
	if err != nil {
		return nil, nil, err
	}
	hooks, err := repo.Line(ctx, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return nil, nil, exit.Errorf(exit.Usage, "%w", err)
	}
	if !filepath.IsAbs(hooks) {
		hooks = filepath.Join(repo.Root, hooks)
	}
	i := &Installation{Path: filepath.Join(hooks, kind.name), kind: kind}
	// An error says that it is not set there.
	global, err := repo.Line(ctx, "config", "--global", "--get", "core.hooksPath")
	i.Everywhere = err == nil && global != "" && filepath.IsAbs(hooks) && !within(hooks, repo.Root)
	return repo, i, nil
}

// find returns the repository that dir is in.
func find(ctx context.Context, dir string, env []string) (*git.Repository, error) {
	if dir == "" {
		dir = "."
	}
	repo, err := git.Find(ctx, dir, env)
	switch {
	case errors.Is(err, git.ErrNoRepository):
		return nil, exit.Errorf(exit.Usage, "%s is not in a git work tree: create one with git init", dir)
	case err != nil:
		return nil, exit.Errorf(exit.Usage, "%w", err)
	}
	return repo, nil
}

// tracked says whether the repository holds files of a directory.
func tracked(ctx context.Context, repo *git.Repository, dir string) bool {
	if !within(dir, repo.Root) {
		return false
	}
	files, err := repo.List(ctx, "ls-files", "-z", "--", dir)
	return err == nil && len(files) > 0
}

// within reports whether a path is dir or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
