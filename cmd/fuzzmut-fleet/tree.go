package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tree is a copy of a user's tree: runs leave failing inputs in testdata, and nothing of that
// may reach the next slice, or the user.
type tree struct {
	from, to string
	files    map[string]stamp  // by path below it
	sums     map[string]string // of their content, likewise
}

// stamp tells whether a file was changed.
type stamp struct {
	size int64
	time time.Time
	mode fs.FileMode
}

const treeMost = 4 << 30 // bytes

// copyTree copies what holds the module of dir: its repository, its workspace or itself. It returns
// the place of dir in the copy.
func copyTree(dir, to string) (t *tree, at string, err error) {
	root, err := rootOf(dir)
	if err != nil {
		return nil, "", err
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return nil, "", err
	}
	t = &tree{from: root, to: to, files: make(map[string]stamp), sums: make(map[string]string)}
	var size int64
	err = walk(root, func(rel string, info fs.FileInfo) error {
		if size += info.Size(); size > treeMost {
			return fmt.Errorf("%s has more than %d GiB; join from a checkout without other files", root, treeMost>>30)
		}
		return t.copy(rel, info)
	})
	return t, filepath.Join(to, rel), err
}

// rootOf finds what has to be copied for the module of a directory.
func rootOf(dir string) (string, error) {
	if out, err := output(dir, "git", "rev-parse", "--show-toplevel"); err == nil && out != "" {
		return filepath.FromSlash(out), nil
	}
	out, err := output(dir, "go", "env", "GOWORK", "GOMOD")
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	for _, file := range strings.Split(out, "\n") {
		if file = strings.TrimSpace(file); filepath.IsAbs(file) && file != os.DevNull {
			return filepath.Dir(file), nil
		}
	}
	return "", fmt.Errorf("%s is not in a module; join from the directory of one", dir)
}

func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// walk visits the files and links below a directory, but for those of git.
func walk(root string, visit func(rel string, info fs.FileInfo) error) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.Name() == ".git" && e.IsDir():
			return fs.SkipDir
		case !e.Type().IsRegular() && e.Type() != fs.ModeSymlink:
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(rel, info)
	})
}

// copy copies a file, and notes what it is then.
func (t *tree) copy(rel string, info fs.FileInfo) error {
	from, to := filepath.Join(t.from, rel), filepath.Join(t.to, rel)
	if info.Mode().Type() == fs.ModeSymlink {
		link, err := os.Readlink(from)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o777)
		}
		if err == nil {
			err = os.Symlink(link, to)
		}
		t.sums[rel] = "link " + link
		return errors.Join(err, t.note(rel))
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = replace(to, data, info.Mode().Perm())
	}
	t.sums[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
	return errors.Join(err, t.note(rel))
}

// hash is one of all names and content.
func (t *tree) hash() string {
	h := sha256.New()
	for _, rel := range slices.Sorted(maps.Keys(t.sums)) {
		fmt.Fprintf(h, "%q %s\n", filepath.ToSlash(rel), t.sums[rel])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (t *tree) note(rel string) error {
	info, err := os.Lstat(filepath.Join(t.to, rel))
	if err == nil {
		t.files[rel] = stampOf(info)
	}
	return err
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.Size(), info.ModTime(), info.Mode()} }

// restore has the copy be what it was: files that are new are removed. A file that was changed
// or removed is an error: a fuzz test writes to its tree.
func (t *tree) restore() error {
	seen := 0
	err := walk(t.to, func(rel string, info fs.FileInfo) error {
		was, ok := t.files[rel]
		switch {
		case !ok:
			return os.Remove(filepath.Join(t.to, rel))
		case was != stampOf(info):
			return fmt.Errorf("%s was changed by a run", rel)
		}
		seen++
		return nil
	})
	if err == nil && seen != len(t.files) {
		err = fmt.Errorf("%d files of the tree were removed by a run", len(t.files)-seen)
	}
	return err
}
