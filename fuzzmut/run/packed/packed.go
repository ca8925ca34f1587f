// Package packed is a test binary in a file, with all that a search needs of its source and the
// files that its tests may read: a process runs it where there is neither the source nor Go.
package packed

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/samples"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Facts are what a search needs of the source of a package.
type Facts struct {
	Program     *instrument.Program
	UsesContext bool
	Tokens      [][]byte
	Samples     []samples.Row
	Bounds      []load.CostBound
	Constants   []wire.Constants
	Places      map[string]token.Position // of functions, by the fuzz tests that were derived for them
	Settings    Settings
}

// Settings are options of the run that packs: they are those of each run with the file.
type Settings struct {
	Filter     string
	Dict       [][]byte
	Inputs     string
	Cost       float64
	CostFails  bool
	Oracles    string
	NoStudy    bool
	Timeout    time.Duration
	Timeouts   map[string]time.Duration
	MemLimit   int64
	UntilTime  time.Duration
	UntilExecs int64
	UntilNews  int
}

// head is what is read before all else.
type head struct {
	Format   int    // of the file
	Platform string // as "linux/amd64"
	Runtime  string // hash of the runtime in the binary: a command with another one can't talk to it
	Dir      string // of the package, below the tree
}

const (
	format = 1

	// Names within the file.
	headName   = "fuzzmut-packed.json"
	factsName  = "facts.json"
	binaryName = "test.bin"
	treeName   = "tree"

	// Bounds, in bytes.
	headMost   = 64 << 10
	factsMost  = 256 << 20
	binaryMost = 512 << 20
	treeMost   = 64 << 20
	// filesMost bounds the files of the tree.
	filesMost = 20_000
)

