package mutants_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestEveryKindOfKill(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	vals := []any{[]byte("abc")}
	ref := m.Reference(vals, exec.HangFuel, true)
	if ref.Ex.Kind != wire.Pass || ref.Ex.Burned != 3 {
		t.Fatalf("the original: %+v", ref.Ex)
	}
	if slices.Contains(ref.Infected, looptest.Uninfected) || !slices.Contains(ref.Reached, looptest.Uninfected) {
		t.Errorf("reached %v, infected %v", ref.Reached, ref.Infected)
	}
	if m.Alive(looptest.Static) {
		t.Error("a mutant without a switch is alive")
	}
	want := map[uint32]oracle.Kind{
		looptest.Value: oracle.Difference, looptest.Assertion: oracle.Assertion, looptest.Panic: oracle.Panic, looptest.Endless: oracle.Fuel,
		looptest.Swallow: oracle.Fuel, looptest.Exit: oracle.Exit, looptest.Skip: oracle.Difference,
	}
	v := m.RunAll(vals, []uint32{looptest.Survivor, looptest.Value, looptest.Assertion, looptest.Panic, looptest.Endless, looptest.Swallow, looptest.Exit, looptest.Skip}, ref, true, func(k wire.Kill) { m.Kill(k.Mutant) })
	if v.Damaged || len(v.Kills) != len(want) {
		t.Fatalf("verdict %+v", v)
	}
	for _, k := range v.Kills {
		if k.Kind != want[k.Mutant] || m.Alive(k.Mutant) {
			t.Errorf("mutant %d: %s (%s), want %s", k.Mutant, k.Kind, k.Detail, want[k.Mutant])
		}
	}
	if got := v.Kills[0].Detail; !strings.Contains(got, "3") || !strings.Contains(got, "4") {
		t.Errorf("a difference explained as %q", got)
	}
	if string(vals[0].([]byte)) != "abc" {
		t.Error("the target changed the pristine input")
	}
}

func TestDamagedStateIsNoticedAndBlamed(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	vals := []any{[]byte("abc")}
	ref := m.Reference(vals, exec.HangFuel, false)
	v := m.RunAll(vals, []uint32{looptest.Survivor, looptest.State}, ref, true, func(wire.Kill) {})
	if !v.Damaged || v.LastKill != nil || v.Value == nil || !slices.Equal(v.Suspects, []uint32{looptest.Survivor, looptest.State}) {
		t.Errorf("verdict %+v", v)
	}
}

func TestAKillIsNotCreditedWhenTheOriginalChangesToo(t *testing.T) {
	n := 0
	m := (&looptest.Program{Mood: func() int { n++; return n }}).Worker(t).Muts
	vals := []any{[]byte("abc")}
	ref := m.Reference(vals, exec.HangFuel, false)
	v := m.RunAll(vals, []uint32{looptest.Survivor}, ref, true, func(wire.Kill) { t.Error("credited") })
	if !v.Damaged || len(v.Kills) != 0 || v.LastKill == nil {
		t.Errorf("verdict %+v", v)
	}
}

func TestCountsAreReportedOnce(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	vals := []any{[]byte("a")}
	ref := m.Reference(vals, exec.HangFuel, false)
	m.RunAll(vals, []uint32{looptest.Survivor, looptest.Value}, ref, false, func(wire.Kill) {})
	s := m.Take()
	if s.MutantExecs != 2 || !slices.Contains(s.Executed, [2]uint32{looptest.Value, 1}) || !slices.Contains(s.Reached, [2]uint32{looptest.Uninfected, 1}) {
		t.Errorf("stats %+v", s)
	}
	if s = m.Take(); s.MutantExecs != 0 || s.Executed != nil {
		t.Errorf("counted twice: %+v", s)
	}
}

func TestMutantsAreMetOnce(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	if n := m.Meet([]uint32{1, 2}); n != 2 {
		t.Errorf("%d mutants met, want 2", n)
	}
	if n := m.Meet([]uint32{1, 2, 3}); n != 1 {
		t.Errorf("%d mutants met, want 1", n)
	}
}

func TestFunctionsWithoutLivingMutantsAreNotTraced(t *testing.T) {
	m := new(looptest.Program).Worker(t).Muts
	for id := uint32(1); id < looptest.Static; id++ {
		m.Kill(id)
	}
	if ref := m.Reference([]any{[]byte("a")}, exec.HangFuel, false); len(ref.Reached) != 0 {
		t.Errorf("reached %v", ref.Reached)
	}
}

// A value of the target below: what callers see of it is Size and its text.
type value struct {
	Size int
	spare,
	word int
}

func (v *value) String() string { return strconv.Itoa(v.word) }

// insideOf returns a worker of a target that observes a value; mutants change it.
func insideOf(t *testing.T, init *wire.Init, changes ...func(*value)) *mutants.Mutants {
	var slow [1]bool
	target := func(t *testing.T, in []byte) {
		if slow[0] && fuzzmutrt.Tracing {
			fuzzmutrt.Reached[0], fuzzmutrt.Infected[0] = 1<<(len(changes)+1)-2, 1<<(len(changes)+1)-2
		}
		v := &value{Size: len(in), spare: 8}
		if m := fuzzmutrt.Active; slow[0] && m > 0 {
			changes[m-1](v)
		}
		if fuzzmutrt.Observing {
			fuzzmutrt.ObserveHook(0, []any{v, 1})
		}
	}
	init.MutantFunc = make([]int32, len(changes))
	return looptest.New(t, init, target, make([]uint8, 1), slow[:]).Muts
}

