package fuzzmutrt

import (
	"slices"
	"testing"
	"unsafe"
)

// resetStart undoes Start when the test ends.
func resetStart(t *testing.T) {
	t.Cleanup(func() {
		Active, StaticMutant, staticFuncs = 0, 0, nil
		SwitchOn(nil, 0)
		startTracing, Tracing = false, false
		Fuel, startFuel = noLimit, noLimit
		Reached, Infected, Packages = nil, nil, nil
	})
}

func TestStartSwitchesAMutantOn(t *testing.T) {
	resetStart(t)
	Start([]string{"HOME=/", StaticVar + "=500,70,3"})
	if Active != 70 || StaticMutant != 70 || Fuel != 500 || Tracing {
		t.Fatalf("active %d, static %d, fuel %d", Active, StaticMutant, Fuel)
	}
	if flags, want := unsafe.Slice((*bool)(Flags(2, 3)), 3), []bool{false, true, false}; !slices.Equal(flags, want) {
		t.Errorf("flags of functions 2 to 4: %v", flags)
	}
	Fuel -= 20
	if s := EndStart(); s.Burned != 20 || s.Traced || Fuel != noLimit || Active != 70 {
		t.Errorf("%+v; fuel %d, active %d", s, Fuel, Active)
	}
}

// Several mutants are on before anything else runs, and those that take effect are known.
func TestStartSwitchesSeveralMutantsOn(t *testing.T) {
	resetStart(t)
	Start([]string{StaticVar + "=500,70,3,2,5,9,3"})
	if Active != Many || StaticMutant != Many || Fuel != 500 {
		t.Fatalf("active %d, static %d, fuel %d", Active, StaticMutant, Fuel)
	}
	if flags, want := unsafe.Slice((*bool)(Flags(2, 4)), 4), []bool{false, true, false, true}; !slices.Equal(flags, want) {
		t.Errorf("flags of functions 2 to 5: %v", flags)
	}
	if got := Lit1(70, 'a', 'b'); got != 'b' {
		t.Errorf("mutant 70 gives %q", got)
	}
	if Do(9) || !Do(8) {
		t.Error("of two statements, the one in the group is not the one left out")
	}
	s := EndStart()
	clear(Fired)
	if want := []uint64{1 << 9, 1 << 6}; !slices.Equal(s.Fired, want) || Active != Many {
		t.Errorf("fired %b, want %b; active %d", s.Fired, want, Active)
	}
}

func TestStartTraces(t *testing.T) {
	resetStart(t)
	Start([]string{TraceVar + "=65"})
	p := &Package{Slow: unsafe.Slice((*bool)(Flags(0, 2)), 2)}
	Register(p)
	if !slices.Equal(p.Slow, []bool{true, true}) {
		t.Fatalf("flags: %v", p.Slow)
	}
	Lit1(65, 'a', 'b')
	s := EndStart()
	if !s.Traced || s.Reached[1] != 2 || s.Infected[1] != 2 {
		t.Errorf("%+v", s)
	}
	if Tracing || slices.Contains(p.Slow, true) {
		t.Error("tracing goes on")
	}
}

func TestStartIgnoresWhatItDoesNotUnderstand(t *testing.T) {
	resetStart(t)
	for _, v := range []string{"", "1", "1,2", "5,0,1", "5,x,1", "5,1,1,6", "0,1,-1", "99999999999999999999,1,1", "5,1 ,1", "5,1,1,0,2", "5,4294967295,1"} {
		if Start([]string{StaticVar + "=" + v, TraceVar + "=" + v + ","}); Active != 0 || StaticMutant != 0 {
			t.Fatalf("%q: mutant %d", v, Active)
		}
		Active = 0
	}
}

func TestOutOfFuelBeforeTheFirstTestEndsAStaticProcess(t *testing.T) {
	resetStart(t)
	Start([]string{StaticVar + "=1,1,-1"})
	defer func() {
		if r := recover(); r != StartOutOfFuel {
			t.Errorf("recovered %v", r)
		}
	}()
	Burn()
	Burn()
	t.Error("goes on without fuel")
}
