// Package fault says which of the faults that fuzzmut-bench puts into wazero is on. It
// is imported by the files into which they are put.
package fault

import "errors"

// On is the number of the fault that is on; 0 is none.
var On int

// fuel is what is left of it.
var fuel int

// ErrNoFuel is the panic of an interpreter whose fuel is used up.
var ErrNoFuel = errors.New("no fuel is left")

// Fuel gives the interpreter fuel for so many operations.
func Fuel(n int) { fuel = n }

// Burn is called before each operation.
func Burn() {
	if fuel--; fuel < 0 {
		panic(ErrNoFuel)
	}
}
