// Package hook is the pre-commit hook of git: it verifies the golden values of the
// corpora that what is staged concerns, and, if it is asked to, regenerates these
// corpora for the functions that are staged. Another hook says in the template of the
// commit message what the commit changes in behavior.
//
// It works on a checkout of the index, so that what is not staged plays no part,
// and nothing in the user's tree is touched but the entries and golden values that
// it stages. Those are written to the tree first, each of them whole, and then
// enter the index all at once: whatever ends the hook, a file of the user's is as
// it was.
package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/filelock"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// DefaultBudget is the time that a commit may take.
const DefaultBudget = 20 * time.Second

// Options say how the hook runs. Of the options of a project those about building,
// about mutants, and about what is shown apply.
type Options struct {
	project.Options
	// Budget bounds the time for regenerating, together with what verifying took;
	// 0 means that nothing is regenerated. The zero value of Options.FuzzTime is a
	// part of what is left of it.
	Budget time.Duration
	// Out gets the results: with Verbose also if there was nothing to do, with Quiet
	// only what stops the commit or was staged.
	Out            io.Writer
	Verbose, Quiet bool

	// Verify verifies golden values, or writes those that are observed if update is
	// set. Regen regenerates corpora for changes, and ends at once with its context.
	Verify func(ctx context.Context, opts project.Options, update bool) (*report.Verification, error)
	Regen  func(ctx context.Context, opts project.Options, changed *change.Set) (*report.Report, error)
}

// job is one call of Run.
type job struct {
	opts   Options
	begin  time.Time
	repo   *git.Repository
	staged []string // files that a corpus may depend on, relative to the root with slashes
	tree   *checkout
}

func (j *job) linef(format string, args ...any) { fmt.Fprintf(j.opts.Out, format+"\n", args...) }

// Run verifies and regenerates what is staged. An error means that the commit is
// not to be made; it says how to make it nevertheless.
func Run(ctx context.Context, opts Options) error {
	if opts.Env == nil {
		opts.Env = os.Environ()
	}
	repo, err := find(ctx, opts.Dir, opts.Env)
	if err != nil {
		return err
	}
	j := &job{opts: opts, begin: time.Now(), repo: repo}
	targets, err := j.plan(ctx)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		if opts.Verbose {
			j.linef("fuzzmut: no staged change affects a corpus of fuzzmut")
		}
		return nil
	}
	return j.inCheckout(ctx, func() error { return j.check(ctx, targets) })
}

// inCheckout does something in a checkout of the index that nobody else has.
func (j *job) inCheckout(ctx context.Context, do func() error) (err error) {
	dir, err := j.checkouts(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Errorf(exit.Usage, "the checkout of the index can't be created: %w", err)
	}
	unlock, ok := filelock.Claim(filepath.Join(dir, "lock"))
	if !ok {
		return exit.Errorf(exit.Usage, "another fuzzmut hook is running in this work tree, or %s can't be locked: wait for it to finish, then commit again",
			filepath.Join(dir, "lock"))
	}
	defer unlock()
	if j.tree, err = newCheckout(ctx, j.repo, filepath.Join(dir, "tree")); err != nil {
		return interrupted(ctx, err)
	}
	defer func() { err = errors.Join(err, j.tree.remove()) }()
	return interrupted(ctx, do())
}

// checkouts is the directory for checkouts of this work tree, in Go's cache directory.
func (j *job) checkouts(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOCACHE")
	cmd.Dir, cmd.Env = j.repo.Root, j.opts.Env
	out, err := cmd.Output()
	if err != nil {
		return "", interrupted(ctx, exit.Errorf(exit.Usage, "go env GOCACHE: %w: is the go command in PATH?", err))
	}
	cache := strings.TrimSpace(string(out))
	if err := gotool.CheckCache("GOCACHE", "build cache", cache, j.opts.Env); err != nil {
		return "", exit.Errorf(exit.Usage, "%w; git commit --no-verify commits without this check", err)
	}
	sum := sha256.Sum256([]byte(j.repo.Root))
	return filepath.Join(cache, "fuzz", "fuzzmut-hook", hex.EncodeToString(sum[:6])), nil
}

// interrupted returns an error that names the interrupt, if that is why err came about.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return exit.Errorf(exit.Interrupted, "interrupted: nothing was staged")
	}
	return err
}

// check verifies the targets, regenerates them, and stages what was written.
func (j *job) check(ctx context.Context, targets []target) error {
	before, err := j.snapshot(ctx, targets)
	if err != nil {
		return err
	}
	j.warnIgnored(ctx, targets)
	why := j.onlyVerify(ctx)
	only := why != "" || j.opts.Budget == 0
	for _, t := range targets {
		if err := j.verify(ctx, t, !only); err != nil {
			return err
		}
	}
	if why != "" && j.opts.Budget > 0 {
		j.linef("fuzzmut: %s: corpora are not regenerated", why)
	}
	if only {
		return nil
	}
	if before, err = j.stageVerified(ctx, targets, before); err != nil {
		return err
	}
	result, err := j.regenerate(ctx, targets)
	if err != nil || len(result) == 0 {
		return err
	}
	return j.stage(ctx, targets, before, result)
}

// warnIgnored warns if git ignores new entries, or golden values, of the corpora that
// the commit concerns: what the hook stages is committed nevertheless, what users add is
// not.
func (j *job) warnIgnored(ctx context.Context, targets []target) {
	for _, t := range targets {
		dir := filepath.Join(j.repo.Root, filepath.FromSlash(t.dir))
		for _, test := range t.tests {
			if text := trial.IgnoredByGit(ctx, j.repo, corpus.TestdataDir(dir, test), golden.Path(dir, test)); text != "" {
				j.linef("fuzzmut: warning: %s", text)
				return
			}
		}
	}
}

