package wire

import (
	"fmt"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// Environment variables that are read before any package but the runtime is
// initialized. StaticEnv and InitEnv write them.
const (
	EnvStatic = fuzzmutrt.StaticVar
	EnvInit   = fuzzmutrt.TraceVar
)

// StartOutOfFuel is the panic that ends a process whose static mutant burns all
// its fuel before the loop is there.
const StartOutOfFuel = fuzzmutrt.StartOutOfFuel

// Static is what is active in a process from its start, so that it acts while packages are
// initialized, and to its end.
type Static struct {
	Mutants []StaticMutant // one or several; none: nothing is active
	Fuel    int64          // for what comes before the first request
}

// StaticMutant is a mutant that is active from the start.
type StaticMutant struct {
	Mutant uint32
	Func   int // that holds it, by global number; -1: none, it is in an initializer
}

// StaticEnv is the environment variable that starts a process with mutants, as
// "key=value".
func StaticEnv(s Static) string {
	v := fmt.Sprintf("%s=%d", EnvStatic, s.Fuel)
	for _, m := range s.Mutants {
		v += fmt.Sprintf(",%d,%d", m.Mutant, m.Func)
	}
	return v
}

// InitEnv is the environment variable that has the loop report what
// initialization reaches, in a program with this number of mutants.
func InitEnv(mutants int) string { return fmt.Sprintf("%s=%d", EnvInit, mutants) }
