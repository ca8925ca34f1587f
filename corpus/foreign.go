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
)

// ReadForeign reads what other fuzzers, or other machines, have found: the files in
// a directory or in a zip archive, in the order of their names. A file whose
// content begins as an entry in Go's encoding is one; any other is the raw bytes of
// an input, as libFuzzer, AFL and OSS-Fuzz keep them, for a fuzz test that takes
// one []byte or string. Directories within are passed over.
//
// types are those that the fuzz target takes. max is the size in bytes above which
// a file is bad, 0 for DefaultMaxSize. The entries are as [NewFound] makes them.
// err is not nil only if path itself can't be read.
func ReadForeign(path string, types []string, max int64) (entries []Entry, bad []BadEntry, err error) {
	if max <= 0 {
		max = DefaultMaxSize
	}
	take := func(name string, data []byte, b *BadEntry) {
		var e *Entry
		if b == nil {
			e, b = foreignEntry(name, data, types)
		}
		if b != nil {
			bad = append(bad, *b)
		} else {
			entries = append(entries, *e)
		}
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		err = eachFile(path, max, take)
	case strings.EqualFold(filepath.Ext(path), ".zip"):
		err = eachZipped(path, max, take)
	default:
		err = fmt.Errorf("%s is neither a directory nor a .zip file; name the directory it lies in", path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading inputs: %w", err)
	}
	return entries, bad, nil
}

// eachFile reads the files in a directory.
func eachFile(dir string, max int64, take func(name string, data []byte, b *BadEntry)) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			continue
		}
		data, b := readRegular(path, max)
		take(path, data, b)
	}
	return nil
}

// eachZipped reads the files in a zip archive.
func eachZipped(path string, max int64, take func(name string, data []byte, b *BadEntry)) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		if f.FileInfo().IsDir() {
			continue
		}
		name := path + "/" + f.Name
		data, b := readZipped(name, f, max)
		take(name, data, b)
	}
	return nil
}

// readZipped reads a file in an archive of at most max bytes, whatever the archive
// says of its size.
func readZipped(name string, f *zip.File, max int64) ([]byte, *BadEntry) {
	r, err := f.Open()
	if err != nil {
		return nil, &BadEntry{name, err, "make the archive anew"}
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, &BadEntry{name, err, "make the archive anew"}
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

// foreignEntry makes an entry of what a file holds.
func foreignEntry(path string, data []byte, types []string) (*Entry, *BadEntry) {
	if !isEncoded(data) {
		vals, err := FromRaw(data, types)
		if err != nil {
			return nil, &BadEntry{path, err, "convert the file to Go's encoding"}
		}
		e := NewFound(vals)
		return &e, nil
	}
	vals, err := Unmarshal(data)
	if err == nil && len(vals) == 0 {
		err = errors.New("has no values")
	}
	if err != nil {
		return nil, &BadEntry{path, err, "correct or remove the file"}
	}
	e := NewFound(vals)
	if err := CheckTypes(vals, types); err != nil {
		return nil, &BadEntry{path, &StaleError{&e, err}, "take inputs of a fuzz test with the same arguments"}
	}
	return &e, nil
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
	return nil, fmt.Errorf("is not in Go's encoding, and the fuzz target takes (%s), not one []byte or string", strings.Join(types, ", "))
}

// Raw returns the raw bytes of an entry, from which FromRaw makes it; ok is false
// unless it is one []byte or string.
func (e *Entry) Raw() (data []byte, ok bool) {
	if len(e.Values) != 1 {
		return nil, false
	}
	switch v := e.Values[0].(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}
