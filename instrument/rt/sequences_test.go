package fuzzmutrt

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/codes"
)

// execution is one execution of a statement: what it does, and whether that is something
// else with the mutant.
type execution struct {
	name    string
	f       func()
	differs bool
}

// sequences checks that after any three executions, in any order, mutant 1 is infected if
// it differs in one of them.
func sequences(t *testing.T, list []execution) {
	t.Helper()
	for _, a := range list {
		for _, b := range list {
			for _, c := range list {
				_, infected := traced(t, func() {
					for _, e := range []execution{a, b, c} {
						func() {
							defer func() { _ = recover() }()
							e.f()
						}()
					}
				})
				if want := a.differs || b.differs || c.differs; (infected == 1) != want {
					t.Errorf("%s, %s, %s: infected is %t", a.name, b.name, c.name, infected == 1)
				}
			}
		}
	}
}

func TestSequencesOfLoopsThatMayBeSkipped(t *testing.T) {
	var list []execution
	for rounds := range 3 {
		for panics := -1; panics <= rounds; panics++ { // before this round
			list = append(list, execution{
				name:    fmt.Sprintf("%d rounds, panic before %d", rounds, panics),
				differs: rounds > 0 && panics != 0 || panics == 0,
				f: func() {
					if !Enter(1) {
						return
					}
					for i := 0; ; i++ {
						if i == panics {
							panic("in the head")
						}
						if i == rounds {
							break
						}
						Began(1)
					}
					Ended(1)
				},
			})
		}
	}
	sequences(t, list)
}

func TestSequencesOfLoopsThatMayBeLeft(t *testing.T) {
	var list []execution
	for rounds := range 4 {
		for panics := -1; panics <= rounds; panics++ {
			list = append(list, execution{
				name: fmt.Sprintf("%d rounds, panic before %d", rounds, panics),
				// A panic before the first round is the mutant's, too.
				differs: panics != 0 && (rounds > 1 || panics == 1),
				f: func() {
					begun := Rounds(1)
					for i := 0; ; i++ {
						if i == panics {
							panic("in the head")
						}
						if i == rounds {
							break
						}
						begun = Again(1, begun)
						if Leave(1) {
							break
						}
					}
					Ended(1)
				},
			})
		}
	}
	sequences(t, list)
}

func TestSequencesOfResults(t *testing.T) {
	give := func(name string, v int, panics bool) execution {
		return execution{name, func() {
			if Ahead(1) {
				return
			}
			if panics {
				panic("in the result")
			}
			Ret(1, v)
		}, panics || v != 0}
	}
	sequences(t, []execution{give("zero", 0, false), give("one", 1, false), give("panic", 0, true)})
}

func TestSequencesOfBooleans(t *testing.T) {
	type own bool
	var list []execution
	for _, a := range []bool{false, true} {
		for _, b := range []bool{false, true} {
			// a && b made a || b: they differ where a and b do, and where a is false the
			// mutant evaluates b, which may panic.
			list = append(list, execution{
				fmt.Sprintf("%t && %t", a, b),
				func() { JoinedOf(1, LeftOf(1, 0, own(a)) && RightOf(1, 0, own(b))) },
				!a || a != b,
			})
		}
		list = append(list, execution{
			fmt.Sprintf("%t && panic", a),
			func() { Joined(1, Left(1, 0, a) && Right(1, 0, func() bool { panic("right") }())) },
			true,
		})
	}
	sequences(t, list)
}

