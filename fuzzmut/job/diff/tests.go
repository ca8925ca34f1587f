package diff

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

// Values of Options.Keep.
const (
	KeepNew = "new"
	KeepOld = "old"
)

// cases are the differences of a package that -write-test writes.
type cases struct {
	loaded *load.Result
	tests  []goldentest.Test
	// shown are the entries, by name, whose bytes stand for what the report shows as Go source.
	shown map[string]bool
}

// plain are the files of written tests, but for their first lines: see files.
var plain = goldentest.Plain{Name: "fuzzmut_diff_test.go", ExternalName: "fuzzmut_diff_x_test.go"}

// files are those of written tests. They say that a test wants what the code does, be it right or not.
func (o *Options) files() *goldentest.Plain {
	files := plain
	files.Mark = "// Inputs on which fuzzmut diff has seen a difference, by its -write-test.\n// The tests want " + o.wanted() + ".\n"
	return &files
}

// kept says which code's values tests want.
func (o *Options) kept() string { return cmp.Or(o.Keep, KeepNew) }

// wanted says what written tests want.
func (o *Options) wanted() string {
	return "what the " + o.kept() + " code does: check that it is right"
}

// checkFree makes sure that the files of -write-test can be written.
func (j *job) checkFree(loaded *load.Result) error {
	if !j.opts.WriteTest {
		return nil
	}
	if err := plain.CheckFree(loaded.Test.Dir); err != nil {
		return exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	return nil
}

// asCases takes in the causes of a fuzz test that are not accepted, to be written as tests.
func (c *comparison) asCases(causes []explained) {
	if !c.opts.WriteTest {
		return
	}
	loaded := c.sides.pkgs[after].Loaded
	side := after
	if c.opts.Keep == KeepOld {
		side = before
	}
	test, shown := goldentest.Test{Name: c.test.Name}, make(map[string]bool)
	for _, e := range causes {
		if c.means(e.cause) {
			continue
		}
		entry := e.seen.Input.Found()
		switch seen := &e.seen.sides[side]; {
		case e.cause.Kind == behavior.KindWork:
			c.notWritten(c.test.Name, e.cause.Input, "how much work is done is no value")
		case seen.Failure != "":
			c.notWritten(c.test.Name, e.cause.Input, "the "+c.opts.kept()+" code fails on it")
		default:
			k := goldentest.Case{Name: entry.Name, Args: entry.Input.Values(), Values: seen.Values}
			if other := &e.seen.sides[1-side]; other.Failure == "" {
				k.Against = other.Values
			}
			test.Cases = append(test.Cases, k)
			shown[k.Name] = e.cause.Value != ""
		}
	}
	if len(test.Cases) == 0 {
		return
	}
	if n := len(c.written); n == 0 || c.written[n-1].loaded.Test.ImportPath != loaded.Test.ImportPath {
		c.written = append(c.written, cases{shown: make(map[string]bool)})
	}
	to := &c.written[len(c.written)-1]
	to.loaded = loaded // what is loaded later has the fuzz tests of before: see deriveMore
	to.tests = append(to.tests, test)
	maps.Copy(to.shown, shown)
}

// notWritten enters a warning into the report, which comes next: it need not be said at once.
func (j *job) notWritten(test, input, why string) {
	j.report.Warnings = append(j.report.Warnings, fmt.Sprintf("not written as a test: %s(%s): %s", test, strings.ReplaceAll(input, "\n", ", "), why))
}

// why says why a case was left, and what to do about it. Where bytes stand for values or for calls in turn, that is the
// reason, and the user may have no fuzz target to look at.
func (w *cases) why(l *goldentest.Left) string {
	for _, t := range w.tests {
		switch {
		case t.Name != l.Test || l.Case >= len(t.Cases) || !w.shown[t.Cases[l.Case].Name]:
		case l.Why == goldentest.NoCall:
			return "the bytes of its input stand for the calls that are shown with it: write these into a test"
		default:
			return l.Why + "; write the calls that are shown with it into a test"
		}
	}
	return l.Why
}

// writeTests writes the tests of all packages.
func (j *job) writeTests(ctx context.Context) error {
	for _, w := range j.written {
		tests, err := j.opts.files().Write(w.loaded, w.tests)
		if err != nil {
			return exit.Errorf(exit.Internal, "-write-test: %w", err)
		}
		for i := range tests.Left {
			l := &tests.Left[i]
			j.notWritten(l.Test, l.Input, w.why(l))
		}
		files := tests.Files
		if len(files) == 0 {
			continue
		}
		j.project.Phase(w.loaded.Test.ImportPath, "running the written tests")
		if err := j.tryTests(ctx, w.loaded, tests); err != nil {
			return err
		}
		for _, path := range slices.Sorted(maps.Keys(files)) {
			if _, err := corpus.WriteFile(filepath.Dir(path), filepath.Base(path), files[path]); err != nil {
				return exit.Errorf(exit.Usage, "-write-test: %w", err)
			}
			j.report.Written = append(j.report.Written, report.RelativeFile(w.loaded.Test.ModuleDir, path))
		}
	}
	if len(j.report.Written) > 0 {
		j.report.Warnings = append(j.report.Warnings, "the written tests want "+j.opts.wanted())
	}
	return nil
}

// tryTests makes sure that tests compile with the new code, and pass, or fail if they have
// the values of the old code.
func (j *job) tryTests(ctx context.Context, loaded *load.Result, tests *goldentest.PlainTests) error {
	dir, remove, err := tempdir.Make("")
	if err != nil {
		return exit.Errorf(exit.Usage, "can't create temporary files: %w; set TMPDIR to a writable directory", err)
	}
	defer remove()
	flag, err := gotool.OverlayFlag(dir, j.pair.New.Overlay, tests.Files)
	if err != nil {
		return exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	run := func(pattern string) ([]byte, error) {
		args := slices.Concat([]string{"test"}, j.pair.New.BuildFlags, []string{flag, "-count=1", "-run=" + pattern, loaded.Test.ImportPath})
		cmd := gotool.GoCommand(ctx, loaded.Toolchain.Command, args...)
		cmd.Dir, cmd.Env = j.pair.New.Dir, j.pair.New.Env
		return cmd.CombinedOutput()
	}
	if out, err := run("^$"); err != nil {
		return exit.AsInterrupted(ctx, exit.Errorf(exit.Internal, "-write-test: the written tests do not compile, please report it: %s", problem.FirstLine(string(out))))
	}
	out, err := run(gotool.Exactly(tests.Names()))
	switch {
	case ctx.Err() != nil:
		return exit.AsInterrupted(ctx, err)
	case (err == nil) != (j.opts.Keep != KeepOld):
		return exit.Errorf(exit.Failing, "-write-test: nothing was written, since the tests do not do what was seen: is the code the same each time it runs? %s", problem.FirstLine(string(out)))
	}
	return nil
}
