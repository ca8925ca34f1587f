package study

import (
	"fmt"
	"math"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// compared returns an evaluation of a comparison as a Recorder keeps it.
func compared(o fuzzmutrt.Operands) Comparison {
	var r Recorder
	r.Reset()
	r.Record(&o)
	return r.Comparisons()[0]
}

func number(op uint8, x, y uint64, held bool, width uint8) Comparison {
	return compared(fuzzmutrt.Operands{Op: op, Kind: codes.Unsigned, Width: width, X: x, Y: y, Held: held, YConst: true})
}

func signed(x, y int64) Comparison {
	return compared(fuzzmutrt.Operands{Op: codes.Equal, Kind: codes.Signed, Width: 8, X: uint64(x), Y: uint64(y), YConst: true})
}

func text(op uint8, x, y string) Comparison {
	return compared(fuzzmutrt.Operands{Op: op, Kind: codes.Text, XText: x, YText: y, YConst: true})
}

func float(x, y float64) Comparison {
	return compared(fuzzmutrt.Operands{
		Op: codes.Equal, Kind: codes.Float, Width: 8, X: math.Float64bits(x), Y: math.Float64bits(y), YConst: true,
	})
}

func none(uint32) bool { return false }

// planned returns the inputs that an input with one comparison leads to, printed.
func planned(vals []any, c Comparison) []string {
	goals := NewGoals()
	goals.See([]Comparison{c})
	var list []string
	for _, e := range Plan(vals, []Comparison{c}, goals, none, 1<<20) {
		list = append(list, fmt.Sprintf("%q", e.Apply(vals)))
	}
	return list
}

func TestPlanPutsOneOperandInThePlaceOfTheOther(t *testing.T) {
	const eq = codes.Equal
	long := "x=" + strings.Repeat("long ", 200)
	for _, c := range []struct {
		name string
		vals []any
		c    Comparison
		want any
	}{
		{"byte", []any{"a(b"}, number(eq, '(', ')', false, 1), "a)b"},
		{"2 bytes little endian", []any{"a\x34\x12b"}, number(eq, 0x1234, 0xfffe, false, 2), "a\xfe\xffb"},
		{"2 bytes big endian, widened", []any{"a\x12\x34b"}, number(eq, 0x1234, 0xfffe, false, 8), "a\xff\xfeb"},
		{"3 bytes", []any{"\x12\x34\x56"}, number(eq, 0x123456, 1, false, 4), "\x00\x00\x01"},
		{"4 bytes", []any{"\x78\x56\x34\x12"}, number(eq, 0x12345678, 1, false, 4), "\x01\x00\x00\x00"},
		{"8 bytes", []any{[]byte("01234567")}, number(eq, 0x3736353433323130, 0x4142434445464748, false, 8), []byte("HGFEDCBA")},
		{"negative", []any{"\xff\xfe"}, signed(-2, -3), "\xff\xfd"},
		{"decimal", []any{"n=17;"}, signed(17, 31337), "n=31337;"},
		{"decimal with a sign", []any{"n=-17;"}, signed(-17, 4), "n=4;"},
		{"hexadecimal", []any{"#beef"}, number(eq, 0xbeef, 0xcafe1, false, 8), "#cafe1"},
		{"upper case hexadecimal", []any{"#BEEF"}, number(eq, 0xbeef, 0xcafe, false, 8), "#CAFE"},
		{"padded hexadecimal", []any{"#0000beef"}, number(eq, 0xbeef, 0xcafe1, false, 4), "#000cafe1"},
		{"varint", []any{"\x96\x01"}, number(eq, 150, 300, false, 8), "\xac\x02"},
		{"rune", []any{"a→b"}, number(eq, '→', '←', false, 4), "a←b"},
		{"less: just below", []any{"\x09"}, number(codes.Less, 9, 4, false, 1), "\x03"},
		{"less: the same", []any{"\x09"}, number(codes.Less, 9, 4, false, 1), "\x04"},
		{"greater or equal: just below", []any{"\x09"}, number(codes.GreaterEqual, 9, 4, true, 1), "\x03"},
		{"length: longer", []any{"ab:cd"}, number(codes.Less, 2, 5, true, 8), "ab:cd000"},
		{"length: shorter", []any{"ab:cd"}, number(codes.GreaterEqual, 2, 2, true, 8), "ab:c"},
		{"float in decimal", []any{"1.5 m"}, float(1.5, 99.25), "99.25 m"},
		{"float in raw", []any{string([]byte{0, 0, 0xc0, 0x3f})}, float(1.5, 2), string([]byte{0, 0, 0, 0x40})},

		{"scalar", []any{7, "x"}, signed(7, 9), 9},
		{"scalar of another width", []any{uint8(7)}, signed(7, 200), uint8(200)},
		{"scalar that is added to", []any{int16(7)}, signed(107, 1000), int16(900)},
		{"rune argument", []any{'a'}, number(eq, 'a', 'ß', false, 4), 'ß'},
		{"float32", []any{float32(1)}, float(1, 2.5), float32(2.5)},
		{"float64 compared as an integer", []any{7.0}, signed(7, 9), 9.0},
		{"integer compared as a float", []any{7}, float(7, 9), 9},
		{"integer compared as text", []any{uint16(17)}, text(eq, "17", "1234"), uint16(1234)},

		{"text", []any{"say hello twice"}, text(eq, "hello", "goodbye"), "say goodbye twice"},
		{"text, lowered", []any{"SAY Hello"}, text(eq, "say", "goodbye"), "goodbye Hello"},
		{"text, raised", []any{"say Hello"}, text(eq, "SAY", "GOODBYE"), "GOODBYE Hello"},
		{"text in base64", []any{"Authorization: dXNlcg=="}, text(eq, "user", "root1"), "Authorization: cm9vdDE="},
		{"text in hexadecimal", []any{"61 6162"}, text(eq, "ab", "xyz"), "61 78797a"},
		{"part of a text", []any{"name=joe"}, text(eq, "/home/joe/.x", "/home/root/.x"), "name=root"},
		{"no text", []any{"a, b"}, text(eq, "", "word"), "a, b word"},
		{"key of a map", []any{"x+y"}, text(codes.Lookup, "x", "alpha"), "alpha+y"},
		{"prefix of the rest", []any{"get: put: it"}, text(codes.HasPrefix, "put: it", "delete "), "get: delete "},
		{"prefix, inserted", []any{"get: put"}, text(codes.HasPrefix, "put", "+"), "get: +put"},
		{"prefix of a long rest", []any{long}, text(codes.HasPrefix, long[2:], "y"), "x=y" + long[3:]},
		{"suffix", []any{"file.txt"}, text(codes.HasSuffix, "file.txt", ".gz"), "file..gz"},
		{"suffix, added", []any{"file.txt"}, text(codes.HasSuffix, "file.txt", ".gz"), "file.txt.gz"},
		{"part", []any{"k=v"}, text(codes.Contains, "v", "://"), "k=://v"},
		{"whole long text", []any{long}, text(eq, long[2:], "short"), "x=short"},
	} {
		want := fmt.Sprintf("%q", append([]any{c.want}, c.vals[1:]...))
		got := planned(c.vals, c.c)
		found := false
		for _, g := range got {
			found = found || g == want
		}
		if !found {
			t.Errorf("%s: %s is not among\n\t%.2000s", c.name, want, strings.Join(got, "\n\t"))
		}
	}
}

func TestPlanWorksInBothDirections(t *testing.T) {
	c := compared(fuzzmutrt.Operands{Op: codes.Equal, Kind: codes.Unsigned, Width: 4, X: 0xdeadbeef, Y: 0x01020304})
	got := planned([]any{"\x01\x02\x03\x04payload"}, c)
	if want := fmt.Sprintf("%q", []any{"\xde\xad\xbe\xefpayload"}); len(got) == 0 || got[0] != want {
		t.Errorf("the computed checksum is not written into its field: %s", got)
	}
}

func TestPlanLeavesAloneWhatIsKnownBothWays(t *testing.T) {
	goals := NewGoals()
	c := number(codes.Equal, 1, 2, false, 1)
	goals.See([]Comparison{c})
	if vals := []any{"\x01"}; len(Plan(vals, []Comparison{c}, goals, none, 10)) == 0 {
		t.Fatal("nothing is planned")
	}
	if !goals.See([]Comparison{number(codes.Equal, 2, 2, true, 1)}) {
		t.Error("a comparison that holds for the first time goes unnoticed")
	}
	if vals := []any{"\x01"}; len(Plan(vals, []Comparison{c}, goals, none, 10)) != 0 || !goals.Met(goals.Of(&c)) {
		t.Error("a comparison that was seen both ways is worked on")
	}
	if other := number(codes.Equal, 1, 3, false, 1); !goals.Open(&other) {
		t.Error("another value looked for at the same place counts as seen")
	}
}

func TestPlanTiresOfWhatNeverYields(t *testing.T) {
	goals := NewGoals()
	list := []Comparison{number(codes.Less, 1, 2, true, 1)}
	goals.See(list)
	vals := []any{strings.Repeat("\x01", 100)}
	first := len(Plan(vals, list, goals, none, 1000))
	for range 1000 {
		Plan(vals, list, goals, none, 1000)
	}
	if last := len(Plan(vals, list, goals, none, 1000)); last != 0 || first == 0 {
		t.Errorf("%d edits at first, %d in the end", first, last)
	}
}

func TestPlanIsBounded(t *testing.T) {
	goals := NewGoals()
	var list []Comparison
	for i := range 3 * maxComparisons {
		c := number(codes.Equal, 0, uint64(i), i == 0, 4)
		c.Site = uint32(i / 200)
		list = append(list, c)
	}
	goals.See(list)
	vals := []any{make([]byte, 1000), "0000"}
	edits := Plan(vals, list, goals, none, 1000)
	if len(edits) == 0 || len(edits) > maxEdits {
		t.Errorf("%d edits", len(edits))
	}
	for _, e := range edits {
		if out := e.Apply(vals); len(out[0].([]byte)) > 1000 || len(out[1].(string)) > 1000 {
			t.Fatal("an argument is longer than allowed")
		}
	}
}

func TestEditsShareNoMemoryWithTheInput(t *testing.T) {
	vals := []any{[]byte("ab"), []byte("cd")}
	e := Edit{Arg: 1, From: 0, To: 1, Text: "x"}
	out := e.Apply(vals)
	out[0].([]byte)[0], out[1].([]byte)[1] = '!', '!'
	if s := fmt.Sprintf("%q", vals); s != `["ab" "cd"]` {
		t.Errorf("the input has become %s", s)
	}
}