// What && and || become of each other is the other one, for each type of booleans, and
// evaluates what the other one would.
func TestAndAndOrBecomeEachOther(t *testing.T) {
	defer func() { Active = 0 }()
	type own bool
	for _, active := range []uint32{0, 1, 2} {
		for i := range 8 {
			a, b, or := own(i&1 != 0), own(i&2 != 0), i&4 != 0
			evaluated := false
			right := func() own { evaluated = true; return b }
			Active = active
			var got own
			if or {
				got = JoinedOf(1, LeftOf(1, codes.DecidedByTrue, a) || RightOf(1, codes.DecidedByTrue, right()))
			} else {
				got = JoinedOf(1, LeftOf(1, 0, a) && RightOf(1, 0, right()))
			}
			isOr := or != (active == 1)
			want, needed := a && b, bool(a)
			if isOr {
				want, needed = a || b, !bool(a)
			}
			if got != want || evaluated != needed {
				t.Errorf("mutant %d, or %t: %t, %t gives %t, right evaluated %t", active, or, a, b, got, evaluated)
			}
		}
		for _, v := range []own{false, true} {
			for i, want := range []own{v, !v, true, false} {
				Active = uint32(i)
				if got := BoolOf(1, 0x321, v); got != want {
					t.Errorf("%t with mutant %d is %t", v, i, got)
				}
			}
		}
	}
}

// texts are all texts of some letters, up to a length.
func texts(letters string, most int) []string {
	list := []string{""}
	for last := list; most > 0; most-- {
		var next []string
		for _, s := range last {
			for i := range len(letters) {
				next = append(next, s+letters[i:i+1])
			}
		}
		list, last = append(list, next...), next
	}
	return list
}

// What is recorded of a search is what package strings finds.
func TestSearchesFindWhatStringsFinds(t *testing.T) {
	for _, c := range []struct {
		op   uint64
		name string
		f    func(x, y string) bool
	}{
		{codes.HasPrefix, "HasPrefix", strings.HasPrefix},
		{codes.HasSuffix, "HasSuffix", strings.HasSuffix},
		{codes.Contains, "Contains", strings.Contains},
		{codes.EqualFold, "EqualFold", strings.EqualFold},
		{codes.Equal, "==", func(x, y string) bool { return x == y }},
		{codes.NotEqual, "!=", func(x, y string) bool { return x != y }},
	} {
		for _, x := range texts("aA[", 3) {
			for _, y := range texts("aA{", 3) {
				if got := found(c.op, x, y); got != c.f(x, y) {
					t.Errorf("%s of %q and %q: %t", c.name, x, y, got)
				}
			}
		}
	}
	for c := range 256 { // every character of ASCII, and what is none
		for d := range 256 {
			x, y := string([]byte{byte(c)}), string([]byte{byte(d)})
			want := x == y || c < 128 && d < 128 && strings.EqualFold(x, y)
			if got := found(codes.EqualFold, x, y); got != want {
				t.Errorf("EqualFold of %q and %q: %t", x, y, got)
			}
		}
	}
}

func TestLabelsComeOutAsTheyWentIn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var numbers []int64
		var packed []byte
		for range r.IntN(9) {
			n := int64(r.Uint64() >> r.IntN(64))
			if r.IntN(3) == 0 {
				n = []int64{math.MinInt64, math.MaxInt64, 0, -1, 63, 64, -64, -65}[r.IntN(8)]
			}
			numbers, packed = append(numbers, n), binary.AppendVarint(packed, n)
		}
		at := len(numbers)
		tag := int64(12345)
		if at > 0 && r.IntN(2) == 0 {
			at = r.IntN(at)
			tag = numbers[at]
			at = slices.Index(numbers, tag)
		} else if i := slices.Index(numbers, tag); i >= 0 {
			at = i
		}
		var got []int64
		list := recorded(func() { Tag(described(9, codes.Signed, 2, codes.Equal), string(packed), tag) })
		for i, o := range list {
			got = append(got, int64(o.Y))
			if o.X != uint64(tag) || o.Held != (i == at) || o.Site != uint32(9+i) || o.Width != 8 {
				t.Fatalf("label %d of %v, tag %d: %+v", i, numbers, tag, o)
			}
		}
		if want := numbers[:min(at+1, len(numbers))]; !slices.Equal(got, want) {
			t.Errorf("labels %v, want %v", got, want)
		}
	}
}

