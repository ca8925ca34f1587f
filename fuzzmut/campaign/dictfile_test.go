package campaign

import (
	"errors"
	"io/fs"
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
	if _, err := ReadDictionary(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
}

// FuzzParseDictionary checks that the tokens that are read are those that are read from
// what is written of them.
func FuzzParseDictionary(f *testing.F) {
	f.Add([]byte("# JSON\n\nplain=\"null\"\n  level@2 = \"tr\\x75e\"  \r\n\"\\\"\\\\\\x00\\xff\"\n\"a=\\\"b\\\" # no comment\"\n\"é\""))
	f.Add([]byte("a=\"b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tokens, err := parseDictionary(data)
		if err != nil {
			return
		}
		written, n := dictionaryText(tokens)
		again, err := parseDictionary(written)
		if err != nil || len(again) != n {
			t.Fatalf("%d of %d tokens come back, %v:\n%s", len(again), n, err, written)
		}
		for i, want := range distinctTokens(tokens) {
			if string(again[i]) != want {
				t.Errorf("token %d is %q, want %q", i, again[i], want)
			}
		}
	})
}

// distinctTokens lists tokens, each once.
func distinctTokens(tokens [][]byte) (list []string) {
	for _, token := range tokens {
		if !slices.Contains(list, string(token)) {
			list = append(list, string(token))
		}
	}
	return list
}
