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

// Static is a mutant that is active in a process from its start, so that it acts
// while packages are initialized, and to its end.
type Static struct {
	Mutant uint32
	Func   int   // that holds it, by global number; -1: none, it is in an initializer
	Fuel   int64 // for what comes before the first request
}

// StaticEnv is the environment variable that starts a process with a mutant, as
// "key=value".
func StaticEnv(s Static) string {
	return fmt.Sprintf("%s=%d,%d,%d", EnvStatic, s.Mutant, s.Func, s.Fuel)
}

// InitEnv is the environment variable that has the loop report what
// initialization reaches, in a program with this number of mutants.
func InitEnv(mutants int) string { return fmt.Sprintf("%s=%d", EnvInit, mutants) }
