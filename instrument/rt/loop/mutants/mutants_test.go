package mutants_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/exec"
	"github.com/fuzzmut/fuzzmut/instrument/rt/loop/looptest"
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
