package fuzzmut

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// The command calls what is tested here from another module: a change of a method
// breaks that.
type breeder interface {
	Type() string
	Enumerate(name string, numbers []uint64, texts []string)
	Start(strategy string, seed uint64) error
	Next() (data []byte, err error)
	Learn(discarded bool, kills int, counts []uint8, path []uint16) error
	Take(data []byte, discarded bool, kills int, counts []uint8, path []uint16) error
	Mutate(data, other []byte) (mutant []byte, err error)
	Constants(numbers []uint64, texts []string)
	MatchNumber(data []byte, from, to uint64, most int) [][]byte
	MatchText(data []byte, from, to string, most int) [][]byte
	Canonical(data []byte) (canonical []byte, rest int)
	Shrink(data []byte, calls int, keep func(data []byte) bool) []byte
	Discarded() string
}

var _ breeder = (*inputs)(nil)

type chain struct {
	N    uint32
	Name string
	Next *chain
}

func inputsOf[T any](t *testing.T, strategy string, seed uint64) *inputs {
	t.Helper()
	c, err := codecOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	in := &inputs{typ: c.Type(), tally: &tally{}}
	if err := in.Start(strategy, seed); err != nil {
		t.Fatal(err)
	}
	return in
}

func encode[T any](t *testing.T, v T) []byte {
	t.Helper()
	data, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestInputsAreCanonicalAndTheSameForASeed(t *testing.T) {
	for _, strategy := range []string{"derived", "blind", "bytes", "fuzzchick", "mutagen", "default"} {
		draw := func() (all []string) {
			in := inputsOf[*chain](t, strategy, 7)
			in.Constants([]uint64{0xcafe}, []string{"keyword"})
			parent := []byte{1, 5}
			for i := range 300 {
				data, err := in.Next()
				if err != nil {
					t.Fatal(err)
				}
				counts := []uint8{1, uint8(len(data))}
				if err := in.Learn(i%3 == 0, i/100, counts, []uint16{uint16(len(data))}); err != nil {
					t.Fatal(err)
				}
				mutant, err := in.Mutate(parent, data)
				if err != nil {
					t.Fatal(err)
				}
				if err := in.Take(mutant, false, 0, counts, nil); err != nil {
					t.Fatal(err)
				}
				all = append(all, string(data), string(mutant))
				parent = mutant
			}
			return all
		}
		all := draw()
		if again := draw(); strings.Join(all, "|") != strings.Join(again, "|") {
			t.Errorf("%s: two runs with one seed differ", strategy)
		}
		in := inputsOf[*chain](t, strategy, 7)
		for _, s := range all {
			if data, rest := in.Canonical([]byte(s)); string(data) != s || rest != 0 {
				t.Fatalf("%s: %x is bred, and %x is canonical, %d bytes left", strategy, s, data, rest)
			}
		}
	}
}

func TestConstantsBecomePartsOfInputs(t *testing.T) {
	in := inputsOf[*chain](t, "default", 1)
	in.Constants([]uint64{0xcafebabe}, []string{"keyword"})
	number, text := false, false
	start := encode(t, &chain{Name: "x"})
	for range 1000 {
		data, err := in.Mutate(start, nil)
		if err != nil {
			t.Fatal(err)
		}
		for c := Decode[*chain](data); c != nil; c = c.Next {
			number = number || c.N == 0xcafebabe
			text = text || strings.Contains(c.Name, "keyword")
		}
	}
	if !number || !text {
		t.Errorf("number %t, text %t", number, text)
	}
}

func TestSpliceTakesPartsOfTheOther(t *testing.T) {
	in := inputsOf[*chain](t, "default", 1)
	start, other := encode(t, &chain{Name: "x"}), encode(t, &chain{Name: "other", N: 77777})
	for range 1000 {
		data, err := in.Mutate(start, other)
		if err != nil {
			t.Fatal(err)
		}
		if c := Decode[*chain](data); c != nil && c.Name == "other" && c.N != 77777 {
			return
		}
	}
	t.Error("no mutant has a part of the other input, and another part of its own")
}

func TestInputsAreMadeSmaller(t *testing.T) {
	in := inputsOf[*chain](t, "default", 1)
	data := encode(t, &chain{N: 9, Name: "abc", Next: &chain{N: 500, Next: &chain{}}})
	large := func(data []byte) bool {
		for c := Decode[*chain](data); c != nil; c = c.Next {
			if c.N >= 100 {
				return true
			}
		}
		return false
	}
	if got := in.Shrink(data, 1000, large); string(got) != string(encode(t, &chain{N: 100})) {
		t.Errorf("got %+v", Decode[*chain](got))
	}
	calls := 0
	if got := in.Shrink(data, 3, func([]byte) bool { calls++; return false }); string(got) != string(data) || calls != 3 {
		t.Errorf("got %x after %d calls", got, calls)
	}
}

func TestInputsOfAnotherVersionHaveARest(t *testing.T) {
	in := inputsOf[uint8](t, "default", 1)
	if data, rest := in.Canonical([]byte("\x05more")); string(data) != "\x05" || rest != 4 {
		t.Errorf("got %x, %d", data, rest)
	}
}

// What is nested too deep is cut off there, and not refused.
func TestMutantsBeyondTheLimitsAreCutOff(t *testing.T) {
	if RaceDetector {
		t.Skip("takes ten times as long with -race, and starts no goroutine")
	}
	in := inputsOf[[][]uint8](t, "default", 1)
	x := in.typ.Draw(rand.New(rand.NewPCG(1, 1)), 300)
	for x.Nodes() < 1<<17 {
		x = x.With(append(x.Kids[:len(x.Kids):len(x.Kids)], x.Kids...))
	}
	data := encoded(x)
	if again, rest := in.Canonical(data); string(again) != string(data) || rest != 0 || len(data) < 1<<16 {
		t.Errorf("%d bytes, %d left", len(data), rest)
	}
}

type fickle int

func TestMistakesOfGeneratorsAreErrors(t *testing.T) {
	Generate(func(*rand.Rand, int) fickle { panic("out of luck") })
	in := inputsOf[fickle](t, "derived", 1)
	if _, err := in.Next(); err == nil || !strings.Contains(err.Error(), "the generator of fuzzmut.fickle panicked: out of luck") {
		t.Errorf("got error %v", err)
	}
}

type verb uint16

func TestConstantsOfATypeAreDrawnMoreOften(t *testing.T) {
	in := inputsOf[[]verb](t, "derived", 1)
	want := map[verb]bool{0x2a: true, 0x2b00: true, 7: true, 0xffff: true}
	in.Enumerate("fuzzmut.verb", []uint64{0x2a, 0x2b00, 7, 0xffff}, nil)
	listed, others := 0, 0
	for range 200 {
		data, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range Decode[[]verb](data) {
			if want[v] {
				listed++
			} else {
				others++
			}
		}
	}
	if listed < 5*others || others == 0 {
		t.Errorf("%d constants and %d other values", listed, others)
	}
	if v := Decode[[]verb]([]byte{1, 9}); len(v) != 1 || v[0] != 9 {
		t.Errorf("an input stands for %v", v)
	}
}
