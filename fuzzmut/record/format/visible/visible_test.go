package visible

import "testing"

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"a\tb\nc é 世 \ufffd": "a\tb\nc é 世 \ufffd",
		"\x1b[31m\r\n":       `\x1b[31m\r` + "\n",
		"a\u202eb\u2066":     `a\u202eb\u2066`,
		"\xff\x00x":          `\xff\x00x`,
		"\U000e0001":         `\U000e0001`,
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
