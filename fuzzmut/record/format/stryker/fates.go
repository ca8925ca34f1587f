package stryker

import (
	"cmp"
	"slices"

	words "github.com/fuzzmut/fuzzmut/fuzzmut/record/format/fate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// A fate is what became of one mutant, by all that was run.
type fate struct {
	report.Mutant
	id        string
	byInput   bool     // inputs kill, not tests
	coveredBy []string // IDs of tests
	killedBy  []string // likewise
}

// ofTests returns the mutants of a result of tests, in the order of the source.
func ofTests(r *report.TestReport, c *catalogue) []fate {
	for i := range r.Packages {
		for _, t := range r.Packages[i].Tests {
			c.id(r.Packages[i].Package, t.Name)
		}
	}
	var fates []fate
	for _, m := range report.Ordered(r.Mutants) {
		f := fate{Mutant: m}
		for _, name := range m.Tests {
			f.coveredBy = append(f.coveredBy, c.find(m.Package, name))
		}
		if m.Status == report.Killed && m.KilledBy != "" {
			f.killedBy = []string{c.find(m.Package, m.KilledBy)}
			f.coveredBy = f.killedBy
		}
		fates = append(fates, f)
	}
	return fates
}

// ofInputs returns the mutants of a result of fuzz tests, in the order of the source. Of a
// mutant that several fuzz tests were run with, the status that says most applies: that of
// the first if they say the same.
func ofInputs(r *report.Report, c *catalogue) []fate {
	index := make(map[[2]string]int)
	var fates []fate
	for i := range r.Tests {
		t := &r.Tests[i]
		own := c.id(t.Package, t.Name)
		for _, m := range report.Ordered(t.Mutants) {
			key := [2]string{m.Package, m.ID}
			at, ok := index[key]
			if !ok {
				at = len(fates)
				index[key] = at
				fates = append(fates, fate{Mutant: m, byInput: true})
			}
			f := &fates[at]
			if report.Outweighs(&m, &f.Mutant) {
				f.Mutant = m
			}
			if m.Reached > 0 {
				f.coveredBy = append(f.coveredBy, own)
			}
			if m.Status == report.Killed && m.KilledBy != "" {
				entry := c.id(t.Package, t.Name+"/"+m.KilledBy)
				f.coveredBy = append(f.coveredBy, entry)
				f.killedBy = append(f.killedBy, entry)
			}
		}
	}
	slices.SortStableFunc(fates, func(a, b fate) int { return report.ByPosition(&a.Mutant, &b.Mutant) })
	return fates
}

// distinguish gives mutants their IDs in the report. Ours are those within a package: an ID
// that mutants of several packages have is followed by the package.
func distinguish(fates []fate) {
	have := make(map[string]int)
	for i := range fates {
		have[fates[i].ID]++
	}
	for i := range fates {
		f := &fates[i]
		if f.id = f.ID; have[f.ID] > 1 {
			f.id += " " + f.Package
		}
	}
}

// status returns the schema's status of a mutant, and why it has it.
//
// Timeout is for a mutant that does not end, by whatever bound that shows: by the work it
// does, which is how fuzzmut finds most of them, or by the clock. Ignored is for mutants that
// don't count for the score. RuntimeError is for none: that status leaves the score alone,
// and a mutant that ends the process or takes all memory is killed.
func (f *fate) status() (status, reason string) {
	switch f.Status {
	case report.Killed:
		reason = words.Kill(&f.Mutant, f.byInput)
		if kind, _ := oracle.Parse(f.KillKind); kind == oracle.Fuel || kind == oracle.Timeout {
			return "Timeout", reason
		}
		return "Killed", reason
	case report.Survived:
		return "Survived", words.Survival(&f.Mutant)
	case report.NotCovered:
		return "NoCoverage", cmp.Or(f.Reason, words.LeftOut(&f.Mutant))
	case report.Static, report.Skipped:
		return "Ignored", f.Reason
	}
	return "Pending", f.Reason
}

// A catalogue has the tests that results name, by the packages that they are in.
type catalogue struct {
	names map[string][]string
	known map[string]bool // IDs
}

func newCatalogue() *catalogue {
	return &catalogue{names: make(map[string][]string), known: make(map[string]bool)}
}

// id returns the ID of a test, which it enters.
func (c *catalogue) id(pkg, name string) string {
	id := pkg + "." + name
	if !c.known[id] {
		c.known[id] = true
		c.names[pkg] = append(c.names[pkg], name)
	}
	return id
}

// find returns the ID of a test that is named from the point of view of a package: by its
// name, or by the name after another package's path.
func (c *catalogue) find(pkg, name string) string {
	if c.known[name] {
		return name
	}
	return c.id(pkg, name)
}

// files returns the tests, sorted. The schema has them by files: a package stands for one.
func (c *catalogue) files() map[string]*testFile {
	out := make(map[string]*testFile)
	for pkg, names := range c.names {
		slices.Sort(names)
		f := &testFile{}
		for _, name := range names {
			f.Tests = append(f.Tests, test{ID: pkg + "." + name, Name: name})
		}
		out[pkg] = f
	}
	return out
}
