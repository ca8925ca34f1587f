package bugs

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// runTests runs the package's own tests with mutants. Those that fail by themselves,
// as fuzz tests do whose corpus has failing inputs, are left out.
func runTests(ctx context.Context, t *trial.Trial, pkg *project.Package, mutants []uint32) (*unittest.Result, error) {
	o := unittest.Options{
		Program: pkg.Program, Binary: pkg.Binary, Dir: pkg.Program.Test.Dir, Env: t.Project.Options.Env, TempDir: t.Project.WorkDir,
		Mutants: mutants, Parallel: t.Project.Options.Parallel, Timeout: t.Project.Options.Timeout, MemLimit: t.Project.Options.MemLimit,
		Run: ownTests(pkg.Loaded),
	}
	if o.Run == "" {
		return &unittest.Result{}, nil
	}
	res, err := unittest.Run(ctx, o)
	var red *unittest.BaselineError
	if !errors.As(err, &red) {
		return res, err
	}
	bad := slices.Concat(red.Red, red.Flaky)
	t.Warn(fmt.Sprintf("tests that fail without any mutant are left out: %s", strings.Join(bad, ", ")))
	o.Run = ownTests(pkg.Loaded, bad...)
	if o.Run == "" {
		return &unittest.Result{}, nil
	}
	return unittest.Run(ctx, o)
}

// ownTests is a regular expression for the names of the package's tests, but for
// fuzz tests, whose seeds have been run, and for those that are left out; "" if
// there are none.
func ownTests(loaded *load.Result, but ...string) string {
	var names []string
	for _, name := range testNames(loaded) {
		if !slices.Contains(but, name) {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
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
