package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/failures"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/pool"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/worker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func asDeath(err error) (*worker.Death, bool) {
	var d *worker.Death
	return d, errors.As(err, &d)
}

func testdataDir(pkgDir, fuzz string) string { return corpus.TestdataDir(pkgDir, fuzz) }

// settleTime bounds what is still done after Ctrl-C: the user wants to go.
const settleTime = 20 * time.Second

// settle ends a fuzz test's run: it minimises what was found, writes it, runs
// the resulting corpus against all mutants, and reports that. What is reported
// is what `fuzzmut score` will say of the corpus: every kill has its witness.
func (s *session) settle(ctx context.Context) error {
	user := ctx
	ctx, cancel := graceful(user, s.grace)
	defer cancel()
	placed := s.intake.finish()
	var trimErr error
	if !placed {
		trimErr = s.eng.Failures.Trim(ctx, s.eng.Processes)
	}
	candidates := s.found()
	err := s.glean(user, candidates)
	var kept []corpus.Entry
	if err == nil {
		kept, err = s.minimise(ctx, candidates)
	}
	notMeasured := ""
	if err != nil {
		kept = s.unchecked(candidates)
		if ctx.Err() != nil {
			notMeasured = "interrupted while entries were chosen"
		}
	}
	before := len(s.given)
	written, files, werr := s.writeCorpus(kept)
	unwritten := len(kept) - len(written)
	final := s.finalEntries(written)
	if !s.unmutated {
		s.phase(s.b.program.Test.ImportPath, "%s: running the resulting corpus of %s against all mutants", s.test.Name, report.Plural(len(final), "entry"))
	}
	now, err := s.stand(ctx, final)
	if err != nil {
		return errors.Join(err, werr)
	}
	if now.partial {
		notMeasured = cmp.Or(notMeasured, "interrupted while the resulting corpus was run")
	}
	var removed []string
	var rerr error
	if werr == nil { // else what is there is all that there may be
		now, removed, rerr = s.replace(user, now)
	}
	s.finish(cmp.Or(s.engineName, s.opts.Engine), now.entries, now.ev, now.start, before, files, notMeasured)
	s.result.Corpus.Found = len(candidates)
	s.result.Corpus.Removed = removed
	s.result.Corpus.Unwritten = unwritten
	s.result.Corpus.After -= len(removed)
	s.result.Interrupted = user.Err() != nil
	var goldenErr error
	if werr == nil { // else golden values can't be written either
		goldenErr = s.keepGolden(ctx)
	}
	bugs, sortErr := s.bugs(user, now.entries, placed)
	crashErr := errors.Join(sortErr, s.writeCrashes(bugs))
	if len(files)+len(bugs) > 0 || s.files() {
		s.warnIgnored(ctx)
	}
	if trimErr != nil {
		trimErr = s.engineError(trimErr)
	}
	return errors.Join(trimErr, werr, rerr, goldenErr, crashErr)
}

