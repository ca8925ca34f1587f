package verify

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/observed"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/tempdir"
)

const (
	// blameTime is for reverting parts of the change, in all packages together: the verdict
	// does not wait longer for something that it does not need.
	blameTime = 20 * time.Second
	// blamedMost bounds the entries of a fuzz test that are run without each part.
	blamedMost = 120
)

// head is what the code is compared with: golden values mostly fail where something is not
// committed yet.
const head = "HEAD"

// A blame looks for the causes of differences in what has changed since the last commit: a
// part without which the code has the golden values again is one.
type blame struct {
	project *project.Project
	left    time.Duration

	looked bool
	pair   *versions.Pair // nil: nothing has changed, or nobody knows
	remove func()
}

// change finds out what differs from the last commit. Outside a git work tree, or where
// there is no commit, nothing is known.
func (b *blame) change(ctx context.Context) *versions.Pair {
	if b.looked {
		return b.pair
	}
	b.looked = true
	dir, remove, err := tempdir.Make("")
	if err != nil {
		return nil
	}
	b.remove = remove
	o := &b.project.Options
	pair, err := versions.Find(ctx, versions.Question{Dir: o.Dir, WorkDir: dir, Env: o.Env, BuildFlags: o.BuildFlags, Revision: head})
	if err == nil && len(pair.Files) > 0 {
		b.pair = pair
	}
	return b.pair
}

// close removes what was written.
func (b *blame) close() {
	if b.remove != nil {
		b.remove()
	}
}

// A suspect is one package with what has changed in it.
type suspect struct {
	*blame
	pkg     *project.Package
	load    load.Config
	builder *revert.Builder
}

// reverts builds the package with parts of the change as they were; nil: nothing that its
// golden values are of has changed.
func (s *suspect) reverts(ctx context.Context) *revert.Builder {
	if s.builder != nil {
		return s.builder
	}
	pair := s.change(ctx)
	if pair == nil {
		return nil
	}
	dirs := directories(&s.pkg.Program.Test, s.pkg.Loaded.Observe)
	takes := func(f *versions.File) bool { return slices.Contains(dirs, filepath.Dir(f.Path)) }
	if !slices.ContainsFunc(pair.Files, func(f versions.File) bool { return takes(&f) }) {
		return nil
	}
	s.builder = &revert.Builder{Project: s.project, Pair: pair, Whole: s.pkg, Load: s.load, Takes: takes, Warn: s.project.Warn}
	return s.builder
}

// directories are those of packages of the module.
func directories(p *instrument.TestPackage, packages []string) (dirs []string) {
	for _, pkg := range packages {
		if rest, ok := strings.CutPrefix(pkg, p.ModulePath); ok && (rest == "" || rest[0] == '/') {
			dirs = append(dirs, filepath.Join(p.ModuleDir, filepath.FromSlash(rest)))
		}
	}
	return dirs
}

// find notes the parts that repair each difference, and returns the parts that were tried.
// What goes wrong is said, and changes nothing else: the verdict stands without it.
func (s *suspect) find(ctx context.Context, fuzz string, differ []difference) (tried []revert.Part) {
	if s == nil || len(differ) == 0 || s.left <= 0 || ctx.Err() != nil {
		return nil
	}
	begin := time.Now()
	defer func() { s.left -= time.Since(begin) }()
	limited, cancel := context.WithTimeout(ctx, s.left)
	defer cancel()
	builder := s.reverts(limited)
	if builder == nil {
		return nil
	}
	s.project.Phase(s.pkg.Loaded.Test.ImportPath, "%s: looking for the causes of %s in what has changed since the last commit", fuzz, report.Plural(len(differ), "difference"))
	some := differ[:min(len(differ), blamedMost)]
	var entries []corpus.Entry
	for i := range some {
		entries = append(entries, *some[i].entry)
	}
	open := func() bool { return slices.ContainsFunc(some, func(d difference) bool { return len(d.repaired) == 0 }) }
	try := func(p revert.Part, without *project.Package) error {
		at := slices.IndexFunc(without.Program.Test.Fuzz, func(f instrument.FuzzTest) bool { return f.Name == fuzz })
		if at < 0 {
			return nil
		}
		seen, err := observed.Once(limited, trial.New(s.project, without, without.Program.Test.Fuzz[at], nil, trial.Hooks{}), entries)
		if err != nil {
			return err
		}
		for i := range some {
			if some[i].gone(&seen[i]) {
				some[i].repaired = append(some[i].repaired, len(tried))
			}
		}
		tried = append(tried, p)
		return nil
	}
	attempt := &revert.Attempt{Builder: builder, Open: open, Try: try}
	if err := attempt.Each(limited, builder.Parts(nil)); err != nil {
		s.project.Warn("the causes of the differences were not found: %v", err)
	}
	return tried
}

// gone says whether what was observed is as the golden values have it.
func (d *difference) gone(seen *observed.Observation) bool {
	if d.none {
		return seen.Failure == ""
	}
	return len(observed.Compare(&d.want, seen)) == 0
}
