package trial

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func DescribeOutcome(o wire.Outcome) string {
	text := FirstLine(o.Message)
	switch o.Kind {
	case wire.Panic:
		return "panic: " + text
	case wire.Fuel:
		return "it does not end"
	}
	return text
}

// startError explains a test binary that does not reach f.Fuzz.
func (t *Trial) startError(err error) error {
	death, ok := asDeath(err)
	if !ok || death.Internal {
		return t.EngineError(err)
	}
	if t.Test.Target != "" {
		return exit.Errorf(exit.Usage, "%w", &UnderivedError{t.Name(), t.Test.Target, ofArguments(reasonIn(death)), t.Package.Missing(t.Project.Options.Packages)})
	}
	if death.Silent() {
		return exit.Errorf(exit.Baseline, "%s ends without calling f.Fuzz: it skips itself or returns; `go test -v -run='^%s$'` says more%s",
			t.Name(), t.Test.Name, t.Package.Missing(t.Project.Options.Packages))
	}
	return exit.Errorf(exit.Baseline, "%s does not reach f.Fuzz: %s; does `go test -run='^%s$'` pass?\n%s%s",
		t.Name(), death.Cause, t.Test.Name, strings.TrimSpace(firstLines(death.Output, 12)), t.Package.Missing(t.Project.Options.Packages))
}

// An UnderivedError says why a derived fuzz test can't be run.
type UnderivedError struct {
	test, target, why, missing string
}

func (e *UnderivedError) Error() string {
	return fmt.Sprintf("%s, derived for %s, can't be run: %s; or write it with -write-test and edit it%s", e.test, e.target, e.why, e.missing)
}

// Short is the reason for those who did not ask for the fuzz test. What its types may be told with tags and in other ways
// does not help them.
func (e *UnderivedError) Short() string {
	why, _, cut := strings.Cut(e.why, ". To fix this: ")
	_, part, named := strings.Cut(why, " can be derived: ")
	if !cut || !named {
		return e.why
	}
	return part + "; a fuzz test that you write can make one"
}

// inStruct matches the beginning of why there are no values of a struct without a name, up to its field: a fuzz test that
// is derived has one for the arguments.
var inStruct = regexp.MustCompile(`^no inputs can be derived: (\w+)`)

// ofArguments names the argument that a field stands for.
func ofArguments(why string) string {
	m := inStruct.FindStringSubmatch(why)
	if m == nil {
		return why
	}
	what := "its receiver"
	if field := m[1]; field != "Receiver" {
		what = "its argument " + strings.ToLower(field[:1]) + strings.TrimSuffix(field[1:], "Arg")
	}
	return strings.TrimSuffix(m[0], m[1]) + what + why[len(m[0]):]
}

// reasonIn is what a fuzz test that is derived says before it ends: why there are no
// values of its types, or what else went wrong while packages were initialized.
func reasonIn(death *worker.Death) string {
	for line := range strings.Lines(death.Output) {
		if _, reason, ok := strings.Cut(line, "fuzzmut: "); ok {
			return strings.TrimSpace(reason)
		}
	}
	return death.Cause + "\n" + strings.TrimSpace(firstLines(death.Output, 12))
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	if len(lines) > n {
		lines = lines[:n]
	}
	return strings.Join(lines, "")
}

// EngineError classes an error of the engine.
func (t *Trial) EngineError(err error) error {
	if death, ok := asDeath(err); ok && death.Internal {
		return exit.Errorf(exit.Internal, "%s: %w", t.Name(), err)
	}
	var mistake *engine.MistakeError
	if errors.As(err, &mistake) {
		return exit.Errorf(exit.Baseline, "%s: %s", t.Name(), strings.TrimSpace(strings.TrimPrefix(mistake.What, "fuzzmut: ")))
	}
	return err
}

func asDeath(err error) (*worker.Death, bool) {
	var d *worker.Death
	return d, errors.As(err, &d)
}
