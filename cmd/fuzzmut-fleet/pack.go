package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// names are those of the files of a shared directory, as package fuzzmut/record/share has them.
var names = []*regexp.Regexp{
	regexp.MustCompile(`^fuzzmut-share\.json$`),
	regexp.MustCompile(`^(entries|failing)(/[^/\\:]+)+/Fuzz[^/\\:]*/[0-9a-f]{16}$`),
	regexp.MustCompile(`^[0-9a-f]{64}/[a-z0-9]+\.log$`),
}

func validName(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return false
	}
	for _, re := range names {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

const (
	fileMost = 64 << 20  // bytes of a file
	packMost = 512 << 20 // bytes of the files of a pack together
)

// files lists the files of a shared directory, but for those of except.
func files(dir string, except map[string]bool) (list []string, err error) {
	err = filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, at)
		if name := filepath.ToSlash(rel); err == nil && validName(name) && !except[name] {
			list = append(list, name)
		}
		return err
	})
	return list, err
}

// pack returns files of a directory as an archive, with an extra file.
func pack(dir string, list []string, extra string, data []byte) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	add := func(name string, data []byte) error {
		err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o666})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	for _, name := range list {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err == nil {
			err = add(name, data)
		}
		if err != nil {
			return nil, err
		}
	}
	if extra != "" {
		if err := add(extra, data); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// errDisk says that files can't be written here, whatever the archive is.
var errDisk = errors.New("a shared directory can't be written")

// unpack writes the files of an archive to a directory, but for those that are there. It returns
// their names, and what the extra file holds.
func unpack(archive []byte, dir, extra string) (list []string, data []byte, err error) {
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, nil, err
	}
	r, size := tar.NewReader(z), int64(0)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, data, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if size += h.Size; h.Size > fileMost || size > packMost {
			return nil, nil, fmt.Errorf("%s is too large", h.Name)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case h.Typeflag != tar.TypeReg:
			return nil, nil, fmt.Errorf("%s is no file", h.Name)
		case h.Name == extra:
			data = text
			continue
		case !validName(h.Name):
			return nil, nil, fmt.Errorf("%q is no file of a shared directory", h.Name)
		}
		if err := keep(dir, h.Name, text); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", errDisk, err)
		}
		list = append(list, h.Name)
	}
}

// keep writes a file of a shared directory if it is not there. A log that is there and shorter is
// one whose copy was cut short.
func keep(dir, name string, data []byte) error {
	at := filepath.Join(dir, filepath.FromSlash(name))
	if info, err := os.Lstat(at); err == nil && (!strings.HasSuffix(name, ".log") || info.Size() >= int64(len(data))) {
		return nil
	}
	return replace(at, data, 0o666)
}
