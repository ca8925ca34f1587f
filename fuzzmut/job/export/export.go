// Package export is the job that writes corpora for other fuzzers, each with a dictionary: as
// raw files, or as a seed corpus of OSS-Fuzz.
package export

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/layout"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// Options say what Run writes and where.
type Options struct {
	project.Options
	// To is the directory to write to; it is made if need be. For each fuzz test it
	// gets a directory of its name with raw files, and a dictionary in AFL's format
	// beside that.
	To string
	// OSSFuzz, in place of To, is a directory for a seed corpus and a dictionary of each fuzz
	// test, or the path of the only seed corpus.
	OSSFuzz string
	// Layout is that of the files in a seed corpus; nil means layout.V2.
	Layout *layout.Layout
}

// Run writes the corpora of fuzz tests. As raw files, named as libFuzzer names them, it
// writes those of fuzz tests that take one []byte or string. Fuzz tests with other arguments
// are left out; that none can be written is an error.
func Run(ctx context.Context, opts Options) (*report.Export, error) {
	if strings.HasSuffix(opts.OSSFuzz, ".zip") && !strings.HasSuffix(opts.OSSFuzz, corpus.SeedCorpus) {
		return nil, exit.Errorf(exit.Usage, "-ossfuzz %s: the name of a seed corpus ends in %s", opts.OSSFuzz, corpus.SeedCorpus)
	}
	p, err := project.Open(ctx, project.Config{Options: opts.Options, Unmutated: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer p.Close()
	for _, path := range []*string{&opts.To, &opts.OSSFuzz} {
		if !filepath.IsAbs(*path) && *path != "" {
			*path = filepath.Join(p.Options.Dir, *path)
		}
	}
	write := func(t *trial.Trial) (report.Exported, error) { return export(t, opts.To) }
	if opts.OSSFuzz != "" {
		to := &seeding{to: opts.OSSFuzz, layout: cmp.Or(opts.Layout, layout.V2), taken: make(map[string]string)}
		write = to.export
	}
	out := &report.Export{Version: report.FormatVersion}
	err = p.EachTest(ctx, func(pkg *project.Package, test instrument.FuzzTest) error {
		t := trial.New(p, pkg, test, nil, trial.Hooks{})
		if err := t.Greet(ctx); err != nil {
			return err
		}
		x, err := write(t)
		out.Tests = append(out.Tests, x)
		return err
	})
	if err == nil && !slices.ContainsFunc(out.Tests, func(x report.Exported) bool { return x.Reason == "" }) {
		err = exit.Errorf(exit.Usage, "no fuzz test takes a single []byte or string, so there are no raw inputs to write; -ossfuzz writes others, for OSS-Fuzz")
	}
	if len(out.Tests) == 0 && err != nil {
		return nil, err
	}
	return out, err
}

// export writes the corpus of one fuzz test.
func export(t *trial.Trial, to string) (report.Exported, error) {
	x := report.Exported{Package: t.Package.Program.Test.ImportPath, Name: t.Test.Name}
	if _, err := corpus.FromRaw(nil, t.Types); err != nil {
		x.Reason = "it takes (" + strings.Join(t.Types, ", ") + "), not a single []byte or string"
		return x, nil
	}
	x.Dir, x.Dictionary = filepath.Join(to, t.Test.Name), filepath.Join(to, t.Test.Name+".dict")
	if err := dictionary.CheckReplace(x.Dictionary); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	written := make(map[string]bool)
	for i := range t.Given {
		data, _ := t.Given[i].Raw()
		sum := sha1.Sum(data)
		name := hex.EncodeToString(sum[:])
		if written[name] {
			continue
		}
		if err := corpus.ReplaceFile(x.Dir, name, data); err != nil {
			return x, exit.Errorf(exit.Usage, "%w", err)
		}
		written[name] = true
	}
	x.Files = len(written)
	return x, writeDictionary(t, &x)
}

// writeDictionary writes the dictionary of a fuzz test to its path.
func writeDictionary(t *trial.Trial, x *report.Exported) error {
	var text []byte
	text, x.Tokens = dictionary.Format(slices.Concat(dictionary.OfCode(t.Package.Loaded), dictionary.OfEntries(t.Given)))
	if err := corpus.ReplaceFile(filepath.Dir(x.Dictionary), filepath.Base(x.Dictionary), text); err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	return nil
}
