package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func TestNamesOfStrategies(t *testing.T) {
	for _, name := range Names() {
		if err := Check(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":                           `unknown strategy "": the strategies are derived, `,
		"mutagens":                   `unknown strategy "mutagens"`,
		"default+mixed":              "strategy default has no variants",
		"mutagen+fast":               `no variant "fast": the variants are fragments, inherit, mixed, no-reset, unordered`,
		"mutagen+mixed+":             `no variant ""`,
		"mutagen+mixed+fragments":    "",
		"mutagen+no-reset+unordered": "",
	} {
		err := Check(name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
	var o Options
	if _, err := o.named("mutagen+inherit+no-reset"); err != nil || o.Mutagen != (MutagenOptions{Inherit: true, NoReset: true}) {
		t.Errorf("%+v, %v", o.Mutagen, err)
	}
}

// texts is a type of texts of 2 to 6 bytes, and numbers and floats next to them.
func texts(t *testing.T) *term.Type {
	t.Helper()
	typ := &term.Type{Name: "record", Kind: term.Product, Fields: []term.Field{
		{Name: "Text", Type: &term.Type{Name: "text", Kind: term.Text, MinLen: 2, MaxLen: 6}},
		{Name: "Number", Type: &term.Type{Name: "number", Kind: term.Uint, Bits: 16, Max: 1<<16 - 1}},
		{Name: "Float", Type: &term.Type{Name: "float", Kind: term.Float, Bits: 64}},
	}}
	if err := typ.Seal(); err != nil {
		t.Fatal(err)
	}
	return typ
}

// Constants of the program come into texts, numbers and floats, as far as the types have
// room for them.
func TestConstantsOfTheProgramAreUsed(t *testing.T) {
	typ := texts(t)
	b := NewBreeder(typ, Options{Seed: 1})
	for range 2 { // once more changes nothing
		b.Number(40_000)
		b.Number(1 << 20) // wraps
		b.Number(math.Float64bits(2.25))
		b.Text("key")
		b.Text("longer than six")
		b.Text("")
	}
	if len(b.numbers) != 3 || len(b.texts) != 3 {
		t.Fatalf("%d numbers, %d texts", len(b.numbers), len(b.texts))
	}
	x := typ.Default()
	seen := make(map[string]bool)
	for range 3000 {
		y := b.Mutate(x, x)
		if _, err := term.Encode(y); err != nil {
			t.Fatalf("%v: %v", y, err)
		}
		text, number, float := y.Kids[0].Text, y.Kids[1].Bits, y.Kids[2].Float()
		seen["a text"] = seen["a text"] || text == "key"
		seen["a text inside"] = seen["a text inside"] || strings.Contains(text, "key") && len(text) > 3
		seen["a text that is cut"] = seen["a text that is cut"] || text == "longer"
		seen["a number"] = seen["a number"] || number == 40_000
		seen["the next one"] = seen["the next one"] || number == 40_001
		seen["the one before"] = seen["the one before"] || number == 39_999
		seen["a number as a float"] = seen["a number as a float"] || float == 40_000
		seen["the bits of a float"] = seen["the bits of a float"] || float == 2.25
	}
	for what, is := range seen {
		if !is {
			t.Errorf("%s does not occur", what)
		}
	}
}

func TestConstantsAreBounded(t *testing.T) {
	b := NewBreeder(texts(t), Options{Seed: 1})
	for n := range uint64(3 * mostConstants) {
		b.Number(n)
	}
	if len(b.numbers) != mostConstants || !slices.ContainsFunc(b.numbers, func(n uint64) bool { return n > 2*mostConstants }) {
		t.Errorf("%d are kept, the largest %d", len(b.numbers), slices.Max(b.numbers))
	}
	// Without constants a term stays as it is.
	if y, ok := NewBreeder(texts(t), Options{Seed: 1}).constant(texts(t).Default()); ok {
		t.Errorf("%v from no constants", y)
	}
}

func TestPreferredTexts(t *testing.T) {
	typ := texts(t).Fields[0].Type
	Prefer(typ, nil, []string{"GET", "x", "POST", "much too long"}) // the second and the last do not fit
	r := rand.New(rand.NewPCG(1, 1))
	n := make(map[string]int)
	for range 1000 {
		x := typ.Draw(r, 5)
		if len(x.Text) < 2 || len(x.Text) > 6 {
			t.Fatalf("drew %q", x.Text)
		}
		n[x.Text]++
	}
	if n["GET"] < 150 || n["POST"] < 150 || n["GET"]+n["POST"] > 700 {
		t.Errorf("drew GET %d times, POST %d times of 1000", n["GET"], n["POST"])
	}
	plain := texts(t).Fields[0].Type
	if Prefer(plain, []uint64{1}, []string{"x"}); plain.Generate != nil {
		t.Error("nothing fits, but something is preferred")
	}
}

func TestTextsAreMutatedByteByByte(t *testing.T) {
	typ := texts(t).Fields[0].Type
	r := rand.New(rand.NewPCG(1, 1))
	x := &term.Term{Type: typ, Text: "abc"}
	shorter, longer, changed := 0, 0, 0
	for range 3000 {
		y := mutateText(r, x, 4)
		if len(y.Text) < 2 || len(y.Text) > 6 {
			t.Fatalf("%q", y.Text)
		}
		switch {
		case y.Text == "ab" || y.Text == "ac" || y.Text == "bc":
			shorter++
		case y.Text == "aabc" || y.Text == "abbc" || y.Text == "abcc":
			longer++
		case len(y.Text) == 3 && y.Text != "abc":
			changed++
		}
	}
	if shorter < 500 || longer < 500 || changed < 500 || x.Text != "abc" {
		t.Errorf("%d shorter, %d longer, %d changed of 3000", shorter, longer, changed)
	}
	for text, length := range map[string]int{"ab": 2, "abcdef": 6} { // at the ends of the range
		for range 500 {
			if y := mutateText(r, &term.Term{Type: typ, Text: text}, 4); len(y.Text) < 2 || len(y.Text) > 6 {
				t.Fatalf("%q of %d bytes", y.Text, length)
			}
		}
	}
}

func TestHitCountsAreClassed(t *testing.T) {
	// The classes of AFL: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, 128 and more.
	for i, class := range [][2]uint8{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 7}, {8, 15}, {16, 31}, {32, 127}, {128, 255}} {
		want := uint8(int(1) << i >> 1)
		if bucket(class[0]) != want || bucket(class[1]) != want {
			t.Errorf("%d and %d are in %b and %b, want %b", class[0], class[1], bucket(class[0]), bucket(class[1]), want)
		}
	}
	var v virgin
	for _, c := range []struct {
		counts []uint8
		fresh  int
	}{{[]uint8{1, 0}, 1}, {[]uint8{1, 0}, 0}, {[]uint8{2, 9}, 2}, {[]uint8{1, 15}, 0}, {[]uint8{0, 0, 1}, 1}, {nil, 0}} {
		if fresh := v.add(c.counts); fresh != c.fresh {
			t.Errorf("%v: %d are new, want %d", c.counts, fresh, c.fresh)
		}
	}
}

func TestEnergyOfFuzzChick(t *testing.T) {
	for ratio, want := range map[float64]float64{0.05: 0.1, 0.2: 0.25, 0.4: 0.5, 0.6: 0.75, 1: 1, 2: 1, 2.5: 1.5, 3.5: 2, 9: 3} {
		if got := factor(ratio); got != want {
			t.Errorf("%v in terms of the mean: %v, want %v", ratio, got, want)
		}
	}
	var m mean
	if m.ratio(5) != 1 {
		t.Error("without a mean, all are as good")
	}
	m.add(2)
	m.add(4)
	if m.ratio(6) != 2 {
		t.Errorf("6 is %v times a mean of 3", m.ratio(6))
	}
	energies := func(f Feedback) int {
		s := newFuzzChick(base{t: exprType(t), r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 3}})
		for range 50 {
			s.energy(Feedback{Counts: []uint8{2, 2, 2, 2}})
		}
		return s.energy(f)
	}
	usual := energies(Feedback{Counts: []uint8{2, 2, 2, 2}})
	for what, f := range map[string]Feedback{
		"short":     {Counts: []uint8{1, 1, 0, 0}},
		"long":      {Counts: []uint8{200, 200, 200, 200}},
		"discarded": {Counts: []uint8{2, 2, 2, 2}, Discarded: true},
	} {
		got := energies(f)
		if what == "short" && got < usual || what != "short" && got >= usual {
			t.Errorf("%s: %d, usual %d", what, got, usual)
		}
		if got < 50 || got > 16_000 {
			t.Errorf("%s: %d is out of bounds", what, got)
		}
	}
}

func TestPartsAreCounted(t *testing.T) {
	e := exprType(t)
	x := node(e, 1, num(e, 1), node(e, 2, num(e, 7)))
	if n := count(x, isNumber); n != 2 {
		t.Errorf("%d numbers", n)
	}
	k := 1
	p, ok := nth(x, isNumber, &k, nil)
	if !ok || x.At(p).Bits != 7 {
		t.Errorf("the second number is at %v", p)
	}
	if _, ok := pick(rand.New(rand.NewPCG(1, 1)), x, func(*term.Term) bool { return false }); ok {
		t.Error("a part is found that nobody wants")
	}
	none := term.Choice(e, 3, nil)
	if y := redraw(rand.New(rand.NewPCG(1, 1)), none, 5); y != none {
		t.Errorf("without a number %v becomes %v", none, y)
	}
}

// What is skipped eight at a time holds nothing, wherever blocks begin and end.
func TestHitsAreThoseOfEachBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		counts := make([]uint8, r.IntN(40))
		var want []hit
		for i := range counts {
			if r.IntN(6) == 0 {
				counts[i] = uint8(1 + r.IntN(255))
				want = append(want, hit{i, counts[i]})
			}
		}
		var one, other virgin
		if got := hitsOf(nil, counts); !slices.Equal(got, want) || one.add(counts) != other.addHits(got, len(counts)) || !slices.Equal(one, other) {
			t.Fatalf("%v: got %v, want %v", counts, got, want)
		}
	}
}

// BenchmarkLearn has inputs run 300 of 4000 blocks, in runs of 3.
func BenchmarkLearn(b *testing.B) {
	t := &term.Type{Name: "number", Kind: term.Int, Bits: 64, Min: 1 << 63, Max: 1<<63 - 1}
	if err := t.Seal(); err != nil {
		b.Fatal(err)
	}
	s := newMix(base{t: t, r: rand.New(rand.NewPCG(1, 1)), o: Options{Size: 10}})
	counts := make([]uint8, 4000)
	for i := range 300 {
		counts[i/3*40+i%3] = 1
	}
	for b.Loop() {
		s.Next()
		s.Learn(Feedback{Counts: counts})
	}
}
