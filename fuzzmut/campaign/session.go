package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/matrix"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// session is the work on one fuzz test.
type session struct {
	*runner
	b    *built
	test instrument.FuzzTest
	eng  *engine.Engine

	aim        *aim            // what the run is about; nil is everything
	before     map[uint32]bool // mutants of those that were killed that the given entries kill; nil if nothing was found
	patient    bool            // a small corpus is worth more time
	engineName string          // in reports, if it is not that of the options
	prefs      matrix.Prefs    // what the choice of entries must keep

	types    []string
	zero     []byte         // the zero values of the arguments, encoded
	hello    *wire.Hello    // what the fuzz test tells about itself
	given    []corpus.Entry // seeds, then the files of the corpus directory
	cached   []corpus.Entry // of Go's fuzz cache
	noKept   sync.Once      // warns that entries can't be kept in the cache
	warnMu   sync.Mutex     // workers warn, and what sorts failing inputs
	warnings []string
	start    time.Time
	cpuStart time.Duration
	fuzzed   time.Duration // spent fuzzing
	// fuzzedCPU is the processor time until fuzzing ended.
	fuzzedCPU time.Duration
	log       *recorder // of the run; nil if none is wanted
	intake    *intake   // of failing inputs; nil if they are only collected
	result    *report.FuzzTest
}

func newSession(r *runner, b *built, test instrument.FuzzTest) *session {
	s := &session{runner: r, b: b, test: test, start: time.Now(), cpuStart: system.OwnCPU()}
	s.warnings = slices.Clone(b.program.Warnings)
	if b.aim != nil {
		s.aim = b.aim(test.Name)
	}
	s.eng = engine.New(engine.Config{
		Processes: processes.Config{
			Program: b.program, Fuzz: test,
			Worker: worker.Config{
				Binary: b.binary, Fuzz: test.Name, Dir: b.program.Test.Dir, Env: r.opts.Env,
				TempDir: r.workDir, Temp: filepath.Join(r.workDir, "t"), Timeout: r.opts.Timeout, MemLimit: r.opts.MemLimit,
			},
			Parallel: r.opts.Parallel, RenewContext: b.usesContext, Dict: slices.Concat(r.opts.Dict, dictionary.OfCode(b.loaded)),
			Inputs: r.opts.Inputs, Constants: b.constants(),
			OnWarning: s.warning, Log: r.opts.Log,
		},
		Seed: r.opts.Seed, Filter: r.filter.Name, K: r.filter.K, NoStudy: r.opts.NoStudy,
		Aim:       s.aim.mutant,
		OnFound:   s.keepFound,
		OnFailure: s.onFailure,
		OnRound:   func() { s.log.round() },
	})
	return s
}

// testdata is the directory of the fuzz test's entries.
func (s *session) testdata() string {
	return testdataDir(s.home(&s.b.program.Test, &s.test), s.test.Name)
}

// name is how messages call the fuzz test.
func (s *session) name() string { return s.b.program.Test.ImportPath + "." + s.test.Name }

func (s *session) warning(text string) {
	s.warnMu.Lock()
	s.warnings = append(s.warnings, text)
	s.warnMu.Unlock()
	s.warn("%s: %s", s.test.Name, text)
}

// score evaluates the corpus as it stands.
func (s *session) score(ctx context.Context) error {
	if err := s.greet(ctx); err != nil {
		return err
	}
	s.phase(s.b.program.Test.ImportPath, "%s: running %s against %s", s.test.Name,
		report.Plural(len(s.given), "entry"), report.Plural(s.b.live, "mutant"))
	stop := s.watch()
	ev, err := s.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputsOf(s.given), Select: wire.SelectAlive, Explain: true, Check: true})
	stop()
	if err != nil {
		return s.engineError(err)
	}
	if err := s.checkBaseline(ev); err != nil {
		return err
	}
	s.reportVersions(s.given, ev)
	s.eng.Begin(inputsOf(s.given), ev)
	start, err := s.evaluateStart(ctx, s.given, ev)
	if err != nil {
		return err
	}
	s.finish(engineScore, s.given, ev, start, len(s.given), nil, "")
	s.result.Interrupted = ctx.Err() != nil
	return nil
}

// fuzz does the whole job for one fuzz test.
func (s *session) fuzz(ctx context.Context) error {
	err := panics.Do(func() error { return s.search(ctx) })
	if panics.Is(err) {
		return errors.Join(err, s.salvage(ctx))
	}
	return err
}

