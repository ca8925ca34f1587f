package report

import (
	"fmt"
	"slices"
	"strings"
)

// A TestReport is the result of running packages' own tests against mutants.
type TestReport struct {
	Version int `json:"version"` // of this format: 1
	// Diff is the revision of -diff, or "-" for a patch, and DiffBy what counts as changed:
	// "line" or "function".
	Diff   string `json:"diff,omitempty"`
	DiffBy string `json:"diff_by,omitempty"`
	// Shard is the part of the mutants that was judged, as "2/4", or several, as
	// "1/4,2/4"; "" is all of them.
	Shard string `json:"shard,omitempty"`
	// Missing are the shards without a result, if several were joined and some lack.
	Missing []string `json:"missing,omitempty"`

	Packages []TestRun `json:"packages"`
	Score    Score     `json:"score"`
	Mutants  []Mutant  `json:"mutants"`
	Warnings []string  `json:"warnings,omitempty"`
	Next     []string  `json:"next,omitempty"` // commands that a user is likely to want then

	MinScore float64 `json:"-"` // the least score that was asked for; 0: none
	Covered  Profile `json:"-"` // by the tests; nil: it was not asked for

	Stopped     bool `json:"stopped,omitempty"` // at a survivor, by -failfast
	Interrupted bool `json:"interrupted,omitempty"`
}

// Untested says that none of the packages has tests.
func (r *TestReport) Untested() bool {
	return len(r.Packages) > 0 && !slices.ContainsFunc(r.Packages, func(p TestRun) bool { return !p.Untested })
}

// TestRun is what it took to run the tests of one package.
type TestRun struct {
	Package string       `json:"package"`
	Source  string       `json:"source"` // hash of the rewritten code and the tests
	Tests   []TestResult `json:"tests"`
	// SetAside are tests that judge nothing, since they do not pass each time without a
	// mutant.
	SetAside []SetAside `json:"set_aside,omitempty"`
	Sites    Sites      `json:"sites,omitzero"` // of the mutated packages, all shards together

	Executions int64 `json:"executions"`  // test runs without a mutant
	MutantRuns int64 `json:"mutant_runs"` // test runs with one
	Processes  int   `json:"processes"`

	Binary   string `json:"binary,omitempty"`   // by which a shared directory knows the test binary; "" without one
	Untested bool   `json:"untested,omitempty"` // the package has no tests: no mutant is covered by them

	Judged  int `json:"judged"`            // mutants with a verdict by these tests
	Reused  int `json:"reused,omitempty"`  // of them, by verdicts of earlier runs
	Resumed int `json:"resumed,omitempty"` // of them, by verdicts of the run that this one goes on with

	// Survivors that are believed since a sample of such was looked at further, and none of
	// it was killed.
	NotRunAgain      int `json:"not_run_again,omitempty"`       // in a new process
	LongTestsLeftOut int `json:"long_tests_left_out,omitempty"` // in which they compute no different value
	// Unobserved counts the survivors that were not run once more to see what calls in tests
	// return with them: there was no budget for more.
	Unobserved int `json:"unobserved,omitempty"`

	BuildSeconds float64 `json:"build_seconds"` // until the test binary was there
	WallSeconds  float64 `json:"wall_seconds"`  // from then on
	CPUSeconds   float64 `json:"cpu_seconds"`   // in that time, of the tests' processes

	Shared bool   `json:"shared"`           // tests share a process, that runs mutant after mutant
	Reason string `json:"reason,omitempty"` // which don't, and why

	Interrupted bool `json:"interrupted,omitempty"`
}

// TestResult is one test.
type TestResult struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"` // that the original takes
	Kills   int     `json:"kills"`   // mutants that it was the first to kill
	// Left counts the mutants without a verdict that the next run goes on with, by this test: the
	// budget for long tests was used up.
	Left int `json:"left,omitempty"`
}

// SetAside is a test that judges nothing.
type SetAside struct {
	Name   string `json:"name"`
	Passed int    `json:"passed"` // runs without a mutant
	Failed int    `json:"failed"`
	Output string `json:"output,omitempty"` // first lines of a run that failed
	Likely string `json:"likely,omitempty"` // why it fails here, and perhaps not with go test, or the next step; "": that is not known
}

// OnlySetAside begins the reason of a mutant that is not covered, but reached by tests that
// were set aside, whose names follow.
const OnlySetAside = "only tests that were set aside reach it: "

