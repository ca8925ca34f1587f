package accepted

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = `# Our list.

# Looked at in spring.
example.com/a 4jhgdbwre2ys conditional-boundary Eval: changed < to <=
	equivalent: both give 0
	# see the paper
	there
example.com/b cxsxhvac7ah5 math
# the end
`

func parse(t *testing.T, text string) *List {
	t.Helper()
	l, err := Mutants.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func text(t *testing.T, l *List) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIsReadIsWritten(t *testing.T) {
	l := parse(t, sample)
	if diff := cmp.Diff(sample, text(t, l)); diff != "" {
		t.Error(diff)
	}
	e := l.ByID()[ID{"example.com/a", "4jhgdbwre2ys"}]
	if e == nil || e.What != "Eval: changed < to <=" || len(e.Reason) != 3 || len(e.Comment) != 1 {
		t.Errorf("%+v", e)
	}
	crlf := parse(t, strings.ReplaceAll(sample, "\n", "\r\n"))
	if diff := cmp.Diff(l, crlf); diff != "" {
		t.Errorf("line ends matter: %s", diff)
	}
}

func TestANewListHasAHead(t *testing.T) {
	got := text(t, &List{Entries: []Entry{{ID: ID{"p", "x"}, Operator: "math"}}})
	if !strings.HasPrefix(got, "# Accepted surviving") || !strings.HasSuffix(got, "\n\np x math\n") {
		t.Error(got)
	}
	if diff := cmp.Diff(got, text(t, parse(t, got))); diff != "" {
		t.Error(diff)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"p x math\np y math\np x math\n", "3: mutant x of p is in line 1 already: remove one of them"},
		{"p x\n", "1: not a mutant: "},
		{"# c\n\n  reason\n", "3: a reason without a mutant above it: "},
		{"p x math\n<<<<<<< HEAD\n", "2: unresolved merge conflict: "},
		{"p x math\n=======\n", "2: unresolved merge conflict: "},
		{strings.Repeat("x", 2<<20), "1: "},
	} {
		if _, err := Mutants.Parse([]byte(test.text)); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%.20q: %v, want %q", test.text, err, test.want)
		}
	}
}

func TestRefreshKeepsReasons(t *testing.T) {
	l := parse(t, sample+"example.com/a old math\n\tkilled by now\nexample.com/c other math\n\tnot of this run\n")
	l.Refresh([]Entry{
		{ID: ID{"example.com/a", "new"}, Operator: "math", What: "f: x"},
		{ID: ID{"example.com/a", "4jhgdbwre2ys"}, Operator: "conditional-boundary", What: "Evaluate: changed < to <="},
	}, func(e *Entry) bool { return e.Package == "example.com/c" })
	want := `# Our list.

example.com/a new math f: x
# Looked at in spring.
example.com/a 4jhgdbwre2ys conditional-boundary Evaluate: changed < to <=
	equivalent: both give 0
	# see the paper
	there
example.com/c other math
	not of this run
`
	if diff := cmp.Diff(want, text(t, l)); diff != "" {
		t.Error(diff)
	}
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.txt")
	if _, err := Mutants.Read(path); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), path+" can't be read") {
		t.Error(err)
	}
}

// FuzzParse checks that what is read keeps its mutants, reasons and comments when it is
// written.
func FuzzParse(f *testing.F) {
	for _, s := range []string{sample, strings.ReplaceAll(sample, "\n", "\r\n"), "p x math\n\n# of y\np y math\n \u00a0a\n", "# head\n\n# comment\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := Mutants.Parse([]byte(s))
		if err != nil {
			return
		}
		if l.Head == nil {
			l.Head = Mutants.Head // is what Write writes then
		}
		again := parse(t, text(t, l))
		if diff := cmp.Diff(l, again); diff != "" {
			t.Errorf("(-read +again):\n%s", diff)
		}
	})
}
