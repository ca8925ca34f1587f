package campaign

import (
	"cmp"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// writeCrashes writes one representative of each bug where `go test` replays
// it, as Go would, and describes the bugs for the result.
func writeCrashes(t *trial.Trial, list []bugs.Bug) (crashes []report.Crash, err error) {
	dir := t.Testdata()
	beside, err := t.CrashersDir()
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "%w", err)
	}
	var errs []error
	for _, b := range list {
		c := report.Crash{
			Kind: trial.FailureKind(b.Outcome), Message: trial.FirstLine(b.Outcome.Message),
			Frames: trial.Frames(t.Package.Program.Test.ModuleDir, b.Outcome.Frames), Count: b.Count, Stacks: b.Stacks, Repairs: b.Repairs, Entries: []string{},
		}
		for i, input := range b.Inputs {
			if t.Project.Options.DryRun {
				break
			}
			vals, err := wire.Decode(input)
			if err != nil {
				continue // never: a worker encoded it
			}
			data := corpus.Marshal(vals)
			name := corpus.FileName(data)
			path, err := writeCrash([]string{dir, beside}[min(i, 1):], name, data)
			if err != nil {
				errs = append(errs, err)
			}
			if path != "" {
				c.Entries = append(c.Entries, path)
			}
			if filepath.Dir(path) == dir {
				c.Repro = trial.Repro(t, name)
			}
		}
		crashes = append(crashes, c)
	}
	if len(errs) == 0 {
		return crashes, nil
	}
	return crashes, exit.Errorf(exit.Usage, "%s could not be written, the first: %w", report.Plural(len(errs), "failing input"), errs[0])
}

// writeCrash writes a failing input to the first of the directories that takes it,
// and returns its path, "" if none does, and what the first that does not says. Most
// are there already; those that were made smaller are not.
func writeCrash(dirs []string, name string, data []byte) (path string, err error) {
	for _, dir := range dirs {
		_, werr := corpus.WriteFile(dir, name, data)
		if werr == nil {
			return filepath.Join(dir, name), err
		}
		err = cmp.Or(err, werr)
	}
	return "", err
}
