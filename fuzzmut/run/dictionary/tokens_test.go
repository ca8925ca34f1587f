package dictionary

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// loadSource type-checks a file as the loader does. It may import net/http.
func loadSource(t *testing.T, src string) *load.Result {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	return &load.Result{Packages: []*load.Package{{Info: info, Files: []load.File{{Syntax: f}}}}}
}

func stringsOf(tokens [][]byte) []string {
	var list []string
	for _, d := range tokens {
		list = append(list, string(d))
	}
	return list
}

func TestTokensOfTheCode(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"literals and tags": {
			`import _ "io"
			type T struct {
				A int ` + "`json:\"alpha,omitempty\" xml:\"beta\"`" + `
			}
			const magic = 0xCAFE
			func f(s string, r rune) bool {
				switch s {
				case "true", "nu\x00ll":
					return r == 'é' || len(s) == 7 || s == "error at line %d: it is not what we want"
				}
				return false
			}`,
			[]string{"é", "\xca\xfe", "\xfe\xca", "beta", "true", "51966", "alpha", "nu\x00ll"},
		},
		"numbers that characters are compared with": {
			`func f(r rune, n int32) bool {
				return r == 0x09 || r >= 0xE000 && 0xFFFD >= r || r == 0x2028 || r < 0x7F || n == 0x3029
			}`,
			[]string{"\t", "\x7f", ")0", "0)", "\u2028", "\uE000", "\uE001", "\uFFFC", "\uFFFD", "\uFFFE", "12329"},
		},
		"another package's constants as case labels": {
			`import "io/fs"
			func f(m fs.FileMode) bool {
				switch m {
				case fs.ModeNamedPipe:
					return true
				}
				return false
			}`,
			[]string{"\x00\x00\x00\x02", "\x02\x00\x00\x00", "33554432"},
		},
		"... in comparisons": {
			`import "unicode/utf8"
			func f(r rune) bool { return r != utf8.RuneError && r <= utf8.MaxRune }`,
			[]string{"\uFFFD", "\U0010FFFE", "\U0010FFFF"},
		},
		"... as keys of maps": {
			`import "time"
			var m = map[string]bool{time.Kitchen: true}
			func f() bool { return m[time.DateOnly] }`,
			[]string{"3:04PM", "2006-01-02"},
		},
		"... as arguments": {
			`import ("strings"; "time"; "math")
			func g(int) {}
			func f(s string) bool { g(math.MaxInt16); return strings.HasPrefix(s, time.TimeOnly) }`,
			[]string{"15:04:05"},
		},
		"what is put together": {
			`const scheme = "x"
			func f(s string) bool { return s == (scheme + "://") }`,
			[]string{"x", "://", "x://"},
		},
		"no lists": {
			`var l = []string{2: "a"}
			func f(l []int) int { return l[256 - 255] }`,
			[]string{"a", "\x00\x01", "\x01\x00", "256"},
		},
	} {
		got := stringsOf(OfCode(loadSource(t, "package p\n"+c.src)))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

func TestTokensOfTheCodeAreBounded(t *testing.T) {
	var src strings.Builder
	for i := range maxOfCode + 100 {
		fmt.Fprintf(&src, "var v%d = \"%05d\"\n", i, i)
	}
	fmt.Fprintf(&src, "var long = %q\n", strings.Repeat("x", maxToken+1))
	got := OfCode(loadSource(t, "package p\n"+src.String()))
	if len(got) != maxOfCode || string(got[0]) != "00000" {
		t.Errorf("%d tokens, the first %q", len(got), got[0])
	}
}

func TestTokensOfSeeds(t *testing.T) {
	entries := []corpus.Entry{
		corpus.Of([]byte(`{"a key": true, "é": 17}`), 12345).Seed(0),
		corpus.Of("let x_1 = true + 'c'", true).Seed(1),
	}
	got := stringsOf(OfEntries(entries))
	want := []string{"true", "c", "17", "é", "'c'", "key", "let", "x_1", `"é"`, "a key", `"a key"`}
	slices.SortFunc(want[1:], func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	var many []corpus.Entry
	for i := range maxOfEntries + 1 {
		many = append(many, corpus.Of(fmt.Sprintf("w%04d", i)).Seed(i))
	}
	if got := OfEntries(many); len(got) != maxOfEntries {
		t.Errorf("%d tokens of many entries", len(got))
	}
}
