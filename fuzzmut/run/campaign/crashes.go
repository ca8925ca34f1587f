package campaign

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// Crashes describes bugs for the result. The first of the entries of each is one that the
// run was given, if any shows it.
func Crashes(t *trial.Trial, list []bugs.Bug) []report.Crash {
	crashes := make([]report.Crash, len(list))
	for i, b := range list {
		c := report.Crash{
			Kind: trial.FailureKind(b.Outcome), Message: trial.FirstLine(b.Outcome.Message),
			Frames: trial.Frames(t.Package.Program.Test.ModuleDir, b.Outcome.Frames), Count: b.Count, Stacks: b.Stacks, Repairs: b.Repairs, Entries: []string{},
			Known: slices.ContainsFunc(b.Ways, t.Known.Has),
		}
		for _, e := range t.Failing {
			if e.Path != "" && slices.ContainsFunc(b.Inputs, e.Input.Equal) {
				c.Entries, c.Before = append(c.Entries, e.Path), true
				c.Repro = cmp.Or(c.Repro, trial.ReproOf(t, b.Outcome, e.Name))
			}
		}
		crashes[i] = c
	}
	return crashes
}

// writeCrashes writes one representative of each bug where `go test` replays
// it, as Go would, and describes the bugs for the result. A bug that is known, or that an
// entry shows already, has no more written there.
func writeCrashes(t *trial.Trial, list []bugs.Bug) (crashes []report.Crash, err error) {
	crashes = Crashes(t, list)
	if t.Project.Options.DryRun {
		return crashes, nil
	}
	dir := t.Testdata()
	beside, err := t.CrashersDir()
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "%w", err)
	}
	places := []string{dir, beside}
	if project.Foreign(t.Package.Loaded) != "" {
		places = places[1:]
	}
	given := make(map[string]bool)
	for _, e := range t.Failing {
		given[e.Input.Key()] = e.Path != ""
	}
	var errs []error
	for i, b := range list {
		c := &crashes[i]
		dirs := places
		if c.Known || c.Before {
			dirs = []string{beside}
		}
		for _, input := range b.Inputs {
			if given[input.Key()] {
				continue
			}
			path, err := writeCrash(dirs, input)
			if err != nil {
				errs = append(errs, err)
			}
			if path != "" {
				c.Entries = append(c.Entries, path)
			}
			if filepath.Dir(path) == dir {
				c.Repro = trial.ReproOf(t, b.Outcome, input.Hash())
			}
			dirs = []string{beside}
		}
	}
	if t.Project.Options.WriteKnown {
		errs = append(errs, writeKnown(t, list, crashes))
	}
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return crashes, nil
	}
	return crashes, exit.Errorf(exit.Usage, "%s could not be written, the first: %w", report.Plural(len(errs), "failing input"), errs[0])
}

// inputMost bounds the input that a result has beside its file, in bytes of a corpus file.
const inputMost = 4 << 10

// showCrashes has the bugs show their representatives, and the first ones what these do, where their bytes say nothing
// to people.
func (c *Campaign) showCrashes(ctx context.Context, list []bugs.Bug) {
	sources, done := trial.SourcesOf(ctx, c.Trial)
	defer done()
	for i := range c.result.Crashes {
		crash := &c.result.Crashes[i]
		if in := representative(c.Trial, &list[i], crash); in != nil && !crash.Known {
			if text := in.String(); !c.Trial.OfValues() && len(text) <= inputMost {
				crash.Input = text
			}
			crash.Source = sources.Of(in, list[i].Outcome.Kind)
		}
	}
}

// representative is the first of the entries of a bug, or what is to be the first; nil: there is none.
func representative(t *trial.Trial, b *bugs.Bug, c *report.Crash) *corpus.Input {
	if c.Before {
		for _, e := range t.Failing {
			if e.Path == c.Entries[0] {
				return e.Input
			}
		}
	}
	if len(b.Inputs) == 0 {
		return nil
	}
	return b.Inputs[0]
}

// writeKnown brings the list of known failures up to date. From then on all are known.
func writeKnown(t *trial.Trial, list []bugs.Bug, crashes []report.Crash) error {
	var found []known.Found
	for i, b := range list {
		c := &crashes[i]
		if len(c.Entries) == 0 {
			continue // nothing shows it
		}
		for _, o := range append([]wire.Outcome{b.Outcome}, b.Ways...) {
			found = append(found, known.Found{Outcome: o, Input: filepath.Base(c.Entries[0]), What: trial.DescribeFailure(o)})
		}
	}
	if err := t.Known.Write(found); err != nil {
		return err
	}
	for i := range crashes {
		crashes[i].Known = crashes[i].Known || len(crashes[i].Entries) > 0
	}
	return nil
}

// writeCrash writes a failing input to the first of the directories that takes it,
// and returns its path, "" if none does, and what the first that does not says. Most
// are there already; those that were minimized are not.
func writeCrash(dirs []string, input *corpus.Input) (path string, err error) {
	data := input.Encode()
	for _, dir := range dirs {
		_, werr := corpus.WriteFile(dir, input.Hash(), data)
		if werr == nil {
			return filepath.Join(dir, input.Hash()), err
		}
		err = cmp.Or(err, werr)
	}
	return "", err
}
