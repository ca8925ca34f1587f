// Package vet is the job that looks for mistakes in what is written for fuzzmut: directives
// that are misspelled or in the wrong place, functions to fuzz for which no fuzz test can be
// derived, ignore directives that leave nothing out or say no reason, and fuzz tests that call
// nothing of what they test. Nothing is built or run. Analyzer does the same for go vet.
package vet

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Names of the checks.
const (
	Directive = "directive" // misspelled, misplaced or with wrong words
	Target    = "target"    // no fuzz test can be derived
	Ignore    = "ignore"    // leaves nothing out, or has no reason
	FuzzTest  = "fuzz-test" // calls nothing of what it tests
)

// A Finding is a mistake at a place.
type Finding struct {
	Pos   token.Pos
	Check string // the name of a check
	Text  string
}

// Check returns the mistakes in a unit, in the order of the source.
func Check(u *load.Unit) ([]Finding, error) {
	var list []Finding
	add := func(check string, wrong []load.Wrong) {
		for _, w := range wrong {
			list = append(list, Finding{w.Pos, check, w.Text})
		}
	}
	add(Directive, u.WrongDirectives())
	add(Target, u.WrongTargets())
	add(FuzzTest, idleFuzzTests(u))
	wrong, err := wrongIgnores(u)
	if err != nil {
		return nil, err
	}
	add(Ignore, wrong)
	// Files are parsed side by side: their positions have no order.
	slices.SortStableFunc(list, func(a, b Finding) int {
		p, q := u.Fset.PositionFor(a.Pos, false), u.Fset.PositionFor(b.Pos, false)
		return cmp.Or(cmp.Compare(p.Filename, q.Filename), cmp.Compare(p.Offset, q.Offset))
	})
	return list, nil
}

// Analyzer has the same findings for "go vet -vettool".
var Analyzer = &analysis.Analyzer{
	Name: "fuzzmut",
	Doc:  "check directives of fuzzmut and fuzz tests\n\nSee \"fuzzmut help vet\".",
	URL:  "https://github.com/fuzzmut/fuzzmut",
	Run:  analyze,
}

func analyze(pass *analysis.Pass) (any, error) {
	u := &load.Unit{ImportPath: pass.Pkg.Path(), Fset: pass.Fset, Types: pass.Pkg, Info: pass.TypesInfo}
	if pass.Module != nil {
		u.ModulePath = pass.Module.Path
	}
	for _, f := range pass.Files {
		if load.ImportsC(f) {
			continue
		}
		path := pass.Fset.File(f.FileStart).Name()
		src, err := pass.ReadFile(path)
		if err != nil {
			return nil, err
		}
		u.Files = append(u.Files, load.File{Path: path, Src: src, Syntax: f})
	}
	findings, err := Check(u)
	for _, f := range findings {
		pass.Report(analysis.Diagnostic{Pos: f.Pos, Category: f.Check, Message: f.Text})
	}
	return nil, err
}

// Run checks the packages that the options choose.
func Run(ctx context.Context, opts project.Options) (*report.Vetting, error) {
	if len(opts.Packages) == 0 {
		opts.Packages = []string{"."}
	}
	units, err := load.Units(ctx, load.Config{Dir: opts.Dir, Env: opts.Env, BuildFlags: opts.BuildFlags}, opts.Packages)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, exit.AsUsage(err))
	}
	r := new(report.Vetting)
	packages := make(map[string]bool)
	for _, u := range units {
		packages[u.ImportPath] = true
		findings, err := Check(u)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", u.ImportPath, err)
		}
		for _, f := range findings {
			p := u.Fset.PositionFor(f.Pos, false)
			file := p.Filename
			if rel, err := filepath.Rel(u.ModuleDir, file); err == nil && filepath.IsLocal(rel) && u.ModuleDir != "" {
				file = filepath.ToSlash(rel)
			}
			r.Findings = append(r.Findings, report.VetFinding{
				Package: u.ImportPath, Check: f.Check, File: file, Line: p.Line, Column: p.Column, Text: f.Text,
			})
		}
	}
	r.Packages = len(packages)
	if len(r.Findings) > 0 {
		err = exit.Errorf(exit.Failing, "%s", report.Plural(len(r.Findings), "mistake")+" found")
	}
	return r, err
}
