// Package trial is one fuzz test with its engine: what the fuzz test says of itself, the
// corpus that it begins with, its baseline, replays of a corpus, and the result.
package trial

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/known"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// Trial is one fuzz test with its engine, and with the corpus that it begins with.
type Trial struct {
	processes processes.Config
	Project   *project.Project
	Package   *project.Package
	Test      instrument.FuzzTest
	Engine    *engine.Engine
	Focus     *change.Focus // the part of the code that matters; nil: all
	Focused   bool          // mutants outside of Focus are not judged at all

	Types  []string       // of the arguments
	Zero   *corpus.Input  // the zero values of the arguments
	hello  *wire.Hello    // what the fuzz test says of itself
	Given  []corpus.Entry // seeds, then the files of the corpus directory
	Cached []corpus.Entry // of Go's fuzz cache, and of the shared directory
	Shared int            // of these: of the shared directory alone
	// Waiting are those of Go's fuzz cache that are to be run while fuzzing: there was no time
	// for them before it.
	Waiting []corpus.Entry

	Early Early // the mutants that act before the first input

	Failing []corpus.Entry // of those that were given: they fail, and are left out
	Known   *known.List    // of failures; nil: none is known
	slow    []corpus.Entry // given ones that are left out since they take long

	hooks       Hooks
	doing       string     // the last phase
	notKeptOnce sync.Once  // warns that inputs can't be kept in the cache
	warnMu      sync.Mutex // workers warn, and what sorts failing inputs
	warnings    []string
	Start       time.Time
	cpuStart    time.Duration
}

// Early says how the mutants that act before the first input are run.
type Early struct {
	Fuel  int64                            // about what they may burn; 0: no limit
	First func(m uint32) bool              // holds for those that come first where there may not be enough for all; nil: none
	Known map[uint32]evaluate.StartVerdict // of the same test binary: they count where there is no time
}

// Hooks are called while the engine works, by any of its workers. Nil ones are not.
type Hooks struct {
	// OnFound is called for each input that enters the corpus, OnFailure for each
	// failing input that is worth keeping, and OnRound at the end of each round.
	OnFound   func(*corpus.Input)
	OnFailure func(failures.Failure)
	OnRound   func()
	// OnInputs is given the inputs of each round: see engine.Config.
	OnInputs func(ctx context.Context, inputs []*corpus.Input, lost int) error
	// Buckets returns the number of buckets for the status, of failing inputs with
	// a number of different stacks; nil: that number. -1 is for failing inputs that
	// nobody reports.
	Buckets func(stacks int) int
	// Timeout bounds one execution by the clock; 0: as the user says.
	Timeout time.Duration
	// HangFuel is what an input burns that is a hang; 0: the default.
	HangFuel int64
	// TextTimes is how many times the bounds of golden texts hold; 0: once.
	TextTimes int
	// NoiseOfInputs leaves what differs from run to run out of the comparison for the inputs alone
	// on which it does: whoever asks tries each kill once more.
	NoiseOfInputs bool
	// NoMutants leaves the mutants out of the status: nobody has asked for them.
	NoMutants bool
	// Anew says that the fuzz test is derived for this run in a way of the run: entries of others by its name are expected.
	Anew bool
	// Filter is the name of a filter without a number; "": that of the user.
	Filter string
}

// New makes an engine for a fuzz test of a package. A nil focus is all of the code.
func New(p *project.Project, pkg *project.Package, test instrument.FuzzTest, focus *change.Focus, h Hooks) *Trial {
	t := &Trial{Project: p, Package: pkg, Test: test, Focus: focus, hooks: h, Start: time.Now(), cpuStart: system.OwnCPU()}
	t.warnings = slices.Clone(pkg.Program.Warnings)
	t.processes = processes.Config{
		Program: pkg.Program, Fuzz: test, HangFuel: h.HangFuel, TextTimes: h.TextTimes, NoiseOfInputs: h.NoiseOfInputs,
		Worker: worker.Config{
			Binary: pkg.Binary, Fuzz: test.Name, Dir: pkg.Program.Test.Dir, Env: p.Options.Env,
			TempDir: p.WorkDir, Temp: filepath.Join(p.WorkDir, "t"), Timeout: cmp.Or(h.Timeout, p.Options.TimeoutOf(pkg.Program.Test.ImportPath, test.Name)), MemLimit: p.Options.MemLimit,
		},
		Parallel: p.Options.Parallel, RenewContext: pkg.UsesContext, Dict: slices.Concat(p.Options.Dict, pkg.Tokens()),
		CostShare: p.Options.CostShare(), CostKills: p.Options.Oracles.Cost, Leaks: p.Options.Oracles.Leak, Overflows: p.Options.Oracles.Overflow,
		Inputs: p.Options.Inputs, Constants: pkg.Constants(),
		OnWarning: t.Warn, Log: p.Options.Log,
	}
	if pkg.Loaded != nil { // nil: the binary came without source
		if s := pkg.Loaded.Sequence(test.Name); s != nil {
			t.processes.Record = s.Width()
		}
	}
	t.Engine = engine.New(engine.Config{
		Processes: t.processes,
		Seed:      p.Options.Seed, Filter: cmp.Or(h.Filter, p.Filter.Name), K: p.Filter.K, NoStudy: p.Options.NoStudy,
		Aim: focus.Mutant,
		Accepted: func(m uint32) bool {
			mutant := &pkg.Program.Mutants[m-1]
			return p.Accepted[accepted.ID{Package: mutant.Package, Mutant: mutant.ID}]
		},
		OnFound:   h.OnFound,
		OnFailure: h.OnFailure,
		OnRound:   h.OnRound,
		OnInputs:  h.OnInputs,
	})
	return t
}

