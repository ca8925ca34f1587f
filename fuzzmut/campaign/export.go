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
	r, err := newRunner(ctx, opts.Options, false)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, err)
	}
	defer r.close()
	r.unmutated = true
	if !filepath.IsAbs(opts.To) {
		opts.To = filepath.Join(r.opts.Dir, opts.To)
	}
	out := &report.Export{Version: report.FormatVersion}
	err = r.eachTest(ctx, func(s *session) error {
		if err := s.greet(ctx); err != nil {
			return err
		}
		x, err := s.export(opts.To)
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
func (s *session) export(to string) (report.Exported, error) {
	x := report.Exported{Package: s.b.program.Test.ImportPath, Name: s.test.Name}
	if _, err := corpus.FromRaw(nil, s.types); err != nil {
		x.Reason = "it takes (" + strings.Join(s.types, ", ") + "), not one []byte or string"
		return x, nil
	}
	x.Dir, x.Dictionary = filepath.Join(to, s.test.Name), filepath.Join(to, s.test.Name+".dict")
	if err := dictionary.CheckReplace(x.Dictionary); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	written := make(map[string]bool)
	for i := range s.given {
		data, _ := s.given[i].Raw()
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
	text, x.Tokens = dictionary.Format(slices.Concat(dictionary.OfCode(s.b.loaded), dictionary.OfEntries(s.given)))
	if err := corpus.ReplaceFile(to, filepath.Base(x.Dictionary), text); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	return x, nil
}
