// Command probe looks for the faults that fuzzmut-bench puts into wazero, with a
// strategy, and prints a line of JSON for each run. It is built inside of wazero's
// module, since it calls what is internal there: see fuzzmut-bench wasm.
//
//	probe [flags]           makes runs, see package hunt
//	probe counterexamples   prints what becomes of known ones: fault, outcome, outcome without it
//	probe verdicts n        prints what the validator says of n drawn modules
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/testdata/hunt"
	"github.com/fuzzmut/fuzzmut/testdata/hunt/trace"
	"github.com/fuzzmut/fuzzmut/testdata/wasm"
	"github.com/fuzzmut/fuzzmut/testdata/wasm/fault"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "counterexamples":
		printExamples()
	case len(os.Args) == 3 && os.Args[1] == "verdicts":
		n, err := strconv.Atoi(os.Args[2])
		if err == nil {
			err = printVerdicts(n)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "probe:", err)
			os.Exit(1)
		}
	default:
		hunt.Main(subjectOf)
	}
}

// Faults 1 to 10 are the validator's, those up to 15 the interpreter's.
const (
	validatorFaults = 10
	faults          = 15
)

// size is that of drawn modules.
const size = 3

func subjectOf(name string) (*hunt.Subject, error) {
	if name != "wasm" {
		return nil, fmt.Errorf("there is no machine %q: there is wasm", name)
	}
	reg := derive.NewRegistry()
	if err := wasm.Register(reg); err != nil {
		return nil, err
	}
	return hunt.New(reg, faults, size, check)
}

// check returns the property of a fault: the validator's for those of the validator,
// the interpreter's for its own, and both without any.
func check(n int) func(*wasm.Module) hunt.Outcome {
	return func(m *wasm.Module) hunt.Outcome {
		code := m.Encode()
		defer func() { fault.On, trace.Off = 0, false }()
		o := hunt.Passed
		if n <= validatorFaults {
			o = validated(code, n)
		}
		if o == hunt.Passed && (n == 0 || n > validatorFaults) {
			o = executed(code, n)
		}
		return o
	}
}

// validated is the validator's property: what is valid with a fault is valid without.
func validated(code []byte, n int) hunt.Outcome {
	fault.On = n
	if _, err := decode(code); err != nil {
		return hunt.Discarded
	}
	fault.On, trace.Off = 0, true
	if _, err := decode(code); err != nil {
		return hunt.Failed
	}
	return hunt.Passed
}

// executed is the interpreter's property: functions without parameters that a valid
// module exports end in the same way with a fault and without.
func executed(code []byte, n int) hunt.Outcome {
	fault.On = n
	m, err := decode(code)
	if err != nil || len(nullary(m)) == 0 {
		return hunt.Discarded
	}
	got := run(code, m)
	fault.On, trace.Off = 0, true
	m, err = decode(code)
	if err != nil {
		return hunt.Failed
	}
	return compare(got, run(code, m))
}
