package values

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// engineStrategy is the command's own engine, without mutants, on the fuzz test that
// the stock engine is compared with.
const engineStrategy = "fuzzmut"

// buildEngine builds the test binary with coverage of the workloads.
func (b *properties) buildEngine(ctx context.Context) error {
	dir, err := filepath.Abs(propertiesDir("fuzz"))
	if err != nil {
		return err
	}
	const workloads = "github.com/fuzzmut/fuzzmut/testdata/properties/"
	t := arena.Target{Dir: dir, Mutate: []string{workloads + "bst", workloads + "rbt", workloads + "stlc"}}
	cfg, err := arena.OverlayOf(ctx, t, "condition-negation", filepath.Join(b.work, "engine"), nil)
	if err != nil {
		return err
	}
	b.lab, err = arena.BuildLab(ctx, cfg, "FuzzProperty")
	return err
}

// guided makes one run of the engine.
func (b *properties) guided(workload string, fault int, seed uint64) (*huntRun, error) {
	dir, err := os.MkdirTemp(b.work, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "result.json")
	cfg := b.lab.Config
	cfg.Seed = seed
	cfg.Processes.Worker.Env = slices.Concat(cfg.Processes.Worker.Env, b.contestEnv(out, engineStrategy, workload, fault))
	ctx, cancel := context.WithTimeout(context.Background(), 10*b.time+time.Second)
	defer cancel()
	// The process that finds the fault ends, which the engine takes for a failing input.
	cfg.OnFailure = func(failures.Failure) { cancel() }
	if err := fuzzFromNothing(ctx, engine.New(cfg), int64(b.tests)); err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := &huntRun{Machine: workload, Strategy: engineStrategy, Fault: fault}
	data, err := os.ReadFile(out)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // not one test was made
	}
	if err == nil {
		err = json.Unmarshal(data, r)
	}
	if err != nil {
		return nil, fmt.Errorf("no result: %w", err)
	}
	r.Seed = seed
	return r, nil
}

// fuzzFromNothing fuzzes without seeds, as the command does: from the zero values.
func fuzzFromNothing(ctx context.Context, eng *engine.Engine, tests int64) error {
	hello, err := eng.Processes.Hello(ctx)
	if err != nil {
		return err
	}
	first, err := corpus.FromWorker(hello.Zero)
	if err != nil {
		return err
	}
	zero := []*corpus.Input{first}
	ev, err := eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: zero, Select: wire.SelectNone})
	if err != nil {
		return err
	}
	eng.Found(zero, ev)
	_, err = eng.Fuzz(ctx, engine.Budget{Inputs: tests})
	return err
}
