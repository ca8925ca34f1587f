package project

import (
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// Foreign says what a package under test is if it is not the user's to change: a part of
// the Go installation, or of a module in the module cache. It is "" for others, and where
// the Go tree is a clone that somebody works on.
func Foreign(loaded *load.Result) string {
	tool, dir := loaded.Toolchain, loaded.Test.Dir
	switch {
	case tool == nil:
		return "without its source"
	case tool.InModCache(dir) && !loaded.Standard:
		return "a part of the module cache"
	case tool.InModCache(dir), tool.InRoot(dir):
		if _, err := os.Stat(filepath.Join(tool.Root, ".git")); err != nil {
			return "a part of the Go installation"
		}
	}
	return ""
}

// CheckOwn returns an error if a run would write into a package that is not the user's.
func CheckOwn(loaded *load.Result) error {
	what := Foreign(loaded)
	if what == "" {
		return nil
	}
	return exit.Errorf(exit.Usage, "%s is %s, where nothing is written: have a run write to another directory with -corpus, or nothing with -n; or copy the fuzz test to a package of your own",
		loaded.Test.ImportPath, what)
}