// verify verifies the golden values of a target. If no value has changed, but seeds
// or entries are new or gone, it may write and remove golden values in the checkout.
func (j *job) verify(ctx context.Context, t target, may bool) error {
	opts := j.options(t)
	opts.Fuzz = "" // also those that have gone
	rep, err := j.opts.Verify(ctx, opts, false)
	if may && rep != nil && onlyFiles(rep) && j.encloses(t) {
		rep, err = j.opts.Verify(ctx, opts, true)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := j.userPackage(t)
	if err == nil {
		values, entries := 0, 0
		for i := range rep.Tests {
			values, entries = values+rep.Tests[i].Values, entries+rep.Tests[i].Entries
		}
		if entries > 0 && !j.opts.Quiet {
			j.linef("fuzzmut: %s: %s of %s unchanged", name, report.Plural(values, "golden value"), report.Plural(entries, "entry"))
		}
		if names := t.golden(j.staged); len(names) > 0 {
			j.linef("fuzzmut: %s: golden values accepted with this commit: %s", name, someOf(names))
		}
		return nil
	}
	if rep != nil {
		j.show(func(w io.Writer) error { return text.Format{Verbose: j.opts.Verbose}.Write(w, rep) })
	}
	if exit.CodeOf(err) == exit.Failing && rep != nil && onlyFiles(rep) {
		return exit.Errorf(exit.Failing, `%s: golden values are missing, or are of entries that are gone, as shown above. To write and remove them:
	%s && git add %s
and commit again. git commit --no-verify commits without this check`, name, t.command("verify", "-update"), shell.Quote(path.Join(t.dir, "testdata")))
	}
	if exit.CodeOf(err) == exit.Failing {
		return exit.Errorf(exit.Failing, `%s: the staged changes change golden values, as shown above. If that is a mistake, fix the code. If it is intended:
	%s && git add %s
and commit again. git commit --no-verify commits without this check`, name, t.command("verify", "-update"), shell.Quote(path.Join(t.dir, "testdata")))
	}
	return j.translate(t, err)
}

// onlyFiles says whether all that differs is that golden values are missing, or are
// there without need.
func onlyFiles(rep *report.Verification) bool {
	files := 0
	for i := range rep.Tests {
		t := &rep.Tests[i]
		if len(t.Changes) > 0 || slices.ContainsFunc(t.Files, func(f report.FileProblem) bool {
			// What is about no entry is about a fuzz test that is gone, or has another name.
			return f.Kind != report.FileMissing && f.Kind != report.FileOrphaned || f.Entry == ""
		}) {
			return false
		}
		files += len(t.Files)
	}
	return files > 0
}

// options are those for a job on a target in the checkout.
func (j *job) options(t target) project.Options {
	opts := j.opts.Options
	opts.Dir = filepath.Join(j.tree.root, t.module)
	opts.Env = j.tree.env
	opts.Packages = []string{t.pattern()}
	opts.Fuzz = t.regexp()
	opts.NoDerive = true
	opts.FollowLinks = true // encloses has looked at where they lead
	return opts
}

// userPackage is how the user would name the package of a target, from the root of
// the work tree.
func (j *job) userPackage(t target) string {
	if t.dir == "." {
		return "."
	}
	return "./" + t.dir
}

// command is a command of fuzzmut corpus for a target, in the root of the work tree.
func (t target) command(words ...string) string {
	command := "fuzzmut corpus " + strings.Join(words, " ")
	if t.module != "." {
		command += " -C " + shell.Quote(t.module)
	}
	return command + " " + shell.Quote(t.pattern())
}

// translate has an error speak of the user's tree, and says how to go on.
func (j *job) translate(t target, err error) error {
	return exit.Errorf(exit.CodeOf(err), "%s: %s; git commit --no-verify commits without this check", j.userPackage(t), j.tree.userText(err.Error()))
}

// show writes a text that may speak of the checkout.
func (j *job) show(write func(io.Writer) error) {
	var b strings.Builder
	if write(&b) == nil {
		io.WriteString(j.opts.Out, j.tree.userText(b.String()))
	}
}

// underWay are files of git that say what it is in the middle of.
var underWay = []struct{ file, what string }{
	{"rebase-merge", "a rebase is in progress"},
	{"rebase-apply", "a rebase is in progress"},
	{"MERGE_HEAD", "a merge is in progress"},
	{"CHERRY_PICK_HEAD", "a cherry-pick is in progress"},
	{"REVERT_HEAD", "a revert is in progress"},
}

// inProgress says what git is in the middle of, "" for nothing.
func (j *job) inProgress(ctx context.Context) string {
	for _, u := range underWay {
		path, err := j.repo.Line(ctx, "rev-parse", "--git-path", u.file)
		if err != nil {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(j.repo.Root, path)
		}
		if _, err := os.Stat(path); err == nil {
			return u.what
		}
	}
	return ""
}

// onlyVerify says why nothing is to be added to the commit, "" if it may be.
func (j *job) onlyVerify(ctx context.Context) string {
	if what := j.inProgress(ctx); what != "" {
		return what
	}
	// For git commit with paths git makes an index that lives as long as the commit:
	// what is added to it alone would be missing from the next.
	for _, v := range j.opts.Env {
		if path, ok := strings.CutPrefix(v, "GIT_INDEX_FILE="); ok && strings.HasPrefix(filepath.Base(path), "next-index-") {
			return "the commit takes some files from the work tree"
		}
	}
	return ""
}
