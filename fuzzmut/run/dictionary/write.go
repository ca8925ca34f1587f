package dictionary

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/fuzzmut/fuzzmut/fuzzmut/regular"
)

// title begins a dictionary that may be replaced.
const title = "# Written by fuzzmut corpus export.\n"

// CheckReplace refuses to replace a dictionary that the user has written.
func CheckReplace(path string) error {
	old, err := regular.Read(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.HasPrefix(old, []byte(title)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; move it elsewhere", err)
	}
	return fmt.Errorf("%s was not written by fuzzmut; move it elsewhere", path)
}

// Format writes tokens, each once, so that Read reads them, and
// counts them.
func Format(tokens [][]byte) (text []byte, n int) {
	var b bytes.Buffer
	b.WriteString(title)
	seen := make(map[string]bool)
	for _, token := range tokens {
		if seen[string(token)] {
			continue
		}
		seen[string(token)] = true
		b.WriteByte('"')
		for _, c := range token {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteByte(c)
			case c < ' ' || c > '~':
				b.WriteString(`\x`)
				b.WriteString(hex.EncodeToString([]byte{c}))
			default:
				b.WriteByte(c)
			}
		}
		b.WriteString("\"\n")
	}
	return b.Bytes(), len(seen)
}
