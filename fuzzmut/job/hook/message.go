package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// MessageOptions say how the hook for commit messages runs.
type MessageOptions struct {
	project.Options
	Budget time.Duration // for all, the build included
	File   string        // holds the message, or its template
	Source string        // where the message comes from, as git names it; "" for the template
	// Out is for what can't stand in the message: that of -m has no comments.
	Out io.Writer
	// Diff compares a revision, or two as in a..b, within a time for searching.
	Diff func(ctx context.Context, opts project.Options, revision string, search time.Duration) (*behavior.Report, error)
	// Show writes a result for people.
	Show func(w io.Writer, r *behavior.Report) error
}

// linesMost bounds what a commit message's template gets.
const linesMost = 60

// WriteMessage says what the commit that is being made changes in behavior: as comments in
// the template of its message, or on Out where the message is complete already. It says
// nothing of a merge or an amended commit, or if no Go code outside tests is staged.
func WriteMessage(ctx context.Context, opts MessageOptions) error {
	if opts.Env == nil {
		opts.Env = os.Environ()
	}
	if !slices.Contains([]string{"", "template", "message"}, opts.Source) {
		return nil
	}
	repo, err := find(ctx, opts.Dir, opts.Env)
	if err != nil {
		return err
	}
	j := &job{opts: Options{Options: opts.Options}, repo: repo}
	if j.inProgress(ctx) != "" {
		return nil
	}
	changes, err := j.stagedCode(ctx)
	if err != nil || len(changes) == 0 {
		return err
	}
	revision, err := j.stagedRevision(ctx)
	if err != nil || revision == "" {
		return err
	}
	begin := time.Now()
	limited, cancel := context.WithTimeout(ctx, opts.Budget)
	defer cancel()
	var said bytes.Buffer
	for i, m := range changes {
		o := opts.Options
		o.Dir, o.Packages = filepath.Join(repo.Root, filepath.FromSlash(m.dir)), m.packages
		left := (opts.Budget - time.Since(begin)) / time.Duration(len(changes)-i)
		// Building both sides, and finding causes, take as long as the search.
		rep, err := opts.Diff(limited, o, revision, left/3)
		switch {
		case ctx.Err() != nil:
			return exit.Errorf(exit.Interrupted, "interrupted: the message is as it was")
		case rep != nil:
			if err := opts.Show(&said, rep); err != nil {
				return exit.Errorf(exit.Internal, "%w", err)
			}
		case limited.Err() != nil:
			fmt.Fprintf(&said, "%v were not enough to compare: run fuzzmut diff HEAD\n", opts.Budget)
		case err != nil:
			fmt.Fprintf(&said, "not compared: %v\n", err)
		}
	}
	return j.say(ctx, &opts, said.String())
}

// say writes a text as comments before what git would cut from the message.
func (j *job) say(ctx context.Context, opts *MessageOptions, text string) error {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if n := len(lines); n > linesMost {
		// The last line has the answer.
		lines = append(lines[:linesMost-2:linesMost-2], fmt.Sprintf("... %d more lines: run fuzzmut diff HEAD", n-linesMost+1), lines[n-1])
	}
	comment := j.comment(ctx)
	if opts.Source == "message" || comment == "" {
		_, err := fmt.Fprintf(opts.Out, "fuzzmut: what this commit changes in behavior:\n  %s\n", strings.Join(lines, "\n  "))
		return err
	}
	file := opts.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(j.repo.Root, file)
	}
	message, err := os.ReadFile(file)
	if err != nil {
		return exit.Errorf(exit.Usage, "the commit message can't be read: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s fuzzmut: what this commit changes in behavior:\n", comment)
	for _, line := range lines {
		b.WriteString(strings.TrimRight(comment+"   "+line, " ") + "\n")
	}
	b.WriteString(comment + "\n")
	if err := corpus.ReplaceFile(filepath.Dir(file), filepath.Base(file), insertComments(message, comment, b.String())); err != nil {
		return exit.Errorf(exit.Usage, "the commit message can't be written: %w", err)
	}
	return nil
}

// insertComments puts lines before the comments of a template, or at its end.
func insertComments(message []byte, comment, lines string) []byte {
	at := len(message)
	for i := 0; i < len(message); {
		if bytes.HasPrefix(message[i:], []byte(comment)) {
			at = i
			break
		}
		n := bytes.IndexByte(message[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
	}
	if at > 0 && message[at-1] != '\n' {
		lines = "\n" + lines
	}
	return slices.Concat(message[:at], []byte(lines), message[at:])
}

// comment returns what begins the lines that git takes out of a message, "" if there is
// no such thing, or only git knows.
func (j *job) comment(ctx context.Context) string {
	get := func(key string) string {
		value, err := j.repo.Line(ctx, "config", "--get", key)
		if err != nil {
			return "" // it is not set
		}
		return value
	}
	if mode := get("commit.cleanup"); mode != "" && mode != "default" && mode != "strip" {
		return ""
	}
	begin := cmp.Or(get("core.commentString"), get("core.commentChar"), "#")
	if begin == "auto" {
		return ""
	}
	return begin
}

// staged is the packages of a module whose code is staged.
type staged struct {
	dir      string // of the module, relative to the root with slashes
	packages []string
}

// stagedCode lists the packages with staged Go code outside tests, by module.
func (j *job) stagedCode(ctx context.Context) (list []staged, err error) {
	names, err := j.repo.List(ctx, "diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules", "-z", "--", ":(glob)**/*.go")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the staged changes can't be listed: %w", err)
	}
	mods, err := j.repo.List(ctx, "ls-files", "-z", "--", ":(glob)**/go.mod")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "the files of the index can't be listed: %w", err)
	}
	modules := make(map[string]bool)
	for _, name := range mods {
		modules[path.Dir(name)] = true
	}
	slices.Sort(names)
	for _, name := range names {
		dir := path.Dir(name)
		module := moduleOf(dir, modules)
		if module == "" || strings.HasSuffix(name, "_test.go") || slices.Contains(strings.Split(dir, "/"), "testdata") {
			continue
		}
		if _, err := os.Stat(filepath.Join(j.repo.Root, filepath.FromSlash(dir))); errors.Is(err, os.ErrNotExist) {
			continue // the package is gone
		}
		at := slices.IndexFunc(list, func(s staged) bool { return s.dir == module })
		if at < 0 {
			at = len(list)
			list = append(list, staged{dir: module})
		}
		if p := (target{dir: dir, module: module}).pattern(); !slices.Contains(list[at].packages, p) {
			list[at].packages = append(list[at].packages, p)
		}
	}
	return list, nil
}

// stagedRevision says what is compared: HEAD with the work tree if that is what is staged,
// and else with the tree that the commit will have; "" for the first commit.
func (j *job) stagedRevision(ctx context.Context) (string, error) {
	if _, err := j.repo.Line(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return "", nil //nolint:nilerr // there is none yet
	}
	unstaged, err := j.repo.List(ctx, "diff", "--name-only", "--no-ext-diff", "--ignore-submodules", "-z")
	if err != nil {
		return "", exit.Errorf(exit.Usage, "the changes that are not staged can't be listed: %w", err)
	}
	unknown, err := j.repo.List(ctx, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return "", exit.Errorf(exit.Usage, "the files of the work tree can't be listed: %w", err)
	}
	if !slices.ContainsFunc(slices.Concat(unstaged, unknown), mayConcern) {
		return "HEAD", nil
	}
	tree, err := j.repo.Line(ctx, "write-tree")
	if err != nil {
		return "", exit.Errorf(exit.Usage, "the staged tree can't be written: %w", err)
	}
	return "HEAD.." + tree, nil
}
