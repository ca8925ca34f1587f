package overlay

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// To link a test binary takes longer than all else that the go command does for code that
// is as it was. It leaves a binary that is in its place if its build ID says that it would
// be the same. So the last binary of each build of a package is kept in Go's fuzz cache, and
// put in its place before the go command builds it: whether it is still the right one is for
// the go command to say.

// mostKept bounds the bytes of the binaries that are kept. The oldest ones go.
const mostKept = 256 << 20

// keeper is the place of one kept binary; "" if none is kept.
type keeper string

// keeper is that of a build.
func (b *builder) keeper() keeper {
	if !b.cfg.Keep || b.cfg.Native {
		return ""
	}
	var names []string
	for _, op := range b.cfg.Operators {
		names = append(names, op.Name)
	}
	test := b.cfg.Loaded.Test
	// The last part of the work directory tells apart what a run builds of one package.
	build := filepath.Base(b.cfg.WorkDir)
	key := fmt.Sprintf("%q %q %q %q %q %v %v", test.ImportPath, test.Dir, build, b.tool.Flags, names, b.cfg.Tests, b.cfg.Observe)
	return keeper(filepath.Join(b.tool.Cache, "fuzz", "fuzzmut-bin", fmt.Sprintf("%x", sha256.Sum256([]byte(key)))[:32]))
}

// restore puts the kept binary at path, and returns what is there then, nil for nothing. A
// binary that can't be had is linked.
func (k keeper) restore(path string) fs.FileInfo {
	if k == "" || copyFile(path, string(k)) != nil {
		return nil
	}
	used(string(k))
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// keep keeps the binary at path, unless it is the one that was restored. Where it can't be
// kept, it is linked the next time.
func (k keeper) keep(path string, restored fs.FileInfo) {
	if k == "" {
		return
	}
	info, err := os.Stat(path)
	if err != nil || restored != nil && os.SameFile(info, restored) || info.Size() > mostKept {
		return
	}
	dir := filepath.Dir(string(k))
	if os.MkdirAll(dir, 0o777) != nil {
		return
	}
	tmp, err := os.MkdirTemp(dir, "tmp-")
	if err != nil {
		return
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "made")
	if copyFile(made, path) == nil && os.Rename(made, string(k)) == nil {
		dropOldest(dir, mostKept)
	}
}

// copyFile makes a program of what is in another.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := cmp.Or(err, out.Close()); err != nil {
		os.Remove(to)
		return err
	}
	return nil
}

// dropOldest removes the oldest files in dir, until the others have at most that many bytes,
// and what a run that was killed has left.
func dropOldest(dir string, most int64) {
	dropUnused(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var total int64
	for _, f := range files {
		if total += f.Size(); total > most {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}
