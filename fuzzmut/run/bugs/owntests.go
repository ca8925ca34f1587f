package bugs

import (
	"context"
	"errors"
	"go/ast"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// runTests runs the package's own tests with mutants. Those that fail by themselves
// are left out.
func runTests(ctx context.Context, t *trial.Trial, pkg *project.Package, mutants []uint32) (*unittest.Result, error) {
	own := ownTests(pkg.Loaded)
	if own == "" {
		return &unittest.Result{}, nil
	}
	o := testOptions(t, pkg, mutants)
	o.Run = own
	o.SetAside = func(list []unittest.SetAside) { t.Warn(testsAside(list)) }
	res, err := unittest.Run(ctx, o)
	var none *unittest.BaselineError
	if errors.As(err, &none) && len(none.Tests) > 0 {
		t.Warn(testsAside(none.Tests))
		return &unittest.Result{SetAside: none.Tests}, nil
	}
	return res, err
}

// testOptions are the options with which tests of the package are run with mutants.
func testOptions(t *trial.Trial, pkg *project.Package, mutants []uint32) unittest.Options {
	return unittest.Options{
		Program: pkg.Program, Binary: pkg.Binary, Dir: pkg.Program.Test.Dir, Env: t.Project.Options.Env, TempDir: t.Project.WorkDir,
		Mutants: mutants, Parallel: t.Project.Options.Parallel, Timeout: t.Project.Options.Timeout, MemLimit: t.Project.Options.MemLimit,
		Place: pkg.Loaded.TestPlace, Counts: pkg.Loaded.CountsAllocations,
	}
}

// testsAside names tests that are set aside.
func testsAside(list []unittest.SetAside) string {
	var names []string
	for _, a := range list {
		names = append(names, a.Test)
	}
	return "tests that fail without a mutant can't tell what a repair breaks: " + strings.Join(names, ", ")
}

// ownTests is a regular expression for the names of the package's tests, but for
// fuzz tests, whose seeds have been run; "" if there are none.
func ownTests(loaded *load.Result) string {
	names := testNames(loaded)
	if len(names) == 0 {
		return ""
	}
	return gotool.Exactly(names)
}

// testNames lists the tests and examples of the package, in source order.
func testNames(loaded *load.Result) []string {
	var names []string
	for _, t := range loaded.Tests {
		for _, f := range t.Files {
			for _, d := range f.Syntax.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Recv != nil || fd.Name.Name == "TestMain" {
					continue
				}
				if name := fd.Name.Name; strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Example") {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
