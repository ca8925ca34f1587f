package trial

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/covered"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// sourceTime bounds the run that shows an input: it is that of one small input. plannedTime does where it is not run: that
// takes longer only with an earlier version of package fuzzmut, which runs it.
const (
	sourceTime  = 10 * time.Second
	plannedTime = 2 * time.Second
)

// Bounds of the inputs that are shown as source, each by a process, and of the time for all of these.
const (
	mostShown = 20
	showTime  = 10 * time.Second
)

// Sources shows some inputs of one fuzz test as Go source.
type Sources struct {
	trial  *Trial
	ctx    context.Context // ends with the time for all
	most   int
	source func(ctx context.Context, t *Trial, in *corpus.Input, kind wire.OutcomeKind) string
	left   int
}

// SourcesOf begins to show inputs. Done ends that.
func SourcesOf(ctx context.Context, t *Trial) (s *Sources, done func()) {
	ctx, done = context.WithTimeout(ctx, showTime)
	return &Sources{trial: t, ctx: ctx, most: mostShown, source: Source}, done
}

// Of is the source of one input, as Source is; "" as well where there were enough of them, or the time is up.
func (s *Sources) Of(in *corpus.Input, kind wire.OutcomeKind) string {
	if !s.trial.OfValues() || !shows(kind) {
		return ""
	}
	if s.most == 0 || s.ctx.Err() != nil {
		s.left++
		return ""
	}
	s.most--
	return s.source(s.ctx, s.trial, in, kind)
}

// Left is how many inputs were not shown for these reasons.
func (s *Sources) Left() int { return s.left }

// Source is what the bytes of an input stand for, as Go source: nobody reads a value, or a sequence of calls, from them.
// kind is what becomes of the input. "": it stands for no value, or that can't be shown, as
// where the test binary does nothing outside the directory of its package.
func Source(ctx context.Context, t *Trial, in *corpus.Input, kind wire.OutcomeKind) string {
	if !t.OfValues() || !shows(kind) {
		return ""
	}
	dir := filepath.Join(filepath.Dir(t.Package.Binary), "shown") // a packed binary has no other directory, nor a go command
	if _, err := corpus.WriteFile(filepath.Join(dir, "testdata", "fuzz", t.Test.Name), in.Hash(), in.Encode()); err != nil {
		return ""
	}
	show, most := "1", sourceTime
	if kind == wire.Fuel {
		show, most = covered.ShowPlanned, plannedTime
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Package.Binary, "-test.v", "-test.run=^"+regexp.QuoteMeta(t.Test.Name)+"$/^"+in.Hash()+"$")
	env := t.Project.Options.Env
	if env == nil {
		env = os.Environ()
	}
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), covered.ShowVariable+"="+show)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return ""
	}
	return explained(t, covered.ValueIn(string(out)))
}

// explained is source that says first which constructor a function of a derived fuzz test calls: nobody has seen that.
func explained(t *Trial, source string) string {
	for _, d := range t.Package.Loaded.Derived {
		for _, fn := range slices.Sorted(maps.Keys(d.Wrapped)) {
			if d.Name == t.Test.Name && strings.Contains(source, " := "+fn+"(") { // a sequence begins with one of them
				return "// " + fn + " calls " + d.Wrapped[fn] + "; fuzzmut -write-test writes it\n" + source
			}
		}
	}
	return source
}

// shows says whether the code, run without fuel, gets so far that the value is logged. What takes too much memory would
// do so again. What does not end is not run.
func shows(kind wire.OutcomeKind) bool {
	return kind != wire.Exit && kind != wire.Memory && kind != wire.Death
}
