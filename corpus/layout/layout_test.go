package layout_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/corpus"
	. "github.com/fuzzmut/fuzzmut/corpus/layout"
)

// A decoded case is what a decoder of OSS-Fuzz does: see testdata/README.md.
type decoded struct {
	Layout  string
	Types   []string
	Data    string
	Entry   string
	Encoded bool
}

func TestBytesAreReadAsTheRealDecodersReadThem(t *testing.T) {
	text, err := os.ReadFile("testdata/decoded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for line := range bytes.Lines(text) {
		var c decoded
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		l, err := Parse(c.Layout)
		if err != nil {
			t.Fatal(err)
		}
		data, err := hex.DecodeString(c.Data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Decode(data, c.Types)
		if (err == nil) != (c.Entry != "") {
			t.Errorf("%s %s of %q: %v", c.Layout, c.Data, c.Types, err)
			continue
		}
		if err != nil {
			count["refused"]++
			continue
		}
		if diff := cmp.Diff(c.Entry, string(corpus.Marshal(got))); diff != "" {
			t.Errorf("%s %s of %q (-decoder +Decode):\n%s", c.Layout, c.Data, c.Types, diff)
		}
		if c.Encoded {
			count["encoded "+c.Layout]++
			if again, err := l.Encode(got); err != nil || hex.EncodeToString(again) != c.Data {
				t.Errorf("%s of %q: encoded as %x, %v", c.Data, c.Types, again, err)
			}
		}
	}
	if min(count["refused"], count["encoded v1"], count["encoded v2"]) < 5 {
		t.Errorf("cases: %v", count)
	}
}

func TestEachLayoutHasTheSameValuesAgain(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for name, values := range map[string][]any{
		"a text":               {"GET"},
		"bytes":                {[]byte{0, 1, 255}},
		"nothing":              {""},
		"no bytes":             {[]byte{}},
		"empty texts":          {"", []byte{}, "", []byte{}},
		"numbers":              {int8(-3), int16(-300), int32(math.MinInt32), int64(math.MinInt64), -1},
		"others":               {uint8(200), uint16(60000), uint32(1 << 31), uint64(math.MaxUint64), uint(7), true, false},
		"floats":               {float32(math.Inf(-1)), math.NaN(), math.Copysign(0, -1), float32(1.5)},
		"texts around numbers": {"a", int32(5), []byte("bc"), true, ""},
		"a long text":          {long, "", 3},
		"long texts":           {long, long, long},
	} {
		for _, l := range All {
			data, err := l.Encode(values)
			if l == Raw && (len(values) != 1) {
				if err == nil {
					t.Errorf("%s has raw bytes", name)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s in %s: %v", name, l.Name, err)
				continue
			}
			got, err := l.Decode(data, corpus.Types(values))
			if err != nil || !bytes.Equal(corpus.Marshal(values), corpus.Marshal(got)) {
				t.Errorf("%s in %s: %q, %v", name, l.Name, got, err)
			}
		}
	}
}

func TestValuesWithoutBytesAreRefused(t *testing.T) {
	for _, c := range []struct {
		l      *Layout
		values []any
		want   string
	}{
		{V2, []any{"a", "b", strings.Repeat("x", 100000)}, "no weights of a byte each split 100002 bytes into lengths [1 1 100000]"},
		{V1, []any{strings.Repeat("x", 2_000_001), "late"}, "too few bytes"},
		{Raw, []any{"a", "b"}, "the fuzz target takes (string, string), not a single []byte or string"},
		{V1, []any{uintptr(1)}, "no layout has a value of type uintptr"},
		{V2, []any{uintptr(1)}, "no layout has a value of type uintptr"},
	} {
		if data, err := c.l.Encode(c.values); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %d bytes, %v, want %q", c.l.Name, len(data), err, c.want)
		}
	}
	for _, l := range []*Layout{V1, V2} {
		if _, err := l.Decode(nil, []string{"chan int"}); err == nil {
			t.Errorf("%s reads a channel", l.Name)
		}
	}
}

func TestLayoutsHaveNames(t *testing.T) {
	for _, l := range All {
		if got, err := Parse(l.Name); got != l || err != nil {
			t.Errorf("%s: %v, %v", l.Name, got, err)
		}
	}
	if _, err := Parse("v3"); err == nil || err.Error() != `"v3" is no layout; write v2, v1, raw` {
		t.Errorf("v3: %v", err)
	}
}

// types that a fuzz target takes, by a byte each.
var kinds = []string{"[]byte", "string", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}

// FuzzDecode checks that whatever bytes mean, what is made of their values means the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 1}, []byte{2, 3, 'a', 'b', 'c', 'd', 'e'})
	f.Add([]byte{1, 3, 0}, []byte("\x00\x00\x00\x02ab\x00\x00\x00\x00\x00\x00\x00\x07\x01\x00\x00\x00\x01c"))
	f.Fuzz(func(t *testing.T, params, data []byte) {
		if len(params) == 0 {
			return // a fuzz target takes something
		}
		var types []string
		for _, p := range params[:min(len(params), 8)] {
			types = append(types, kinds[int(p)%len(kinds)])
		}
		before := slices.Clone(data)
		for _, l := range All {
			values, err := l.Decode(data, types)
			if err != nil {
				continue
			}
			if diff := cmp.Diff(types, corpus.Types(values)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", l.Name, diff)
			}
			again, err := l.Encode(values)
			if err != nil && l != V2 {
				t.Fatalf("%s: %q: %v", l.Name, values, err)
			}
			if err != nil {
				continue // the weights may be those of no bytes, and what is there too long
			}
			back, err := l.Decode(again, types)
			if err != nil || !bytes.Equal(corpus.Marshal(values), corpus.Marshal(back)) {
				t.Fatalf("%s: %q becomes %q, %v", l.Name, values, back, err)
			}
		}
		if !bytes.Equal(before, data) {
			t.Error("the bytes were changed")
		}
	})
}