// graceful returns a context that outlives ctx by some time.
func graceful(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

// found is an input that the run has found, or that was in Go's fuzz cache.
type found struct {
	corpus.Entry
	engine pool.Entry
}

// unchecked chooses by what was seen while fuzzing, when there is no time left to
// run the inputs again: those that killed a mutant, and those that cover a block
// that none before them does.
func (s *session) unchecked(candidates []found) []corpus.Entry {
	covered := make(map[int]bool)
	covers := func(e pool.Entry) (more bool) {
		for _, f := range e.Features {
			if b := f.Block(); !covered[b] && s.aim.block(b) {
				covered[b], more = true, true
			}
		}
		return more
	}
	for _, e := range s.eng.Pool.Entries() {
		if e.Given {
			covers(e)
		}
	}
	var kept []corpus.Entry
	for _, c := range candidates {
		if covers(c.engine) || c.engine.Kills > 0 {
			kept = append(kept, c.Entry)
		}
	}
	return kept
}

// found lists what may be added to the corpus, the cheapest first.
func (s *session) found() []found {
	given := make(map[string]bool)
	for _, e := range s.given {
		given[e.Hash] = true
	}
	entries := s.eng.Pool.Entries()
	slices.SortStableFunc(entries, func(a, b pool.Entry) int { return cmp.Compare(a.Cost, b.Cost) })
	var list []found
	for _, en := range entries {
		vals, err := wire.Decode(en.Input)
		if err != nil {
			continue // never: the engine decoded it before
		}
		e := corpus.NewFound(vals)
		if !given[e.Hash] {
			given[e.Hash] = true
			list = append(list, found{e, en})
		}
	}
	return list
}

// gleanFuel bounds what the mutants of each worker burn on found inputs before the
// choice: some seconds. A run that is bounded by time has gleanShare of that for it,
// since what a unit of fuel takes depends on the code that burns none.
const (
	gleanFuel  = 3_000_000_000
	gleanShare = 4
)

// glean runs the mutants that still live on what was found, the cheapest inputs
// first: while fuzzing an input is run with a few of them only. What it kills
// counts when the entries are chosen.
func (s *session) glean(ctx context.Context, candidates []found) error {
	if s.filter.Name == "none" || len(candidates) == 0 || ctx.Err() != nil {
		return nil
	}
	s.phase(s.b.program.Test.ImportPath, "%s: running the living mutants on %s", s.test.Name, report.Plural(len(candidates), "found input"))
	stop := s.watch()
	defer stop()
	if t := s.opts.FuzzTime.Duration; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t/gleanShare)
		defer cancel()
	}
	var inputs [][]byte
	for _, f := range candidates {
		inputs = append(inputs, f.engine.Input)
	}
	ev, err := s.eng.Exact.Evaluate(ctx, evaluate.Query{
		Inputs: inputs, Select: wire.SelectAlive, Fuel: gleanFuel,
		Exclude: func(m uint32) bool { return s.eng.Kills.Dead(int(m)) || !s.aim.mutant(m) },
	})
	if ev != nil {
		s.eng.Credit(ev)
	}
	if ctx.Err() != nil {
		return nil // what is known will do
	}
	return err
}

// minimise chooses the inputs that are worth adding to what was given.
func (s *session) minimise(ctx context.Context, found []found) ([]corpus.Entry, error) {
	s.phase(s.b.program.Test.ImportPath, "%s: choosing among %s", s.test.Name, report.Plural(len(found), "found input"))
	stop := s.watch()
	defer stop()
	if len(found) == 0 {
		return nil, nil
	}
	stay, err := s.settled(ctx, s.given)
	if err != nil {
		return nil, err
	}
	s.before, stay.aim = stay.killed, s.aim
	among := make([]candidate, len(found))
	for i, f := range found {
		among[i] = candidate{f.Entry, f.engine.Cost, i}
	}
	kept, err := s.choose(ctx, stay, among)
	entries := make([]corpus.Entry, len(kept))
	for i, c := range kept {
		entries[i] = c.Entry
	}
	return entries, err
}

// finalEntries is the corpus as `fuzzmut score` will read it: seeds, then files
// by name.
func (s *session) finalEntries(kept []corpus.Entry) []corpus.Entry {
	var seeds, files []corpus.Entry
	for _, e := range s.given {
		if e.Source == corpus.Seed {
			seeds = append(seeds, e)
		} else {
			files = append(files, e)
		}
	}
	files = append(files, kept...)
	slices.SortStableFunc(files, func(a, b corpus.Entry) int { return strings.Compare(a.Name, b.Name) })
	return append(seeds, files...)
}

