package mutation

import (
	"context"
	"errors"
)

// Run judges the mutants of a test binary. When the context is cancelled it
// returns what is done. Tests that fail without any mutant are a *BaselineError.
func Run(_ context.Context, _ Options) (*Result, error) {
	return nil, errors.New("mutation testing by the package's own tests is not there yet")
}
