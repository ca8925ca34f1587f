package patch

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
	Root string // absolute
	env  []string
}

// ErrNoRepository says that a directory is in no git work tree.
var ErrNoRepository = errors.New("not in a git work tree")

// FindRepository returns the repository that dir is in. A nil env means the
// process's own.
func FindRepository(ctx context.Context, dir string, env []string) (*Repository, error) {
	r := &Repository{Root: dir, env: env}
	out, err := r.git(ctx, "rev-parse", "--show-toplevel")
	var exit *exec.ExitError
	switch root := strings.TrimSuffix(string(out), "\n"); {
	case errors.As(err, &exit), err == nil && root == "":
		return nil, ErrNoRepository
	case err != nil:
		return nil, err
	default:
		r.Root = filepath.FromSlash(root)
	}
	return r, nil
}

// git runs git in the repository's root. The error quotes the first line that it
// wrote.
func (r *Repository) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = r.Root, r.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("git is not in PATH; pipe a patch to -diff - instead")
	case err != nil:
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, line)
	}
	return out, nil
}

// Since returns what has changed in the work tree since a revision: lines of
// files that git knows, and files that it neither knows nor ignores. "main..."
// stands for the revision at which the current branch left main.
func (r *Repository) Since(ctx context.Context, revision string) (*Set, error) {
	base, err := r.base(ctx, revision)
	if err != nil {
		return nil, err
	}
	out, err := r.git(ctx, "-c", "core.quotePath=true", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", base, "--", "*.go")
	if err != nil {
		return nil, err
	}
	files, err := Parse(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	s, err := Locate(files, []string{r.Root}, false)
	if err != nil {
		return nil, err
	}
	out, err = r.git(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name != "" {
			s.add(filepath.Join(r.Root, filepath.FromSlash(name)), all)
		}
	}
	return s, nil
}

// base returns the hash of the commit or tree to compare with.
func (r *Repository) base(ctx context.Context, revision string) (string, error) {
	rev, branch := strings.CutSuffix(revision, "...")
	if strings.Contains(rev, "..") {
		return "", fmt.Errorf("%q names two states: the work tree is compared with one revision; write main, or main... for where the branch began", revision)
	}
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{tree}")
	if err == nil && branch {
		out, err = r.git(ctx, "merge-base", "--end-of-options", rev, "HEAD")
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && branch:
		return "", fmt.Errorf("there is no revision %q that the current branch has a common ancestor with", rev)
	case errors.As(err, &exit):
		return "", fmt.Errorf("there is no revision %q", revision)
	case err != nil:
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}
