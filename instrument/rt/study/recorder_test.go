package study

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

func TestRecorderKeepsTheFirstOfEachSite(t *testing.T) {
	var r Recorder
	r.Reset()
	for i := range uint64(100) {
		for range 2 {
			r.Record(&fuzzmutrt.Operands{Site: 7, Kind: codes.Unsigned, X: i})
		}
	}
	r.Record(&fuzzmutrt.Operands{Site: 8, Kind: codes.Unsigned})
	list := r.Comparisons()
	if len(list) != maxPerSite+1 || list[3].X != 3 || list[3].Nth != 3 || list[maxPerSite].Site != 8 {
		t.Errorf("%d kept: %v", len(list), list)
	}
}

// A site is noisy if nothing that is compared there comes again: a time, but not what goroutines
// compare in another order.
func TestNoisySites(t *testing.T) {
	record := func(r *Recorder, list ...[2]uint64) {
		r.Reset()
		for _, c := range list {
			r.Record(&fuzzmutrt.Operands{Site: uint32(c[0]), Kind: codes.Unsigned, X: c[1]})
		}
	}
	var a, b Recorder
	record(&a, [2]uint64{1, 100}, [2]uint64{2, 5}, [2]uint64{3, 1}, [2]uint64{3, 2}, [2]uint64{4, 8}, [2]uint64{1, 105})
	record(&b, [2]uint64{1, 170}, [2]uint64{2, 5}, [2]uint64{3, 9}, [2]uint64{3, 2}, [2]uint64{5, 8}, [2]uint64{1, 171})
	if got := b.Noisy(&a); !slices.Equal(got, []uint32{1}) {
		t.Errorf("%d are noisy", got)
	}
	b.Forget(1)
	if got := b.Noisy(&a); len(got) > 0 || len(b.Comparisons()) != 4 {
		t.Errorf("%d are noisy afterwards; %+v", got, b.Comparisons())
	}
	var none Recorder
	if got := b.Noisy(&none); len(got) > 0 {
		t.Errorf("%d are noisy, and nothing is known", got)
	}
}

func TestRecorderCopiesTexts(t *testing.T) {
	var r Recorder
	r.Reset()
	text := []byte(strings.Repeat("a", 1000) + "end")
	r.Record(&fuzzmutrt.Operands{Op: codes.HasPrefix, Kind: codes.Text, XText: string(text), YText: "y"})
	r.Record(&fuzzmutrt.Operands{Site: 1, Op: codes.HasSuffix, Kind: codes.Text, XText: string(text), YText: "y"})
	list := r.Comparisons()
	if c := list[0]; c.XText != string(text[:maxText]) || c.XLen != 1003 || c.YText != "y" || c.YLen != 1 {
		t.Errorf("prefix: %+v", c)
	}
	if c := list[1]; !strings.HasSuffix(c.XText, "end") || len(c.XText) != maxText {
		t.Errorf("suffix: %+v", c)
	}
}

func TestTokensAreWhatTheInputDoesNotHave(t *testing.T) {
	list := []Comparison{
		text(codes.Equal, "mine", "keyword"), text(codes.Equal, "mine", "keyword"),
		text(codes.HasPrefix, "mine", "x"), text(codes.Lookup, "mine", strings.Repeat("long", 100)),
	}
	if got := Tokens([]any{3, "is mine"}, list); !slices.Equal(got, []string{"keyword"}) {
		t.Errorf("tokens %q", got)
	}
}

// TestProberFindsTheBytes has an operand computed from some bytes of the input, and
// wants edits that make it the value that is looked for.
func TestProberFindsTheBytes(t *testing.T) {
	for name, c := range map[string]struct {
		input    string
		operands func(in string) fuzzmutrt.Operands
	}{
		"one byte among many alike": {strings.Repeat("0", 60), func(in string) fuzzmutrt.Operands {
			return fuzzmutrt.Operands{Kind: codes.Unsigned, Width: 1, X: uint64(in[41]), Y: 0x5c}
		}},
		"mixed byte order": {"\x01\x02\x03\x04\x05\x06", func(in string) fuzzmutrt.Operands {
			x := uint64(in[2])<<16 | uint64(in[5])<<8 | uint64(in[1])
			return fuzzmutrt.Operands{Kind: codes.Unsigned, Width: 4, X: x, Y: 0xc0ffee}
		}},
		"a sum of digits": {"17 21 99", func(in string) fuzzmutrt.Operands {
			var a, b, c int
			fmt.Sscan(in, &a, &b, &c) //nolint:errcheck // then they are zero
			return fuzzmutrt.Operands{Kind: codes.Signed, Width: 8, X: uint64(a + b + c), Y: 222}
		}},
		"a negative weight": {"\x10\x20", func(in string) fuzzmutrt.Operands {
			return fuzzmutrt.Operands{Kind: codes.Signed, Width: 8, X: 1000 - 3*uint64(in[1]), Y: 400}
		}},
		"a text turned around": {"k=drow", func(in string) fuzzmutrt.Operands {
			return fuzzmutrt.Operands{Kind: codes.Text, XText: reversed([]byte(in[2:])), YText: "open"}
		}},
		"a text in cipher": {"k=word", func(in string) fuzzmutrt.Operands {
			b := []byte(in[2:])
			for i := range b {
				b[i] ^= byte(0x55 + i)
			}
			return fuzzmutrt.Operands{Kind: codes.Text, XText: string(b), YText: "open"}
		}},
	} {
		record := func(vals []any) []Comparison {
			o := c.operands(vals[0].(string))
			o.Op, o.YConst = codes.Equal, true
			o.Held = o.X == o.Y && o.XText == o.YText
			return []Comparison{compared(o)}
		}
		vals := []any{c.input}
		goals := NewGoals()
		list := record(vals)
		goals.See(list)
		p := NewProber(vals, list, goals)
		for i, e := range p.Probes() {
			p.See(i, record(e.Apply(vals)))
		}
		edits := p.Edits(100)
		if !slices.ContainsFunc(edits, func(e Edit) bool { return record(e.Apply(vals))[0].Held }) {
			t.Errorf("%s: not found with %d edits", name, len(edits))
		}
	}
}

func TestProberLeavesLargeInputsAlone(t *testing.T) {
	c := number(codes.Equal, 1, 2, false, 1)
	goals := NewGoals()
	goals.See([]Comparison{c})
	if n := len(NewProber([]any{make([]byte, maxProbes+1)}, []Comparison{c}, goals).Probes()); n > 0 {
		t.Errorf("%d probes", n)
	}
}
