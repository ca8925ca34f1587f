// Package git asks the git command about work trees.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Repository is the work tree of a git repository.
type Repository struct {
	Root string   // absolute
	Env  []string // of git; nil means the process's own
}

// ErrNoRepository says that a directory is in no git work tree, and ErrNoGit that
// there is no git command.
var (
	ErrNoRepository = errors.New("not in a git work tree")
	ErrNoGit        = errors.New("git is not in PATH")
)

// Find returns the repository that dir is in. A nil env means the process's own.
func Find(ctx context.Context, dir string, env []string) (*Repository, error) {
	r := &Repository{Root: dir, Env: env}
	root, err := r.Line(ctx, "rev-parse", "--show-toplevel")
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit), err == nil && root == "":
		return nil, ErrNoRepository
	case err != nil:
		return nil, err
	}
	r.Root = filepath.FromSlash(root)
	return r, nil
}

// Run runs git in the repository's root and returns what it prints. The error
// quotes the first line of its complaint; an exit code is an exec.ExitError.
func (r *Repository) Run(ctx context.Context, args ...string) ([]byte, error) {
	return r.Feed(ctx, nil, args...)
}

// Feed is Run with an input.
func (r *Repository) Feed(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Root, r.Env, bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, ErrNoGit
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, line)
	}
	return out, nil
}

// Line is Run for commands that print one line.
func (r *Repository) Line(ctx context.Context, args ...string) (string, error) {
	out, err := r.Run(ctx, args...)
	return strings.TrimSuffix(strings.TrimSuffix(string(out), "\n"), "\r"), err
}

// List is Run for commands that print paths, each ended by a zero byte.
func (r *Repository) List(ctx context.Context, args ...string) ([]string, error) {
	out, err := r.Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	return Split(out), nil
}

// Split splits what git prints with -z.
func Split(out []byte) []string {
	var list []string
	for s := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if s != "" {
			list = append(list, s)
		}
	}
	return list
}
