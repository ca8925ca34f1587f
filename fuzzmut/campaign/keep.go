package campaign

import (
	"fmt"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// keep writes an input to a directory, as an entry.
func (t *trial) keep(dir string, input []byte) error {
	vals, err := wire.Decode(input)
	if err != nil {
		return err
	}
	data := corpus.Marshal(vals)
	_, err = corpus.WriteFile(dir, corpus.FileName(data), data)
	return err
}

// noKeep warns once that finds can't be kept while the run goes on.
func (t *trial) noKeep(err error) {
	t.notKept.Do(func() {
		t.warning(fmt.Sprintf("what is found can't be kept in Go's fuzz cache: %v", err))
	})
}

// showFailure tells of a failing input that is taken to show a bug that was not known.
func (t *trial) showFailure(o wire.Outcome) {
	t.runner.emit(Event{Crash: &Crash{
		Package: t.b.program.Test.ImportPath, Fuzz: t.test.Name,
		Crash: report.Crash{Kind: crashKind(o), Message: firstLine(o.Message), Frames: relFrames(t.b.program.Test.ModuleDir, o.Frames), Count: 1},
	}})
}