// What a lookup hands over is bounded.
func TestLargeMapsAndListsAreHandedOverInPart(t *testing.T) {
	what := described(1, codes.Signed, 0, codes.Lookup)
	m := map[int]bool{}
	for i := range maxMap {
		m[i] = true
	}
	if got := recorded(func() { Key(what, m, -1) }); len(got) != maxKeys {
		t.Errorf("%d keys of a map of %d", len(got), len(m))
	}
	m[maxMap] = true
	if got := recorded(func() { Key(what, m, -1) }); len(got) != 0 {
		t.Errorf("%d keys of a map of %d", len(got), len(m))
	}
	if got := recorded(func() { Key(what, m, 3) }); len(got) != 1 || !got[0].Held {
		t.Errorf("a key of a large map: %+v", got)
	}
	list := make([]int, 2*maxKeys)
	for i := range list {
		list[i] = 1000 - i
	}
	got := recorded(func() { Among(what, list, -1) })
	if len(got) != maxKeys || got[0].Y != 1000 || got[maxKeys-1].Y != 1000-maxKeys+1 || got[0].Held {
		t.Errorf("%d elements, from %d", len(got), got[0].Y)
	}
	if got := recorded(func() { Among(what, list, 1000-2*maxKeys+1) }); len(got) != 1 || !got[0].Held {
		t.Errorf("the last element: %+v", got)
	}
	if got := recorded(func() { Among(what, []float64{math.NaN()}, math.NaN()) }); len(got) != 1 || got[0].Held {
		t.Errorf("what is not a number is among others: %+v", got)
	}
}

func kindAndWidth[T Orders](x, y T) string {
	list := recorded(func() { CmpAny(0, 0, described(1, 0, 0, codes.Less), x, y) })
	if len(list) != 1 || list[0].Held != (cmp.Compare(x, y) < 0) {
		return fmt.Sprintf("%+v", list)
	}
	o := list[0]
	if o.Kind == codes.Text {
		return fmt.Sprintf("text %q %q", o.XText, o.YText)
	}
	return fmt.Sprintf("kind %d of %d bytes, %#x %#x", o.Kind, o.Width, o.X, o.Y)
}

// Numbers of every size keep their sign.
func TestKindsOfOperands(t *testing.T) {
	const all = "0xffffffffffffffff"
	for _, c := range []struct{ name, got, want string }{
		{"int8", kindAndWidth[int8](-1, 127), "kind 1 of 1 bytes, " + all + " 0x7f"},
		{"int16", kindAndWidth[int16](-1, math.MinInt16), "kind 1 of 2 bytes, " + all + " 0xffffffffffff8000"},
		{"int32", kindAndWidth[int32](-1, 1), "kind 1 of 4 bytes, " + all + " 0x1"},
		{"int64", kindAndWidth[int64](-1, 1), "kind 1 of 8 bytes, " + all + " 0x1"},
		{"uint8", kindAndWidth[uint8](255, 1), "kind 2 of 1 bytes, 0xff 0x1"},
		{"uint16", kindAndWidth[uint16](0xffff, 1), "kind 2 of 2 bytes, 0xffff 0x1"},
		{"uint32", kindAndWidth[uint32](0xffffffff, 1), "kind 2 of 4 bytes, 0xffffffff 0x1"},
		{"uint64", kindAndWidth[uint64](math.MaxUint64, 1), "kind 2 of 8 bytes, " + all + " 0x1"},
		{"float32", kindAndWidth[float32](1, -1), "kind 3 of 4 bytes, 0x3ff0000000000000 0xbff0000000000000"},
		{"float64", kindAndWidth[float64](1, -1), "kind 3 of 8 bytes, 0x3ff0000000000000 0xbff0000000000000"},
		{"string", kindAndWidth("a", "b"), `text "a" "b"`},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}
