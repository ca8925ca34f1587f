package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// fuzzed enters the result of fuzz tests.
func (v *view) fuzzed(r *report.Report) error {
	v.Title = packages(len(r.Tests), func(i int) string { return r.Tests[i].Package })
	v.Subtitle = report.Plural(len(r.Tests), "fuzz test") + restricted(r.Diff, r.DiffBy)
	v.Next = r.Next
	t := table{Caption: "Fuzz tests", Head: []string{"Fuzz test", "Score", "Killed", "Survived", "Not covered", "Coverage", "Executions", "Entries", "New", "Seconds", "Package"}}
	for i := range r.Tests {
		f := &r.Tests[i]
		t.Rows = append(t.Rows, fuzzRow(f))
		v.fuzzNotes(f)
		v.grown(f)
		v.crashes(f)
		v.flakes(f)
		v.costs(f)
	}
	v.addTable(t)
	list := byInputs(r.Tests)
	total := report.Total(r.Tests)
	measured := slices.ContainsFunc(r.Tests, func(f report.FuzzTest) bool { return f.NotMeasured == "" })
	v.tile("x", len(v.Bugs)-v.costly, "kind of failure", "kinds of failure", "failing")
	v.tile("x", v.costly, "place with costly inputs", "places with costly inputs", "failing")
	v.Verdict = append(v.Verdict, scoreText(&total, measured))
	if gaps, _ := report.Gaps(&total); gaps > 0 && measured {
		v.Verdict = append(v.Verdict, fmt.Sprintf("%s of them only by a different result (oracle gaps): the fuzz tests' own assertions miss them.", number(gaps)))
	}
	v.scored(&total, list, measured)
	v.coverage(r.Covered)
	if err := v.corpora(r, list); err != nil {
		return err
	}
	v.survivors(list)
	return v.source(list)
}

// tested enters the result of the packages' own tests.
func (v *view) tested(r *report.TestReport) error {
	v.Title = packages(len(r.Packages), func(i int) string { return r.Packages[i].Package })
	n := 0
	t := table{Caption: "Packages", Head: []string{"Package", "Tests", "Judged", "Of earlier runs", "Test runs with a mutant", "Seconds", "Set aside"}}
	for i := range r.Packages {
		p := &r.Packages[i]
		n += len(p.Tests)
		var aside []string
		for _, a := range p.SetAside {
			aside = append(aside, a.Name)
		}
		t.Rows = append(t.Rows, []string{
			p.Package, number(len(p.Tests)), number(p.Judged), number(p.Reused + p.Resumed), report.Group(p.MutantRuns), seconds(p.WallSeconds),
			cmp.Or(strings.Join(aside, ", "), "none"),
		})
	}
	v.Subtitle = report.Plural(n, "test") + restricted(r.Diff, r.DiffBy)
	v.Tables = append(v.Tables, t)
	v.addTable(testTable(r))
	v.Notes, v.Next = append(v.Notes, r.Warnings...), r.Next
	if r.Shard != "" {
		v.Notes = append(v.Notes, "shard "+r.Shard+" of the mutants")
	}
	if r.Stopped {
		v.Notes = append(v.Notes, "stopped at a survivor, as -failfast asks: the figures are those of a part of the run")
	}
	if r.Interrupted {
		v.Notes = append(v.Notes, interrupted)
	}
	list := byTests(r)
	v.Verdict = append(v.Verdict, scoreText(&r.Score, true))
	v.scored(&r.Score, list, true)
	v.coverage(r.Covered)
	v.survivors(list)
	return v.source(list)
}

const interrupted = "interrupted: the figures cover only part of the run"

// addTable adds a table whose last column is the package, which is left out if there is only
// one: the title of the page has it.
func (v *view) addTable(t table) {
	last := len(t.Head) - 1
	have := make(map[string]bool)
	for _, row := range t.Rows {
		have[row[last]] = true
	}
	if len(have) == 1 {
		t.Head, t.Figures = t.Head[:last], true
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:last]
		}
	}
	v.Tables = append(v.Tables, t)
}

// testsListed bounds the tests in the table of them.
const testsListed = 10

