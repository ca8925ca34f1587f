package pump

import (
	"bytes"
	"strings"
	"testing"
)

// A text that was made of a pump is cut at its parts, and grows again.
func TestRepeatedPartsAreFound(t *testing.T) {
	b := func(s string) []byte { return []byte(s) }
	for name, p := range map[string]Pump{
		"one byte":           {First: b(";")},
		"between two texts":  {Prefix: b("<!"), First: b("<p>"), Suffix: b("end")},
		"a nest":             {Prefix: b("x"), First: b("("), Middle: b("1"), Second: b(")"), Suffix: b(";")},
		"a nest of words":    {First: b("[a,"), Middle: b("0"), Second: b("]")},
		"a list of numbers":  {Prefix: b("{"), First: b("k=,"), FirstAt: 1, Count: true, Suffix: b("}")},
		"numbers at the end": {First: b("&a"), FirstAt: 2, Count: true},
		"letters":            {Prefix: b("?Q?"), First: b("=??Q?"), Count: true, Letters: true, Suffix: b("=")},
	} {
		text := p.Grown(nil, 100)
		pumps, covered := Repeated(text)
		if covered < len(text)*9/10 {
			t.Errorf("%s: %d of %d bytes are in rows", name, covered, len(text))
		}
		found := false
		for _, q := range pumps {
			if !q.Valid() {
				t.Errorf("%s: %+v can't be grown", name, q)
			}
			found = found || q.Unit() <= p.Unit() && bytes.HasPrefix(q.Grown(nil, 300), p.Prefix) && len(q.Grown(nil, 300)) > 2*len(text) &&
				(len(q.Second) > 0) == (len(p.Second) > 0)
		}
		if !found {
			t.Errorf("%s: %+v", name, pumps)
		}
	}
}

func TestTextsWithoutRows(t *testing.T) {
	for _, text := range []string{"", "a", "aaa", "the quick brown fox jumps over the lazy dog", "12345678901234567890123", "ababab", "abcabc", "abcdefghijklmnopqrstuvwxyz", "a,b,c"} {
		if pumps, covered := Repeated([]byte(text)); len(pumps) > 0 || covered > 0 {
			t.Errorf("%q: %+v", text, pumps)
		}
	}
}

// A long text takes no longer than its length, and the rows are few.
func TestRowsAreFew(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), 20))
	}
	pumps, _ := Repeated([]byte(b.String()))
	if len(pumps) == 0 || len(pumps) > runsMost*(runsMost+1) {
		t.Errorf("%d pumps", len(pumps))
	}
}

func FuzzRepeated(f *testing.F) {
	f.Add([]byte("((((((((((((((((1))))))))))))))))"), 3)
	f.Add([]byte("a1,a2,a3,a4,a5,a6,a7,a8,a9,a10,"), 9)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		pumps, covered := Repeated(text)
		if covered > len(text) || covered < 0 {
			t.Errorf("%d of %d bytes", covered, len(text))
		}
		n = min(max(n, 0), 100)
		for _, p := range pumps {
			if !p.Valid() {
				t.Errorf("%+v", p)
			}
			if got, less := len(p.Grown(nil, n+1)), len(p.Grown(nil, n)); got < less+p.Unit() {
				t.Errorf("%+v: %d bytes after %d", p, got, less)
			}
		}
	})
}