// Canonical returns a copy of r for programs, with mutants in the order of the source.
func (r *TestReport) Canonical() any {
	out := *r
	out.Version = FormatVersion
	out.Mutants = ranked(r.Mutants)
	out.Packages = present(r.Packages)
	for i := range out.Packages {
		out.Packages[i].Tests = present(out.Packages[i].Tests)
	}
	if out.Score.KillKinds == nil {
		out.Score.KillKinds = map[string]int{}
	}
	return &out
}

// partial begins the warning of a result that lacks some shards.
const partial = "the result is partial: no result of shard "

// MergeTests joins the results of shards, or of runs over different packages:
// of the fates of a mutant the one that says most applies. Results of
// different sources of one package can't be joined.
func MergeTests(reports []*TestReport) (*TestReport, error) {
	out := &TestReport{Version: FormatVersion}
	runs := make(map[string]int)
	fates := make(map[[2]string]int)
	var shards []string
	for _, r := range reports {
		for _, run := range r.Packages {
			i, ok := runs[run.Package]
			if !ok {
				runs[run.Package] = len(out.Packages)
				out.Packages = append(out.Packages, run)
				continue
			}
			if out.Packages[i].Source != run.Source {
				return nil, fmt.Errorf("the results are of different versions of package %s or its tests: run all shards on the same code", run.Package)
			}
			out.Packages[i].add(&run)
		}
		for _, m := range r.Mutants {
			key := [2]string{m.Package, m.ID}
			if i, ok := fates[key]; !ok {
				fates[key] = len(out.Mutants)
				out.Mutants = append(out.Mutants, m)
			} else if weight[m.Status] > weight[out.Mutants[i].Status] {
				out.Mutants[i] = m
			}
		}
		if r.Shard != "" {
			shards = append(shards, strings.Split(r.Shard, ",")...)
		}
		if out.Diff == "" {
			out.Diff, out.DiffBy = r.Diff, r.DiffBy
		}
		for _, w := range r.Warnings {
			if !strings.HasPrefix(w, partial) && !slices.Contains(out.Warnings, w) {
				out.Warnings = append(out.Warnings, w)
			}
		}
		out.Interrupted = out.Interrupted || r.Interrupted
		out.Stopped = out.Stopped || r.Stopped
	}
	slices.Sort(shards)
	out.Shard = strings.Join(slices.Compact(shards), ",")
	parts, err := parseShards(out.Shard)
	if err == nil {
		out.Missing, err = missingShards(parts)
	}
	if err != nil {
		return nil, err
	}
	if len(out.Missing) > 0 {
		out.Warnings = append(out.Warnings, partial+strings.Join(out.Missing, ", "))
	} else if len(shards) > 0 {
		out.Shard = ""
	}
	out.Mutants = Ordered(out.Mutants)
	Classify(out.Mutants)
	out.Score = Summarise(out.Mutants)
	return out, nil
}

// add adds the work of other, over the same code.
func (t *TestRun) add(other *TestRun) {
	tests := make(map[string]*TestResult)
	for i := range other.Tests {
		tests[other.Tests[i].Name] = &other.Tests[i]
	}
	t.Tests = present(t.Tests)
	for i := range t.Tests {
		if o := tests[t.Tests[i].Name]; o != nil {
			t.Tests[i].Kills += o.Kills
			t.Tests[i].Left += o.Left
		}
	}
	for _, a := range other.SetAside {
		t.addSetAside(a)
	}
	t.Executions += other.Executions
	t.MutantRuns += other.MutantRuns
	t.Processes += other.Processes
	t.Judged += other.Judged
	t.Reused += other.Reused
	t.Resumed += other.Resumed
	t.NotRunAgain += other.NotRunAgain
	t.LongTestsLeftOut += other.LongTestsLeftOut
	t.Unobserved += other.Unobserved
	t.BuildSeconds += other.BuildSeconds
	t.WallSeconds += other.WallSeconds
	t.CPUSeconds += other.CPUSeconds
	t.Interrupted = t.Interrupted || other.Interrupted
}

// addSetAside adds what another shard has seen of a test.
func (t *TestRun) addSetAside(a SetAside) {
	i := slices.IndexFunc(t.SetAside, func(b SetAside) bool { return b.Name == a.Name })
	if i < 0 {
		t.SetAside = append(slices.Clone(t.SetAside), a)
		return
	}
	t.SetAside = slices.Clone(t.SetAside)
	t.SetAside[i].Passed += a.Passed
	t.SetAside[i].Failed += a.Failed
}