// testTable lists the tests that kill most.
func testTable(r *report.TestReport) table {
	type row struct {
		pkg string
		report.TestResult
	}
	var all []row
	for i := range r.Packages {
		for _, t := range r.Packages[i].Tests {
			all = append(all, row{r.Packages[i].Package, t})
		}
	}
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.Kills, a.Kills), cmp.Compare(a.Name, b.Name), cmp.Compare(a.pkg, b.pkg))
	})
	t := table{Caption: "Tests that kill first", Head: []string{"Test", "Kills", "Seconds", "Package"}}
	if len(all) > testsListed {
		t.Caption += fmt.Sprintf(", %d of %s", testsListed, number(len(all)))
		all = all[:testsListed]
	}
	for _, one := range all {
		t.Rows = append(t.Rows, []string{one.Name, number(one.Kills), strconv.FormatFloat(one.Seconds, 'f', 3, 64), one.pkg})
	}
	return t
}

// scoreText says the score in a line.
func scoreText(s *report.Score, measured bool) string {
	switch {
	case !measured:
		return "The mutation score was not measured."
	case s.Mutants == 0:
		return "No mutant counts for a score."
	}
	return fmt.Sprintf("Mutation score %s: %s of %s killed.", percent(s.Score), number(s.Killed), report.Plural(s.Mutants, "mutant"))
}

// scored enters the figures of mutants. They are those of the lists, where a mutant that only an input kills that
// is left out is no survivor.
func (v *view) scored(s *report.Score, list []verdict, measured bool) {
	if measured && s.Mutants > 0 {
		v.Tiles = append(v.Tiles, tile{Class: "k", Value: percent(s.Score), Label: "mutation score"})
	}
	add := func(class string, n int, label, link string) {
		if n > 0 {
			v.Tiles = append(v.Tiles, tile{Class: class, Value: number(n), Label: label, Link: link})
		}
	}
	var all counts
	for i := range list {
		all[list[i].class()]++
	}
	for _, i := range killedFirst {
		link := "source"
		if i == survived {
			link = "survivors"
		}
		add(classes[i].Class, all[i], classes[i].Name, link)
	}
}

func fuzzRow(f *report.FuzzTest) []string {
	row := []string{f.Name, "", "", "", "", "", report.Group(f.Executions), number(f.Corpus.After), number(f.Corpus.Added), seconds(f.WallSeconds), f.Package}
	if f.NotMeasured != "" {
		return row
	}
	row[2], row[3], row[4] = number(f.Score.Killed), number(f.Score.Survived), number(f.Score.NotCovered)
	if f.Score.Mutants > 0 {
		row[1] = percent(f.Score.Score)
	}
	if c := f.Coverage; c.Blocks > 0 {
		row[5] = fmt.Sprintf("%s of %s blocks", number(c.Covered), number(c.Blocks))
	}
	return row
}

// fuzzNotes enters what has to be known of the figures of a fuzz test.
func (v *view) fuzzNotes(f *report.FuzzTest) {
	note := func(format string, args ...any) {
		v.Notes = append(v.Notes, f.Name+": "+fmt.Sprintf(format, args...))
	}
	if f.Interrupted {
		note(interrupted)
	}
	if f.NotMeasured != "" {
		note("mutation score and coverage not measured: %s", f.NotMeasured)
	}
	if f.Ended != "" {
		note("%s", f.Ended)
	}
	if late := f.LeftLate(); late != "" {
		note("%s", late)
	}
	if left := f.KilledElsewhere(); left != "" {
		note("%s", left)
	}
	if f.Discards.Discarded > 0 {
		note("%s", &f.Discards)
	}
	if f.Seed != 0 {
		note("seed %d", f.Seed)
	}
	for _, u := range f.UnstableFunctions {
		note("unstable, not compared: %s", u)
	}
	for _, w := range f.OtherWarnings() {
		note("warning: %s", w)
	}
}

// packages names the packages of a result.
func packages(n int, of func(int) string) string {
	have := make(map[string]bool)
	for i := range n {
		have[of(i)] = true
	}
	switch list := sorted(have); len(list) {
	case 0:
		return "no packages"
	case 1, 2, 3:
		return strings.Join(list, ", ")
	default:
		return fmt.Sprintf("%s and %d more packages", list[0], len(list)-1)
	}
}

// restricted says what changes a result is about.
func restricted(diff, by string) string {
	switch {
	case diff == "":
		return ""
	case diff == "-":
		diff = "a patch"
	}
	return fmt.Sprintf(", mutants of what %s changes (by %s)", diff, by)
}

func percent(fraction float64) string {
	const tenths = 1000
	return strconv.FormatFloat(float64(int(fraction*tenths+1e-9))/10, 'f', 1, 64) + " %"
}

func number(n int) string { return report.Group(int64(n)) }

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 1, 64) }

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
