package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Source says where an entry comes from.
type Source int

const (
	Seed  Source = iota // an f.Add call in the fuzz test
	File                // the corpus directory of the fuzz test
	Cache               // Go's fuzz cache
	Found               // this run
)

func (s Source) String() string {
	switch s {
	case Seed:
		return "seed"
	case File:
		return "file"
	case Cache:
		return "cache"
	case Found:
		return "found"
	}
	return "Source(" + strconv.Itoa(int(s)) + ")"
}

// An Entry is one input of a fuzz test, and where it lies. Entries with the same values have
// the same Input.Hash, however their files are called and formatted. Entries are shared
// between goroutines and are not changed once made.
type Entry struct {
	// Name is "seed#N" for a seed, counted from 0 as go test does in the names
	// of its subtests; otherwise the file's base name, existing or to be.
	Name   string
	Path   string // "" unless the entry was read from a file
	Source Source
	Input  *Input
}

// Seed makes the entry for the n-th f.Add call, from 0.
func (in *Input) Seed(n int) Entry {
	return Entry{Name: "seed#" + strconv.Itoa(n), Source: Seed, Input: in}
}

// Found makes the entry for an input that was found in this run, under the name of a
// managed file. In Go's cache and as a failing input it is called by its Hash instead.
func (in *Input) Found() Entry {
	return Entry{Name: managedPrefix + in.Hash(), Source: Found, Input: in}
}

// Managed says whether e was read from a file that fuzzmut wrote and nobody
// has changed since: only such a file may be replaced or removed.
func (e *Entry) Managed() bool {
	return e.Path != "" && e.Name == managedPrefix+e.Input.Hash()
}

// FileName gives the name under which Go keeps an encoded entry: the first 16
// hexadecimal digits of the SHA-256 of data.
func FileName(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

const managedPrefix = "fuzzmut-"

// ManagedName gives the name under which fuzzmut keeps an encoded entry of its
// own.
func ManagedName(data []byte) string { return managedPrefix + FileName(data) }

// IsManagedName says whether name has the form that ManagedName gives.
func IsManagedName(name string) bool {
	digits, ok := strings.CutPrefix(name, managedPrefix)
	if !ok || len(digits) != 16 {
		return false
	}
	return strings.Trim(digits, "0123456789abcdef") == ""
}