// search is fuzz, but that a panic has it leave what was found.
func (s *session) search(ctx context.Context) error {
	if err := s.greet(ctx); err != nil {
		return err
	}
	if s.opts.FuzzTime.Execs == 0 {
		s.readCache()
	}
	s.checkInputs()
	s.intake = newIntake(ctx, s)
	defer s.intake.stop()
	if err := s.baseline(ctx); err != nil {
		return err
	}
	if s.opts.Engine == EngineNative {
		return s.fuzzNative(ctx)
	}
	s.phase(s.b.program.Test.ImportPath, "%s: fuzzing for %v with %s, seed %d", s.test.Name, s.opts.FuzzTime,
		report.Plural(s.opts.Parallel, "worker"), s.opts.Seed)
	stop := s.watch()
	begin := time.Now()
	s.log = s.record()
	err := s.eng.Fuzz(ctx, engine.Budget{Time: s.opts.FuzzTime.Duration, Inputs: s.opts.FuzzTime.Execs})
	s.log.end()
	s.fuzzed = time.Since(begin)
	s.fuzzedCPU = s.cpu()
	stop()
	s.warnDiscards()
	if panics.Is(err) {
		return err
	}
	if err != nil {
		// What was found is worth keeping whatever ended the run.
		if ferr := s.settle(ctx); ferr != nil {
			return s.engineError(err)
		}
		return s.engineError(err)
	}
	return s.settle(ctx)
}

// greet asks the fuzz test for its types and seeds and reads the corpus, all of
// which must be of use.
func (s *session) greet(ctx context.Context) error {
	bad, err := s.meet(ctx)
	if err == nil && len(bad) > 0 {
		err = badEntries(bad)
	}
	return err
}

// meet is greet for who can do without some entries, which it returns.
func (s *session) meet(ctx context.Context) (unusable []corpus.BadEntry, err error) {
	dirs := []string{s.testdata()}
	if dir := s.corpusDir(s.b, &s.test); dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		// What can't be read at all is told before anything is run.
		if _, _, err := corpus.ReadDir(dir, nil, 0); err != nil {
			return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
		}
	}
	hello, err := s.eng.Processes.Hello(ctx)
	if err != nil {
		return nil, s.startError(err)
	}
	if hello.SeedError != "" {
		return nil, exit.Errorf(exit.Baseline, "%s: an f.Add call does not fit the fuzz target: %s; mend it in %s", s.name(), hello.SeedError, s.test.File)
	}
	s.types, s.zero, s.hello = hello.Types, hello.Zero, hello
	for i, seed := range hello.Seeds {
		vals, err := wire.Decode(seed)
		if err != nil {
			return nil, exit.Errorf(exit.Internal, "%s: seed from the test binary: %w", s.name(), err)
		}
		s.given = append(s.given, corpus.NewSeed(i, vals))
	}
	for _, dir := range dirs {
		files, bad, err := corpus.ReadDir(dir, s.types, 0)
		if err != nil {
			return nil, exit.Errorf(exit.Usage, "the corpus can't be read: %w", err)
		}
		unusable = append(unusable, bad...)
		s.given = append(s.given, files...)
	}
	return unusable, nil
}

// badEntries reports corpus entries that can't be used: the first ones each with
// its mend, the rest by their number.
func badEntries(bad []corpus.BadEntry) error {
	const most = 5
	var lines []string
	for i, b := range bad {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(bad)-most))
			break
		}
		var stale *corpus.StaleError
		if errors.As(b.Err, &stale) && stale.Entry.Managed() {
			b.Mend = "fuzzmut corpus minimize -prune removes it"
		}
		lines = append(lines, b.Error())
	}
	return exit.Errorf(exit.Baseline, "%s", strings.Join(lines, "\n"))
}

// readCache adds what earlier runs have left in Go's fuzz cache. A run with a
// budget of executions does not read it: what such a run does must depend on
// nothing but what lies in the tree.
func (s *session) readCache() {
	dir, err := corpus.CacheDir(s.gocache, s.b.program.Test.ImportPath, s.test.Name)
	if err != nil {
		return
	}
	bad, err := s.readCached(dir)
	if err != nil {
		s.warning(err.Error())
		return
	}
	if len(bad) > 0 {
		s.warning(fmt.Sprintf("%d entries of Go's fuzz cache are passed over, the first: %v", len(bad), bad[0]))
	}
}

