package arena

import (
	"bytes"
	"fmt"
	"slices"
)

// Edit makes the change of a mutant in a source: at a line and a column, from 1, and in
// bytes.
func Edit(source []byte, line, column int, original, replacement string) ([]byte, error) {
	at := 0
	for range line - 1 {
		n := bytes.IndexByte(source[at:], '\n')
		if n < 0 {
			return nil, fmt.Errorf("there is no line %d", line)
		}
		at += n + 1
	}
	at += column - 1
	if at > len(source) || !bytes.HasPrefix(source[at:], []byte(original)) {
		return nil, fmt.Errorf("%d:%d does not hold %q", line, column, original)
	}
	return slices.Concat(source[:at], []byte(replacement), source[at+len(original):]), nil
}
