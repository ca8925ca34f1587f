// Package project is the packages that a job works on: found by their patterns, loaded,
// rewritten and built. It has the options that all jobs share, and the events by which
// a job says what it does.
package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/share"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// Config says how a job opens packages.
type Config struct {
	Options  Options
	AnyTests bool // packages need no fuzz tests
	// Unmutated builds without mutants: coverage alone counts.
	Unmutated bool
	// Writes says that the job writes into the tree: entries, golden values or failing
	// inputs.
	Writes bool
	// Seeds has the f.Add seeds checked while the mutants are built.
	Seeds bool
	// Plan takes fuzz tests that need not be run out of a package that was loaded;
	// nil: none.
	Plan func(*Package)
	// Fill says that without Options.FuzzTime, Options.Total alone bounds the fuzzing, and
	// that jobs which are Parted have their parts of it in turns.
	Fill bool
	// Choose chooses which of the packages that may be mutated are mutated, for a package
	// that was loaded. nil: Options.Mutate alone chooses packages in addition to the
	// package under test. Choose is called if there is a choice.
	Choose func(context.Context, *Project, *Package) error
}

// Project is the packages of one call of a job, with where they are loaded and built.
type Project struct {
	Options   Options
	anyTests  bool
	Unmutated bool
	Filter    Filter
	WorkDir   string
	remove    func() // removes workDir
	GoCache   string
	tools     gotool.Known
	Packages  []string // import paths
	writes    bool
	seeds     bool
	plan      func(*Package)
	choose    func(context.Context, *Project, *Package) error

	// UntilKilled says that nobody asked for a time to fuzz: it ends once all mutants are
	// killed.
	UntilKilled bool
	fill        bool
	total       total
	// Accepted are the mutants on the list of Options.Accepted.
	Accepted map[accepted.ID]bool

	packed *Package // of Options.Packed; nil: packages are loaded and built

	// Share is the directory of Options.Share; nil: there is none.
	Share    *share.Dir
	binaries sync.Map // names in it, by the paths of test binaries

	ignored sync.Once // warns that git ignores entries
	forced  bool      // git adds what is written only if it has to

	covered covered.Corpora // for Options.CoverProfile
	shown   shown           // for Options.Tyche

	mu sync.Mutex // Events come one at a time

	Faults fault
}

// readAccepted reads a list of accepted mutants.
func readAccepted(path string) (map[accepted.ID]bool, error) {
	if path == "" {
		return nil, nil
	}
	list, err := accepted.Mutants.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, exit.Errorf(exit.Usage, "-baseline: %w; fuzzmut score -baseline %s -write-baseline makes it", err, path)
	case err != nil:
		return nil, exit.Errorf(exit.Usage, "-baseline: %w", err)
	}
	set := make(map[accepted.ID]bool)
	for _, e := range list.Entries {
		set[e.ID] = true
	}
	return set, nil
}

// Open finds the packages with fuzz tests, or with any tests.
func Open(ctx context.Context, cfg Config) (*Project, error) {
	opts := cfg.Options
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
	untilKilled := opts.FuzzTime == (FuzzTime{})
	if untilKilled {
		opts.FuzzTime.Duration = DefaultFuzzTime
		if cfg.Fill && opts.Total != (FuzzTime{}) {
			opts.FuzzTime = opts.Total
		}
	}
	filter, err := ParseFilter(opts.Filter)
	if err != nil {
		return nil, &exit.Error{Code: exit.Usage, Err: err}
	}
	if cfg.Unmutated {
		filter = Filter{Name: FilterNone}
	}
	p := &Project{
		Options: opts, anyTests: cfg.AnyTests, Unmutated: cfg.Unmutated, writes: cfg.Writes, plan: cfg.Plan, seeds: cfg.Seeds, choose: cfg.Choose, Filter: filter,
		UntilKilled: untilKilled, fill: cfg.Fill, total: total{left: opts.Total, most: opts.FuzzTime, bounded: !untilKilled},
	}
	if p.Accepted, err = readAccepted(opts.Accepted); err != nil {
		return nil, err
	}
	if opts.Share != "" {
		if p.Share, err = share.OpenAny(opts.Share, !opts.DryRun); err != nil {
			return nil, exit.Errorf(exit.Usage, "-share: %w", err)
		}
	}
	tempdir.Sweep("") // of what killed runs have left
	if p.WorkDir, p.remove, err = tempdir.Make(""); err != nil {
		return nil, exit.Errorf(exit.Usage, "can't create temporary files: %w; set TMPDIR to a writable directory", err)
	}
	if opts.Packed != "" {
		err = p.openPacked()
	} else if err = checkPack(&p.Options); err == nil {
		err = p.resolve(ctx)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// BinaryName is the name by which a shared directory knows the test binary of a program, at
// path: the hash of its code, or of the file if the code does not say all.
func (p *Project) BinaryName(program *instrument.Program, path string) (string, error) {
	if program.Code != "" {
		return program.Code, nil
	}
	if name, ok := p.binaries.Load(path); ok {
		return name.(string), nil
	}
	name, err := share.HashFile(path)
	if err == nil {
		p.binaries.Store(path, name)
	}
	return name, err
}

// Close removes the work directory. What is in it can be made again. A shared directory that is
// beyond its limits is pruned.
func (p *Project) Close() {
	p.remove()
	if p.Share == nil {
		return
	}
	defer p.Share.Close()
	if p.Options.DryRun {
		return
	}
	switch done, err := p.Share.Tidy(time.Now()); {
	case err != nil:
		p.Note("", "-share: %s", p.Share.Problem(err))
	case done.Removed():
		p.Note("", "-share: %s was beyond its limits: %d of %d inputs and %d of %d logs were removed, %d of the inputs although they add something; fuzzmut corpus prune has other limits", p.Share.Path(),
			done.Redundant.Files+done.Old.Files+done.Cut.Files, done.Entries.Files+done.Failing.Files, done.Joined.Files+done.Dropped.Files, done.Logs.Files, done.Cut.Files)
	}
}

func (p *Project) Emit(e Event) {
	if p.Options.Events == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Options.Events(e)
}

// Phase says what is done from now on.
func (p *Project) Phase(pkg, format string, args ...any) {
	p.Emit(Event{Phase: &Phase{Package: pkg, Text: fmt.Sprintf(format, args...)}})
}

// Brief says that one of many short phases begins.
func (p *Project) Brief(pkg, format string, args ...any) {
	p.Emit(Event{Phase: &Phase{Package: pkg, Text: fmt.Sprintf(format, args...), Brief: true}})
}

// Note says something while a phase goes on.
func (p *Project) Note(pkg, format string, args ...any) {
	p.Emit(Event{Phase: &Phase{Package: pkg, Text: fmt.Sprintf(format, args...), Note: true}})
}

func (p *Project) Warn(format string, args ...any) {
	p.Emit(Event{Warning: &Warning{Text: fmt.Sprintf(format, args...)}})
}
