package project

import (
	"errors"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// What is wrong with the toolchain is wrong for all packages, and said once. Other errors keep no
// package from being loaded.
func TestAnErrorOfTheToolchainEndsTheWalk(t *testing.T) {
	for _, c := range []struct {
		kind problem.Kind
		want int
	}{{problem.KindToolchain, 1}, {problem.KindBroken, 3}} {
		p, walked := &Project{Packages: []string{"a", "b", "c"}}, 0
		err := p.walk(t.Context(), 1, func([]string, func()) error {
			walked++
			return exit.Errorf(exit.Usage, "%w", problem.Errorf(c.kind, "it is too old"))
		})
		var bad *problem.Error
		if walked != c.want || !errors.As(err, &bad) {
			t.Errorf("kind %d: %d packages, want %d: %v", c.kind, walked, c.want, err)
		}
	}
}
