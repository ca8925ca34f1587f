package load

import (
	"cmp"
	"errors"
	"os"
	"runtime"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// builtBy is the version of Go that built this program, and reads source with it.
var builtBy = runtime.Version()

// blameAge returns why p can't be read: err, unless a later Go than built this program is
// used. Then what the go command says of p counts; and if it can build p, this program is
// too old for what that Go has in its language or compiles to.
func (l *loader) blameAge(p *packages.Package, err *problem.Error) error {
	built, used := gotool.MinorOf(builtBy), gotool.MinorOf(l.tool.Version)
	if built == 0 || used <= built {
		return err
	}
	path := cmp.Or(p.ForTest, p.PkgPath)
	args := append([]string{"test", "-c", "-vet=off", "-o", os.DevNull}, l.tool.Flags...)
	_, failed := l.tool.Go(l.ctx, append(args, path)...)
	var broken *problem.Error
	switch {
	case l.ctx.Err() != nil:
		return l.ctx.Err()
	case errors.As(failed, &broken):
		return problem.Errorf(problem.KindBroken, "%s; package %s has to compile first", strings.TrimPrefix(broken.Msg, "go test: "), path)
	case failed != nil:
		return err
	}
	why, _, _ := strings.Cut(err.Msg, "; ")
	return l.tooOld("parse all source that "+l.tool.Version+" compiles", why)
}

// blameAgeForTypes returns why the types of a package that is imported can't be read: as blameAge, err, unless
// a later Go wrote them.
func (l *loader) blameAgeForTypes(err error) error {
	var types *typesError
	if !errors.As(err, &types) || gotool.MinorOf(builtBy) == 0 || gotool.MinorOf(l.tool.Version) <= gotool.MinorOf(builtBy) {
		return err
	}
	why, _, _ := strings.Cut(types.err.Error(), "; ")
	return l.tooOld("read the types of "+types.path+" as "+l.tool.Version+" writes them", why)
}

// tooOld says that this program was built by too old a Go for something.
func (l *loader) tooOld(what, why string) error {
	return problem.Errorf(problem.KindToolchain, "this fuzzmut was built by %s, which can't %s: build it with GOTOOLCHAIN=%s, as in GOTOOLCHAIN=%s go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut@latest (%s)",
		builtBy, what, l.tool.Version, l.tool.Version, why)
}
