package change

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// Find finds out what has changed in the work tree of git since a revision,
// or what a patch that has been applied changes; nil if neither is given.
func Find(ctx context.Context, dir string, env []string, diff string, applied io.Reader) (*Set, error) {
	if diff == "" && applied == nil {
		return nil, nil
	}
	if diff != "" && applied != nil {
		return nil, exit.Errorf(exit.Usage, "both a revision and a patch are given; choose one")
	}
	repo, err := git.Find(ctx, dir, env)
	switch {
	case applied != nil:
		return readPatch(ctx, dir, repo, applied)
	case errors.Is(err, git.ErrNoRepository):
		return nil, exit.Errorf(exit.Usage, "-diff %s: %s is not in a git work tree; pipe a patch to -diff - instead", diff, dir)
	case errors.Is(err, git.ErrNoGit):
		return nil, exit.Errorf(exit.Usage, "-diff %s: %w; pipe a patch to -diff - instead", diff, err)
	case err != nil:
		return nil, exit.Errorf(exit.Usage, "-diff %s: %w", diff, err)
	}
	set, err := Since(ctx, repo, diff)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-diff: %w", err)
	}
	return set, nil
}

// readPatch reads the patch that was given. Its paths are relative to the root of
// the repository, if there is one, or to the directory that the job runs in.
func readPatch(ctx context.Context, dir string, repo *git.Repository, applied io.Reader) (*Set, error) {
	files, err := Parse(applied)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-diff -: %w", err)
	}
	bases := []string{dir}
	if repo != nil && repo.Root != dir {
		bases = []string{repo.Root, dir}
	}
	set, err := Locate(files, bases, true)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-diff -: %w", err)
	}
	return set, ctx.Err()
}

// Named returns what a result says of the code that a run was restricted to: the revision,
// or "-" for a patch, and by what; "" if it was not restricted.
func Named(diff string, applied io.Reader, by Part) (revision, part string) {
	if applied != nil {
		diff = "-"
	}
	if diff == "" {
		return "", ""
	}
	return diff, string(cmp.Or(by, ByLine))
}
