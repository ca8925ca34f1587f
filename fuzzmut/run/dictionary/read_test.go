package dictionary

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readText(t *testing.T, text string) ([][]byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.dict")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestReadDictionary(t *testing.T) {
	got, err := readText(t, "# JSON\n\n"+
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
		_, err := readText(t, "# first\n"+line+"\n")
		if err == nil || !strings.Contains(err.Error(), "a.dict:2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", line, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no file: %v", err)
	}
}

// FuzzParse checks that the tokens that are read are those that are read from
// what is written of them.
func FuzzParse(f *testing.F) {
	f.Add([]byte("# JSON\n\nplain=\"null\"\n  level@2 = \"tr\\x75e\"  \r\n\"\\\"\\\\\\x00\\xff\"\n\"a=\\\"b\\\" # no comment\"\n\"é\""))
	f.Add([]byte("a=\"b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tokens, err := parse(data)
		if err != nil {
			return
		}
		written, n := Format(tokens)
		again, err := parse(written)
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

func TestDictionariesComeBack(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	tokens := [][]byte{[]byte("GET"), []byte(`a"b\c`), all, []byte("GET"), []byte("\n")}
	text, n := Format(tokens)
	path := filepath.Join(t.TempDir(), "x.dict")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]byte{tokens[0], tokens[1], tokens[2], tokens[4]}
	if diff := cmp.Diff(want, got); diff != "" || n != len(want) {
		t.Errorf("%d tokens (-want +got):\n%s", n, diff)
	}
	if err := CheckReplace(path); err != nil {
		t.Errorf("its own dictionary: %v", err)
	}
	if err := CheckReplace(path + ".absent"); err != nil {
		t.Errorf("none: %v", err)
	}
	if err := CheckReplace(filepath.Dir(path)); err == nil {
		t.Errorf("a directory: %v", err)
	}
}
