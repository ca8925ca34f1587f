package export

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/layout"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/dictionary"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
)

// seeding writes seed corpora.
type seeding struct {
	to     string // a directory, or the path of the only archive
	layout *layout.Layout
	taken  map[string]string // paths of archives, by the fuzz tests that have them
}

// path is that of the archive of a fuzz test.
func (s *seeding) path(fuzz string) string {
	if strings.HasSuffix(s.to, corpus.SeedCorpus) {
		return s.to
	}
	return filepath.Join(s.to, fuzz+corpus.SeedCorpus)
}

// export writes the seed corpus and the dictionary of one fuzz test.
func (s *seeding) export(t *trial.Trial) (report.Exported, error) {
	x := report.Exported{Package: t.Package.Program.Test.ImportPath, Name: t.Test.Name, Layout: s.layout.Name}
	if _, err := layout.Raw.Decode(nil, t.Types); err != nil && s.layout == layout.Raw {
		x.Reason = err.Error()
		return x, nil
	}
	x.Archive = s.path(t.Test.Name)
	x.Dictionary = strings.TrimSuffix(x.Archive, corpus.SeedCorpus) + ".dict"
	if other := s.taken[x.Archive]; other != "" {
		return x, exit.Errorf(exit.Usage, "%s is that of %s already, and %s would have it, too: choose one fuzz test with -fuzz and a package", x.Archive, other, t.Name())
	}
	s.taken[x.Archive] = t.Name()
	if err := corpus.CheckReplaceSeedCorpus(x.Archive); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	if err := dictionary.CheckReplace(x.Dictionary); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	var archive bytes.Buffer
	var reason, err error
	if x.Files, x.Left, reason, err = corpus.WriteSeedCorpus(&archive, t.Given, t.Types, s.layout); err != nil {
		return x, exit.Errorf(exit.Internal, "%w", err)
	}
	if x.Left > 0 {
		t.Project.Warn("%s: %s left out, the first: %v", t.Test.Name, report.Plural(x.Left, "entry")+report.Verb(x.Left, " is", " are"), reason)
	}
	if err := corpus.ReplaceFile(filepath.Dir(x.Archive), filepath.Base(x.Archive), archive.Bytes()); err != nil {
		return x, exit.Errorf(exit.Usage, "%w", err)
	}
	return x, writeDictionary(t, &x)
}