func TestAKillThatNoCallerSeesIsOnlyInside(t *testing.T) {
	changes := []func(*value){
		func(v *value) { v.spare++ },
		func(v *value) { v.word++ },
		func(v *value) { v.spare++; v.Size++ },
		func(v *value) { v.Size++ },
	}
	opaque := map[string]golden.View{"github.com/fuzzmut/fuzzmut/instrument/rt/loop/mutants_test.value": golden.ViewOpaque}
	all := map[uint32][]golden.View{0: {golden.ViewAll, ""}}
	none := map[uint32][]golden.View{0: {golden.ViewNone, ""}}
	inside, seen := oracle.OnlyInside, oracle.Difference
	for name, c := range map[string]struct {
		init wire.Init
		want []oracle.Kind
	}{
		"as it is":         {wire.Init{}, []oracle.Kind{inside, seen, seen, seen}},
		"the text alone":   {wire.Init{Views: opaque}, []oracle.Kind{inside, seen, inside, inside}},
		"with what is not": {wire.Init{SiteViews: all}, []oracle.Kind{seen, seen, seen, seen}},
		"a receiver":       {wire.Init{SiteViews: none}, []oracle.Kind{inside, inside, inside, inside}},
	} {
		m := insideOf(t, &c.init, changes...)
		vals := []any{[]byte("abc")}
		ref := m.Reference(vals, exec.HangFuel, true)
		var got []oracle.Kind
		v := m.RunAll(vals, []uint32{1, 2, 3, 4}, ref, true, func(k wire.Kill) { got = append(got, k.Kind) })
		if !slices.Equal(got, c.want) || v.Damaged {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		before := m.Take().MutantExecs
		m.RunAll(vals, []uint32{1}, ref, false, func(k wire.Kill) {
			if k.Kind != oracle.Difference {
				t.Errorf("%s: %v, and nobody has asked", name, k.Kind)
			}
		})
		if n := m.Take().MutantExecs; n != 1 || before < 8 {
			t.Errorf("%s: %d runs where nothing is explained, %d before", name, n, before)
		}
	}
}

// spender is an error whose text takes some turns, or does not end.
type spender struct {
	turns int
	spent *int
}

func (s spender) Error() string {
	*s.spent = 0
	for ; s.turns != 0; s.turns-- {
		fuzzmutrt.Burn()
		*s.spent++
	}
	return "spent"
}

// With a mutant, a text that does not end is ended soon. One that takes no more than the original's is not, however
// much that is.
func TestTextsOfMutants(t *testing.T) {
	for _, turns := range []int{0, 10, 900_000} {
		var slow [1]bool
		spent := 0
		target := func(_ *testing.T, in []byte) {
			e := spender{turns, &spent}
			if slow[0] && fuzzmutrt.Active == 1 {
				e.turns = -1
			}
			if fuzzmutrt.Observing {
				fuzzmutrt.ObserveHook(0, []any{e})
			}
		}
		m := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 2)}, target, make([]uint8, 1), slow[:]).Muts
		vals := []any{[]byte("a")}
		ref := m.Reference(vals, exec.HangFuel, true)
		if ref.Ex.Dearest < int64(turns) || ref.Ex.Dearest > int64(turns)+10 {
			t.Errorf("%d turns: %d units of fuel", turns, ref.Ex.Dearest)
		}
		if kind, detail := m.Try(vals, 1, ref); kind != oracle.Difference {
			t.Errorf("%d turns: killed by %v (%s)", turns, kind, detail)
		}
		if most := min(1_000_000, 100*turns+110_000); spent < turns || spent > most {
			t.Errorf("%d turns: %d with a mutant, more than %d", turns, spent, most)
		}
		if kind, detail := m.Try(vals, 2, ref); kind != 0 {
			t.Errorf("%d turns: another mutant is killed by %v (%s)", turns, kind, detail)
		}
		if ex := m.Reference(vals, exec.HangFuel, true).Ex; ex.Dearest < int64(turns) {
			t.Errorf("%d turns: the original has %d afterwards", turns, ex.Dearest)
		}
	}
}

// alike is a value that a function compares.
type alike struct{ spelled int }

// What compares two values may burn as much with a mutant as without: how dear it is says nothing of the texts, and no
// text may be there.
func TestDearComparisons(t *testing.T) {
	compared := 0
	fuzzmutrt.Comparisons = []any{func(a, b alike) bool {
		compared++
		for range 500_000 {
			fuzzmutrt.Burn()
		}
		return true
	}}
	defer func() { fuzzmutrt.Comparisons = nil }()
	var slow [1]bool
	target := func(*testing.T, []byte) {
		v := alike{1}
		if slow[0] && fuzzmutrt.Active == 1 {
			v.spelled = 2
		}
		if fuzzmutrt.Observing {
			fuzzmutrt.ObserveHook(0, []any{v})
		}
	}
	m := looptest.New(t, &wire.Init{MutantFunc: make([]int32, 1)}, target, make([]uint8, 1), slow[:]).Muts
	vals := []any{[]byte("a")}
	ref := m.Reference(vals, exec.HangFuel, true)
	if kind, detail := m.Try(vals, 1, ref); kind != 0 || compared == 0 {
		t.Errorf("killed by %v (%s) after %d comparisons", kind, detail, compared)
	}
}