// readCached adds the entries in the directory of Go's fuzz cache that are not
// given, and returns those that can't be used.
func (s *session) readCached(dir string) (unusable []corpus.BadEntry, err error) {
	cached, bad, err := corpus.ReadDir(dir, s.types, 0)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "Go's fuzz cache can't be read: %w", err)
	}
	have := make(map[string]bool)
	for _, g := range s.given {
		have[g.Hash] = true
	}
	for _, c := range cached {
		if !have[c.Hash] {
			s.cached = append(s.cached, c)
		}
	}
	return bad, nil
}

func inputsOf(entries []corpus.Entry) [][]byte {
	inputs := make([][]byte, len(entries))
	for i, e := range entries {
		inputs[i] = wire.Encode(e.Values)
	}
	return inputs
}

// baselineFuel bounds what the mutants of each worker burn on the inputs that a run
// begins with: some seconds. With a large corpus the fuzzing would else begin after
// minutes. What is not killed here falls later, or when the result is scored.
const baselineFuel = 1_500_000_000

// baseline runs the corpus the run begins with.
func (s *session) baseline(ctx context.Context) error {
	all := append(s.given[:len(s.given):len(s.given)], s.cached...)
	s.phase(s.b.program.Test.ImportPath, "%s: running %s", s.test.Name, describeCorpus(len(s.given), len(s.cached)))
	sel := wire.SelectAlive
	if s.filter.Name == "none" {
		sel = wire.SelectNone
	}
	stop := s.watch()
	ev, err := s.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputsOf(all), Select: sel, Check: true, Infected: true, Fuel: baselineFuel,
		Exclude: func(m uint32) bool { return !s.aim.mutant(m) },
	})
	stop()
	if err != nil {
		return s.engineError(err)
	}
	if err := s.checkBaseline(ev); err != nil {
		return err
	}
	s.reportVersions(all, ev)
	s.eng.Begin(inputsOf(all), ev)
	s.eng.Processes.AddTokens(dictionary.OfEntries(passing(all, ev)))
	if len(all) > 0 {
		return nil
	}
	// Without any seed the zero values are the first input, as for go test.
	zero := [][]byte{s.zero}
	if ev, err = s.eng.Exact.Evaluate(ctx, evaluate.Query{Inputs: zero, Select: sel, Check: true, Infected: true}); err != nil {
		return s.engineError(err)
	}
	s.eng.Found(zero, ev)
	return nil
}

// passing lists the entries on which the fuzz target neither fails nor skips.
func passing(entries []corpus.Entry, ev *evaluate.Evaluation) []corpus.Entry {
	var list []corpus.Entry
	for i, e := range entries {
		if ev.Results[i].Outcome.Kind == wire.Pass {
			list = append(list, e)
		}
	}
	return list
}

func describeCorpus(given, cached int) string {
	s := report.Plural(given, "seed and corpus entry")
	if given != 1 {
		s = fmt.Sprintf("%d seeds and corpus entries", given)
	}
	if cached > 0 {
		s += fmt.Sprintf(", %d more from Go's fuzz cache", cached)
	}
	return s
}

// checkBaseline refuses a corpus on which the original fails, or is not itself
// from run to run. What comes from the cache may fail: that is a finding.
func (s *session) checkBaseline(ev *evaluate.Evaluation) error {
	observed := 0
	for i, e := range s.given {
		r := &ev.Results[i]
		observed += r.Observed
		if !r.Outcome.Kind.Failed() {
			continue
		}
		where, mend := s.test.File, "mend the code or the seed"
		if e.Path != "" {
			where, mend = e.Path, "mend the code, or remove the file"
		}
		return exit.Errorf(exit.Baseline, "%s fails on %s (%s): %s; %s first%s",
			s.name(), e.Name, where, describeOutcome(r.Outcome), mend, s.shownBy())
	}
	if err := s.checkStable(); err != nil {
		return err
	}
	unstable := s.eng.Processes.Unstable()
	for _, u := range unstable {
		s.warning(s.describeUnstable(u))
	}
	if len(unstable) > 0 && observed == 0 {
		return exit.Errorf(exit.Baseline, "%s is unstable: every value observed differs from run to run, first %s; make it depend on its input alone, or name a //fuzzmut:compare function for its type",
			s.name(), s.describeUnstable(unstable[0]))
	}
	return nil
}

// shownBy says how to see a failure without fuzzmut.
func (s *session) shownBy() string {
	if s.test.Target != "" {
		return ""
	}
	return ": `go test -run='^" + s.test.Name + "$'` shows it"
}

// checkStable refuses a fuzz target that passes or fails by chance.
func (s *session) checkStable() error {
	for _, u := range s.eng.Processes.Unstable() {
		if u.Outcome {
			return exit.Errorf(exit.Baseline, "%s is unstable: %s on the same input; make it depend on its input alone (time, random numbers, map order, goroutines, global state)", s.name(), u.Text)
		}
	}
	return nil
}

