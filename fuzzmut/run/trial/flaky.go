package trial

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/processes"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// flakes lists the failures that are flaky. Their inputs are kept beside Go's fuzz
// cache: in testdata they would make go test fail sometimes.
func flakes(t *Trial) (result []report.Flake) {
	list := t.Engine.Failures.Flaky()
	executions := t.Engine.Status().Execs
	for _, f := range list {
		executions -= f.Runs
	}
	for _, f := range list {
		x := report.Flake{
			Kind: FailureKind(f.Outcome), Message: FirstLine(f.Outcome.Message), Frames: Frames(t.Package.Program.Test.ModuleDir, f.Outcome.Frames),
			Sure: f.Sure(), Seen: f.Seen, Of: executions, Passed: f.Passed, Runs: f.Again, Failures: f.Failed, Repeats: f.Runs,
		}
		if !t.Project.Options.DryRun && f.Input != nil {
			keepFlaky(t, &x, f.Input)
		}
		if !x.Sure {
			t.Warn(describeFlake(&x))
		}
		result = append(result, x)
	}
	return result
}

// describeFlake describes a failure that is flaky in one line.
func describeFlake(x *report.Flake) string {
	text := x.Message
	if text == "" {
		text = x.Kind
	}
	if len(x.Frames) > 0 {
		text += " (" + x.Frames[0] + ")"
	}
	text = fmt.Sprintf("a failure was not reproduced: %s: %s", text, x)
	if x.Entry != "" {
		text += "; the input is kept in " + x.Entry
	}
	return text
}

// keepFlaky writes the input of a failure that is flaky, and says how to see it
// fail with go test alone.
func keepFlaky(t *Trial, x *report.Flake, input *corpus.Input) {
	dir, err := corpus.FlakyDir(t.Project.GoCache, t.Package.Program.Test.ImportPath, t.Test.Name)
	if err == nil {
		err = t.Keep(dir, input)
	}
	if err != nil {
		t.NotKept(err)
		return
	}
	x.Entry = filepath.Join(dir, input.Hash())
	x.Repro = oftenRepro(t, x, input.Hash())
}

// Bounds on the number of runs that a command asks for, to see a failure.
const (
	fewestRepeats = 100
	mostRepeats   = 100_000
)

// oftenRepro is a command that lays an input into testdata, runs it often enough for
// it to fail most likely, and takes it out again.
func oftenRepro(t *Trial, x *report.Flake, name string) string {
	n := float64(mostRepeats)
	if x.Failures > 0 {
		n = 5 * float64(x.Repeats) / float64(x.Failures) // one in 150 such commands sees nothing
	}
	count := int(math.Ceil(min(max(n, fewestRepeats), mostRepeats)))
	dir := t.Testdata()
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, dir); err == nil && filepath.IsLocal(rel) {
			dir = rel
		}
	}
	entry := filepath.Join(dir, name)
	run := strings.Replace(Repro(t, name), " -run=", fmt.Sprintf(" -count=%d -failfast -run=", count), 1)
	return fmt.Sprintf("mkdir -p %s && cp %s %s && %s; rm %s", shell.Quote(dir), shell.Quote(x.Entry), shell.Quote(entry), run, shell.Quote(entry))
}

// warnOutside warns of workers that were killed, nobody knows by whom.
func warnOutside(t *Trial) {
	o := t.Engine.Processes.Outside()
	if o.Deaths == 0 {
		return
	}
	text := fmt.Sprintf("%s from outside (%s)", wereKilled(o.Deaths), o.Cause)
	if o.Input != nil {
		text += fmt.Sprintf(", the first while it ran %s, which passes when run again", processes.Describe(o.Input))
	}
	t.Warn(text)
}

// warnElsewhere says that the work is done where nothing is mutated, and what to do then.
func (p *Replay) warnElsewhere(covered int) {
	t := p.Trial
	if covered > 0 || !p.passes() || p.Partial || t.Project.Unmutated {
		return
	}
	text := "the inputs run nothing of the packages that are mutated"
	if files := cgoFiles(t.Package.Loaded); len(files) > 0 {
		n := len(files)
		shown := strings.Join(files[:min(n, elsewhereShown)], ", ")
		if n > elsewhereShown {
			shown += fmt.Sprintf(" and %d more", n-elsewhereShown)
		}
		text += fmt.Sprintf("; %s %s \"C\" and %s left as %s: use go test -fuzz for %s", shown,
			report.Verb(n, "imports", "import"), report.Verb(n, "is", "are"), report.Verb(n, "it is", "they are"), report.Verb(n, "it", "these"))
	} else if paths := t.Package.Loaded.Elsewhere(t.Test.Name); len(paths) > 0 {
		text += "; what the fuzz test calls is elsewhere: try -mutate " + strings.Join(paths[:min(len(paths), elsewhereShown)], ",")
	}
	t.Warn(text)
}

// cgoFiles names the files of mutated packages that are left alone since they import "C".
func cgoFiles(loaded *load.Result) (names []string) {
	for _, p := range loaded.Packages {
		for _, path := range p.Cgo {
			if p.Mutated {
				names = append(names, filepath.Base(path))
			}
		}
	}
	return names
}

// elsewhereShown bounds the packages that are named for -mutate, and the files that are left alone.
const elsewhereShown = 3

func wereKilled(n int) string {
	return report.Plural(n, "worker") + " " + report.Verb(n, "was", "were") + " killed"
}
