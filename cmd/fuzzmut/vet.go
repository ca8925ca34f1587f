package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/fuzzmut/fuzzmut/fuzzmut/job/vet"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// vet looks for mistakes in directives and fuzz tests.
func (t *tool) vet(f *flags) error {
	return reportJob(t, f, func(ctx context.Context) (*report.Vetting, error) { return t.jobs.vet(ctx, f.opts) })
}

// newVetFlags returns the flags of the subcommand that checks what is written for fuzzmut.
func newVetFlags(command string) *flags {
	f := newOutputFlags(command)
	f.builds, f.goHelp = true, goHelp
	f.addDirectory()
	f.addResult(format.Mistakes)
	return f
}

// isVettool says whether "go vet -vettool" calls this program: it asks for the version or the
// flags, or gives the configuration of a package.
func isVettool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	rest, last := args[:len(args)-1], args[len(args)-1]
	alone := !slices.ContainsFunc(rest, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	return alone && (last == "-V=full" || last == "-flags" || filepath.Base(last) == "vet.cfg")
}

// vettool does what go vet asks for, and ends the process.
func vettool() { unitchecker.Main(vet.Analyzer) }
