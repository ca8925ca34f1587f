package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
)

// Since returns what has changed in a work tree since a revision: lines of
// files that git knows, and files that it neither knows nor ignores. "main..."
// stands for the revision at which the current branch left main.
func Since(ctx context.Context, r *git.Repository, revision string) (*Set, error) {
	from, err := base(ctx, r, revision)
	if err != nil {
		return nil, err
	}
	s, err := difference(ctx, r, r.Root, from)
	if err != nil {
		return nil, err
	}
	others, err := r.List(ctx, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range others {
		s.add(filepath.Join(r.Root, filepath.FromSlash(name)), all)
	}
	return s, nil
}

// base returns the hash of the commit or tree to compare with.
func base(ctx context.Context, r *git.Repository, revision string) (string, error) {
	rev, branch := strings.CutSuffix(revision, "...")
	if strings.Contains(rev, "..") {
		return "", fmt.Errorf("%q names two revisions: the work tree is compared with one; write main, or main... for the merge base", revision)
	}
	out, err := r.Run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{tree}")
	if err == nil && branch {
		out, err = r.Run(ctx, "merge-base", "--end-of-options", rev, "HEAD")
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && branch:
		return "", fmt.Errorf("the current branch has no common ancestor with a revision %q", rev)
	case errors.As(err, &exit):
		return "", fmt.Errorf("there is no revision %q", revision)
	case err != nil:
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Staged returns what the index holds that the last commit does not: lines of the
// files in root, which holds what the index does.
func Staged(ctx context.Context, r *git.Repository, root string) (*Set, error) {
	return difference(ctx, r, root, "--cached")
}

// difference asks git for a difference, and finds its files in root.
func difference(ctx context.Context, r *git.Repository, root, from string) (*Set, error) {
	out, err := r.Run(ctx, "-c", "core.quotePath=true", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", from, "--", "*.go")
	if err != nil {
		return nil, err
	}
	files, err := Parse(bytes.NewReader(out))
	if err != nil {
		return nil, err
	}
	return Locate(files, []string{root}, false)
}
