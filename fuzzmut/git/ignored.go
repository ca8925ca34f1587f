package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// An Ignored is a path that git leaves out when all is added.
type Ignored struct {
	Path    string // as it was asked for
	Source  string // file of the pattern: relative to the root, or absolute if it is not in the tree
	Line    string // number, from 1
	Pattern string
	root    string
	dir     string // the first directory from the root on that is ignored itself; "" if none is
}

// Ignored returns the first of the paths that a pattern has git ignore, nil if there is
// none. What is added nevertheless counts as well: the next file beside it is ignored.
func (r *Repository) Ignored(ctx context.Context, paths ...string) (*Ignored, error) {
	i, err := r.ignored(ctx, paths)
	if i == nil || err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(r.Root, filepath.Dir(i.Path))
	if err != nil {
		return nil, err
	}
	var dirs []string
	at := r.Root
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		dirs = append(dirs, at+string(filepath.Separator)) // as a directory, which need not be there yet
	}
	above, err := r.ignored(ctx, dirs)
	if above != nil {
		i.dir = filepath.Clean(above.Path)
	}
	return i, err
}

// ignored is the same without what is above the path.
func (r *Repository) ignored(ctx context.Context, paths []string) (*Ignored, error) {
	out, err := r.Feed(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "--no-index", "--verbose", "--stdin", "-z")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	fields := strings.Split(string(out), "\x00")
	for ; len(fields) >= 4; fields = fields[4:] {
		if !strings.HasPrefix(fields[2], "!") {
			return &Ignored{Source: fields[0], Line: fields[1], Pattern: fields[2], Path: fields[3], root: r.Root}, nil
		}
	}
	return nil, nil
}

// String names the pattern and its place.
func (i *Ignored) String() string { return fmt.Sprintf("%q in %s:%s", i.Pattern, i.Source, i.Line) }

// Remedy returns lines which, added at the end of a file of patterns, have git no longer
// ignore what is below dir, a directory that Path is in, and as little else as possible.
func (i *Ignored) Remedy(dir string) (file string, lines []string) {
	file = ".gitignore"
	inTree := path.Base(i.Source) == file && !filepath.IsAbs(i.Source)
	if inTree {
		file = i.Source
	}
	base := filepath.Join(i.root, path.Dir(file))
	if rel, err := filepath.Rel(base, dir); err == nil && strings.ContainsAny(i.Pattern, `*?[\`) {
		// A wildcard that has one of the directories ignored may match those in it as well.
		for _, line := range ancestors(rel) {
			if at := filepath.Join(base, filepath.FromSlash(strings.TrimPrefix(line, "!"))); i.dir != "" && within(at, i.dir) {
				lines = append(lines, line)
			}
		}
		return file, append(lines, "!/"+filepath.ToSlash(rel)+"/**")
	}
	if rel, err := filepath.Rel(base, filepath.Dir(i.Path)); err == nil {
		for _, line := range ancestors(rel) {
			if i.names(strings.Trim(line, "!/")) {
				lines = append(lines, line)
			}
		}
	}
	if lines == nil {
		lines = []string{"!" + i.Pattern}
	}
	return file, lines
}

// within says whether a path is a directory, or in it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
}

// ancestors returns the lines that take a directory back, and those that it is in.
func ancestors(rel string) (lines []string) {
	at := "!"
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		at += "/" + part
		lines = append(lines, at+"/")
	}
	return lines
}

// names says whether the pattern, which has no wildcards, is that of a directory.
func (i *Ignored) names(dir string) bool {
	p := strings.TrimSuffix(i.Pattern, "/")
	if !strings.Contains(p, "/") {
		return path.Base(dir) == p
	}
	return strings.TrimPrefix(p, "/") == dir
}
