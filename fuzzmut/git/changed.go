package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Changed is a path that is not the same in two trees, or one that was renamed.
type Changed struct {
	Old, New Blob
}

// Blob is a file of a tree.
type Blob struct {
	Path string // with slashes, relative to the root; "" if the tree does not have it
	Mode string // as git writes it: "100644"
	Hash string // "" in the work tree
}

// Modes of what is no file.
const (
	ModeLink      = "120000"
	ModeSubmodule = "160000"
)

// Changed returns what differs between two trees, in the order of the new paths. to may be
// "", the work tree: files that git neither knows nor ignores are in it, too. A file that
// git takes for renamed is one change.
func (r *Repository) Changed(ctx context.Context, from, to string) ([]Changed, error) {
	args := []string{"diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-ext-diff", from}
	if to != "" {
		args = append(args, to)
	}
	fields, err := r.List(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	list, err := parseRaw(fields)
	if err != nil {
		return nil, err
	}
	if to == "" {
		others, err := r.List(ctx, "ls-files", "--others", "--exclude-standard", "-z")
		if err != nil {
			return nil, err
		}
		list = addUntracked(list, others)
	}
	slices.SortFunc(list, func(a, b Changed) int { return strings.Compare(a.path(), b.path()) })
	return list, nil
}

func (c *Changed) path() string {
	if c.New.Path != "" {
		return c.New.Path
	}
	return c.Old.Path
}

// parseRaw reads the fields of git diff --raw -z. An unmerged path has a second record
// with what the work tree holds.
func parseRaw(fields []string) ([]Changed, error) {
	var list []Changed
	for len(fields) > 0 {
		head := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(head) != 5 || len(fields) < 2 || !strings.HasPrefix(fields[0], ":") {
			return nil, fmt.Errorf("git diff --raw: unexpected record %q", fields[0])
		}
		old, new, status := fields[1], fields[1], head[4][0]
		fields = fields[2:]
		switch status {
		case 'U':
			continue
		case 'A':
			old = ""
		case 'D':
			new = ""
		case 'R', 'C':
			if len(fields) == 0 {
				return nil, fmt.Errorf("git diff --raw: the new name of %q is missing", old)
			}
			new, fields = fields[0], fields[1:]
			if status == 'C' {
				old = ""
			}
		}
		list = append(list, Changed{Old: blob(old, head[0], head[2]), New: blob(new, head[1], head[3])})
	}
	return list, nil
}

func blob(path, mode, hash string) Blob {
	if path == "" {
		return Blob{}
	}
	if strings.Trim(hash, "0") == "" {
		hash = ""
	}
	return Blob{Path: path, Mode: mode, Hash: hash}
}

// addUntracked adds files that git does not know. One that git is to forget is deleted
// for git, and is in the work tree nevertheless.
func addUntracked(list []Changed, names []string) []Changed {
	deleted := make(map[string]int)
	for i, c := range list {
		if c.New.Path == "" {
			deleted[c.Old.Path] = i
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			continue // its own repository
		}
		if i, ok := deleted[name]; ok {
			list[i].New = Blob{Path: name, Mode: list[i].Old.Mode}
			continue
		}
		list = append(list, Changed{New: Blob{Path: name, Mode: "100644"}})
	}
	return list
}

// Contents returns what objects hold, by one process for all of them.
func (r *Repository) Contents(ctx context.Context, hashes []string) ([][]byte, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	out, err := r.Feed(ctx, []byte(strings.Join(hashes, "\n")+"\n"), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	list := make([][]byte, 0, len(hashes))
	for _, hash := range hashes {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		fields := strings.Fields(string(head))
		if len(fields) != 3 {
			return nil, fmt.Errorf("git cat-file: object %s can't be read: %s", hash, head)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size >= len(rest) {
			return nil, fmt.Errorf("git cat-file: object %s is cut off", hash)
		}
		list = append(list, rest[:size:size])
		out = rest[size+1:]
	}
	return list, nil
}
