package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// names of kinds of jobs.
const (
	kindFuzz   = "fuzz"
	kindTest   = "test"
	kindTriage = "triage"
)

// kind is what a job has done.
type kind struct {
	// targets lists what the packages have, with the binaries as they are built here.
	targets func(ctx context.Context, r *runner, fuzz string, packages []string) ([]target, error)
	// slice does a slice with the shared directory dir. The error says why the result does not count.
	slice func(ctx context.Context, r *runner, j *job, s *slice, dir string) (*result, error)
}

var kinds map[string]*kind

func init() { // they refer to it
	kinds = map[string]*kind{
		kindFuzz:   {fuzzTargets, fuzzSlice},
		kindTest:   {testTargets, testSlice},
		kindTriage: {triageTargets, triageSlice},
	}
}

// result is what a slice has brought.
type result struct {
	Execs   int64           `json:"executions"`
	Mutants int             `json:"mutants"`
	Killed  []string        `json:"killed"`            // package and ID
	Reached []string        `json:"reached,omitempty"` // likewise: and not killed
	Bugs    []bug           `json:"bugs,omitempty"`
	Report  json.RawMessage `json:"report,omitempty"` // of unit tests: what fuzzmut merge takes
}

// bug is a bucket of failing inputs.
type bug struct {
	Fuzz    string `json:"fuzz"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Frame   string `json:"frame"`  // the innermost in the user's code; "": none is known
	Slices  int    `json:"slices"` // that have seen it
}

// key tells bugs apart, as far as one can without trying mutants.
func (b *bug) key() string { return b.Fuzz + "\x00" + b.Kind + "\x00" + b.Frame }

// mutant is one in a result of fuzzmut.
type mutant struct {
	ID      string `json:"id"`
	Package string `json:"package"`
	Status  string `json:"status"`
}

// enter notes what became of mutants.
func (r *result) enter(list []mutant) {
	r.Killed = []string{}
	for _, m := range list {
		name := m.Package + " " + m.ID
		switch m.Status {
		case "killed":
			r.Killed = append(r.Killed, name)
		case "survived":
			r.Reached = append(r.Reached, name)
		case "not-covered":
		default:
			continue
		}
		r.Mutants++
	}
	slices.Sort(r.Killed)
	slices.Sort(r.Reached)
}

// fuzzed is what this program needs of a fuzz test in fuzzmut's result.
type fuzzed struct {
	Package    string   `json:"package"`
	Name       string   `json:"name"`
	Executions int64    `json:"executions"`
	Warnings   []string `json:"warnings"`
	Mutants    []mutant `json:"mutants"`
	Crashes    []struct {
		Kind    string   `json:"kind"`
		Message string   `json:"message"`
		Frames  []string `json:"frames"`
	} `json:"crashes"`
	Shared struct {
		Binary  string `json:"binary"`
		Refused []struct {
			Reason string `json:"reason"`
		} `json:"refused"`
	} `json:"shared"`
}

// runFuzz runs the main command.
func (r *runner) runFuzz(ctx context.Context, args ...string) ([]fuzzed, error) {
	var rep struct {
		Tests []fuzzed `json:"tests"`
	}
	if r.packed != "" {
		args = append([]string{"-packed", r.packed}, args...)
	}
	_, err := r.fuzzmut(ctx, &rep, append([]string{"-golden=false", "-corpus-size", "0"}, args...)...)
	return rep.Tests, err
}

func fuzzTargets(ctx context.Context, r *runner, fuzz string, packages []string) (list []target, err error) {
	args := []string{"-n", "-share", r.none(), "-fuzztime", "1x", "-seed", "1"}
	if fuzz != "" {
		args = append(args, "-fuzz", fuzz)
	}
	if r.packs != "" {
		args = append(args, "-pack", r.packs)
	}
	parts, err := r.runFuzz(ctx, append(args, packages...)...)
	for _, p := range parts {
		list = append(list, target{Package: p.Package, Fuzz: p.Name, Binary: p.Shared.Binary})
	}
	return list, err
}

func fuzzSlice(ctx context.Context, r *runner, _ *job, s *slice, dir string) (*result, error) {
	args := []string{
		"-share", dir, "-corpus", filepath.Join(r.temp, "corpus"),
		"-fuzz", exactly(s.Target.Fuzz), "-fuzztime", strconv.FormatInt(s.Execs, 10) + "x", "-seed", strconv.FormatInt(s.Seed, 10),
	}
	if r.packed == "" {
		args = append(args, s.Target.Package)
	}
	parts, err := r.runFuzz(ctx, args...)
	if err != nil {
		return nil, err
	}
	if len(parts) != 1 || parts[0].Package != s.Target.Package || parts[0].Name != s.Target.Fuzz {
		return nil, fmt.Errorf("fuzzmut has no result for %s; %w", s.Target.Fuzz, errTree)
	}
	p := &parts[0]
	if p.Shared.Binary != s.Target.Binary {
		return nil, errTree
	}
	if err := p.complete(); err != nil {
		return nil, err
	}
	res := &result{Execs: p.Executions}
	res.enter(p.Mutants)
	for _, c := range p.Crashes {
		b := bug{Fuzz: s.Target.Fuzz, Kind: c.Kind, Message: cut(c.Message)}
		if len(c.Frames) > 0 {
			b.Frame = cut(c.Frames[0])
		}
		res.Bugs = append(res.Bugs, b)
	}
	return res, nil
}

// exactly is a pattern for a name.
func exactly(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }

// cut is the first line of a text, and not too long.
func cut(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if list := []rune(text); len(list) > 200 {
		return string(list[:200]) + "…"
	}
	return text
}

// complete makes sure that all that was found is in the shared directory.
func (p *fuzzed) complete() error {
	if err := left(p.Warnings); err != nil {
		return err
	}
	for _, why := range p.Shared.Refused {
		if strings.Contains(why.Reason, "could not be written") {
			return fmt.Errorf("what was found is not all there: %s", why.Reason)
		}
	}
	return nil
}

// left makes sure that no warning says that something could not be left.
func left(warnings []string) error {
	for _, text := range warnings {
		if strings.HasPrefix(text, "-share:") {
			return fmt.Errorf("what was found is not all there: %s", text)
		}
	}
	return nil
}

// tested is what this program needs of a result of fuzzmut test.
type tested struct {
	Packages []struct {
		Package  string `json:"package"`
		Binary   string `json:"binary"`
		Untested bool   `json:"untested"`
		Runs     int64  `json:"mutant_runs"`
	} `json:"packages"`
	Mutants  []mutant `json:"mutants"`
	Warnings []string `json:"warnings"`
}

func testTargets(ctx context.Context, r *runner, fuzz string, packages []string) (list []target, err error) {
	if fuzz != "" {
		return nil, errors.New("-fuzz is for fuzz tests, and the job is of kind test; leave it out")
	}
	var rep tested
	_, err = r.fuzzmut(ctx, &rep, append([]string{"test", "-n", "-share", r.none()}, packages...)...)
	for _, p := range rep.Packages {
		if p.Untested {
			r.untested = append(r.untested, p.Package)
			continue
		}
		list = append(list, target{Package: p.Package, Binary: p.Binary})
	}
	return list, err
}

func testSlice(ctx context.Context, r *runner, j *job, s *slice, dir string) (*result, error) {
	var rep tested
	text, err := r.fuzzmut(ctx, &rep, "test", "-share", dir, "-shard", fmt.Sprintf("%d/%d", s.Part, j.Slices), s.Target.Package)
	if err != nil {
		return nil, err
	}
	if len(rep.Packages) != 1 || rep.Packages[0].Package != s.Target.Package || rep.Packages[0].Binary != s.Target.Binary {
		return nil, errTree
	}
	if err := left(rep.Warnings); err != nil {
		return nil, err
	}
	res := &result{Execs: rep.Packages[0].Runs, Report: text}
	res.enter(rep.Mutants)
	return res, nil
}

// sorted is what this program needs of a result of fuzzmut triage -cells.
type sorted struct {
	Tests []struct {
		Package  string   `json:"package"`
		Name     string   `json:"name"`
		Warnings []string `json:"warnings"`
		Runs     int64    `json:"mutant_executions"`
		Cells    struct {
			Binary string `json:"binary"`
			Found  int    `json:"found"`
			Inputs int    `json:"inputs"`
		} `json:"cells"`
	} `json:"tests"`
}

// triageTargets leaves the failing inputs in the shared directory of the server. Workers have none.
func triageTargets(ctx context.Context, r *runner, fuzz string, packages []string) (list []target, err error) {
	share := r.share
	if share == "" {
		share = r.none()
	}
	args := []string{"triage", "-cells", "0/1", "-share", share}
	for _, dir := range r.crashers {
		args = append(args, "-crashers", dir)
	}
	if fuzz != "" {
		args = append(args, "-fuzz", fuzz)
	}
	var rep sorted
	_, err = r.fuzzmut(ctx, &rep, append(args, packages...)...)
	for _, t := range rep.Tests {
		list = append(list, target{Package: t.Package, Fuzz: t.Name, Binary: t.Cells.Binary})
	}
	return list, err
}

func triageSlice(ctx context.Context, r *runner, j *job, s *slice, dir string) (*result, error) {
	var rep sorted
	_, err := r.fuzzmut(ctx, &rep, "triage", "-cells", fmt.Sprintf("%d/%d", s.Part, j.Slices), "-triagetime", j.Time, "-share", dir,
		"-fuzz", exactly(s.Target.Fuzz), s.Target.Package)
	if err != nil {
		return nil, err
	}
	if len(rep.Tests) != 1 || rep.Tests[0].Cells.Binary != s.Target.Binary {
		return nil, errTree
	}
	t := &rep.Tests[0]
	if err := left(t.Warnings); err != nil {
		return nil, err
	}
	return &result{Execs: t.Runs, Killed: []string{}}, nil
}
