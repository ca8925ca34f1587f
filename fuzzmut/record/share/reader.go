package share

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Reader reads what processes say of one test binary. It is not for several goroutines at a
// time.
type Reader struct {
	dir  string
	own  *Log             // is not read; nil: there is none
	at   map[string]int64 // by file, what was read of it
	done map[string]bool  // files that are read no further: they are damaged
	read int64            // bytes in all
}

// NewReader returns a reader of what others than own say of a test binary.
func (d *Dir) NewReader(binary string, own *Log) *Reader {
	return &Reader{dir: filepath.Join(d.path, binary), own: own, at: make(map[string]int64), done: make(map[string]bool)}
}

// readMost bounds what is read of the logs of one binary, in bytes.
const readMost = 512 << 20

// Full reports whether the logs have so much that others hardly read more of them.
func (r *Reader) Full() bool { return r.read > readMost/2 }

// Next returns what was said since the last call, by file, in the order of their names. A file
// that is damaged is read up to there, and the error names it; others are read all the same.
func (r *Reader) Next() ([]Record, error) {
	names, err := sortedNames(r.dir, func(f fs.DirEntry) bool { return strings.HasSuffix(f.Name(), logSuffix) })
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w; make it a readable directory", r.dir, cause(err))
	}
	own := ""
	if r.own != nil {
		own = r.own.Name()
	}
	var list []Record
	var errs []error
	for _, name := range names {
		if name == own || r.done[name] {
			continue
		}
		more, err := r.follow(name)
		list = append(list, more...)
		if err != nil {
			r.done[name] = true
			errs = append(errs, err)
		}
	}
	return list, errors.Join(errs...)
}

// follow reads what is new in a file.
func (r *Reader) follow(name string) ([]Record, error) {
	path := filepath.Join(r.dir, name)
	data, err := tail(path, r.at[name], readMost-r.read)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // another has replaced it
	case err != nil:
		return nil, err
	}
	skip := 0
	if r.at[name] == 0 {
		if len(data) < len(head) && strings.HasPrefix(head, string(data)) {
			return nil, nil // its process is about to write it
		}
		if !strings.HasPrefix(string(data), head) {
			return nil, fmt.Errorf("%s is no log of fuzzmut's: it is not read; remove it", path)
		}
		skip = len(head)
	}
	list, n, err := parse(data[skip:])
	at := r.at[name] + int64(skip+n)
	r.read += at - r.at[name]
	r.at[name] = at
	if err != nil {
		err = fmt.Errorf("%s is damaged at byte %d (%w): what follows is not read; remove it", path, at, err)
	}
	return list, err
}

// tail reads a regular file from an offset on.
func tail(path string, from, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	size := info.Size() - from
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file: it is not read; remove it", path)
	case size <= 0:
		return nil, nil
	case size > most:
		return nil, fmt.Errorf("%s is left out: the logs have more than %d MiB together; fuzzmut corpus prune makes them shorter", path, readMost>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	n, err := f.ReadAt(data, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}