// writeCorpus writes the entries that the run adds. It returns those that are in their
// place now, and the base names of the new files. What can't be written goes to Go's
// fuzz cache; the error says whether it is there.
func (s *session) writeCorpus(kept []corpus.Entry) (written []corpus.Entry, files []string, err error) {
	if s.opts.DryRun {
		return kept, nil, nil
	}
	dir := s.corpusDir(s.b, &s.test)
	var left []corpus.Entry
	for _, e := range kept {
		created, werr := corpus.WriteFile(dir, e.Name, corpus.Marshal(e.Values))
		if werr != nil {
			left = append(left, e)
			err = cmp.Or(err, werr)
			continue
		}
		written = append(written, e)
		if created {
			files = append(files, e.Name)
		}
	}
	slices.Sort(files)
	if err != nil {
		err = exit.Errorf(exit.Usage, "%d of %s could not be written, and the score is that of the others; the first: %w; %s",
			len(left), report.Plural(len(kept), "new entry"), err, s.refuge(left))
	}
	return written, files, err
}

// refuge keeps entries that can't be written to their place in Go's fuzz cache, and says
// where they are.
func (s *session) refuge(entries []corpus.Entry) string {
	dir, err := corpus.CacheDir(s.gocache, s.b.program.Test.ImportPath, s.test.Name)
	for _, e := range entries {
		if err == nil {
			err = s.keep(dir, wire.Encode(e.Values))
		}
	}
	if err != nil {
		return fmt.Sprintf("nor can they be kept in Go's fuzz cache, so that some are lost: %v", err)
	}
	return fmt.Sprintf("they are kept in %s, from where fuzzmut corpus merge adds them", dir)
}

// keepFound writes an input to Go's fuzz cache as soon as it is found, so that
// nothing ends with it lost.
func (s *session) keepFound(input []byte) {
	if s.opts.DryRun || s.engineName == engineMerge {
		return
	}
	dir, err := corpus.CacheDir(s.gocache, s.b.program.Test.ImportPath, s.test.Name)
	if err == nil {
		err = s.keep(dir, input)
	}
	if err != nil {
		s.noKeep(err)
	}
}

func (s *session) keep(dir string, input []byte) error {
	vals, err := wire.Decode(input)
	if err != nil {
		return err
	}
	data := corpus.Marshal(vals)
	_, err = corpus.WriteFile(dir, corpus.FileName(data), data)
	return err
}

// noKeep warns once that finds can't be kept while the run goes on.
func (s *session) noKeep(err error) {
	s.noKept.Do(func() {
		s.warning(fmt.Sprintf("what is found can't be kept in Go's fuzz cache: %v", err))
	})
}

// onFailure keeps a failing input beside Go's fuzz cache and has it placed. What opens
// a bucket is shown.
func (s *session) onFailure(f failures.Failure) {
	if !s.opts.DryRun {
		dir, err := corpus.CrashersDir(s.gocache, s.b.program.Test.ImportPath, s.test.Name)
		if err == nil {
			err = s.keep(dir, f.Input)
		}
		if err != nil {
			s.noKeep(err)
		}
	}
	show := f.First
	if s.intake != nil {
		show = s.intake.add(f)
	}
	if show {
		s.showFailure(f.Outcome)
	}
}

// showFailure tells of a failing input that is taken to show a bug that was not known.
func (s *session) showFailure(o wire.Outcome) {
	s.emit(Event{Crash: &Crash{
		Package: s.b.program.Test.ImportPath, Fuzz: s.test.Name,
		Crash: report.Crash{Kind: crashKind(o), Message: firstLine(o.Message), Frames: s.relFrames(o.Frames), Count: 1},
	}})
}

// crashKind names the kind of a failing input in reports.
func crashKind(o wire.Outcome) string {
	switch o.Kind {
	case wire.Panic:
		return "panic"
	case wire.Fail:
		return "failure"
	case wire.Fuel:
		return "hang"
	case wire.Exit:
		return "exit"
	}
	return "death"
}

