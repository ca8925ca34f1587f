//go:build unix

package suggest

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
)

// A run for a change judges the mutants of changed lines alone, and looks at no other survivors.
func TestOnlyMutantsInScopeAreRead(t *testing.T) {
	s, p := newSession()
	if got := s.inScope(p); len(got) != 5 {
		t.Errorf("without a change: %v", got)
	}
	w := newWorld(t, "func F(n int) int { return n + 1 }\n")
	w.unit["m1"] = unittest.StatusSurvived
	changed, err := change.Find(t.Context(), w.dir, nil, "", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	w.changed = changed
	if touched, err := w.findChanged(t.Context()); touched || err != nil {
		t.Errorf("a change of nothing touches the package: %t, %v", touched, err)
	}
	if err := w.judge(t.Context()); err != nil || len(w.survivors) != 0 || w.report.Mutants != 0 || len(w.asked) != 0 {
		t.Errorf("%v, survivors %v of %d, asked %q", err, w.survivors, w.report.Mutants, w.asked)
	}
}
