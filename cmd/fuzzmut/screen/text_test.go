package screen

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var visibleTexts = map[string]string{
	"plain text, 100 %\n\ttab":          "plain text, 100 %\n\ttab",
	"ü – “x” 日本 😀 \u00a0":               "ü – “x” 日本 😀 \u00a0",
	"line\r\nend":                       "line\r\nend",
	"gone\rother":                       `gone\x0dother`,
	"\x1b[2J\x1b]0;title\a":             `\x1b[2J\x1b]0;title\x07`,
	"\u009b31m \x9b31m":                 `\u009b31m \x9b31m`,
	"\x7f\x00\b":                        `\x7f\x00\x08`,
	"if \u202eresu\u202c \u2066x\u2069": `if \u202eresu\u202c \u2066x\u2069`,
	"zero\u200bwidth\ufeff\u2028":       `zero\u200bwidth\ufeff\u2028`,
	"tag \U000e0041":                    `tag \U000e0041`,
	"cut \xe6\x97!":                     `cut \xe6\x97!`,
}

func TestWhatCantBeSeenIsEscaped(t *testing.T) {
	for text, want := range visibleTexts {
		if got := visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		// However the text is cut into writes.
		for size := 1; size < 5; size++ {
			var b bytes.Buffer
			w := NewText(&b)
			for rest := text + "\n"; rest != ""; {
				n := min(size, len(rest))
				if written, err := w.Write([]byte(rest[:n])); written != n || err != nil {
					t.Fatal(written, err)
				}
				rest = rest[n:]
			}
			if b.String() != want+"\n" {
				t.Errorf("%q in parts of %d: got %q, want %q", text, size, b.String(), want+"\n")
			}
		}
	}
}

func FuzzVisible(f *testing.F) {
	for text := range visibleTexts {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		got := visible(text)
		if !utf8.ValidString(got) || visible(got) != got {
			t.Fatalf("%q is shown as %q", text, got)
		}
		for i, r := range got {
			if r != '\n' && r != '\t' && !unicode.IsGraphic(r) && !strings.HasPrefix(got[i:], "\r\n") {
				t.Fatalf("%q is shown with %U", text, r)
			}
		}
		if cut < 0 || cut > len(text) {
			return
		}
		var b bytes.Buffer
		w := NewText(&b)
		w.Write([]byte(text[:cut]))
		w.Write([]byte(text[cut:] + "\n"))
		if b.String() != visible(text+"\n") {
			t.Errorf("%q, cut at %d, is shown as %q", text, cut, b.String())
		}
	})
}

func FuzzStatusLine(f *testing.F) {
	f.Add("FuzzX\x1b[31m", 40)
	f.Fuzz(func(t *testing.T, text string, width int) {
		line := join([]segment{{text: text}, {text: "b", drop: 1, red: true}}, width%200)
		line = strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(line)
		if strings.ContainsRune(line, '\x1b') || strings.ContainsRune(line, '\n') {
			t.Errorf("%q makes %q", text, line)
		}
	})
}
