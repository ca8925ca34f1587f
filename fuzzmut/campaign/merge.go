package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// What reports say instead of an engine where nothing is fuzzed.
const (
	engineScore = "score"
	engineMerge = "merge"
)

// MergeOptions say what Merge works on. Of the Options those that are about fuzzing
// mean nothing here.
type MergeOptions struct {
	Options
	// From are directories or zip archives of inputs, as corpus.ReadForeign reads
	// them: of the fuzz test if there is one only, else each with a directory of
	// the name of the fuzz test; nil means Go's fuzz cache.
	From []string
	// By selects what an input is added for; 0 means kills and coverage. By coverage
	// alone no mutants are built.
	By Features
}

// Merge adds inputs of other corpora to those of the fuzz tests, as far as they
// cover or kill more. The others are left as they are. Failing inputs among them
// are findings, as in a run.
func Merge(ctx context.Context, opts MergeOptions) (*report.Report, error) {
	if opts.Seed == 0 {
		opts.Seed = 1 // there is no chance in it
	}
	// What is chosen must not hang on a clock.
	opts.FuzzTime, opts.Engine = FuzzTime{Execs: 1}, EngineGuided
	r, err := newRunner(ctx, opts.Options, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	for i, from := range opts.From {
		if !filepath.IsAbs(from) {
			from = filepath.Join(r.opts.Dir, from)
			opts.From[i] = from
		}
		if _, err := os.Stat(from); err != nil {
			return nil, exit.Errorf(exit.Usage, "what is to be merged can't be read: %w; name a directory or a zip archive of inputs", err)
		}
	}
	r.count(opts.By)
	r.writes = true
	m := &merger{runner: r, opts: opts}
	return r.report(ctx, m.merge)
}

// merger is one call of Merge.
type merger struct {
	*runner
	opts MergeOptions
}

// merge does the job for one fuzz test.
func (m *merger) merge(s *session, ctx context.Context) error {
	s.prefs.By, s.engineName, s.patient = m.opts.By, engineMerge, true
	paths, err := m.sources(s)
	if err != nil {
		return err
	}
	if err := s.greet(ctx); err != nil {
		return err
	}
	inputs, err := m.read(s, paths)
	if err != nil {
		return err
	}
	s.intake = newIntake(ctx, s)
	defer s.intake.stop()
	if err := s.baseline(ctx); err != nil {
		return err
	}
	s.phase(s.b.program.Test.ImportPath, "%s: running %s to merge", s.test.Name, report.Plural(len(inputs), "input"))
	stop := s.watch()
	ev, err := s.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	stop()
	if err != nil {
		return s.engineError(err)
	}
	s.eng.Found(inputs, ev)
	return s.settle(ctx)
}

// sources finds where the inputs for a fuzz test lie.
func (m *merger) sources(s *session) (paths []string, err error) {
	test := &s.b.program.Test
	if len(m.opts.From) == 0 {
		dir, err := corpus.CacheDir(s.gocache, test.ImportPath, s.test.Name)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%w", err)
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, nil // nothing was ever found
		}
		return []string{dir}, nil
	}
	for _, from := range m.opts.From {
		path, err := sourceOf(from, s.test.Name, test.Fuzz)
		if err != nil {
			return nil, err
		}
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// sourceOf returns what from holds for one of several fuzz tests, "" if nothing.
func sourceOf(from, name string, all []instrument.FuzzTest) (string, error) {
	if dir := filepath.Join(from, name); isDir(dir) {
		if to, out := corpus.LeadsOut(from, dir); out {
			return "", exit.Errorf(exit.Usage, "%s is a symbolic link out of the directory that is to be merged, to %s: name that directory itself if it is meant", dir, to)
		}
		return dir, nil
	}
	if len(all) == 1 {
		return from, nil
	}
	if !slices.ContainsFunc(all, func(f instrument.FuzzTest) bool { return isDir(filepath.Join(from, f.Name)) }) {
		return "", exit.Errorf(exit.Usage, "%s has no directory of the name of a fuzz test, as %s; choose the fuzz test that its files are for with -fuzz", from, name)
	}
	return "", nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// read reads the inputs that are not in the corpus yet, each once.
func (m *merger) read(s *session, paths []string) (inputs [][]byte, err error) {
	have := make(map[string]bool)
	for _, e := range s.given {
		have[e.Hash] = true
	}
	for _, path := range paths {
		entries, bad, err := corpus.ReadForeign(path, s.types, 0)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%w", err)
		}
		if len(bad) > 0 && len(entries) == 0 {
			return nil, exit.Errorf(exit.Usage, "nothing in %s is an input of %s, the first: %w", path, s.name(), bad[0])
		}
		if len(bad) > 0 {
			s.warning(fmt.Sprintf("%s in %s passed over, the first: %v", report.Plural(len(bad), "file"), path, bad[0]))
		}
		for _, e := range entries {
			if !have[e.Hash] {
				have[e.Hash] = true
				inputs = append(inputs, wire.Encode(e.Values))
			}
		}
	}
	return inputs, nil
}
