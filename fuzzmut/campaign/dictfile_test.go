package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func readDictionary(t *testing.T, text string) ([][]byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.dict")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return ReadDictionary(path)
}

func TestReadDictionary(t *testing.T) {
	got, err := readDictionary(t, "# JSON\n\n"+
		`plain="null"`+"\n"+
		`  level@2 = "tr\x75e"  `+"\r\n"+
		`"\"\\\x00\xff"`+"\n"+
		`"a=\"b\" # no comment"`+"\n"+
		`"é"`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"null", "true", "\"\\\x00\xff", `a="b" # no comment`, "é"}
	if !slices.Equal(stringsOf(got), want) {
		t.Errorf("got  %q\nwant %q", stringsOf(got), want)
	}
}

func TestReadDictionaryNamesTheLineAtFault(t *testing.T) {
	for line, want := range map[string]string{
		`null`:         `neither name="value" nor "value"`,
		`a b="c"`:      `neither name="value" nor "value"`,
		`a="b`:         `neither name="value" nor "value"`,
		`a="b" # c`:    `neither name="value" nor "value"`,
		`a@x="b"`:      `neither name="value" nor "value"`,
		`a=""`:         "an empty value",
		`"a"b"`:        "a quote within",
		`"a\n"`:        "a backslash",
		`"a\x4"`:       "a backslash",
		`"a\xg0"`:      "a backslash",
		`"a\"`:         "a backslash",
		"\"a\tb\"":     `write \x09`,
		`"\x+1"`:       "a backslash",
		`name="\x0_1"`: "a backslash",
	} {
		_, err := readDictionary(t, "# first\n"+line+"\n")
		if err == nil || !strings.Contains(err.Error(), "a.dict:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
	if _, err := ReadDictionary(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("of no file: %v", err)
	}
}
