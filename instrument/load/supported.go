package load

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/tools/go/packages"
)

// The versions Go 1.x that fuzzmut is tested with, and the toolchain to use where another
// does not do.
const (
	minMinor = 26
	maxMinor = 27
	tested   = "go1.27.3"
)

// minorOf returns the x of a Go version 1.x, 0 if it is none.
func minorOf(goVersion string) int {
	minor := 0
	if _, err := fmt.Sscanf(goVersion, "go1.%d", &minor); err != nil {
		return 0 // of a development version, say
	}
	return minor
}

// Unsupported returns the error for a toolchain that fuzzmut does not work with, and why.
// It names the one to use. language is the Go version that the module asks for, as
// "go1.26".
func (t *Toolchain) Unsupported(why, language string) *Error {
	minor := minorOf(t.Version)
	switch known := minor >= minMinor && minor <= maxMinor; {
	case minorOf(language) > maxMinor:
		return errorf(KindToolchain, "%s is not supported: %s; the module needs %s, and this fuzzmut is tested with Go 1.%d and 1.%d: install a newer fuzzmut: go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest",
			t.Version, why, language, minMinor, maxMinor)
	case known && t.Version == tested:
		return errorf(KindToolchain, "%s in %s does not work: %s: check that the installation is unchanged; if so, please report", t.Version, t.Root, why)
	case known:
		return errorf(KindToolchain, "%s in %s does not work: %s: run with GOTOOLCHAIN=%s, and please report", t.Version, t.Root, why, tested)
	}
	return errorf(KindToolchain, "%s is not supported: %s: run with GOTOOLCHAIN=%s", t.Version, why, tested)
}

// builtBy is the version of Go that built this program, and reads source with it.
var builtBy = runtime.Version()

// blameAge returns why p can't be read: err, unless a later Go than built this program is
// used. Then what the go command says of p counts; and if it can build p, this program is
// too old for what that Go has in its language or compiles to.
func (l *loader) blameAge(p *packages.Package, err *Error) error {
	built, used := minorOf(builtBy), minorOf(l.tool.Version)
	if built == 0 || used <= built {
		return err
	}
	path := cmp.Or(p.ForTest, p.PkgPath)
	args := append([]string{"test", "-c", "-vet=off", "-o", os.DevNull}, l.tool.Flags...)
	_, failed := l.tool.Go(l.ctx, append(args, path)...)
	var broken *Error
	switch {
	case l.ctx.Err() != nil:
		return l.ctx.Err()
	case errors.As(failed, &broken):
		return errorf(KindBroken, "%s; package %s has to compile first", strings.TrimPrefix(broken.Msg, "go test: "), path)
	case failed != nil:
		return err
	}
	why, _, _ := strings.Cut(err.Msg, "; ")
	return errorf(KindToolchain, "this fuzzmut was built by %s, which can't parse all source that %s compiles: build it with GOTOOLCHAIN=%s, as in GOTOOLCHAIN=%s go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest (%s)",
		builtBy, l.tool.Version, l.tool.Version, l.tool.Version, why)
}
