package fuzzmutrt

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// doomed runs f with a hook that receives what ends the execution. If generous is
// set, the hook gives fuel when it is called for the first time.
func doomed(t *testing.T, generous bool, f func()) (told []string, ended any) {
	t.Helper()
	DoomHook = func(reason Doom, code int) bool {
		told = append(told, fmt.Sprintf("%d %d", reason, code))
		if generous && len(told) == 1 {
			Fuel = 1
			return true
		}
		return false
	}
	defer func() { DoomHook, Fuel = nil, noLimit }()
	defer func() { ended = recover() }()
	f()
	return told, nil
}

func TestAnExecutionOutOfFuelIsEnded(t *testing.T) {
	burn := func() {
		Fuel = 2
		for range 10 {
			Burn()
		}
	}
	if told, ended := doomed(t, false, burn); !slices.Equal(told, []string{"1 0"}) || ended != (Doomed{Reason: OutOfFuel}) {
		t.Errorf("told %v, ended by %v", told, ended)
	}
	if told, ended := doomed(t, true, burn); len(told) != 2 || ended != (Doomed{Reason: OutOfFuel}) {
		t.Errorf("with more fuel: told %v, ended by %v", told, ended)
	}
	// A target that recovers the panic comes no further than the next tick.
	swallowed := func() {
		Fuel = 0
		for range 3 {
			func() {
				defer func() { _ = recover() }()
				Burn()
			}()
		}
		Burn()
	}
	if told, ended := doomed(t, false, swallowed); len(told) != 4 || ended == nil {
		t.Errorf("recovered: told %v, ended by %v", told, ended)
	}
}

// Another goroutine may write what it has computed before the hook gave more. That ends nothing: the next tick asks again.
func TestFuelThatAnotherGoroutineOverwrites(t *testing.T) {
	asked := 0
	DoomHook = func(Doom, int) bool {
		asked++
		Fuel = -1
		return asked < 3
	}
	defer func() { DoomHook, Fuel = nil, noLimit }()
	Fuel = 0
	Burn()
	Burn()
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	defer func() {
		if ended := recover(); ended != (Doomed{Reason: OutOfFuel}) {
			t.Errorf("ended by %v", ended)
		}
	}()
	Burn()
}

func TestFuelIsUnlimitedWithoutAHook(t *testing.T) {
	defer func() { Fuel = noLimit }()
	Fuel = -1
	if Out(); Fuel != noLimit {
		t.Errorf("fuel %d", Fuel)
	}
}

func TestExitEndsTheExecutionAlone(t *testing.T) {
	never := func(int) { t.Error("the process is ended") }
	for _, c := range []struct {
		name string
		f    func()
		told string
	}{
		{"Exit", func() { Exit(never, 3) }, "2 3"},
		{"Fatal", func() { Fatal(func(...any) { never(1) }, "a", 1) }, "2 1"},
		{"Fatalf", func() { Fatalf(func(string, ...any) { never(1) }, "%d", 1) }, "2 1"},
	} {
		told, ended := doomed(t, false, func() {
			defer func() {
				if Fuel >= 0 {
					t.Errorf("%s: code that recovers the panic goes on", c.name)
				}
			}()
			c.f()
		})
		if d, ok := ended.(Doomed); !slices.Equal(told, []string{c.told}) || !ok || d.Reason != Exited || fmt.Sprintf("2 %d", d.Code) != c.told {
			t.Errorf("%s: told %v, ended by %v", c.name, told, ended)
		}
	}
}

func TestExitIsTheProgramsWithoutAHook(t *testing.T) {
	var got []string
	called := func(f func()) {
		defer func() { _ = recover() }() // a function that ends the process does not return
		f()
	}
	called(func() { Exit(func(code int) { got = append(got, fmt.Sprint("exit ", code)); panic("ended") }, 3) })
	called(func() { Fatal(func(args ...any) { got = append(got, fmt.Sprint(args...)); panic("ended") }, "a", "b") })
	called(func() {
		Fatalf(func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)); panic("ended") }, "%d", 5)
	})
	if want := []string{"exit 3", "ab", "5"}; !slices.Equal(got, want) {
		t.Errorf("called %q, want %q", got, want)
	}
}