// runtime is the hash of the runtime that this program injects.
func runtime() (string, error) {
	h := sha256.New()
	err := fs.WalkDir(fuzzmutrt.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(fuzzmutrt.Source, name)
		fmt.Fprintf(h, "%q %d\n", name, len(text))
		h.Write(text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// Write writes a file at path with a test binary for a platform. It has the same bytes for the
// same arguments and files.
func Write(path string, facts *Facts, binary, platform string) (err error) {
	rt, err := runtime()
	if err != nil {
		return err
	}
	test := &facts.Program.Test
	root := cmpDir(test.ModuleDir, test.Dir)
	rel, err := filepath.Rel(root, test.Dir)
	if err != nil {
		return err
	}
	list, err := tree(root, rel)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".fuzzmut-tmp-")
	if err != nil {
		return err
	}
	w := &writer{zip: zip.NewWriter(f)}
	w.json(headName, &head{Format: format, Platform: platform, Runtime: rt, Dir: filepath.ToSlash(rel)})
	w.json(factsName, facts)
	w.file(binaryName, binary)
	for _, name := range list {
		w.file(treeName+"/"+filepath.ToSlash(name), filepath.Join(root, name))
	}
	err = errors.Join(w.err, w.zip.Close(), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// cmpDir is the directory of the module if the package is in it.
func cmpDir(module, dir string) string {
	if rel, err := filepath.Rel(module, dir); module != "" && err == nil && filepath.IsLocal(rel) {
		return module
	}
	return dir
}

// writer writes the parts of a file up to the first error.
type writer struct {
	zip *zip.Writer
	err error
}

func (w *writer) json(name string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	w.add(name, strings.NewReader(string(text)))
}

func (w *writer) file(name, from string) {
	f, err := os.Open(from)
	if err != nil {
		w.err = errors.Join(w.err, err)
		return
	}
	defer f.Close()
	w.add(name, f)
}

func (w *writer) add(name string, r io.Reader) {
	if w.err != nil {
		return
	}
	to, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err == nil {
		_, err = io.Copy(to, r)
	}
	w.err = err
}

// tree lists the files below root that the tests of the package at rel may read: all files of its
// directory, and what is below a testdata directory there, or in a directory above it.
func tree(root, rel string) (list []string, err error) {
	size := int64(0)
	add := func(name string, info fs.FileInfo) error {
		list = append(list, name)
		if size += info.Size(); size > treeMost || len(list) > filesMost {
			return fmt.Errorf("the directory of the package and its testdata have more than %d MiB, or %d files; a run needs the source", treeMost>>20, filesMost)
		}
		return nil
	}
	files, err := os.ReadDir(filepath.Join(root, rel))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.Mode().IsRegular() {
			if err := add(filepath.Join(rel, f.Name()), info); err != nil {
				return nil, err
			}
		}
	}
	for dir := rel; ; dir = filepath.Dir(dir) {
		err := filepath.WalkDir(filepath.Join(root, dir, "testdata"), func(at string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, at)
			if err != nil {
				return err
			}
			return add(name, info)
		})
		if err != nil {
			return nil, err
		}
		if dir == "." {
			break
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// Open checks a file for this platform, and puts what is in it into the directory dir. The
// program that it returns has the directory of the package there. The error names the file, and
// says what to do.
func Open(file, dir, platform string) (facts *Facts, binary string, err error) {
	z, err := zip.OpenReader(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("%s does not exist; -pack writes such files", file)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s can't be read: %w; write it again with -pack", file, err)
	}
	defer z.Close()
	if facts, binary, err = open(&z.Reader, dir, platform); err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return facts, binary, nil
}

func open(z *zip.Reader, dir, platform string) (*Facts, string, error) {
	var h head
	if err := readJSON(z, headName, headMost, &h); err != nil {
		return nil, "", err
	}
	rt, err := runtime()
	if err != nil {
		return nil, "", err
	}
	switch {
	case h.Format != format || h.Runtime != rt:
		return nil, "", errors.New("it was packed by another version of fuzzmut; use the same version here and there")
	case h.Platform != platform:
		return nil, "", fmt.Errorf("it is for %s, and this is %s; pack it on such a machine", h.Platform, platform)
	case !filepath.IsLocal(filepath.FromSlash(h.Dir)):
		return nil, "", errDamaged
	}
	facts := new(Facts)
	if err := readJSON(z, factsName, factsMost, facts); err != nil {
		return nil, "", err
	}
	if facts.Program == nil || len(facts.Program.Test.Fuzz) == 0 {
		return nil, "", errDamaged
	}
	facts.Program.Test.Dir = filepath.Join(dir, treeName, filepath.FromSlash(h.Dir))
	if err := os.MkdirAll(facts.Program.Test.Dir, 0o777); err != nil {
		return nil, "", err
	}
	binary := filepath.Join(dir, binaryName)
	return facts, binary, unpack(z, dir)
}

// errDamaged says that a file is none that Write has written.
var errDamaged = errors.New("it is damaged; write it again with -pack")

func readJSON(z *zip.Reader, name string, most int64, v any) error {
	f, err := z.Open(name)
	if err != nil {
		return errDamaged
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || int64(len(text)) > most || json.Unmarshal(text, v) != nil {
		return errDamaged
	}
	return nil
}

// unpack writes the binary and the tree.
func unpack(z *zip.Reader, dir string) error {
	room, files := int64(treeMost), 0
	seen := false
	for _, f := range z.File {
		switch {
		case f.Name == headName || f.Name == factsName:
		case f.Name == binaryName && !seen:
			seen = true
			if _, err := extract(f, filepath.Join(dir, binaryName), 0o777, binaryMost); err != nil {
				return err
			}
		case !strings.HasPrefix(f.Name, treeName+"/") || !filepath.IsLocal(filepath.FromSlash(f.Name)) || path.Clean(f.Name) != f.Name || files == filesMost:
			return errDamaged
		default:
			n, err := extract(f, filepath.Join(dir, filepath.FromSlash(f.Name)), 0o666, room)
			if err != nil {
				return err
			}
			room, files = room-n, files+1
		}
	}
	if !seen {
		return errDamaged
	}
	return nil
}

// extract writes a new file with what f holds, most bytes at most.
func extract(f *zip.File, to string, mode fs.FileMode, most int64) (n int64, err error) {
	r, err := f.Open()
	if err != nil {
		return 0, errDamaged
	}
	defer r.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return 0, err
	}
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return 0, errDamaged
	}
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(w, io.LimitReader(r, most+1))
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || n > most {
		err = errDamaged
	}
	return n, errors.Join(err, w.Close())
}
