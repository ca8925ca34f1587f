package trial

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Keep writes an input to a directory, as an entry.
func (t *Trial) Keep(dir string, input *corpus.Input) error {
	data := input.Encode()
	_, err := corpus.WriteFile(dir, input.Hash(), data)
	return err
}

// NotKept warns once that finds can't be kept while the run goes on.
func (t *Trial) NotKept(err error) {
	t.notKeptOnce.Do(func() {
		t.Warn(fmt.Sprintf("new inputs can't be kept in Go's fuzz cache: %v", err))
	})
}

// ShowFailure tells of a failing input that is taken to show a bug that was not known.
func ShowFailure(t *Trial, o wire.Outcome) {
	said := FirstLine(o.Message)
	if ByFuel(o) {
		said += " (to be confirmed)"
	}
	t.Project.Emit(project.Event{Crash: &project.Crash{
		Package: t.Package.Program.Test.ImportPath, Fuzz: t.Test.Name,
		Crash: report.Crash{Kind: FailureKind(o), Message: said, Frames: Frames(t.Package.Program.Test.ModuleDir, o.Frames), Count: 1, Known: t.Known.Has(o)},
	}})
}
