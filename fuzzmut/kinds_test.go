package fuzzmut_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut"
)

type level uint8

// share is in a range that is narrower than the numbers that are drawn without one.
type share struct {
	F float64 `fuzz:"min=0,max=1"`
}

// kind is a row of the table of kinds of values.
type kind struct {
	row   string // begins so
	share func(n int) map[string]int
	want  map[string][2]float64 // of what is counted, the least and the most
}

// shares counts what holds for drawn values.
func shares[T any](is map[string]func(v T) bool) func(n int) map[string]int {
	return func(n int) map[string]int {
		counts := make(map[string]int)
		for v := range (fuzzmut.Gen[T]{Seed: 3}).Values() {
			for name, holds := range is {
				if holds(v) {
					counts[name]++
				}
			}
			if n--; n == 0 {
				break
			}
		}
		return counts
	}
}

// in is the one field of a struct: what is inside a value.
type in[T any] struct{ V T }

func read(r io.Reader) string {
	b, _ := io.ReadAll(r)
	return string(b)
}

var kinds = []kind{
	{"bool", shares(map[string]func(bool) bool{"true": func(b bool) bool { return b }}), map[string][2]float64{"true": {0.4, 0.6}}},
	{"int, uint", shares(map[string]func(int) bool{
		"small": func(n int) bool { return n >= -100 && n <= 100 }, "wide": func(n int) bool { return n > 1<<20 || n < -1<<20 }, "zero": func(n int) bool { return n == 0 },
	}), map[string][2]float64{"small": {0.8, 0.98}, "wide": {0.02, 0.2}, "zero": {0.01, 0.4}}},
	{"float32, float64", shares(map[string]func(float64) bool{
		"fraction": func(f float64) bool { return f != math.Trunc(f) },
		"small":    func(f float64) bool { return math.Abs(f) <= 100 },
		"wide":     func(f float64) bool { return math.Abs(f) > 1<<20 },
		"largest":  func(f float64) bool { return math.Abs(f) == math.MaxFloat64 },
		"negative": func(f float64) bool { return math.Signbit(f) },
		"infinite": func(f float64) bool { return math.IsInf(f, 0) || math.IsNaN(f) },
	}), map[string][2]float64{"fraction": {0.2, 0.6}, "small": {0.8, 0.98}, "wide": {0.02, 0.2}, "largest": {0.001, 0.05}, "negative": {0.35, 0.6}, "infinite": {0, 0}}},
	{"float32, float64", shares(map[string]func(float32) bool{
		"wide":     func(f float32) bool { return f > 1<<20 || f < -1<<20 },
		"largest":  func(f float32) bool { return f == math.MaxFloat32 || f == -math.MaxFloat32 },
		"infinite": func(f float32) bool { return f != f || math.IsInf(float64(f), 0) },
	}), map[string][2]float64{"wide": {0.02, 0.2}, "largest": {0.001, 0.05}, "infinite": {0, 0}}},
	{"float32, float64", shares(map[string]func(share) bool{
		"inside": func(s share) bool { return s.F > 0 && s.F < 1 }, "end": func(s share) bool { return s.F == 0 || s.F == 1 },
	}), map[string][2]float64{"inside": {0.6, 0.99}, "end": {0.01, 0.4}}},
	{"string, []byte", shares(map[string]func(string) bool{
		"plain": func(s string) bool { return regexp.MustCompile(`^[a-zA-Z0-9 ]*$`).MatchString(s) }, "empty": func(s string) bool { return s == "" },
	}), map[string][2]float64{"plain": {0.6, 0.95}, "empty": {0.01, 0.4}}},
	{"slice of a named byte", shares(map[string]func([]level) bool{
		"numbers": func(s []level) bool {
			return len(s) > 0 && bytes.IndexFunc(levels(s), func(r rune) bool { return r >= 10 }) < 0
		},
	}), map[string][2]float64{"numbers": {0.3, 0.7}}},
	{"slice, map", shares(map[string]func([]int) bool{"long": func(s []int) bool { return len(s) > 10 }, "empty": func(s []int) bool { return len(s) == 0 }}), map[string][2]float64{"long": {0.2, 0.9}, "empty": {0.01, 0.4}}},
	{"pointer", shares(map[string]func(in[*string]) bool{"nil": func(v in[*string]) bool { return v.V == nil }}), map[string][2]float64{"nil": {0.3, 0.7}}},
	{"pointer", shares(map[string]func(*string) bool{"nil": func(p *string) bool { return p == nil }}), map[string][2]float64{"nil": {0.005, 0.15}}},
	{"any", shares(map[string]func(in[any]) bool{
		"nil": func(v in[any]) bool { return v.V == nil },
		"text": func(v in[any]) bool {
			switch v.V.(type) {
			case string, []byte:
				return true
			}
			return false
		},
		"number": func(v in[any]) bool {
			switch v.V.(type) {
			case int, float64:
				return true
			}
			return false
		},
		"nested": func(v in[any]) bool {
			switch v := v.V.(type) {
			case []any:
				return len(v) > 0
			case map[string]any:
				return len(v) > 0
			}
			return false
		},
		"pointer": func(v in[any]) bool {
			switch v := v.V.(type) {
			case *any:
				return v != nil
			case *map[string]any:
				return v != nil
			}
			return false
		},
	}), map[string][2]float64{"nil": {0.02, 0.3}, "text": {0.1, 0.4}, "number": {0.1, 0.4}, "nested": {0.05, 0.4}, "pointer": {0.05, 0.4}}},
	{"struct", shares(map[string]func(in[in[bool]]) bool{"true": func(v in[in[bool]]) bool { return v.V.V }}), map[string][2]float64{"true": {0.4, 0.6}}},
	{"time.Time", shares(map[string]func(time.Time) bool{
		"year": func(t time.Time) bool { return t.Year() >= 0 && t.Year() <= 10000 }, "zone": func(t time.Time) bool { _, off := t.Zone(); return off != 0 },
	}), map[string][2]float64{"year": {1, 1}, "zone": {0.5, 1}}},
	{"*time.Location", shares(map[string]func(in[*time.Location]) bool{
		"summer": func(v in[*time.Location]) bool {
			if v.V == nil {
				return false
			}
			_, winter := time.Date(2020, 1, 9, 0, 0, 0, 0, v.V).Zone()
			_, summer := time.Date(2020, 7, 9, 0, 0, 0, 0, v.V).Zone()
			return summer == winter+3600
		}, "nil": func(v in[*time.Location]) bool { return v.V == nil }, "UTC": func(v in[*time.Location]) bool { return v.V == time.UTC },
	}), map[string][2]float64{"summer": {0.15, 0.4}, "nil": {0.3, 0.7}, "UTC": {0.001, 0.2}}},
	{"big.Int", shares(map[string]func(big.Int) bool{"negative": func(n big.Int) bool { return n.Sign() < 0 }, "long": func(n big.Int) bool { return n.BitLen() > 64 }}), map[string][2]float64{"negative": {0.3, 0.6}, "long": {0.2, 0.9}}},
	{"big.Rat", shares(map[string]func(big.Rat) bool{"negative": func(n big.Rat) bool { return n.Sign() < 0 }, "fraction": func(n big.Rat) bool { return !n.IsInt() }}), map[string][2]float64{"negative": {0.3, 0.6}, "fraction": {0.3, 0.9}}},
	{"big.Float", shares(map[string]func(big.Float) bool{
		"infinite": func(n big.Float) bool { return n.IsInf() }, "fraction": func(n big.Float) bool { return !n.IsInf() && !n.IsInt() }, "exact": func(n big.Float) bool { return n.Prec() > 53 },
	}), map[string][2]float64{"infinite": {0.2, 0.7}, "fraction": {0.02, 0.6}, "exact": {0.02, 0.9}}},
	{"json.Number", shares(map[string]func(json.Number) bool{
		"valid": func(n json.Number) bool { return json.Valid([]byte(n)) }, "fraction": func(n json.Number) bool { return strings.Contains(string(n), ".") }, "exponent": func(n json.Number) bool { return strings.ContainsAny(string(n), "eE") },
	}), map[string][2]float64{"valid": {1, 1}, "fraction": {0.2, 0.5}, "exponent": {0.1, 0.4}}},
	{"*regexp.Regexp", shares(map[string]func(*regexp.Regexp) bool{
		"meta": func(re *regexp.Regexp) bool { return regexp.QuoteMeta(re.String()) != re.String() }, "groups": func(re *regexp.Regexp) bool { return re.NumSubexp() > 0 },
	}), map[string][2]float64{"meta": {0.5, 0.98}, "groups": {0.1, 0.8}}},
	{"url.URL", shares(map[string]func(url.URL) bool{
		"scheme": func(u url.URL) bool { return u.Scheme != "" }, "host": func(u url.URL) bool { return u.Host != "" }, "user": func(u url.URL) bool { return u.User != nil }, "query": func(u url.URL) bool { return u.RawQuery != "" },
	}), map[string][2]float64{"scheme": {0.6, 0.95}, "host": {0.5, 1}, "user": {0.3, 0.7}, "query": {0.5, 1}}},
	{"url.Values", shares(map[string]func(url.Values) bool{"several": func(v url.Values) bool { return len(v) > 1 }}), map[string][2]float64{"several": {0.3, 1}}},
	{"netip.Addr", shares(map[string]func(netip.Addr) bool{"4": netip.Addr.Is4, "6": netip.Addr.Is6, "none": func(a netip.Addr) bool { return !a.IsValid() }}), map[string][2]float64{"4": {0.15, 0.6}, "6": {0.15, 0.6}, "none": {0.1, 0.6}}},
	{"netip.Addr", shares(map[string]func(netip.Prefix) bool{"valid": netip.Prefix.IsValid, "long": func(p netip.Prefix) bool { return p.Bits() > 8 }}), map[string][2]float64{"valid": {0.3, 1}, "long": {0.1, 0.9}}},
	{"netip.Addr", shares(map[string]func(netip.AddrPort) bool{"valid": netip.AddrPort.IsValid, "port": func(a netip.AddrPort) bool { return a.Port() != 0 }}), map[string][2]float64{"valid": {0.3, 1}, "port": {0.3, 1}}},
	{"bytes.Buffer", shares(map[string]func(*bytes.Buffer) bool{"filled": func(b *bytes.Buffer) bool { return b != nil && b.Len() > 0 && b.WriteByte('x') == nil }}), map[string][2]float64{"filled": {0.6, 1}}},
	{"bytes.Buffer", shares(map[string]func(bytes.Reader) bool{"filled": func(r bytes.Reader) bool { return len(read(&r)) > 0 }}), map[string][2]float64{"filled": {0.6, 1}}},
	{"bytes.Buffer", shares(map[string]func(*strings.Reader) bool{"filled": func(r *strings.Reader) bool { return r != nil && len(read(r)) > 0 }}), map[string][2]float64{"filled": {0.6, 1}}},
	{"bytes.Buffer", shares(map[string]func(*strings.Builder) bool{"filled": func(b *strings.Builder) bool { return b != nil && b.Len() > 0 && b.WriteByte('x') == nil }}), map[string][2]float64{"filled": {0.6, 1}}},
	{"io.Reader", shares(map[string]func(in[io.Reader]) bool{"nil": func(v in[io.Reader]) bool { return v.V == nil }, "filled": func(v in[io.Reader]) bool { return v.V != nil && read(v.V) != "" }}), map[string][2]float64{"nil": {0.3, 0.7}, "filled": {0.25, 0.7}}},
	{"io.Writer", shares(map[string]func(in[io.Writer]) bool{"there": func(v in[io.Writer]) bool { _, err := v.V.Write([]byte("a")); return err == nil }}), map[string][2]float64{"there": {1, 1}}},
	{"error", shares(map[string]func(in[error]) bool{"nil": func(v in[error]) bool { return v.V == nil }, "text": func(v in[error]) bool { return v.V != nil && v.V.Error() != "" }}), map[string][2]float64{"nil": {0.3, 0.7}, "text": {0.25, 0.7}}},
	{"context.Context", shares(map[string]func(context.Context) bool{"done": func(c context.Context) bool { return c.Err() != nil }}), map[string][2]float64{"done": {0.4, 0.6}}},
}

