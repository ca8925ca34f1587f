package gotool

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// The versions Go 1.x that fuzzmut is tested with, and the toolchain to use where another
// does not do.
const (
	minMinor = 26
	maxMinor = 27
	tested   = "go1.27.3"
)

// MinorOf returns the x of a Go version 1.x, 0 if it is none.
func MinorOf(goVersion string) int {
	minor := 0
	if _, err := fmt.Sscanf(goVersion, "go1.%d", &minor); err != nil {
		return 0 // of a development version, say
	}
	return minor
}

// Unsupported returns the error for a toolchain that fuzzmut does not work with, and why.
// It names the one to use. language is the Go version that the module asks for, as
// "go1.26".
func (t *Toolchain) Unsupported(why, language string) *problem.Error {
	minor := MinorOf(t.Version)
	switch known := minor >= minMinor && minor <= maxMinor; {
	case MinorOf(language) > maxMinor:
		return problem.Errorf(problem.KindToolchain, "%s is not supported: %s; the module needs %s, and this fuzzmut is tested with Go 1.%d and 1.%d: install a newer fuzzmut: go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest",
			t.Version, why, language, minMinor, maxMinor)
	case known && t.Version == tested:
		return problem.Errorf(problem.KindToolchain, "%s in %s does not work: %s: check that the installation is unchanged; if so, please report", t.Version, t.Root, why)
	case known:
		return problem.Errorf(problem.KindToolchain, "%s in %s does not work: %s: run with GOTOOLCHAIN=%s, and please report", t.Version, t.Root, why, tested)
	}
	return problem.Errorf(problem.KindToolchain, "%s is not supported: %s: run with GOTOOLCHAIN=%s", t.Version, why, tested)
}
