package fuzzmut

import (
	"math"
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

func TestACheckGoesOnUntilCallsWereMadeAtTheSameTime(t *testing.T) {
	began := time.Now().Add(-time.Minute)
	for _, c := range []struct {
		name   string
		enough func() bool
		settings
		want bool
	}{
		{"no time", nil, settings{}, false},
		{"its time is left", nil, settings{time: time.Hour}, false},
		{"its time is over", nil, settings{time: time.Second, most: time.Hour}, true},
		{"there were enough", func() bool { return true }, settings{time: time.Second, most: time.Hour}, true},
		{"there were too few", func() bool { return false }, settings{time: time.Second, most: time.Hour}, false},
		{"all time is over", func() bool { return false }, settings{time: time.Second, most: 2 * time.Second}, true},
		{"the time was given", func() bool { return false }, settings{time: time.Second}, true},
	} {
		p := &property{enough: c.enough, settings: c.settings}
		if got := (&course{property: p, start: began}).late(); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

func TestHistoriesThatAreTheSame(t *testing.T) {
	push, pop := &term.Term{}, &term.Term{}
	call := func(x *term.Term, start, end int64, results ...any) *step {
		st := &step{call: x}
		st.start.Store(start)
		st.end.Store(end)
		for _, v := range results {
			st.results = append(st.results, reflect.ValueOf(v))
		}
		return st
	}
	first := historyOf([]*step{call(push, 1, 3), call(pop, 2, 4, 7, true)})
	for _, c := range []struct {
		name  string
		other []*step
		want  bool
	}{
		{"other times", []*step{call(push, 10, 30), call(pop, 5, 20, 7, true)}, true},
		{"one after the other", []*step{call(push, 1, 2), call(pop, 3, 4, 7, true)}, false},
		{"another result", []*step{call(push, 1, 3), call(pop, 2, 4, 7, false)}, false},
		{"another call", []*step{call(push, 1, 3), call(push, 2, 4, 7, true)}, false},
		{"a call less", []*step{call(push, 1, 3)}, false},
	} {
		if got := first.same(historyOf(c.other)); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
	panics := historyOf([]*step{call(push, 1, 3), call(pop, 2, 4, 7, true)})
	if panics.calls[1].panicked = "empty"; first.same(panics) {
		t.Error("one of the calls panics")
	}
}

// Sizes grow first. After that they are as likely as where one number halves the largest, and another one
// draws up to that.
func TestSizesAreAsLikelyAsTheyShould(t *testing.T) {
	all := sizesOf(10_000, 100)
	for i, want := range map[int]int{0: 1, 100: 51, 199: 100} {
		if got := all.of(math.MaxUint64, i); got != want {
			t.Errorf("value %d: size %d, want %d", i, got, want)
		}
	}
	const rounds = 200_000
	for _, most := range []int{1, 2, 7, 100, 1 << 20} {
		r, all, counts := term.Random(most), sizesOf(10_000, most), make(map[int]int)
		for range rounds {
			size := all.of(r.Uint64(), 200)
			if size < 1 || size > most {
				t.Fatalf("size %d of %d", size, most)
			}
			counts[bits.Len(uint(size-1))]++
		}
		for length, want := range lengthsOfSizes(most) {
			if got := float64(counts[length]) / rounds; math.Abs(got-want) > 0.005 {
				t.Errorf("up to %d: the share of sizes of %d bits is %.4f, want %.4f", most, length, got, want)
			}
		}
	}
}

// lengthsOfSizes returns how likely sizes are, by the bits of the number below them.
func lengthsOfSizes(most int) map[int]float64 {
	halvings, shares := bits.Len(uint(most)), make(map[int]float64)
	for h := range halvings {
		n := max(most>>h, 1)
		for length := range bits.Len(uint(n-1)) + 1 {
			least := 1 << length >> 1
			shares[length] += float64(min(max(2*least, 1), n)-least) / float64(n) / float64(halvings)
		}
	}
	return shares
}

// Go notes of an object with pointers what takes 8 bytes: with one attempt more, a group would take 4864 bytes.
func TestAGroupOfAttemptsFillsItsMemory(t *testing.T) {
	if size := unsafe.Sizeof(manyAttempts{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 4096-8 {
		t.Errorf("%d bytes", size)
	}
}

// What a test says is said of its value alone, whichever others are made at the same time.
func TestNotesBelongToOneTest(t *testing.T) {
	some, list := attempts{of: t}, make([]*attempt, 3*atOnce)
	for i := range list {
		list[i] = some.next()
	}
	said := map[int]bool{0: true, 5: true, atOnce: true, 2*atOnce - 1: true}
	for i := range said {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { list[i].Log("a line") })
		}
		all.Wait()
		list[i].Fail()
	}
	for i, a := range append(list, quietly(t)) {
		lines := 0
		if n := a.anyNotes(); n != nil {
			lines = strings.Count(n.log.String(), "a line\n")
		}
		if failed := a.Failed(); failed != said[i] || failed == a.uneventful() || lines > 0 != failed || failed && lines != 4 {
			t.Errorf("test %d: failed is %v, and %d lines were said", i, failed, lines)
		}
		if a.Name() != t.Name() {
			t.Errorf("test %d: the name is %q", i, a.Name())
		}
	}
	alone := quietly(t)
	if alone.Log("a line"); !alone.uneventful() || alone.anyNotes() == nil {
		t.Error("what is alone has no notes")
	}
}
