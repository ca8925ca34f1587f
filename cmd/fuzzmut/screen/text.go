package screen

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// shown is a writer of text for people. Panic texts, messages of tests, names of files
// and source may hold anything, and a terminal obeys some of it: it shows another text
// than there is, or types into the shell. What can't be seen is written as Go would
// escape it. All text that is not the command's own goes through it, and nothing else:
// neither JSON nor patches nor pictures.
type shown struct {
	w io.Writer

	mu   sync.Mutex // the display, complaints and interrupts write from several goroutines
	rest []byte     // the beginning of a character, or of a line end
}

// NewText returns a writer that shows text on w.
func NewText(w io.Writer) io.Writer {
	if s, ok := w.(*shown); ok {
		return s
	}
	return &shown{w: w}
}

// Underlying is what a writer writes to as it is.
func Underlying(w io.Writer) io.Writer {
	if s, ok := w.(*shown); ok {
		return s.w
	}
	return w
}

// Write keeps what may be the first part of a character for the next call.
func (s *shown) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := p
	if len(s.rest) > 0 {
		text = append(s.rest, p...)
	}
	whole := wholeCharacters(text)
	s.rest = bytes.Clone(text[whole:])
	if _, err := io.WriteString(s.w, visible(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// wholeCharacters returns the length of text without a character, or a line end of two,
// that it may hold a part of.
func wholeCharacters(text []byte) int {
	n := len(text)
	if n > 0 && text[n-1] == '\r' {
		return n - 1
	}
	for i := 1; i < utf8.UTFMax && i <= n; i++ {
		if utf8.RuneStart(text[n-i]) {
			if !utf8.FullRune(text[n-i:]) {
				return n - i
			}
			break
		}
	}
	return n
}

// visible escapes what a reader of text would not see: control characters but for tabs
// and ends of lines, marks that turn the direction of writing, and bytes that are no
// UTF-8.
func visible(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n', r == '\t', unicode.IsGraphic(r), r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
			b.WriteString(text[i : i+size])
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += size
	}
	return b.String()
}
