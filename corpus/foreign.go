package corpus

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus/layout"
)

// ReadForeign reads what other fuzzers, or other machines, have found: the files in
// a directory or in a zip archive, in the order of their names. A file whose
// content begins as an entry in Go's encoding is one; any other is the raw bytes of
// an input, as libFuzzer, AFL and OSS-Fuzz keep them, for a fuzz test that takes
// one []byte or string; or, if as is not nil, the bytes in that layout. An archive that
// [WriteSeedCorpus] wrote names its layout itself, which as must not contradict. Directories
// within are skipped. A symbolic link that leads
// out of the directory is bad: what lies elsewhere is not to be copied.
//
// types are those that the fuzz target takes. max is the size in bytes above which
// a file is bad, 0 for DefaultMaxSize. Once the entries hold [MostForeign] bytes, the
// files after them are bad as well, and are not looked at. The entries are as
// [Input.Found] makes them. err is not nil only if path itself can't be read.
func ReadForeign(path string, types []string, as *layout.Layout, max int64) (entries []Entry, bad []BadEntry, err error) {
	if max <= 0 {
		max = DefaultMaxSize
	}
	return (&foreign{types: types, as: as, max: max, room: MostForeign}).read(path)
}

// read reads what path holds.
func (f *foreign) read(path string) (entries []Entry, bad []BadEntry, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		err = f.eachFile(path)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a regular file; name a directory or a .zip file", path)
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		err = f.eachZipped(path)
	default:
		err = fmt.Errorf("%s is neither a directory nor a .zip file; name its directory", path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading inputs: %w", err)
	}
	return f.entries, f.bad, nil
}

// MostForeign bounds what [ReadForeign] returns, in bytes: a small archive can hold more
// than there is memory.
const MostForeign = 256 << 20

// foreign is one call of ReadForeign.
type foreign struct {
	types   []string
	as      *layout.Layout // of what is no entry; nil: raw
	named   bool           // the archive names the layout: nothing in it is an entry
	max     int64          // bytes of a file
	room    int64          // bytes that may still be read
	entries []Entry
	bad     []BadEntry
}

// take reads one file, unless there is no room for it.
func (f *foreign) take(name string, read func() ([]byte, *BadEntry)) {
	if f.room <= 0 {
		f.bad = append(f.bad, BadEntry{
			name, fmt.Errorf("is not read: the files before it have %d MiB, the limit", int64(MostForeign>>20)),
			"move it to a separate directory",
		})
		return
	}
	data, bad := read()
	var e *Entry
	if bad == nil {
		f.room -= int64(len(data))
		e, bad = f.entry(name, data)
	}
	if bad != nil {
		f.bad = append(f.bad, *bad)
	} else {
		f.entries = append(f.entries, *e)
	}
}

// eachFile reads the files in a directory.
func (f *foreign) eachFile(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		if to, out := LeadsOut(dir, path); out {
			f.bad = append(f.bad, BadEntry{path, fmt.Errorf("is a symbolic link out of the directory, to %s", to), "replace it with a copy"})
			continue
		}
		f.take(path, func() ([]byte, *BadEntry) { return readRegular(path, f.max) })
	}
	return nil
}

// eachZipped reads the files in a zip archive.
func (f *foreign) eachZipped(path string) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer archive.Close()
	if err := f.follow(archive.Comment); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, file := range archive.File {
		if file.FileInfo().IsDir() {
			continue
		}
		name := path + "/" + file.Name
		if !file.Mode().IsRegular() {
			f.bad = append(f.bad, BadEntry{name, errors.New("is not a regular file"), "create the archive without it"})
			continue
		}
		f.take(name, func() ([]byte, *BadEntry) { return readZipped(name, file, f.max) })
	}
	return nil
}

// readZipped reads a file in an archive of at most max bytes, whatever the archive
// says of its size.
func readZipped(name string, f *zip.File, max int64) ([]byte, *BadEntry) {
	r, err := f.Open()
	if err != nil {
		return nil, &BadEntry{name, err, "create the archive again"}
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, &BadEntry{name, err, "create the archive again"}
	}
	if int64(len(data)) > max {
		return nil, &BadEntry{name, fmt.Errorf("is larger than %d bytes", max), "shorten or remove the file"}
	}
	return data, nil
}

// isEncoded says whether data is meant as an entry in Go's encoding, if perhaps
// not a correct one.
func isEncoded(data []byte) bool {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimPrefix(strings.TrimSuffix(string(first), "\r"), "\ufeff") == header
}

// entry makes an entry of what a file holds.
func (f *foreign) entry(path string, data []byte) (*Entry, *BadEntry) {
	if f.named || !isEncoded(data) {
		vals, err := f.values(data)
		if err != nil {
			return nil, &BadEntry{path, err, "convert the file to Go's encoding"}
		}
		e := Of(vals...).Found()
		return &e, nil
	}
	in, err := Decode(data)
	if err != nil {
		return nil, &BadEntry{path, err, "correct or remove the file"}
	}
	e := in.Found()
	if err := CheckTypes(in.vals, f.types); err != nil {
		return nil, &BadEntry{path, &StaleError{&e, err}, "use inputs of a fuzz test with the same arguments"}
	}
	return &e, nil
}

// values makes the values of what is no entry.
func (f *foreign) values(data []byte) ([]any, error) {
	if f.as == nil {
		return FromRaw(data, f.types)
	}
	vals, err := f.as.Decode(data, canonicalTypes(f.types))
	if err != nil {
		return nil, fmt.Errorf("can't be read in layout %s: %w", f.as.Name, err)
	}
	return vals, nil
}

// FromRaw makes the values of an entry of raw bytes. It fails unless the fuzz
// target takes one []byte or string.
func FromRaw(data []byte, types []string) ([]any, error) {
	if len(types) == 1 {
		switch canonicalType(types[0]) {
		case "[]byte":
			return []any{data}, nil
		case "string":
			return []any{string(data)}, nil
		}
	}
	return nil, fmt.Errorf("is not in Go's encoding, and the fuzz target takes (%s), not a single []byte or string", strings.Join(types, ", "))
}

// Raw returns the raw bytes of an entry, from which FromRaw makes it; ok is false
// unless it is one []byte or string.
func (e *Entry) Raw() (data []byte, ok bool) {
	vals := e.Input.Values()
	if len(vals) != 1 {
		return nil, false
	}
	switch v := vals[0].(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}
