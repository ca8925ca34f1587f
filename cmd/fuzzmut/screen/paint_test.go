package screen

import (
	"bytes"
	"io"
	"testing"
)

func TestDifferencesAreColoured(t *testing.T) {
	var b bytes.Buffer
	p := &painter{w: &b, indents: []string{"      ", "   | "}}
	for _, s := range []string{"  p.go:1: - \n      - ", "a\n      + b\n", "      .A: 1 -> 2\n        - c\n", "   | - d\n     - e\n"} {
		if _, err := io.WriteString(NewText(p), s); err != nil {
			t.Fatal(err)
		}
	}
	want := "  p.go:1: - \n" + red + "      - a" + plain + "\n" + green + "      + b" + plain + "\n      .A: 1 -> 2\n        - c\n" + red + "   | - d" + plain + "\n     - e\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
