// Package merge is the job that adds inputs of other corpora to those of fuzz tests.
package merge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/layout"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/reach"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shared"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// engineName is what reports say instead of an engine.
const engineName = "merge"

// Options say what Run works on. Of the Options those that are about fuzzing
// mean nothing here.
type Options struct {
	project.Options
	// From are directories or zip archives of inputs, as corpus.ReadForeign reads
	// them: of the fuzz test if there is one only, else each with a directory of
	// the name of the fuzz test, or its seed corpus of OSS-Fuzz; nil means Go's fuzz cache, or
	// Options.Share alone.
	From []string
	// Layout is that of the inputs of From that are not in Go's encoding and do not name
	// theirs; nil means raw bytes.
	Layout *layout.Layout
	// By selects what an input is added for; 0 means kills and coverage. By coverage
	// alone no mutants are built.
	By matrix.Features
}

// Run adds inputs of other corpora to those of the fuzz tests, as far as they
// cover or kill more. The others are left as they are. Failing inputs among them
// are findings, as in a run.
func Run(ctx context.Context, opts Options) (*report.Report, error) {
	if opts.Seed == 0 {
		opts.Seed = 1 // there is no chance in it
	}
	// What is chosen must not hang on a clock.
	opts.FuzzTime, opts.Engine = project.FuzzTime{Execs: 1}, project.EngineGuided
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Unmutated: opts.By == matrix.Coverage, Writes: true, Choose: reach.Choose})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	for i, from := range opts.From {
		if !filepath.IsAbs(from) {
			from = filepath.Join(p.Options.Dir, from)
			opts.From[i] = from
		}
		if _, err := os.Stat(from); err != nil {
			return nil, exit.Errorf(exit.Usage, "the inputs to merge can't be read: %w; name a directory or a zip archive", err)
		}
	}
	how := campaign.Options{Job: engineName, Known: true, By: opts.By, Thorough: true}
	return p.Report(ctx, func(pkg *project.Package, test instrument.FuzzTest) project.Job {
		return &merger{campaign: campaign.New(p, pkg, test, nil, how), from: opts.From, layout: opts.Layout}
	})
}

// merger is the work on one fuzz test.
type merger struct {
	campaign *campaign.Campaign
	from     []string
	layout   *layout.Layout
}

func (m *merger) Result() *report.FuzzTest { return m.campaign.Result() }

func (m *merger) Run(ctx context.Context) error {
	t := m.campaign.Trial
	paths, err := m.sources()
	if err != nil {
		return err
	}
	if err := t.Greet(ctx); err != nil {
		return err
	}
	inputs, err := readInputs(t, paths, m.layout)
	if err != nil {
		return err
	}
	inputs = append(inputs, trial.Inputs(shared.Join(t).Entries())...)
	defer m.campaign.End()
	if err := m.campaign.Begin(ctx); err != nil {
		return err
	}
	t.Phase("running %s to merge", report.Plural(len(inputs), "input"))
	stop := t.Watch()
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectNone})
	stop()
	if err != nil {
		return t.EngineError(err)
	}
	t.Engine.Found(inputs, ev)
	return m.campaign.Settle(ctx)
}

// sources finds where the inputs for a fuzz test lie.
func (m *merger) sources() (paths []string, err error) {
	t := m.campaign.Trial
	test := &t.Package.Program.Test
	if len(m.from) == 0 && t.Project.Share != nil {
		return nil, nil
	}
	if len(m.from) == 0 {
		dir, err := t.CacheDir()
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%w", err)
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, nil // nothing was ever found
		}
		return []string{dir}, nil
	}
	for _, from := range m.from {
		path, err := sourceOf(from, t.Test.Name, test.Fuzz)
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
			return "", exit.Errorf(exit.Usage, "%s is a symbolic link out of the directory, to %s: name that directory itself to merge it", dir, to)
		}
		return dir, nil
	}
	if archive := filepath.Join(from, name+corpus.SeedCorpus); isFile(archive) {
		return archive, nil
	}
	if len(all) == 1 {
		return from, nil
	}
	if !slices.ContainsFunc(all, func(f instrument.FuzzTest) bool {
		return isDir(filepath.Join(from, f.Name)) || isFile(filepath.Join(from, f.Name+corpus.SeedCorpus))
	}) {
		return "", exit.Errorf(exit.Usage, "%s has no directory named after a fuzz test, such as %s; choose the fuzz test with -fuzz", from, name)
	}
	return "", nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readInputs reads the inputs that are not in the corpus yet, each once.
func readInputs(t *trial.Trial, paths []string, as *layout.Layout) (inputs []*corpus.Input, err error) {
	have := make(map[string]bool)
	for _, e := range t.Given {
		have[e.Input.Hash()] = true
	}
	for _, path := range paths {
		entries, bad, err := corpus.ReadForeign(path, t.Types, as, 0)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "%w", err)
		}
		if len(bad) > 0 && len(entries) == 0 {
			return nil, exit.Errorf(exit.Usage, "no file in %s is an input of %s, the first: %w", path, t.Name(), bad[0])
		}
		if len(bad) > 0 {
			t.Warn(fmt.Sprintf("%s in %s skipped, the first: %v", report.Plural(len(bad), "file"), path, bad[0]))
		}
		for _, e := range entries {
			if !have[e.Input.Hash()] {
				have[e.Input.Hash()] = true
				inputs = append(inputs, e.Input)
			}
		}
	}
	return inputs, nil
}
