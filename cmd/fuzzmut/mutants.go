package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut/screen"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// mutants lists the mutants, or prints one.
func (t *tool) mutants(f *flags) error {
	if asked := f.asked(); f.show != "" && len(asked) > 0 {
		return usageError("-show prints a diff and -%s lists all mutants; choose one", asked[0].Flag)
	}
	out, err := t.textOutput(f)
	if err != nil {
		return err
	}
	// The list is what the user asked for: progress would only stand in it.
	d := t.follow(f, t.stderr)
	d.Quiet = !f.verbose
	ctx, stop := t.interruptible(d)
	defer stop()
	programs, err := t.jobs.mutants(ctx, f.opts)
	d.Finish()
	if err != nil {
		return withShow(err, f.opts.Packages)
	}
	if f.show != "" {
		return t.show(programs, f.show)
	}
	return t.deliver(f, out, list(programs))
}

// mutantID matches what may be an ID, or the beginning of one.
var mutantID = regexp.MustCompile(`^[a-z2-7]{6,12}$`)

// withShow adds to the error that a package can't be found that one mutant is shown by its ID.
func withShow(err error, packages []string) error {
	var found *problem.Error
	if errors.As(err, &found) && found.Kind == problem.KindNotFound {
		for _, p := range packages {
			if mutantID.MatchString(p) {
				return fmt.Errorf("%w; if that is the ID of a mutant: fuzzmut mutants -show %s", err, p)
			}
		}
	}
	return err
}

// list returns the mutants of all programs. A package that several of them
// mutate is listed once.
func list(programs []*instrument.Program) *report.Listing {
	l := new(report.Listing)
	listed := make(map[[2]string]bool)
	first := make(map[string]int) // by package: the program that lists it
	for i, p := range programs {
		if p.Test.Untested {
			l.Untested = append(l.Untested, p.Test.ImportPath)
		}
		for _, s := range report.SkipsOf(p) {
			if _, ok := first[s.Package]; !ok {
				first[s.Package] = i
			}
			if first[s.Package] == i {
				l.Skips = append(l.Skips, s)
			}
		}
		for _, m := range report.FromProgram(p) {
			key := [2]string{m.Package, m.ID}
			if !listed[key] {
				listed[key] = true
				l.Mutants = append(l.Mutants, m)
			}
		}
	}
	return l
}

// show prints the mutant with the given ID, or the only one whose ID begins
// with it.
func (t *tool) show(programs []*instrument.Program, id string) error {
	var program *instrument.Program
	var found *instrument.Mutant
	for _, p := range programs {
		for i := range p.Mutants {
			switch m := &p.Mutants[i]; {
			case m.ID == id:
				return t.printDiff(p, m)
			case !strings.HasPrefix(m.ID, id):
			case found == nil:
				program, found = p, m
			case found.ID != m.ID:
				return usageError("-show: %s and %s both begin with %q; write more of the ID", found.ID, m.ID, id)
			}
		}
	}
	if found == nil {
		return usageError("-show: no mutant %q; \"fuzzmut mutants\" lists them", id)
	}
	return t.printDiff(program, found)
}

func (t *tool) printDiff(p *instrument.Program, m *instrument.Mutant) error {
	diff, err := report.MutantDiff(p, m)
	if err != nil {
		return usageError("%w", err)
	}
	out := t.stdout // as it is, for git apply
	if screen.TerminalOf(out, t.getenv).Live {
		out = t.text
	}
	_, err = io.WriteString(out, diff)
	return err
}