// describeUnstable names an observed value and says how it differs.
func (s *session) describeUnstable(u processes.Unstable) string {
	sites := s.b.program.Sites
	if u.Outcome {
		return u.Text + " on the same input"
	}
	if int(u.Value.Site) >= len(sites) {
		return u.Text
	}
	site := sites[u.Value.Site]
	value := "its values"
	if u.Value.Value >= 0 && u.Value.Value < len(site.Values) {
		value = site.Values[u.Value.Value]
	}
	return fmt.Sprintf("%s of %s (%s:%d) differs from run to run and is left out: %s", value, site.Name, filepath.Base(site.File), site.Line, u.Text)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func describeOutcome(o wire.Outcome) string {
	text := firstLine(o.Message)
	switch o.Kind {
	case wire.Panic:
		return "panic: " + text
	case wire.Fuel:
		return "it does not end"
	}
	return text
}

// startError explains a test binary that does not reach f.Fuzz.
func (s *session) startError(err error) error {
	death, ok := asDeath(err)
	if !ok || death.Internal {
		return s.engineError(err)
	}
	if s.test.Target != "" {
		return exit.Errorf(exit.Usage, "%s, derived for %s, can't be run: %s; or write it with -write-test, and change it%s", s.name(), s.test.Target, reasonIn(death), s.b.missing(s.opts.Packages))
	}
	return exit.Errorf(exit.Baseline, "%s does not reach f.Fuzz: %s; does `go test -run='^%s$'` pass?\n%s%s",
		s.name(), death.Cause, s.test.Name, strings.TrimSpace(firstLines(death.Output, 12)), s.b.missing(s.opts.Packages))
}

// reasonIn is what a fuzz test that is derived says before it ends: why there are no
// values of its types, or what else went wrong while packages were initialised.
func reasonIn(death *worker.Death) string {
	for line := range strings.Lines(death.Output) {
		if _, reason, ok := strings.Cut(line, "fuzzmut: "); ok {
			return strings.TrimSpace(reason)
		}
	}
	return death.Cause + "\n" + strings.TrimSpace(firstLines(death.Output, 12))
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	if len(lines) > n {
		lines = lines[:n]
	}
	return strings.Join(lines, "")
}

// engineError classes an error of the engine.
func (s *session) engineError(err error) error {
	if death, ok := asDeath(err); ok && death.Internal {
		return exit.Errorf(exit.Internal, "%s: %w", s.name(), err)
	}
	var mistake *engine.MistakeError
	if errors.As(err, &mistake) {
		return exit.Errorf(exit.Baseline, "%s: %s", s.name(), strings.TrimSpace(strings.TrimPrefix(mistake.What, "fuzzmut: ")))
	}
	return err
}

// watch sends the status several times a second until the returned function is
// called, which sends the last one.
func (s *session) watch() (stop func()) {
	const interval = 250 * time.Millisecond
	done, ended := make(chan struct{}), make(chan struct{})
	begin := time.Now()
	before := s.eng.Status().Inputs
	rate := 0.0
	last, lastAt := before, begin
	send := func() {
		st := s.eng.Status()
		now := time.Now()
		if d := now.Sub(lastAt).Seconds(); d > 0 {
			current := float64(st.Inputs-last) / d
			rate += (current - rate) * min(1, d/2)
			if lastAt == begin {
				rate = current
			}
			last, lastAt = st.Inputs, now
		}
		s.emit(Event{Status: &Status{
			Package: s.b.program.Test.ImportPath, Fuzz: s.test.Name, Elapsed: now.Sub(begin),
			Execs: st.Inputs, ExecsPerSec: rate, MutantExecs: st.MutantExecs,
			Evaluated: st.Evaluated, Evaluating: st.Evaluating,
			Corpus: st.Corpus, Added: st.Added, Killed: st.Killed, Reached: st.Reached, Mutants: st.Mutants,
			Covered: st.Covered, Blocks: st.Blocks, Buckets: s.intake.known(st.Buckets),
		}})
	}
	repeat := func() error {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				send()
				return nil
			case <-tick.C:
				send()
			}
		}
	}
	go func() {
		defer close(ended)
		if err := panics.Do(repeat); err != nil {
			s.faults.note(err)
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// cpu is the processor time so far, of the workers and of this process.
func (s *session) cpu() time.Duration { return s.eng.Processes.CPU() + system.OwnCPU() - s.cpuStart }