func levels(s []level) []byte {
	b := make([]byte, len(s))
	for i, l := range s {
		b[i] = byte(l)
	}
	return b
}

// The values of each kind are distributed as the table says, in the documentation of the package
// and in the help of the command.
func TestKindsAreDrawnAsTheTableSays(t *testing.T) {
	const n = 1000
	for _, k := range kinds {
		counts := k.share(n)
		for name, want := range k.want {
			if got := float64(counts[name]) / n; got < want[0] || got > want[1] {
				t.Errorf("%s: the share of %q is %v, want between %v and %v", k.row, name, got, want[0], want[1])
			}
		}
	}
	for _, file := range []string{"doc.go", "../cmd/fuzzmut/help/derived-fuzz-tests.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kinds {
			if !strings.Contains(strings.ReplaceAll(string(text), "//\t", "\t"), "\n\t"+k.row) {
				t.Errorf("%s has no row %s", file, k.row)
			}
		}
	}
}

// What is drawn is carried over to bytes and back.
func TestValuesOfTheLibraryAreEncoded(t *testing.T) {
	type all struct {
		R  big.Rat
		F  big.Float
		N  json.Number
		U  url.URL
		E  error
		Re *regexp.Regexp `fuzz:"nonnil"`
		L  *time.Location
		C  context.Context
		B  *strings.Builder
	}
	count := 0
	for v := range (fuzzmut.Gen[all]{Seed: 5}).Values() {
		data, err := fuzzmut.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		w := fuzzmut.Decode[all](data)
		same := v.R.Cmp(&w.R) == 0 && v.F.Cmp(&w.F) == 0 && v.F.Prec() == w.F.Prec() && v.N == w.N && v.U.String() == w.U.String() && v.Re.String() == w.Re.String() &&
			(v.E == nil) == (w.E == nil) && (v.L == nil) == (w.L == nil) && (v.C.Err() == nil) == (w.C.Err() == nil) && (v.B == nil) == (w.B == nil)
		if !same {
			t.Errorf("%+v became %+v", v, w)
		}
		if v.L != nil && w.L != nil {
			when := time.Date(2000, 8, 1, 0, 0, 0, 0, v.L)
			if other := time.Date(2000, 8, 1, 0, 0, 0, 0, w.L); !when.Equal(other) {
				t.Errorf("%v became %v", when, other)
			}
		}
		if count++; count == 300 {
			break
		}
	}
	if reflect.TypeFor[all]().NumField() != 9 {
		t.Error("a field is not compared")
	}
}
