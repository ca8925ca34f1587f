package fuzzmut

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// kept are the values that failed in runs of a check before. They are beside those that
// go test -fuzz has found, in files of the same format, so that go clean -fuzzcache
// removes both.
type kept struct {
	dir    string // "" where there is no such directory, or none is wanted
	prefix string // of its files
}

// mostKept bounds the values of a check that are kept. The oldest ones go.
const mostKept = 8

// failures are those of p.
func (p *property) failures() kept {
	cache := cacheDir()
	if !p.keep || cache == "" || p.pkg == "" {
		return kept{}
	}
	sum := sha256.Sum256([]byte(p.name))
	return kept{filepath.Join(cache, "fuzz", filepath.FromSlash(p.pkg), url.PathEscape(p.t.Name())), fmt.Sprintf("%x-", sum[:4])}
}

// cacheDir is the directory of Go's build cache; "" if there is none.
func cacheDir() string {
	if dir := os.Getenv("GOCACHE"); filepath.IsAbs(dir) {
		return dir
	} else if dir != "" {
		return "" // "off"
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "go-build")
}

// noneKept has the directories of packages that were not there: to look for them again takes as long as to test
// hundreds of small values.
var noneKept sync.Map

// noteNone notes that a package has no directory, if it has none.
func (k kept) noteNone() {
	if pkg := filepath.Dir(k.dir); absent(pkg) {
		noneKept.Store(pkg, true)
	}
}

func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// files lists the files of values, the newest first.
func (k kept) files() []string {
	if k.dir == "" {
		return nil
	}
	if _, none := noneKept.Load(filepath.Dir(k.dir)); none {
		return nil
	}
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		k.noteNone()
		return nil // most often there is nothing yet
	}
	type file struct {
		path string
		time int64
	}
	var list []file
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), k.prefix) && info.Mode().IsRegular() {
			list = append(list, file{filepath.Join(k.dir, e.Name()), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Or(cmp.Compare(b.time, a.time), strings.Compare(a.path, b.path)) })
	paths := make([]string, len(list))
	for i, f := range list {
		paths[i] = f.path
	}
	return paths
}

// The lines of a file of Go's corpus with an input of one []byte.
const (
	corpusHeader = "go test fuzz v1\n"
	bytesStart   = "[]byte("
	bytesEnd     = ")"
)

// load returns the values, the newest first. What is no such file is left alone.
func (k kept) load(t *term.Type) []*term.Term {
	var list []*term.Term
	for _, path := range k.files() {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		line, found := bytes.CutPrefix(bytes.TrimSpace(text), []byte(corpusHeader+bytesStart))
		data, err := strconv.Unquote(strings.TrimSuffix(string(line), bytesEnd))
		if found && err == nil {
			x, _ := term.Decode(t, []byte(data))
			list = append(list, x)
		}
	}
	return list
}

// add keeps a value, and removes the oldest ones that are too many.
func (k kept) add(x *term.Term) error {
	if k.dir == "" {
		return nil
	}
	data, err := term.Encode(x)
	if err != nil {
		return err
	}
	noneKept.Delete(filepath.Dir(k.dir))
	if err := os.MkdirAll(k.dir, 0o777); err != nil {
		return err
	}
	text := corpusHeader + bytesStart + strconv.Quote(string(data)) + bytesEnd + "\n"
	sum := sha256.Sum256(data)
	if err := replace(filepath.Join(k.dir, k.prefix+fmt.Sprintf("%x", sum[:8])), text); err != nil {
		return err
	}
	files := k.files()
	for _, path := range files[min(mostKept, len(files)):] {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name()) // nobody reads it
	}
	return err
}