// observed runs f while observing and returns what is shown.
func observed(f func()) (shown []string) {
	Observing = true
	ObserveHook = func(site uint32, vals []any) {
		text := fmt.Sprint(site)
		for _, v := range vals {
			if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer {
				v = p.Elem()
			}
			text += fmt.Sprintf(" %v", v)
		}
		shown = append(shown, text)
	}
	defer func() { Observing, ObserveHook = false, nil }()
	f()
	return shown
}

func TestObservationsShowEveryResultAndPassItOn(t *testing.T) {
	type site = [9]Byte
	a, b, c, d, e, f, g, h := 1, int8(2), "3", 4.5, '5', uint(6), true, []int{8}
	check := func(n int, got ...any) {
		t.Helper()
		if want := []any{a, b, c, d, e, f, g, h}[:n]; !reflect.DeepEqual(got, want) {
			t.Errorf("Obs%d returns %v, want %v", n, got, want)
		}
	}
	all := func() {
		check(1, Obs1[site](a))
		v1, v2 := Obs2[site](a, b)
		check(2, v1, v2)
		v1, v2, v3 := Obs3[site](a, b, c)
		check(3, v1, v2, v3)
		v1, v2, v3, v4 := Obs4[site](a, b, c, d)
		check(4, v1, v2, v3, v4)
		v1, v2, v3, v4, v5 := Obs5[site](a, b, c, d, e)
		check(5, v1, v2, v3, v4, v5)
		v1, v2, v3, v4, v5, v6 := Obs6[site](a, b, c, d, e, f)
		check(6, v1, v2, v3, v4, v5, v6)
		v1, v2, v3, v4, v5, v6, v7 := Obs7[site](a, b, c, d, e, f, g)
		check(7, v1, v2, v3, v4, v5, v6, v7)
		v1, v2, v3, v4, v5, v6, v7, v8 := Obs8[site](a, b, c, d, e, f, g, h)
		check(8, v1, v2, v3, v4, v5, v6, v7, v8)
		check(1, Obs1P[site](a, &b))
		check(1, Obs1PP[site](a, &b, &c))
		if Second(ObsArgs(7, a, c), false) || !ObsArgs(7) {
			t.Error("ObsArgs is no part of a condition")
		}
	}
	want := []string{
		"9 1", "9 1 2", "9 1 2 3", "9 1 2 3 4.5", "9 1 2 3 4.5 53", "9 1 2 3 4.5 53 6", "9 1 2 3 4.5 53 6 true",
		"9 1 2 3 4.5 53 6 true [8]", "9 1 2", "9 1 2 3", "7 1 3", "7",
	}
	if got := observed(all); !slices.Equal(got, want) {
		t.Errorf("shown\n%q, want\n%q", got, want)
	}
	if got := observed(func() { Observing = false; all() }); got != nil {
		t.Errorf("shown although nothing is wanted: %q", got)
	}
}

func TestVariablesAreShownAsTheyAreAtTheEnd(t *testing.T) {
	show := func() {
		a, b, c, d, e, f, g := 1, int8(2), "3", 4.5, '5', uint(6), true
		defer Last1(1, &a)
		defer Last2(2, &a, &b)
		defer Last3(3, &a, &b, &c)
		defer Last4(4, &a, &b, &c, &d)
		defer Last5(5, &a, &b, &c, &d, &e)
		defer Last6(6, &a, &b, &c, &d, &e, &f)
		defer Last7(7, &a, &b, &c, &d, &e, &f, &g)
		a, b, c, d, e, f, g = 11, 12, "13", 14.5, 'e', 16, false
	}
	want := []string{
		"7 11 12 13 14.5 101 16 false", "6 11 12 13 14.5 101 16", "5 11 12 13 14.5 101", "4 11 12 13 14.5", "3 11 12 13", "2 11 12", "1 11",
	}
	if got := observed(show); !slices.Equal(got, want) {
		t.Errorf("shown\n%q, want\n%q", got, want)
	}
	if got := observed(func() { Observing = false; show() }); got != nil {
		t.Errorf("shown although nothing is wanted: %q", got)
	}
}

