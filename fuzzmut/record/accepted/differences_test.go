package accepted

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const differences = `# What we mean.

# Asked for by sales.
example.com/price FuzzPrice FuzzTotal: value
	- 	if n > 100 {
	+ 	if n >= 100 {
	input int(100), string("")
	why: the discount begins at 100
	why: since May

example.com/price FuzzOf: to error
	of price.Of result 0
	of price.Of result 1
	input int(-1)
	why:
# the end
`

func parseDifferences(t *testing.T, s string) *Differences {
	t.Helper()
	l, err := ParseDifferences([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func written(t *testing.T, l *Differences) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDifferencesComeBack(t *testing.T) {
	l := parseDifferences(t, differences)
	want := []Difference{
		{
			Package: "example.com/price", Tests: []string{"FuzzPrice", "FuzzTotal"}, Kind: "value",
			Lines: []string{"- \tif n > 100 {", "+ \tif n >= 100 {"}, Input: `int(100), string("")`,
			Why: []string{"the discount begins at 100", "since May"}, Comment: []string{"# Asked for by sales."},
		},
		{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Of: []string{"price.Of result 0", "price.Of result 1"}, Input: "int(-1)"},
	}
	if diff := cmp.Diff(want, l.Entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(differences, strings.Replace(written(t, l), "\n\n# the end", "\n# the end", 1)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// none is a change without parts.
func none(_, _ []string) bool { return false }

// Less of the change than was accepted is accepted, too, if the change itself says that it
// is less. One without lines is no part.
func TestAPartOfWhatIsAcceptedIsAccepted(t *testing.T) {
	l := parseDifferences(t, differences)
	part := &Difference{Package: "example.com/price", Tests: []string{"FuzzPrice"}, Kind: "value", Lines: []string{"+\tif n >= 100 {"}}
	var asked [][]string
	holds := func(part, within []string) bool {
		asked = append(asked, part, within)
		return true
	}
	if !l.Has(part, holds) {
		t.Error("a part is not accepted")
	}
	if diff := cmp.Diff([][]string{{"+if n >= 100 {"}, {"-if n > 100 {", "+if n >= 100 {"}}, asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if part.Lines = nil; l.Has(part, holds) {
		t.Error("one without lines is a part")
	}
}

// Names of values stand for a cause while its lines are not known.
func TestOfACauseWithLinesNoNamesAreKept(t *testing.T) {
	l := new(Differences)
	l.Add(Difference{Package: "p", Tests: []string{"FuzzF"}, Kind: "value", Lines: []string{"+ n++"}, Of: []string{"p.F result 0"}})
	l.Add(Difference{Package: "p", Tests: []string{"FuzzG"}, Kind: "value", Lines: []string{" "}, Of: []string{"p.G result 0"}})
	if l.Entries[0].Of != nil || len(l.Entries[1].Of) != 1 {
		t.Errorf("%+v", l.Entries)
	}
}

func TestADifferenceIsKnownByItsCause(t *testing.T) {
	l := parseDifferences(t, differences)
	price := func(kind string, tests ...string) *Difference {
		return &Difference{Package: "example.com/price", Tests: tests, Kind: kind, Lines: []string{"- if n > 100 {", "-", "+ \t\tif n >= 100 {  "}, Of: []string{"price.Of result 0"}}
	}
	elsewhere, other := price("value", "FuzzPrice"), price("value", "FuzzPrice")
	elsewhere.Package = "example.com/cost"
	other.Lines = append(other.Lines, "+ n++")
	byName := &Difference{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Of: []string{"price.Of result 1", "price.Of result 0"}}
	for _, c := range []struct {
		d    *Difference
		want bool
	}{
		{price("value", "FuzzPrice"), true},
		{price("value", "FuzzTotal", "FuzzPrice"), true},
		{price("value", "FuzzPrice", "FuzzNew"), false},
		{price("order", "FuzzPrice"), true},
		{price("to error", "FuzzPrice"), true},
		{price("no panic", "FuzzPrice"), true},
		{price("panic", "FuzzPrice"), false},
		{price("more work", "FuzzPrice"), false},
		{elsewhere, false},
		{other, false},
		{byName, true},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Of: []string{"price.Of result 0"}}, true},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Of: []string{"price.Of result 0", "price.Off result 0"}}, false},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Lines: []string{"+ n++"}, Of: []string{"price.Of result 0"}}, true},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzOf"}, Kind: "to error", Lines: []string{"+ n++"}}, false},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzPrice"}, Kind: "value", Of: []string{"price.Of result 0"}}, false},
		{&Difference{Package: "example.com/price", Tests: []string{"FuzzPrice"}, Kind: "value", Lines: []string{"+ if n >= 100 {"}}, false},
	} {
		if got := l.Has(c.d, none); got != c.want {
			t.Errorf("%+v: %v", c.d, got)
		}
	}
	l.Add(*price("value", "FuzzNew"))
	if len(l.Entries) != 2 || !l.Has(price("value", "FuzzPrice", "FuzzNew"), none) || l.Entries[0].Why == nil {
		t.Errorf("%+v", l.Entries)
	}
	l.Entries = append(l.Entries, *price("value", "FuzzMerged"))
	if !l.Has(price("value", "FuzzMerged", "FuzzPrice"), none) {
		t.Error("of two entries with the same cause only one counts")
	}
	l.Entries = l.Entries[:2]
	l.Add(*other)
	if len(l.Entries) != 3 || !l.Has(other, none) {
		t.Errorf("%+v", l.Entries)
	}
}

func TestDamagedDifferences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"example.com/p FuzzX\n", "1: not a difference: write its package"},
		{"example.com/p: value\n", "1: not a difference: write its package"},
		{"\t- x\n", "1: a line without a difference above it"},
		{"p F: value\n\t- x\n<<<<<<< HEAD\n", "3: unresolved merge conflict"},
		{"p F: value\n\t- x\n\tsince May\n", `3: neither a line of the change`},
		{"\np F: value\n\tinput 1\n", "2: a difference without a line of the change"},
		{"p F: value\n\t-\np F: value\n\t- x\n", "1: a difference without a line of the change"},
	} {
		if _, err := ParseDifferences([]byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestLongInputsAreCutInTheFile(t *testing.T) {
	l := &Differences{}
	l.Add(Difference{Package: "p", Tests: []string{"FuzzX"}, Kind: "value", Of: []string{"p.F result 0"}, Input: strings.Repeat("x", 3000)})
	if text := written(t, l); !strings.Contains(text, "x... 2000 bytes more\n") || !strings.HasPrefix(text, headOfDifferences[0]) {
		t.Errorf("%s", text)
	}
}

// FuzzParseDifferences checks that what is read keeps its causes, reasons and comments when
// it is written.
func FuzzParseDifferences(f *testing.F) {
	for _, s := range []string{differences, strings.ReplaceAll(differences, "\n", "\r\n"), "p x: v\n\t-\u00a0\n\t+a\n# c\n\twhy: # d\n", "# head\n\n# comment\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseDifferences([]byte(s))
		if err != nil {
			return
		}
		text := written(t, l)
		again := parseDifferences(t, text)
		if twice := written(t, again); twice != text {
			t.Errorf("%q\n%q", text, twice)
		}
		for i := range l.Entries {
			if !again.Has(&l.Entries[i], none) {
				t.Errorf("%+v is lost", l.Entries[i])
			}
		}
	})
}
