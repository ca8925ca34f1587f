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
	return Entry{Name: in.managedName(), Source: Found, Input: in}
}

// Managed says whether e was read from a file that fuzzmut wrote and nobody
// has changed since: only such a file may be replaced or removed.
func (e *Entry) Managed() bool {
	return e.Path != "" && IsManagedName(e.Name) && strings.HasSuffix(e.Name, e.Input.Hash())
}

// FileName gives the name under which Go keeps an encoded entry: the first 16
// hexadecimal digits of the SHA-256 of data.
func FileName(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

const managedPrefix = "fuzzmut-"

// ManagedName gives the name under which fuzzmut keeps its own encoded entry:
// "fuzzmut-", a few words of its content if it has any, and its FileName, with a "-"
// between each two.
func ManagedName(data []byte) string {
	name := managedPrefix
	if words := slug(data); words != "" {
		name += words + "-"
	}
	return name + FileName(data)
}

// IsManagedName says whether name has the form that ManagedName gives, or gave when there
// were no words in it. Whatever the words are, the hash tells the content.
func IsManagedName(name string) bool {
	rest, ok := strings.CutPrefix(name, managedPrefix)
	if !ok || len(rest) < hashDigits {
		return false
	}
	words, digits := rest[:len(rest)-hashDigits], rest[len(rest)-hashDigits:]
	if strings.Trim(digits, "0123456789abcdef") != "" {
		return false
	}
	words, ok = strings.CutSuffix(words, "-")
	return words == "" && !ok || ok && words != "" && len(words) <= maxSlug && strings.Trim(words, slugLetters+"-") == "" &&
		words[0] != '-' && words[len(words)-1] != '-'
}

// hashDigits are those of a FileName.
const hashDigits = 16

// maxSlug bounds the words in a name, in bytes.
const (
	maxSlug     = 24
	slugLetters = "0123456789abcdefghijklmnopqrstuvwxyz"
)

// slug returns words of an encoded entry that may stand in the name of a file on any
// system: letters, digits, and a "-" for each run of others. It reads no more of the
// content than it takes.
func slug(data []byte) string {
	_, rest, ok := strings.Cut(string(data[:min(len(data), len(header)+maxSlugSource)]), "\n")
	if !ok || !strings.HasPrefix(string(data), header) {
		return ""
	}
	var b []byte
	other := func() {
		if len(b) > 0 && b[len(b)-1] != '-' {
			b = append(b, '-')
		}
	}
	for line := range strings.SplitSeq(rest, "\n") {
		_, text, _ := strings.Cut(line, "(") // the conversion says the type
		other()
		for i := 0; i < len(text) && len(b) <= maxSlug; i++ {
			switch c := text[i]; {
			case c == '\\':
				i += escaped(text[i+1:])
				other()
			case !strings.Contains(slugLetters, strings.ToLower(string(rune(c)))):
				other()
			default:
				b = append(b, strings.ToLower(string(rune(c)))...)
			}
		}
	}
	words := strings.Trim(string(b), "-")
	return strings.Trim(words[:min(len(words), maxSlug)], "-")
}

// maxSlugSource bounds what slug reads of an entry, in bytes.
const maxSlugSource = 1 << 10

// escaped is the length of what follows the backslash of an escape in a Go string.
func escaped(text string) int {
	switch {
	case text == "":
		return 0
	case text[0] == 'x':
		return 3
	case text[0] == 'u':
		return 5
	case text[0] == 'U':
		return 9
	}
	return 1
}
