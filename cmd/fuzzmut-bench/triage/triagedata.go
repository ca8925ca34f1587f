package triage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashers"
	"github.com/fuzzmut/fuzzmut/corpus/bitset"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/triage"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	rank "github.com/fuzzmut/fuzzmut/fuzzmut/triage"
	"github.com/fuzzmut/fuzzmut/instrument/rt/failure"
)

// triaged is what triage finds out about the labelled failing inputs of a module.
type triaged struct {
	Module string
	Inputs []triagedInput
	// Operators are those of the mutants that count as repairs, by number.
	Operators []string
	Repairing int // mutants with which some input passes, and which may break others
	Left      map[string]int
	Tried     int64 // runs of mutants
	Mutants   int
	Tests     int     // of the module's own, that repairs must not break
	CPU       float64 // seconds, of failing inputs with mutants
	Wall      float64 // seconds, for all of triage
	Located   []located
	Report    *report.Triage `json:"-"` // all of it
}

// triagedInput is one failing input.
type triagedInput struct {
	Name, Label, Token, Kind string
	Stack                    []string
	Covered                  []int
	Repaired, Changed        []int
	Size                     int
	Bucket, Rank             int
}

// otherModules are the other modules that a module's bugs are in.
var otherModules = map[string][]string{"gjson": {"github.com/tidwall/match"}}

// triage runs triage on a module's failing inputs.
func (b *triageBench) triage(ctx context.Context, name string) (*triaged, error) {
	m, err := b.Module(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	defer b.Forget(m)
	name = m.Name
	labels, err := triage.ReadLabels(filepath.Join(b.Data, name, "labels.json"))
	if err != nil {
		return nil, err
	}
	fixes, err := readFixes(filepath.Join(b.Data, name, "fixes.json"))
	if err != nil {
		return nil, err
	}
	opts := triage.Options{
		Options: project.Options{
			Dir: m.Dir, BuildFlags: []string{"-mod=mod"}, Operators: b.operators, Parallel: 1, Seed: 1,
		},
		Crashers: []string{filepath.Join(b.Data, name, "testdata", "fuzz", "FuzzTarget")},
		Labels:   labels, Time: b.Time, Shown: math.MaxInt, NoTests: !b.tests,
	}
	if others := otherModules[name]; others != nil {
		opts.Mutate = append([]string{"./..."}, others...)
	}
	// Like the user's command, it leaves no trace but in Go's cache.
	rep, err := triage.Run(ctx, opts)
	if exit.CodeOf(err) != exit.Failing {
		return nil, fmt.Errorf("triage: %w", err)
	}
	t := newTriaged(name, &rep.Tests[0])
	t.Report = &rep.Tests[0]
	t.Located = locate(t.Report, fixes[m.Version])
	return t, nil
}

func newTriaged(name string, r *report.Triage) *triaged {
	t := &triaged{
		Module: name, Repairing: len(r.Repairs), Left: make(map[string]int), Tried: r.MutantExecutions,
		Mutants: r.Mutants, Tests: r.PackageTests, CPU: r.MatrixCPUSeconds, Wall: r.WallSeconds,
	}
	number := make(map[int]int)
	for i := range r.Repairs {
		if r.Repairs[i].Counts {
			number[i] = len(t.Operators)
			t.Operators = append(t.Operators, r.Repairs[i].Operator)
		}
	}
	numbers := func(list []int) []int {
		var out []int
		for _, i := range list {
			if n, ok := number[i]; ok {
				out = append(out, n)
			}
		}
		return out
	}
	for i := range r.Inputs {
		in := &r.Inputs[i]
		if !in.Sorted() || in.Label == "" {
			t.Left[in.Status]++
			continue
		}
		t.Inputs = append(t.Inputs, triagedInput{
			Name: in.Name, Label: in.Label, Token: in.Token, Kind: in.Kind + ": " + in.Message, Stack: in.Stack, Covered: in.Covered,
			Repaired: numbers(in.Repairs), Changed: numbers(in.Changes), Size: in.Size, Bucket: in.Bucket, Rank: in.Rank,
		})
	}
	slices.SortFunc(t.Inputs, func(a, b triagedInput) int {
		if a.Size != b.Size {
			return a.Size - b.Size
		}
		return rank.BySize(a.Name, b.Name)
	})
	return t
}

// saved keeps what triage found out in a file, if one is named, so that tables can
// be printed again.
func (t *triaged) save(dir string) error {
	if dir == "" {
		return nil
	}
	data, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	whole, err := json.MarshalIndent(t.Report, "", " ")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, t.Module+".json"), append(data, '\n'), 0o666),
		os.WriteFile(filepath.Join(dir, t.Module+".report.json"), append(whole, '\n'), 0o666))
}

func loadTriaged(dir, module string) (*triaged, error) {
	t := &triaged{}
	data, err := os.ReadFile(filepath.Join(dir, module+".json"))
	if err == nil {
		err = json.Unmarshal(data, t)
	}
	return t, err
}

// labels returns the labels of the inputs, and numbers for them.
func (t *triaged) labels() (lists [][]string, numbers []int, n int) {
	var names []string
	for i := range t.Inputs {
		lists, names = append(lists, []string{t.Inputs[i].Label}), append(names, t.Inputs[i].Label)
	}
	numbers = rank.Groups(names)
	for _, k := range numbers {
		n = max(n, k+1)
	}
	return lists, numbers, n
}

// cases returns the inputs for package triage, with the repairs of some operators.
func (t *triaged) cases(want func(operator string) bool) []rank.Case {
	var list []rank.Case
	for i := range t.Inputs {
		in := &t.Inputs[i]
		c := rank.Case{Token: in.Token, Loop: failure.LoopOf(in.Token), Stack: rank.Stack{Kind: kindOf(in), Frames: in.Stack}, Covered: bitset.Of(in.Covered...)}
		for _, m := range in.Repaired {
			if want(t.Operators[m]) {
				c.Repaired.Add(m)
			}
		}
		for _, m := range in.Changed {
			if want(t.Operators[m]) {
				c.Changed.Add(m)
			}
		}
		list = append(list, c)
	}
	return list
}

// kindOf is the kind of a failure, without what is said of it.
func kindOf(in *triagedInput) string {
	return crashers.WithoutNumbers(in.Kind)
}
