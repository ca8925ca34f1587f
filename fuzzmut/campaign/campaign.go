package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// config says how a job opens packages.
type config struct {
	opts     Options
	anyTests bool // packages need no fuzz tests
	// unmutated builds without mutants: coverage alone counts.
	unmutated bool
	// writes says that the job writes into the tree: entries, golden values or failing
	// inputs.
	writes bool
	// plan takes fuzz tests that need not be run out of a package that was loaded;
	// nil: none. With a plan the packages are mutated that golden values name.
	plan func(*built)
}

// runner is the packages of one call of a job, with where they are loaded and built.
type runner struct {
	opts      Options
	anyTests  bool
	unmutated bool
	filter    Filter
	workDir   string
	remove    func() // removes workDir
	gocache   string
	packages  []string // import paths
	writes    bool
	plan      func(*built)

	ignored sync.Once // warns that git ignores entries

	mu sync.Mutex // Events come one at a time

	faults fault
}

// newRunner finds the packages with fuzz tests, or with any tests.
func newRunner(ctx context.Context, cfg config) (*runner, error) {
	opts := cfg.opts
	if opts.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the current directory can't be found: %w", err)
		}
		opts.Dir = dir
	}
	if len(opts.Packages) == 0 {
		opts.Packages = []string{"."}
	}
	if opts.Env == nil {
		opts.Env = os.Environ()
	}
	if opts.Parallel == 0 {
		opts.Parallel = runtime.GOMAXPROCS(0)
	}
	if opts.Seed == 0 {
		opts.Seed = rand.Uint64()>>1 + 1
	}
	if opts.Engine == "" {
		opts.Engine = EngineGuided
	}
	if opts.FuzzTime == (FuzzTime{}) {
		opts.FuzzTime.Duration = DefaultFuzzTime
	}
	filter, err := ParseFilter(opts.Filter)
	if err != nil {
		return nil, &exit.Error{Code: exit.Usage, Err: err}
	}
	if cfg.unmutated {
		filter = Filter{Name: FilterNone}
	}
	r := &runner{
		opts: opts, anyTests: cfg.anyTests, unmutated: cfg.unmutated, writes: cfg.writes, plan: cfg.plan, filter: filter,
	}
	tempdir.Sweep("") // of what killed runs have left
	if r.workDir, r.remove, err = tempdir.Make(""); err != nil {
		return nil, exit.Errorf(exit.Usage, "no room for temporary files: %w; set TMPDIR to a directory that can be written to", err)
	}
	if err := r.resolve(ctx); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// close removes the work directory. What is in it can be made again.
func (r *runner) close() { r.remove() }

func (r *runner) emit(e Event) {
	if r.opts.Events == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Events(e)
}

func (r *runner) phase(pkg, format string, args ...any) {
	r.emit(Event{Phase: &Phase{Package: pkg, Text: fmt.Sprintf(format, args...)}})
}

func (r *runner) warn(format string, args ...any) {
	r.emit(Event{Warning: &Warning{Text: fmt.Sprintf(format, args...)}})
}
