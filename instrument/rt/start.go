package fuzzmutrt

import "unsafe"

// Environment variables that tell a process, before any other package is
// initialized, what is to be done from its very start: StaticVar switches
// mutants on for the whole life of the process, TraceVar has what initialization
// reaches recorded. Package wire writes their values.
const (
	StaticVar = "FUZZMUT_STATIC" // "fuel,mutant,function[,mutant,function...]", in decimal; function -1: in an initializer
	TraceVar  = "FUZZMUT_INIT"   // the number of mutants
)

// StartOutOfFuel is the panic that ends a process whose StaticMutant burns all
// its fuel before anyone could have said what is to happen then.
const StartOutOfFuel = "fuzzmut: out of fuel before the first test"

// StaticMutant is the mutant that is active from the start to the end of this
// process, Many if several are; 0 in processes in which mutants are switched.
var StaticMutant uint32

// staticFuncs are the functions that hold the mutants that are active from the start.
var staticFuncs []int64

// startTracing says that every function records from the start.
var startTracing bool

// startFuel is what Fuel was when the process started.
var startFuel int64 = noLimit

// Start reads what the environment asks for. It is called before any importing
// package is initialized, which is why it can ask no other package for help. A
// value that is not of the stated form is as good as none.
func Start(environ []string) {
	for _, v := range environ {
		if rest, ok := after(v, StaticVar+"="); ok {
			startStatic(rest)
		} else if rest, ok := after(v, TraceVar+"="); ok {
			startTrace(rest)
		}
	}
}

func after(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return "", false
	}
	return s[len(prefix):], true
}

func startStatic(s string) {
	fuel, s, ok := number(s)
	mutants, funcs := pairs(s)
	if !ok || fuel <= 0 || len(mutants) == 0 {
		return
	}
	StaticMutant, staticFuncs, startFuel = mutants[0], funcs, fuel
	if len(mutants) > 1 {
		StaticMutant = Many
		SwitchOn(mutants, 0)
	}
	Active, Fuel = StaticMutant, fuel
}

// pairs reads mutants and the functions that hold them. It returns none if anything else is
// there.
func pairs(s string) (mutants []uint32, funcs []int64) {
	for s != "" {
		mutant, rest, ok := number(s)
		fn, rest, ok2 := number(rest)
		if !ok || !ok2 || mutant <= 0 || mutant >= Many {
			return nil, nil
		}
		mutants, funcs, s = append(mutants, uint32(mutant)), append(funcs, fn), rest
	}
	return mutants, funcs
}

func startTrace(s string) {
	n, s, ok := number(s)
	if ok && s == "" && n >= 0 {
		Reached, Infected = make([]uint64, n/64+1), make([]uint64, n/64+1)
		startTracing, Tracing = true, true
	}
}

// number reads a decimal number and the comma after it, if there is one.
func number(s string) (n int64, rest string, ok bool) {
	negative := s != "" && s[0] == '-'
	if negative {
		s = s[1:]
	}
	const most = 18 // digits, which never overflow
	i := 0
	for ; i < len(s) && i < most && '0' <= s[i] && s[i] <= '9'; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	if i == 0 || i < len(s) && s[i] != ',' {
		return 0, "", false
	}
	if negative {
		n = -n
	}
	return n, s[min(i+1, len(s)):], true
}

// Flags returns what a package's flags are at the start, n of them, beginning
// with that of function first: all off, unless the environment asks for more. It
// is called from the initializer of the flags, which comes before any other that
// reads them.
func Flags(first, n int) unsafe.Pointer {
	flags := make([]bool, max(n, 1))
	for i := range flags {
		flags[i] = startTracing || holdsStatic(int64(first+i))
	}
	return unsafe.Pointer(unsafe.SliceData(flags))
}

// holdsStatic says that the function holds a mutant that is active from the start.
func holdsStatic(fn int64) bool {
	for _, f := range staticFuncs {
		if f == fn {
			return true
		}
	}
	return false
}

// Started is what happened between the start of the process and its first call.
type Started struct {
	Burned            int64    // fuel
	Traced            bool     // Reached and Infected are valid
	Reached, Infected []uint64 // bit sets over mutant indices
	Fired             []uint64 // of several mutants that are active, likewise: those that have taken effect
}

// EndStart ends the start: it stops recording, and gives unlimited fuel. From
// here on mutants are switched at run time, but for a StaticMutant, or many, which stay
// active.
//
//go:norace
func EndStart() Started {
	s := Started{Burned: startFuel - Fuel}
	Fuel, startFuel = noLimit, noLimit
	s.Fired = append(s.Fired, Fired...)
	if startTracing {
		s.Traced, s.Reached, s.Infected = true, Reached, Infected
		startTracing, Tracing = false, false
		Reached, Infected = nil, nil
		for _, p := range Packages {
			clear(p.Slow)
		}
	}
	return s
}

// Data has the variables whose initializers are data set to what StaticMutant has
// for them, before any code can see them.
func Data(files ...interface{ Set() }) bool {
	if StaticMutant != 0 || startTracing {
		for _, f := range files {
			f.Set()
		}
	}
	return true
}

// Starts says whether one of n mutants of a variable's value is active from the
// start.
func Starts(base, n uint32) bool {
	traceAll(base, n)
	if StaticMutant == Many {
		for id := base; id < base+n; id++ {
			if has(Group, id) {
				return true
			}
		}
		return false
	}
	return StaticMutant-base < n
}
