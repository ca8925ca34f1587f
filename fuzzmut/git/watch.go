package git

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Watch remembers which files differ from the commit at one time, to tell which do so
// later. A nil Watch sees nothing.
type Watch struct {
	repo   *Repository
	dir    string
	except []string // absolute directories
	before []string
}

// watchLimit is the time that one look may take. A work tree of many files takes longer, and is
// not watched.
const watchLimit = 2 * time.Second

// NewWatch looks at the work tree that dir is in, but not at what is in directories that are
// excepted, as caches. It returns nil where there is no work tree, where there is no git, and where git does
// not answer within two seconds.
func NewWatch(ctx context.Context, dir string, env []string, except ...string) *Watch {
	ctx, cancel := context.WithTimeout(ctx, watchLimit)
	defer cancel()
	repo, err := Find(ctx, dir, env)
	if err != nil {
		return nil
	}
	w := &Watch{repo: repo, dir: dir}
	for _, dir := range except {
		// Git's paths have no links in them.
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			w.except = append(w.except, real)
		}
	}
	if w.before, err = w.look(ctx); err != nil {
		return nil
	}
	return w
}

// look lists the files that differ from the commit and that no pattern ignores: two letters of
// git, a space, and the path.
func (w *Watch) look(ctx context.Context) ([]string, error) {
	list, err := w.repo.List(ctx, "--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
	return slices.DeleteFunc(list, func(line string) bool {
		return len(line) < 4 || slices.ContainsFunc(w.except, func(dir string) bool {
			rel, err := filepath.Rel(dir, filepath.Join(w.repo.Root, filepath.FromSlash(line[3:])))
			return err == nil && filepath.IsLocal(rel)
		})
	}), err
}

// Changes lists the files that differ from the commit since the Watch was made, each as "new",
// "changed" or "removed" and the path from the directory that was given. A file that had been
// changed before is not among them, unless it was removed. What ctx says is not asked: an interrupt is when
// it matters most.
func (w *Watch) Changes(ctx context.Context) (list []string) {
	if w == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), watchLimit)
	defer cancel()
	after, err := w.look(ctx)
	if err != nil {
		return nil
	}
	// There may be thousands.
	was, is := setOf(w.before), setOf(after)
	for _, line := range after {
		if was[line] {
			continue
		}
		kind := "changed"
		switch state := line[:2]; {
		case state == "??":
			kind = "new"
		case strings.Contains(state, "D"):
			kind = "removed"
		}
		list = append(list, kind+" "+w.name(line[3:]))
	}
	for _, line := range w.before {
		if strings.HasPrefix(line, "?? ") && !is[line] {
			list = append(list, "removed "+w.name(line[3:]))
		}
	}
	return list
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, line := range list {
		set[line] = true
	}
	return set
}

// name is a path of git's as one from the directory of the Watch.
func (w *Watch) name(path string) string {
	path = filepath.Join(w.repo.Root, filepath.FromSlash(path))
	if rel, err := filepath.Rel(w.dir, path); err == nil {
		return rel
	}
	return path
}

// Sentence says what has changed, for a warning about something that ran in between; "" if nothing
// did.
func (w *Watch) Sentence(ctx context.Context, what string) string {
	list := w.Changes(ctx)
	if len(list) == 0 {
		return ""
	}
	const most = 5
	rest := ""
	if len(list) > most {
		list, rest = list[:most], fmt.Sprintf(", and %d more", len(list)-most)
	}
	return fmt.Sprintf("files of the work tree changed while %s: %s%s; git status lists them", what, strings.Join(list, ", "), rest)
}
