package campaign

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
)

// ExportOptions say what Export writes and where.
type ExportOptions struct {
	Options
	// To is the directory to write to; it is made if need be. For each fuzz test it
	// gets a directory of its name with raw files, and a dictionary in AFL's format
	// beside that.
	To string
}

// Export writes the corpora of fuzz tests that take one []byte or string as raw
// files, named as libFuzzer names them. Fuzz tests with other arguments are left
// out; that none can be written is an error.
func Export(ctx context.Context, opts ExportOptions) (*report.Export, error) {
	r, err := newRunner(ctx, config{opts: opts.Options, unmutated: true})
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	if !filepath.IsAbs(opts.To) {
		opts.To = filepath.Join(r.opts.Dir, opts.To)
	}
	out := &report.Export{Version: report.FormatVersion}
	err = r.eachTest(ctx, func(b *built, test instrument.FuzzTest) error {
		t := newTrial(r, b, test, nil, hooks{})
		if err := t.greet(ctx); err != nil {
			return err
		}
		x, err := export(t, opts.To)
		out.Tests = append(out.Tests, x)
		return err
	})
	if err == nil && !slices.ContainsFunc(out.Tests, func(x report.Exported) bool { return x.Reason == "" }) {
		err = exit.Errorf(exit.Usage, "no fuzz test takes one []byte or string: there are no raw inputs to write")
	}
	if len(out.Tests) == 0 && err != nil {
		return nil, err
	}
	return out, err
}

// export writes the corpus of one fuzz test.
func export(t *trial, to string) (report.Exported, error) {
	x := report.Exported{Package: t.b.program.Test.ImportPath, Name: t.test.Name}
	if _, err := corpus.FromRaw(nil, t.types); err != nil {
		x.Reason = "it takes (" + strings.Join(t.types, ", ") + "), not one []byte or string"
		return x, nil
	}
	x.Dir, x.Dictionary = filepath.Join(to, t.test.Name), filepath.Join(to, t.test.Name+".dict")
	if err := dictionary.CheckReplace(x.Dictionary); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	written := make(map[string]bool)
	for i := range t.given {
		data, _ := t.given[i].Raw()
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
	var text []byte
	text, x.Tokens = dictionary.Format(slices.Concat(dictionary.OfCode(t.b.loaded), dictionary.OfEntries(t.given)))
	if err := corpus.ReplaceFile(to, filepath.Base(x.Dictionary), text); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	return x, nil
}
