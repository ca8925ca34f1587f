// Package versions finds old and new code: those of two revisions, of two versions of a
// dependency, or of two trees.
//
// Old code is the new tree with an overlay of what files held before. So both sides have
// the same directories, import paths and tests, and nothing of the user's is written. For
// versions of a dependency it is a go.mod on each side instead, which puts a copy of the
// module in its place: the go command refuses overlays of files in its module cache.
package versions

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// A Question says what is compared with what. Exactly one of Revision, With and Old is set.
type Question struct {
	Dir             string // where the job runs; "" is "."
	WorkDir         string // for files that both sides need as long as they are built
	Env, BuildFlags []string
	// Revision is "main" for the work tree against it, "main..." for the work tree against
	// the revision at which the current branch left main, "a..b" for two revisions, and
	// "a...b" for b against the revision at which it left a.
	Revision string
	// With are versions of modules, as "golang.org/x/net@v0.55.0": go.mod as it is against
	// go.mod with them.
	With []string
	// Old is the directory of another tree of the same module.
	Old string
}

// A Pair is old and new code under the tests of the new tree.
type Pair struct {
	Old, New  Side
	Files     []File   // Go files that are no tests and differ in more than comments, in the order of their names
	Other     []string // other files that differ and that a build may need, for people
	TestFiles []string // test files that differ, for people
	// Raised are the modules that the go.mod of both trees requires in different versions, as
	// "golang.org/x/net v0.55.0 in place of v0.54.0".
	Raised []string
	// OldTests is an overlay for both sides that puts the test files of the old tree in
	// the places of those of the new one.
	OldTests map[string][]byte
}

// NoTests is an overlay for both sides that leaves the test files out which differ.
func (p *Pair) NoTests() map[string][]byte {
	overlay := make(map[string][]byte)
	for path, text := range p.OldTests {
		overlay[path] = stub(text)
	}
	return overlay
}

// A Side is the code of one version, as the go command finds it.
type Side struct {
	Name       string            // for people: "main (1a2b3c4)", "the work tree", "golang.org/x/net v0.54.0"
	Dir        string            // where the go command runs
	BuildFlags []string          // those of the question, and -modfile where go.mod differs
	Env        []string          // nil means the process's own
	Overlay    map[string][]byte // contents, by absolute path, that stand for what is on disk
}

// A File is one Go file that differs.
type File struct {
	Name string // for people: with slashes, relative to the root of its module
	Path string // absolute, on the new side: where it would be, if it is gone
	// OldPath is the path by which the old side's build knows it: another one for a file
	// that was renamed, or of a dependency.
	OldPath  string
	Old, New []byte // nil: not there
	Hunks    []Hunk
	// Dependency is the module that it is of, as "golang.org/x/net v0.55.0 in place of v0.54.0"; ""
	// is the code that is compared.
	Dependency string
	// Names are those of packages by their import paths. Revert guesses the others.
	Names map[string]string
}

// A Hunk is a part of the change of a file.
type Hunk = hunk.Hunk

// Find answers a question. What the user has to fix is an error of code exit.Usage.
func Find(ctx context.Context, q Question) (*Pair, error) {
	p, err := find(ctx, q)
	if err != nil {
		return nil, exit.AsInterrupted(ctx, exit.AsUsage(err))
	}
	return p, nil
}

func find(ctx context.Context, q Question) (*Pair, error) {
	tool, err := gotool.NewToolchain(ctx, q.Dir, q.Env, q.BuildFlags)
	if err != nil {
		return nil, err
	}
	if tool.Mod == "" && tool.Work == "" {
		return nil, exit.Errorf(exit.Usage, "there is no go.mod in %s or above it; %s", tool.Dir, problem.NoModule)
	}
	q.Dir = tool.Dir
	f := &finder{Question: q, tool: tool}
	pair, err := f.answer(ctx)
	if err != nil {
		return nil, cmp.Or(damagedMod(tool.Mod), err)
	}
	if slices.ContainsFunc(pair.Other, func(name string) bool { return filepath.Base(name) == "go.mod" }) {
		if err := damagedMod(tool.Mod); err != nil {
			return nil, err // where modules are vendored, nobody has read it
		}
	}
	return pair, nil
}

// damagedMod is the error of a go.mod that can't be read, nil if it can: the go command names a
// copy of it.
func damagedMod(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil //nolint:nilerr // there is none in a workspace
	}
	if _, err = modfile.Parse(path, data, nil); err == nil {
		return nil
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return exit.Errorf(exit.Usage, "%s: repair the file first", line)
}

// answer compares what is asked for.
func (f *finder) answer(ctx context.Context) (*Pair, error) {
	switch {
	case len(f.With) > 0:
		return f.dependencies(ctx)
	case f.Old != "":
		return f.trees()
	}
	return f.revisions(ctx)
}

// finder answers one question.
type finder struct {
	Question
	tool *gotool.Toolchain
}
