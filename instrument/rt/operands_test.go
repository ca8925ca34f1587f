package fuzzmutrt

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

type (
	small  int8
	word   uint16
	single float32
	label  string
)

// recorded runs f while recording and returns what it hands over.
func recorded(f func()) (list []Operands) {
	Tracing, Recording = true, true
	OperandsHook = func(o *Operands) {
		kept := *o
		kept.XText, kept.YText = strings.Clone(o.XText), strings.Clone(o.YText)
		list = append(list, kept)
	}
	defer func() { Tracing, Recording, OperandsHook = false, false, nil }()
	f()
	return list
}

// described packs the description of a comparison that a helper gets.
func described(site, kind, constants, op uint64) uint64 {
	return site<<12 | kind<<8 | constants<<4 | op
}

func TestOperandsOfComparisons(t *testing.T) {
	minus := func(n int64) uint64 { return uint64(-n) }
	cases := []struct {
		name string
		f    func()
		want Operands
	}{
		{
			"int", func() { CmpInt(7, 0x42, described(300, codes.Signed, 2, codes.Less), -1, 5) },
			Operands{Site: 300, Op: codes.Less, Held: true, Kind: codes.Signed, Width: 8, YConst: true, X: minus(1), Y: 5, Mutant: 7, Alts: 0x42},
		},
		{
			"byte", func() { CmpUint8(0, 0, described(1, codes.Unsigned, 1, codes.Equal), 0xff, 'a') },
			Operands{Site: 1, Op: codes.Equal, Kind: codes.Unsigned, Width: 1, XConst: true, X: 0xff, Y: 'a'},
		},
		{
			"named", func() { Cmp(0, 0, described(1, codes.Signed, 0, codes.NotEqual), small(-2), 3) },
			Operands{Site: 1, Op: codes.NotEqual, Held: true, Kind: codes.Signed, Width: 1, X: minus(2), Y: 3},
		},
		{
			"string", func() { CmpString(0, 0, described(1, codes.Text, 2, codes.GreaterEqual), "b", "ab") },
			Operands{Site: 1, Op: codes.GreaterEqual, Held: true, Kind: codes.Text, YConst: true, XText: "b", YText: "ab"},
		},
		{
			"float", func() { Cmp(0, 0, described(1, codes.Float, 0, codes.Greater), 1.5, math.Inf(1)) },
			Operands{Site: 1, Op: codes.Greater, Kind: codes.Float, Width: 8, X: math.Float64bits(1.5), Y: math.Float64bits(math.Inf(1))},
		},
		{
			"single precision", func() { Cmp(0, 0, described(1, codes.Float, 0, codes.LessEqual), single(1.5), 2) },
			Operands{Site: 1, Op: codes.LessEqual, Held: true, Kind: codes.Float, Width: 4, X: math.Float64bits(1.5), Y: math.Float64bits(2)},
		},
		{
			"unknown kind, signed", func() { CmpAny(0, 0, described(1, 0, 0, codes.Equal), small(-2), -2) },
			Operands{Site: 1, Op: codes.Equal, Held: true, Kind: codes.Signed, Width: 1, X: minus(2), Y: minus(2)},
		},
		{
			"unknown kind, unsigned", func() { CmpAny(0, 0, described(1, 0, 0, codes.Equal), word(0xfffe), 2) },
			Operands{Site: 1, Op: codes.Equal, Kind: codes.Unsigned, Width: 2, X: 0xfffe, Y: 2},
		},
		{
			"unknown kind, float", func() { CmpAny(0, 0, described(1, 0, 0, codes.Equal), single(1.5), 2) },
			Operands{Site: 1, Op: codes.Equal, Kind: codes.Float, Width: 4, X: math.Float64bits(1.5), Y: math.Float64bits(2)},
		},
		{
			"unknown kind, text", func() { CmpAny(0, 0, described(1, 0, 0, codes.Equal), label("a"), "b") },
			Operands{Site: 1, Op: codes.Equal, Kind: codes.Text, XText: "a", YText: "b"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := recorded(c.f); len(got) != 1 || got[0] != c.want {
				t.Errorf("recorded %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestOperandsOfSearches(t *testing.T) {
	text := func(op uint64) uint64 { return described(5, codes.Text, 0, op) }
	cases := []struct {
		name string
		f    func()
		op   uint8
		x, y string
		held bool
	}{
		{"prefix", func() { Texts(text(codes.HasPrefix), "abc", "ab") }, codes.HasPrefix, "abc", "ab", true},
		{"longer prefix", func() { Texts(text(codes.HasPrefix), "a", "ab") }, codes.HasPrefix, "a", "ab", false},
		{"suffix", func() { Texts(text(codes.HasSuffix), "abc", "bc") }, codes.HasSuffix, "abc", "bc", true},
		{"longer suffix", func() { Texts(text(codes.HasSuffix), "c", "bc") }, codes.HasSuffix, "c", "bc", false},
		{"contained", func() { Texts(text(codes.Contains), "abcd", "bc") }, codes.Contains, "abcd", "bc", true},
		{"at the end", func() { Texts(text(codes.Contains), "abcd", "cd") }, codes.Contains, "abcd", "cd", true},
		{"not contained", func() { Texts(text(codes.Contains), "abcd", "ce") }, codes.Contains, "abcd", "ce", false},
		{"empty in empty", func() { Texts(text(codes.Contains), "", "") }, codes.Contains, "", "", true},
		{"too long", func() { Texts(text(codes.Contains), "", "a") }, codes.Contains, "", "a", false},
		{"case", func() { Texts(text(codes.EqualFold), "aZ[", "Az[") }, codes.EqualFold, "aZ[", "Az[", true},
		{"no letters", func() { Texts(text(codes.EqualFold), "@", "\x60") }, codes.EqualFold, "@", "\x60", false},
		{"bytes", func() { Bytes(text(codes.Equal), []byte("ab"), []byte("ab")) }, codes.Equal, "ab", "ab", true},
		{"no bytes", func() { Bytes(text(codes.Equal), nil, []byte("ab")) }, codes.Equal, "", "ab", false},
		{"arrays", func() { Arrays(text(codes.Equal), [2]byte{'a', 'b'}, [2]byte{'a', 'c'}) }, codes.Equal, "ab", "ac", false},
		{"other arrays", func() { Arrays(text(codes.NotEqual), [2]byte{'a', 'b'}, [2]byte{'a', 'c'}) }, codes.NotEqual, "ab", "ac", true},
		{"byte", func() { TextsByte(text(codes.Contains), "abc", 'c') }, codes.Contains, "abc", "c", true},
		{"byte of bytes", func() { BytesByte(text(codes.Contains), []byte("abc"), 'd') }, codes.Contains, "abc", "d", false},
		{"rune", func() { TextsRune(text(codes.Contains), "aä", 'ä') }, codes.Contains, "aä", "ä", true},
		{"rune of bytes", func() { BytesRune(text(codes.Contains), []byte("aä"), 'ö') }, codes.Contains, "aä", "ö", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := Operands{Site: 5, Op: c.op, Held: c.held, Kind: codes.Text, XText: c.x, YText: c.y}
			if got := recorded(c.f); len(got) != 1 || got[0] != want {
				t.Errorf("recorded %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestLabelsAreRecordedToTheEqualOne(t *testing.T) {
	numbers := string(binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(nil, -3), 1<<40), 7))
	texts := "\x02ab\x00\x01c"
	number := func(site uint32, x, y int64) Operands {
		return Operands{Site: site, Op: codes.Equal, Held: x == y, Kind: codes.Signed, Width: 8, YConst: true, X: uint64(x), Y: uint64(y)}
	}
	text := func(site uint32, x, y string) Operands {
		return Operands{Site: site, Op: codes.Equal, Held: x == y, Kind: codes.Text, YConst: true, XText: x, YText: y}
	}
	cases := []struct {
		name string
		f    func()
		want []Operands
	}{
		{
			"none", func() { TagInt(described(3, codes.Signed, 2, codes.Equal), numbers, 2) },
			[]Operands{number(3, 2, -3), number(4, 2, 1<<40), number(5, 2, 7)},
		},
		{
			"second", func() { TagInt(described(3, codes.Signed, 2, codes.Equal), numbers, 1<<40) },
			[]Operands{number(3, 1<<40, -3), number(4, 1<<40, 1<<40)},
		},
		{
			"empty text", func() { Tag(described(0, codes.Text, 2, codes.Equal), texts, label("")) },
			[]Operands{text(0, "", "ab"), text(1, "", "")},
		},
		{
			"bytes", func() { TagBytes(described(0, codes.Text, 2, codes.Equal), texts, []byte("c")) },
			[]Operands{text(0, "c", "ab"), text(1, "c", ""), text(2, "c", "c")},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := recorded(c.f); !slices.Equal(got, c.want) {
				t.Errorf("recorded %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestLeastKeysAreRecorded(t *testing.T) {
	m := map[uint16]bool{}
	for i := range uint16(1000) {
		m[i*7919] = true // in no order
	}
	want := slices.Sorted(maps.Keys(m))[:maxKeys]
	var got []uint16
	for _, o := range recorded(func() { Key(described(1, codes.Unsigned, 0, codes.Lookup), m, 3) }) {
		if o.Held || o.X != 3 || o.Width != 2 {
			t.Fatalf("recorded %+v", o)
		}
		got = append(got, uint16(o.Y))
	}
	if !slices.Equal(got, want) {
		t.Errorf("recorded %v, want %v", got, want)
	}
}

func TestKeyThatIsThereIsRecordedAlone(t *testing.T) {
	m := map[label]int{"a": 1, "b": 2}
	want := []Operands{{Site: 1, Op: codes.Lookup, Held: true, Kind: codes.Text, XText: "b", YText: "b"}}
	for name, f := range map[string]func(){
		"key":   func() { Key(described(1, codes.Text, 0, codes.Lookup), m, "b") },
		"bytes": func() { KeyBytes(described(1, codes.Text, 0, codes.Lookup), m, []byte("b")) },
		"list":  func() { Among(described(1, codes.Text, 0, codes.Lookup), []label{"a", "b"}, "b") },
	} {
		if got := recorded(f); !slices.Equal(got, want) {
			t.Errorf("%s: recorded %+v\nwant %+v", name, got, want)
		}
	}
}

func TestNothingIsRecordedUnlessTracing(t *testing.T) {
	compare := func() { CmpInt(0, 0, described(1, codes.Signed, 0, codes.Less), 1, 2) }
	got := recorded(func() {
		Tracing = false
		compare()
		Tracing, Recording = true, false
		compare()
	})
	if len(got) != 0 {
		t.Errorf("recorded %+v, want nothing", got)
	}
}

func TestHookMayEndRecordingAndIsNotTraced(t *testing.T) {
	n := 0
	Reached = make([]uint64, 1)
	recorded(func() {
		OperandsHook = func(*Operands) {
			n++
			Recording = n < 2
			CmpInt(9, 0x2, described(1, codes.Signed, 0, codes.Less), 1, 2) // the hook's own
		}
		for range 5 {
			CmpInt(1, 0x2, described(1, codes.Signed, 0, codes.Less), 1, 2)
		}
	})
	if n != 2 || Reached[0] != 1<<1 {
		t.Errorf("hook called %d times, mutants %b reached; want 2, %b", n, Reached[0], 1<<1)
	}
	Reached = nil
}

// What a comparison gets may live on the stack, recorded or not.
func TestRecordingDoesNotAllocate(t *testing.T) {
	OperandsHook = func(o *Operands) { _ = o.XText }
	Tracing, Recording = true, true
	defer func() { Tracing, Recording, OperandsHook = false, false, nil }()
	text, local := []byte("text"), "local"
	allocs := testing.AllocsPerRun(100, func() {
		CmpString(0, 0, described(1, codes.Text, 0, codes.Equal), string(text), "text")
		Cmp(0, 0, described(1, codes.Float, 0, codes.Less), 1.5, 2)
		Texts(described(1, codes.Text, 0, codes.Contains), string(text), "x")
		Bytes(described(1, codes.Text, 0, codes.Contains), text, []byte(local))
		TextsRune(described(1, codes.Text, 0, codes.Contains), local, 'ä')
		TextsByte(described(1, codes.Text, 0, codes.Contains), local, 'a')
		Tag(described(1, codes.Text, 0, codes.Equal), "\x01a", string(text))
		m := map[string]int{"a": 1, local: 2}
		_ = m[Key(described(1, codes.Text, 0, codes.Lookup), m, string(text))]
		_ = m[string(KeyBytes(described(1, codes.Text, 0, codes.Lookup), m, text))]
		Among(described(1, codes.Text, 0, codes.Lookup), []string{local}, string(text))
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