// writeCrashes writes one representative of each bug where `go test` replays
// it, as Go would, and describes the buckets in the result.
func (s *session) writeCrashes(bugs []bug) error {
	t := s.b.program.Test
	dir := s.testdata()
	beside, err := corpus.CrashersDir(s.gocache, t.ImportPath, s.test.Name)
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	var errs []error
	for _, b := range bugs {
		c := report.Crash{
			Kind: crashKind(b.outcome), Message: firstLine(b.outcome.Message),
			Frames: s.relFrames(b.outcome.Frames), Count: b.count, Stacks: b.stacks, Repairs: b.repairs, Entries: []string{},
		}
		for i, input := range b.inputs {
			if s.opts.DryRun {
				break
			}
			vals, err := wire.Decode(input)
			if err != nil {
				continue // never: a worker encoded it
			}
			data := corpus.Marshal(vals)
			name := corpus.FileName(data)
			path, err := s.writeCrash([]string{dir, beside}[min(i, 1):], name, data)
			if err != nil {
				errs = append(errs, err)
			}
			if path != "" {
				c.Entries = append(c.Entries, path)
			}
			if filepath.Dir(path) == dir {
				c.Repro = s.repro(name)
			}
		}
		s.result.Crashes = append(s.result.Crashes, c)
	}
	if len(errs) == 0 {
		return nil
	}
	return exit.Errorf(exit.Usage, "%s could not be written, the first: %w", report.Plural(len(errs), "failing input"), errs[0])
}

// writeCrash writes a failing input to the first of the directories that takes it,
// and returns its path, "" if none does, and what the first that does not says. Most
// are there already; those that were made smaller are not.
func (s *session) writeCrash(dirs []string, name string, data []byte) (path string, err error) {
	for _, dir := range dirs {
		_, werr := corpus.WriteFile(dir, name, data)
		if werr == nil {
			return filepath.Join(dir, name), err
		}
		err = cmp.Or(err, werr)
	}
	return "", err
}

// repro is a command that runs one corpus entry, from the user's directory.
func (s *session) repro(name string) string {
	args := []string{"go", "test"}
	if wd, err := os.Getwd(); err == nil && wd != s.opts.Dir {
		args = append(args, "-C", s.opts.Dir)
	}
	args = append(args, s.opts.BuildFlags...)
	args = append(args, fmt.Sprintf("-run=^%s$/^%s$", s.test.Name, name))
	pkg := s.b.program.Test.ImportPath
	if rel, err := filepath.Rel(s.opts.Dir, s.b.program.Test.Dir); err == nil && filepath.IsLocal(rel) {
		pkg = "./" + filepath.ToSlash(rel)
		if rel == "." {
			pkg = "."
		}
	}
	args = append(args, pkg)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	command := strings.Join(args, " ")
	if s.test.Target != "" {
		command = s.writeCommand(pkg) + " && " + command
	}
	return command
}

// writeCommand is the command that writes a derived fuzz test into its package, for go
// test to know it.
func (s *session) writeCommand(pkg string) string {
	args := []string{"fuzzmut"}
	if wd, err := os.Getwd(); err == nil && wd != s.opts.Dir {
		args = append(args, "-C", s.opts.Dir)
	}
	args = append(args, "-write-test", "-fuzz=^"+s.test.Name+"$", pkg)
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	return strings.Join(args, " ")
}

// relFrames shortens the names in frames: functions by their package's name,
// files relative to the module.
func (s *session) relFrames(frames []string) []string {
	const most = 5
	list := []string{}
	for i, f := range frames {
		if i == most {
			break
		}
		_, pos, ok := strings.Cut(f, " ")
		function := functionOf(f)
		if file, line, hasLine := cutLast(pos, ":"); ok && hasLine {
			f = function + " " + report.RelativeFile(s.b.program.Test.ModuleDir, file) + ":" + line
		}
		list = append(list, f)
	}
	return list
}

// functionOf returns the function of a frame, by its package's name.
func functionOf(frame string) string {
	function, _, _ := strings.Cut(frame, " ")
	return function[strings.LastIndexByte(function, '/')+1:]
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
