package observed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Nothing says why there is no value in any of what was observed; "" if there is one, or
// no entry that could have one.
func Nothing(t *trial.Trial, seen []Observation) string {
	passed := 0
	for i := range seen {
		if len(seen[i].Values) > 0 {
			return ""
		}
		if seen[i].Failure == "" {
			passed++
		}
	}
	if passed == 0 {
		return ""
	}
	packages := strings.Join(t.Package.Loaded.ParseObserved(t.Package.Loaded.Observed()), ", ")
	calls := func(s instrument.Site) bool { return !s.Target && goldenSite(t, &s) }
	if !slices.ContainsFunc(t.Package.Program.Sites, calls) {
		if t.InTurn() {
			return "package fuzzmut makes the calls of a sequence, and none is observed there"
		}
		return fmt.Sprintf("the fuzz test calls no function of %s that returns a value; call one in the fuzz test itself, or name other packages with -mutate",
			packages)
	}
	return fmt.Sprintf("none of %s makes the fuzz test call a function of %s that returns a value",
		report.Plural(passed, "entry"), packages)
}