// Config is what the processes of the engine run.
func (t *Trial) Config() processes.Config { return t.processes }

// Testdata is the directory of the fuzz test's entries.
func (t *Trial) Testdata() string {
	return corpus.TestdataDir(t.Project.Home(&t.Package.Program.Test, &t.Test), t.Test.Name)
}

// GoldenFile has the golden values of the fuzz test.
func (t *Trial) GoldenFile() string {
	return store.Path(t.Project.Home(&t.Package.Program.Test, &t.Test), t.Test.Name)
}

// CorpusDir is where the resulting entries go.
func (t *Trial) CorpusDir() string { return t.Project.CorpusDir(t.Package, &t.Test) }

// CacheDir is where Go's fuzz cache has what was found for the fuzz test.
func (t *Trial) CacheDir() (string, error) {
	return corpus.CacheDir(t.Project.GoCache, t.Package.Program.Test.ImportPath, t.Test.Name)
}

// CrashersDir is where failing inputs are kept beside Go's fuzz cache.
func (t *Trial) CrashersDir() (string, error) {
	return corpus.CrashersDir(t.Project.GoCache, t.Package.Program.Test.ImportPath, t.Test.Name)
}

// Timeout is what the user says that bounds one execution by the clock; 0: nothing.
func (t *Trial) Timeout() time.Duration {
	return t.Project.Options.TimeoutOf(t.Package.Program.Test.ImportPath, t.Test.Name)
}

// Name is how messages call the fuzz test.
func (t *Trial) Name() string { return t.Package.Program.Test.ImportPath + "." + t.Test.Name }

// Phase says what is done next with the fuzz test.
func (t *Trial) Phase(format string, args ...any) {
	t.doing = fmt.Sprintf(format, args...)
	t.Project.Phase(t.Package.Program.Test.ImportPath, "%s: %s", t.Test.Name, t.doing)
}

// Brief says that one of many short phases of many fuzz tests begins.
func (t *Trial) Brief(format string, args ...any) {
	t.doing = fmt.Sprintf(format, args...)
	t.Project.Brief(t.Package.Program.Test.ImportPath, "%s: %s", t.Test.Name, t.doing)
}

// Note says something of the fuzz test while a phase goes on.
func (t *Trial) Note(format string, args ...any) {
	t.Project.Note(t.Package.Program.Test.ImportPath, "%s: %s", t.Test.Name, fmt.Sprintf(format, args...))
}

// Warn enters a warning into the result, and says it at once.
func (t *Trial) Warn(text string) {
	t.AddWarnings(text)
	t.Project.Warn("%s: %s", t.Test.Name, text)
}

// AddWarnings enters warnings into the result that were said before.
func (t *Trial) AddWarnings(texts ...string) {
	t.warnMu.Lock()
	defer t.warnMu.Unlock()
	t.warnings = append(t.warnings, texts...)
}

// Warnings returns the warnings so far.
func (t *Trial) Warnings() []string {
	t.warnMu.Lock()
	defer t.warnMu.Unlock()
	return slices.Clip(t.warnings)
}

// CPU is the processor time so far, of the workers and of this process.
func (t *Trial) CPU() time.Duration { return t.Engine.Processes.CPU() + system.OwnCPU() - t.cpuStart }

// Pause begins a time that counts neither as the trial's nor, but for its workers, as its
// processor time. The function that it returns ends it.
func (t *Trial) Pause() (resume func()) {
	begin, cpu := time.Now(), system.OwnCPU()
	return func() {
		t.Start = t.Start.Add(time.Since(begin))
		t.cpuStart += system.OwnCPU() - cpu
	}
}
