package arena

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// OverlayOf loads a target to be rewritten with some operators and built in work.
func OverlayOf(ctx context.Context, t Target, operators, work string, flags []string) (overlay.Config, error) {
	loaded, err := load.Load(ctx, load.Config{Dir: t.Dir, Pattern: ".", Mutate: t.Mutate, BuildFlags: flags, Env: os.Environ()})
	if err != nil {
		return overlay.Config{}, err
	}
	ops, err := operator.ByNames(operators)
	return overlay.Config{
		Loaded: loaded, Operators: ops, WorkDir: work, Output: filepath.Join(work, "test.bin"), Log: io.Discard,
	}, err
}

// Lab is a rewritten test binary, to run chosen inputs and mutants.
type Lab struct {
	Program *instrument.Program
	Config  engine.Config
}

// BuildLab rewrites and builds, for one of the fuzz tests.
func BuildLab(ctx context.Context, cfg overlay.Config, fuzz string) (*Lab, error) {
	if err := cfg.Loaded.Select("^" + fuzz + "$"); err != nil {
		return nil, err
	}
	program, err := overlay.Build(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Lab{program, engine.Config{
		Processes: processes.Config{
			Program: program, Fuzz: program.Test.Fuzz[0], RenewContext: cfg.Loaded.UsesContext,
			Worker: worker.Config{
				Binary: cfg.Output, Fuzz: fuzz, Dir: program.Test.Dir, TempDir: cfg.WorkDir,
				Env: append(os.Environ(), "GOMAXPROCS=1"),
			},
		},
		Filter: "none", Seed: 1,
	}}, nil
}

// Engine returns a new engine on the binary.
func (l *Lab) Engine() *engine.Engine { return engine.New(l.Config) }

// Inputs lists the seeds and the entries in dir.
func (l *Lab) Inputs(ctx context.Context, dir string) ([]*corpus.Input, error) {
	hello, err := l.Engine().Processes.Hello(ctx)
	if err != nil {
		return nil, err
	}
	entries, bad, err := corpus.ReadDir(dir, hello.Types, 0)
	if err != nil {
		return nil, err
	}
	if len(bad) > 0 {
		return nil, bad[0]
	}
	var inputs []*corpus.Input
	for _, seed := range hello.Seeds {
		in, err := corpus.FromWorker(seed)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	for _, e := range entries {
		inputs = append(inputs, e.Input)
	}
	return inputs, nil
}
