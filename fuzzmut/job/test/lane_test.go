package test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// Packages are judged side by side where there are slots, and one after the other where the
// verdicts of one matter to the next. What is shown is in their order.
func TestPackagesSideBySide(t *testing.T) {
	for _, c := range []struct {
		about    string
		parallel int
		mutate   []string
		together bool
	}{
		{"two slots", 2, nil, true},
		{"one slot", 1, nil, false},
		{"all packages mutated", 2, []string{"./..."}, false},
	} {
		l := newLedger(t)
		l.opts.Parallel, l.opts.Mutate = c.parallel, c.mutate
		var shown []string
		l.opts.Events = func(ev project.Event) {
			switch {
			case ev.Phase != nil && ev.Phase.Package != "":
				shown = append(shown, ev.Phase.Package)
			case ev.Tests != nil:
				shown = append(shown, ev.Tests.Package)
			}
		}
		var log bytes.Buffer
		l.opts.Log = &log
		var at, most atomic.Int32
		met := make(chan struct{})
		l.fake.ran = make(map[string][]string)
		r, err := run(context.Background(), l.opts, func(ctx context.Context, o unittest.Options) (*unittest.Result, error) {
			defer at.Add(-1)
			n := at.Add(1)
			most.Store(max(n, most.Load()))
			switch {
			case n == 2:
				close(met) // the second of the two ends first
			case c.together:
				select {
				case <-met:
				case <-time.After(time.Minute):
					t.Errorf("%s: one package waits for the other", c.about)
				}
			}
			o.Progress(unittest.Progress{Phase: "mutants"})
			fmt.Fprintf(o.Log, "judging %s\n", o.Program.Test.ImportPath)
			return l.fake.run(ctx, o)
		})
		if err != nil || len(r.Packages) != 2 {
			t.Fatalf("%s: %v, %+v", c.about, err, r)
		}
		if got := most.Load() == 2; got != c.together {
			t.Errorf("%s: %d packages at a time", c.about, most.Load())
		}
		want := []string{r.Packages[0].Package, r.Packages[1].Package}
		if got := slices.Compact(shown); !slices.Equal(got, want) {
			t.Errorf("%s: shown %q, want %q", c.about, got, want)
		}
		var judged []string
		for line := range strings.Lines(log.String()) {
			if name, ok := strings.CutPrefix(line, "judging "); ok {
				judged = append(judged, strings.TrimSpace(name))
			}
		}
		if !slices.Equal(judged, want) {
			t.Errorf("%s: the log has %q", c.about, judged)
		}
		if !slices.IsSortedFunc(r.Mutants, func(a, b report.Mutant) int {
			return slices.Index(want, a.Package) - slices.Index(want, b.Package)
		}) && c.mutate == nil {
			t.Errorf("%s: the mutants are not in the order of packages", c.about)
		}
	}
}
