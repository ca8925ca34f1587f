package overlay

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Most files of an overlay depend on fuzzmut and the toolchain alone: the runtime and the
// changed parts of the standard library, some 170 files. They are in Go's fuzz cache, in a
// directory that is named by what is in them, so that one run writes them for all. A
// directory appears whole, and is not changed.

// unusedCommon is for how long nobody has used a directory that is removed. The go command
// keeps what is built for as long.
const unusedCommon = 5 * 24 * time.Hour

// lay writes the files, by the paths they stand for, and returns where each lies. Those that
// are common to runs are in the cache, unless that can't be written, and all others in dir.
func (b *builder) lay(dir string, common, own map[string][]byte) (map[string]string, error) {
	at, err := layCommon(filepath.Join(b.tool.Cache, "fuzz", "fuzzmut-rt"), common)
	if err != nil {
		own = merged(common, own)
	}
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	rest, err := layIn(dir, own)
	if err != nil {
		return nil, fmt.Errorf("writing rewritten source: %w", err)
	}
	maps.Copy(rest, at)
	return rest, nil
}

func merged(a, b map[string][]byte) map[string][]byte {
	both := maps.Clone(a)
	if both == nil {
		return b
	}
	maps.Copy(both, b)
	return both
}

// layIn writes the files into dir.
func layIn(dir string, files map[string][]byte) (map[string]string, error) {
	at := names(dir, files)
	for path, to := range at {
		if err := writeOld(to, files[path]); err != nil {
			return nil, err
		}
	}
	return at, nil
}

// names says where in dir the files lie.
func names(dir string, files map[string][]byte) map[string]string {
	at := make(map[string]string, len(files))
	for i, path := range slices.Sorted(maps.Keys(files)) {
		at[path] = filepath.Join(dir, strconv.Itoa(i)+"_"+filepath.Base(path))
	}
	return at
}

// layCommon returns where in the directories of root the files lie, and writes them if they
// are not there.
func layCommon(root string, files map[string][]byte) (map[string]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	dir := filepath.Join(root, digest(files))
	at := names(dir, files)
	if whole(at, files) {
		used(dir)
		return at, nil
	}
	if err := makeCommon(dir, at, files); err != nil && !whole(at, files) { // another run may have made it
		return nil, err
	}
	dropUnused(root)
	return at, nil
}

func digest(files map[string][]byte) string {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %d\n", path, len(files[path]))
		h.Write(files[path])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// whole reports whether all files are there as they were written: with the time that goes
// with what is in them.
func whole(at map[string]string, files map[string][]byte) bool {
	for path, to := range at {
		info, err := os.Lstat(to)
		if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(files[path])) || !info.ModTime().Equal(timeOf(files[path])) {
			return false
		}
	}
	return true
}

// makeCommon makes dir with the files in it, unless another run makes it meanwhile. What is
// there in its place otherwise is damaged.
func makeCommon(dir string, at map[string]string, files map[string][]byte) error {
	root := filepath.Dir(dir)
	if err := os.MkdirAll(root, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(root, "tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "made")
	if err := os.Mkdir(made, 0o777); err != nil { // by the user's umask, other than tmp
		return err
	}
	if _, err := layIn(made, files); err != nil {
		return err
	}
	if os.Rename(made, dir) == nil || whole(at, files) { // a directory takes the place of an empty one only
		return nil
	}
	if err := os.Rename(dir, filepath.Join(tmp, "damaged")); err != nil {
		return err
	}
	return os.Rename(made, dir)
}

// used notes that dir is in use, for dropUnused. Where it can't, the worst is that the
// directory is made once more.
func used(dir string) {
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
		now := time.Now()
		os.Chtimes(dir, now, now)
	}
}

// dropUnused removes what nobody has used for long: directories of other versions, and what
// a run that was killed has left. What can't be removed stays.
func dropUnused(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unusedCommon {
			os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}
