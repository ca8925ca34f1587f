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
}

// Ignored returns the first of the paths that a pattern has git ignore, nil if there is
// none. What is added nevertheless counts as well: the next file beside it is ignored.
func (r *Repository) Ignored(ctx context.Context, paths ...string) (*Ignored, error) {
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
		return file, append(ancestors(rel), "!/"+filepath.ToSlash(rel)+"/**")
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