func TestARecoverThatIsLeftOutLeavesThePanic(t *testing.T) {
	defer func() { Active = 0 }()
	run := func() (recovered any, ended any) {
		defer func() { ended = recover() }()
		func() {
			defer func() {
				var p any
				recovered = Kept(Recovers(1) && Keep(1, &p, recover()), &p)
			}()
			panic("no")
		}()
		return recovered, nil
	}
	if recovered, ended := run(); recovered != "no" || ended != nil {
		t.Errorf("the original recovers %v, and ends by %v", recovered, ended)
	}
	Active = 1
	if recovered, ended := run(); recovered != nil || ended != "no" {
		t.Errorf("the mutant recovers %v, and ends by %v", recovered, ended)
	}
}

type setter struct{ n *int }

func (s setter) Set() { *s.n++ }

func TestDataIsSetOnlyWhereAMutantMayHaveChangedIt(t *testing.T) {
	resetStart(t)
	n := 0
	if Data(setter{&n}, setter{&n}); n != 0 {
		t.Errorf("set %d times without a mutant", n)
	}
	Start([]string{StaticVar + "=500,4,-1"})
	if Data(setter{&n}, setter{&n}); n != 2 {
		t.Errorf("set %d times, want each once", n)
	}
	for _, c := range []struct {
		base, n uint32
		want    bool
	}{{4, 1, true}, {3, 2, true}, {3, 1, false}, {5, 9, false}} {
		if Starts(c.base, c.n) != c.want {
			t.Errorf("mutants %d to %d: %t", c.base, c.base+c.n-1, !c.want)
		}
	}
	Start([]string{StaticVar + "=500,4,-1,9,-1"})
	for base, want := range map[uint32]bool{3: true, 4: true, 5: false, 7: false, 8: true, 10: false} {
		if Starts(base, 2) != want {
			t.Errorf("of several, mutants %d and %d: %t", base, base+1, !want)
		}
	}
}

func TestPackagesAndComparisonsAreRegisteredInOrder(t *testing.T) {
	resetStart(t)
	defer func() { Comparisons = nil }()
	for _, path := range []string{"b", "a"} {
		Register(&Package{Path: path})
		RegisterCompare(path)
	}
	if len(Packages) != 2 || Packages[0].Path != "b" || !reflect.DeepEqual(Comparisons, []any{"b", "a"}) {
		t.Errorf("packages %v, comparisons %v", Packages, Comparisons)
	}
}

// An iterator yields what it did, and what it has yielded is shown once an iteration has ended.
func TestObservedIterators(t *testing.T) {
	type site = [9]Byte
	values := iter.Seq[int](slices.Values([]int{3, 1, 2}))
	var got []int
	all := func() {
		got = slices.Collect(Yield1[site](values))
		for v := range Yield1[site](values) {
			if got = append(got, v); v == 1 {
				break
			}
		}
		for i, v := range Yield2[site](func(yield func(int, string) bool) { yield(7, "a") }) {
			got = append(got, i+len(v))
		}
		for range Yield1[site](func(func(bool) bool) {}) {
			t.Error("yielded by none")
		}
		n := 0
		for range Yield1[site](func(yield func(struct{}) bool) {
			for yield(struct{}{}) {
			}
		}) {
			if n++; n == 2*mostYielded {
				break
			}
		}
		if got = append(got, n); Yield1[site](iter.Seq[int](nil)) != nil || Yield2[site](iter.Seq2[int, int](nil)) != nil {
			t.Error("there is an iterator where none was")
		}
	}
	shown := observed(all)
	want := []string{"9 [3 1 2]", "9 [3 1]", "9 [{7 a}]", "9 []", "9 [" + strings.TrimSpace(strings.Repeat("{} ", mostYielded)) + "]"}
	if !slices.Equal(shown, want) {
		t.Errorf("shown\n%q, want\n%q", shown, want)
	}
	yielded := []int{3, 1, 2, 3, 1, 8, 2 * mostYielded}
	if !slices.Equal(got, yielded) {
		t.Errorf("yielded %v, want %v", got, yielded)
	}
	if shown := observed(func() { Observing = false; all() }); shown != nil || !slices.Equal(got, yielded) {
		t.Errorf("shown %q, yielded %v while nothing is observed", shown, got)
	}
}
