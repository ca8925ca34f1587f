package campaign

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// trial is one fuzz test with its engine, and with the corpus that it begins with.
type trial struct {
	runner *runner
	b      *built
	test   instrument.FuzzTest
	eng    *engine.Engine
	focus  *aim // the part of the code that matters; nil: all

	types  []string       // of the arguments
	zero   []byte         // the zero values of the arguments, encoded
	hello  *wire.Hello    // what the fuzz test says of itself
	given  []corpus.Entry // seeds, then the files of the corpus directory
	cached []corpus.Entry // of Go's fuzz cache

	hooks    hooks
	notKept  sync.Once  // warns that inputs can't be kept in the cache
	warnMu   sync.Mutex // workers warn, and what sorts failing inputs
	warnings []string
	start    time.Time
	cpuStart time.Duration
}

// hooks are called while the engine works, by any of its workers. Nil ones are not.
type hooks struct {
	// onFound is called for each input that enters the corpus, onFailure for each
	// failing input that is worth keeping, and onRound at the end of each round.
	onFound   func(input []byte)
	onFailure func(failures.Failure)
	onRound   func()
	// buckets returns the number of buckets for the status, of failing inputs with
	// a number of different stacks; nil: that number.
	buckets func(stacks int) int
}

// newTrial makes an engine for a fuzz test of a package. A nil focus is all of the code.
func newTrial(r *runner, b *built, test instrument.FuzzTest, focus *aim, h hooks) *trial {
	t := &trial{runner: r, b: b, test: test, focus: focus, hooks: h, start: time.Now(), cpuStart: system.OwnCPU()}
	t.warnings = slices.Clone(b.program.Warnings)
	t.eng = engine.New(engine.Config{
		Processes: processes.Config{
			Program: b.program, Fuzz: test,
			Worker: worker.Config{
				Binary: b.binary, Fuzz: test.Name, Dir: b.program.Test.Dir, Env: r.opts.Env,
				TempDir: r.workDir, Temp: filepath.Join(r.workDir, "t"), Timeout: r.opts.Timeout, MemLimit: r.opts.MemLimit,
			},
			Parallel: r.opts.Parallel, RenewContext: b.usesContext, Dict: slices.Concat(r.opts.Dict, dictionary.OfCode(b.loaded)),
			Inputs: r.opts.Inputs, Constants: b.constants(),
			OnWarning: t.warning, Log: r.opts.Log,
		},
		Seed: r.opts.Seed, Filter: r.filter.Name, K: r.filter.K, NoStudy: r.opts.NoStudy,
		Aim:       focus.mutant,
		OnFound:   h.onFound,
		OnFailure: h.onFailure,
		OnRound:   h.onRound,
	})
	return t
}

// testdata is the directory of the fuzz test's entries.
func (t *trial) testdata() string {
	return testdataDir(t.runner.home(&t.b.program.Test, &t.test), t.test.Name)
}

// goldenDir is where the golden values of the fuzz test are.
func (t *trial) goldenDir() string {
	return store.Dir(t.runner.home(&t.b.program.Test, &t.test), t.test.Name)
}

// corpusDir is where the resulting entries go.
func (t *trial) corpusDir() string { return t.runner.corpusDir(t.b, &t.test) }

// cacheDir is where Go's fuzz cache has what was found for the fuzz test.
func (t *trial) cacheDir() (string, error) {
	return corpus.CacheDir(t.runner.gocache, t.b.program.Test.ImportPath, t.test.Name)
}

// crashersDir is where failing inputs are kept beside Go's fuzz cache.
func (t *trial) crashersDir() (string, error) {
	return corpus.CrashersDir(t.runner.gocache, t.b.program.Test.ImportPath, t.test.Name)
}

// name is how messages call the fuzz test.
func (t *trial) name() string { return t.b.program.Test.ImportPath + "." + t.test.Name }

// phase says what is done next with the fuzz test.
func (t *trial) phase(format string, args ...any) {
	t.runner.phase(t.b.program.Test.ImportPath, "%s: %s", t.test.Name, fmt.Sprintf(format, args...))
}

// warning enters a warning into the result, and says it at once.
func (t *trial) warning(text string) {
	t.addWarnings(text)
	t.runner.warn("%s: %s", t.test.Name, text)
}

// addWarnings enters warnings into the result that were said before.
func (t *trial) addWarnings(texts ...string) {
	t.warnMu.Lock()
	defer t.warnMu.Unlock()
	t.warnings = append(t.warnings, texts...)
}

// allWarnings returns the warnings so far.
func (t *trial) allWarnings() []string {
	t.warnMu.Lock()
	defer t.warnMu.Unlock()
	return slices.Clip(t.warnings)
}

// cpu is the processor time so far, of the workers and of this process.
func (t *trial) cpu() time.Duration { return t.eng.Processes.CPU() + system.OwnCPU() - t.cpuStart }
