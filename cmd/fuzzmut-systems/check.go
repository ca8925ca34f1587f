package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// check returns what is wrong with the packages for a system, each once and in order.
func (s *sources) check(system string, patterns []string) ([]string, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true, Dir: s.dir, Fset: s.fset, ParseFile: s.parse,
		Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
	}, patterns...)
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%v matches no package", patterns)
	}
	found := make(map[string]bool) // a package and its test variant share files
	s.collect(pkgs, found)
	if len(found) == 0 {
		if err := s.vet(pkgs, found); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// collect adds the errors of the packages and their dependencies to found.
func (s *sources) collect(pkgs []*packages.Package, found map[string]bool) {
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			file, _, _ := strings.Cut(e.Pos, ":")
			if s.own(file) || !consequence(e) {
				found[e.Error()] = true
			}
		}
		// What the analyzers go by: found is empty when they run.
		p.IllTyped = false
	})
}

// consequence reports whether the error comes of the bodies that were dropped.
func consequence(e packages.Error) bool {
	return e.Kind == packages.TypeError && (strings.Contains(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as") && strings.Contains(e.Msg, "and not used") || strings.Contains(e.Msg, "missing function body") || strings.Contains(e.Msg, "func init must have a body"))
}

// vet adds what the analyzers find to found.
func (s *sources) vet(pkgs []*packages.Package, found map[string]bool) error {
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return err
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			return fmt.Errorf("%s: %w", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			found[s.line(act.Analyzer, d)] = true
		}
	}
	return nil
}

func (s *sources) line(a *analysis.Analyzer, d analysis.Diagnostic) string {
	return fmt.Sprintf("%s: %s (%s)", s.fset.Position(d.Pos), d.Message, a.Name)
}
