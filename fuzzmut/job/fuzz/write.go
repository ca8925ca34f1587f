package fuzz

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus"
	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/constraints"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/target"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// WriteTests writes the fuzz tests that are derived for functions into their packages,
// each into its own file, with the entries and golden values that runs have left
// in Go's fuzz cache. A file that exists is not overwritten. The result is not nil
// whenever something was written.
func WriteTests(ctx context.Context, opts project.Options) (*report.Written, error) {
	p, err := project.Open(ctx, project.Config{Options: opts})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	out := &report.Written{Version: report.FormatVersion}
	var errs []error
	var without []fmt.Stringer // what has a directive, and why there is no fuzz test to write for it
	for _, pkg := range p.Packages {
		b, err := p.Load(ctx, pkg)
		if err == nil {
			for _, h := range b.Loaded.Hidden {
				without = append(without, h)
			}
			for _, t := range b.Loaded.Tested {
				without = append(without, t)
			}
			err = writeTests(ctx, p, b, out)
		}
		if err != nil {
			errs = append(errs, exit.AsCut(ctx, err))
		}
	}
	if len(out.Tests) == 0 {
		if len(errs) == 0 {
			errs = append(errs, nothingToWrite(without))
		}
		return nil, errors.Join(errs...)
	}
	if opts.Fuzz == "" { // else others were not asked for
		for _, why := range without {
			p.Note("", "%v", why)
		}
	}
	return out, errors.Join(errs...)
}

// nothingToWrite says what is to be done for a fuzz test. without says of what has a directive why there is none.
func nothingToWrite(without []fmt.Stringer) error {
	const what = "put the line //fuzzmut:target above a function, or //fuzzmut:target sequence above a type, that has none yet"
	if len(without) == 0 {
		return exit.Errorf(exit.Usage, "-write-test: no fuzz test to write: %s", what)
	}
	more := ""
	if n := len(without) - 1; n > 0 {
		more = fmt.Sprintf(", and there is none for %d more", n)
	}
	return exit.Errorf(exit.Usage, "-write-test: no fuzz test to write: %s%s; %s", without[0], more, what)
}

// writeTests writes the chosen ones of the derived fuzz tests of a package.
func writeTests(ctx context.Context, p *project.Project, pkg *project.Package, out *report.Written) error {
	loaded := pkg.Loaded
	types := filepath.Join(loaded.Test.Dir, values.FileName)
	register := loaded.DerivedFiles[types] != nil
	var errs []error
	for _, d := range loaded.Derived {
		i := slices.IndexFunc(loaded.Test.Fuzz, func(t instrument.FuzzTest) bool { return t.Name == d.Name })
		if i < 0 {
			continue // -fuzz chose others
		}
		t, err := writeTest(p, loaded, d, &loaded.Test.Fuzz[i])
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if d.Library {
			if _, err := loaded.Toolchain.Go(ctx, "list", target.Library); err != nil {
				t.GoGet = target.LibraryModule
			}
		}
		if d.Library && register {
			if err := writeRegistrations(p, pkg, types); err != nil {
				errs = append(errs, err)
			}
			register = false
		}
		out.Tests = append(out.Tests, *t)
	}
	return errors.Join(errs...)
}

// writeRegistrations writes the file that registerDerived has made, as -write-types does.
func writeRegistrations(p *project.Project, pkg *project.Package, path string) error {
	text, err := pkg.ValueTypes.DerivedFile()
	if err == nil {
		err = corpus.ReplaceFile(filepath.Dir(path), filepath.Base(path), text)
	}
	if err != nil {
		return exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	p.Note(pkg.Loaded.Test.ImportPath, "wrote %s, which names the implementations of interfaces", report.RelativeFile(pkg.Loaded.Test.ModuleDir, path))
	return nil
}

// writeTest writes one derived fuzz test.
func writeTest(p *project.Project, loaded *load.Result, d load.Derived, test *instrument.FuzzTest) (*report.WrittenTest, error) {
	path := filepath.Join(loaded.Test.Dir, d.FileName)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, exit.Errorf(exit.Usage, "-write-test: %s exists and is not overwritten: rename it, or write a fuzz test for %s (%s) into it", path, d.Function, loaded.Short(d.At))
	}
	t := &report.WrittenTest{
		Package: loaded.Test.ImportPath, Name: d.Name, Function: d.Function,
		Path: report.RelativeFile(loaded.Test.ModuleDir, path),
	}
	text, err := constraints.Constrained(loaded, d.Text)
	if err != nil {
		return nil, exit.Errorf(exit.Internal, "-write-test: %s: %w", path, err)
	}
	home := p.Home(&loaded.Test, test)
	if t.Entries, err = copyFiles(corpus.TestdataDir(loaded.Test.Dir, d.Name), corpus.TestdataDir(home, d.Name)); err != nil {
		return nil, err
	}
	if t.Golden, err = copyGolden(p.GoCache, store.Path(loaded.Test.Dir, d.Name), store.Path(home, d.Name)); err != nil {
		return nil, err
	}
	// The test comes last: with it all of its corpus is there.
	if err := corpus.ReplaceFile(loaded.Test.Dir, d.FileName, text); err != nil {
		return nil, exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	return t, nil
}

// copyGolden copies the golden values of entries that have none at another place, and
// counts the entries.
func copyGolden(gocache, to, from string) (n int, err error) {
	values, err := store.Read(from)
	if err != nil {
		return 0, exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	there, err := store.Read(to)
	if err != nil {
		return 0, exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	change := store.Change{Packages: cmp.Or(there.Packages, values.Packages)}
	have := make(map[string]bool)
	for _, e := range there.Entries {
		have[golden.Key(e.Name)] = true
	}
	for _, e := range values.Entries {
		if !have[golden.Key(e.Name)] {
			change.Put = append(change.Put, e)
		}
	}
	if len(change.Put) == 0 {
		return 0, nil
	}
	if err := observed.Apply(gocache, to, change); err != nil {
		return 0, exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	return len(change.Put), nil
}

// copyFiles copies the files of a directory that another does not have, and counts them.
func copyFiles(to, from string) (n int, err error) {
	files, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, exit.Errorf(exit.Usage, "-write-test: %w", err)
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(to, f.Name())); err == nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err == nil {
			err = corpus.ReplaceFile(to, f.Name(), data)
		}
		if err != nil {
			return n, exit.Errorf(exit.Usage, "-write-test: %w", err)
		}
		n++
	}
	return n, nil
}
