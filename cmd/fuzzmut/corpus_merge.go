package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
)

// corpusMerge adds inputs of other corpora.
func (t *tool) corpusMerge(f *flags) error {
	if slices.ContainsFunc(f.opts.Packages, f.holdsNoPackage) {
		return usageError("corpus merge takes packages, and -from names what is merged: %s", f.withDirs("-from"))
	}
	return reportJob(t, f, func(ctx context.Context) (*report.Report, error) {
		opts := f.merge
		opts.Options = f.opts
		return t.jobs.combine(ctx, opts)
	})
}

// addMerge adds the flags of the subcommand that merges corpora.
func (f *flags) addMerge() {
	f.addRun()
	f.addDryRun()
	f.addFollowLinks()
	f.addBy(&f.merge.By)
	f.addLayout(&f.merge.Layout)
	f.set.Func("from", "`directory` or zip archive of inputs", func(s string) error {
		if s == "" {
			return errors.New("no name; write a directory or a zip archive")
		}
		f.merge.From = append(f.merge.From, s)
		return nil
	})
}

// holdsNoPackage reports whether what stands without a flag is a file, or a directory
// without Go files: nothing that could be meant as a package.
func (f *flags) holdsNoPackage(arg string) bool {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.opts.Dir, path)
	}
	info, err := os.Stat(path)
	if err != nil || filepath.Clean(arg) == "." {
		return false // the go command says what is missing
	}
	files, err := filepath.Glob(filepath.Join(path, "*.go"))
	return !info.IsDir() || err == nil && len(files) == 0
}

// withDirs is the command line with a flag before each argument that is no package.
func (f *flags) withDirs(flag string) string {
	var dirs, packages []string
	for _, arg := range f.opts.Packages {
		if f.holdsNoPackage(arg) {
			dirs = append(dirs, flag, arg)
		} else {
			packages = append(packages, arg)
		}
	}
	words := strings.Fields(f.set.Name())
	for _, word := range slices.Concat(f.given, dirs, packages) {
		words = append(words, shell.Quote(word))
	}
	return strings.Join(words, " ")
}
