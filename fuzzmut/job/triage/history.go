package triage

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// history finds out since when failing inputs fail: it runs them with the package as
// it was, in copies outside the work tree.
type history struct {
	triager  *triager
	repo     *git.Repository
	revision string   // as the user calls it
	commits  []string // hashes: that revision first, then what came after it on this branch
	copies   map[string]*copied
}

// copied is the package at a commit, with its test binary.
type copied struct {
	dir    string // of the package
	binary string
	why    string // it can't be built; "" if it can
}

// since fills in, for each bucket, whether its representative fails at the revision
// that was asked for, too, and if not the first commit with which it does, and how
// many of its inputs fail at the revision.
func (t *triager) since(ctx context.Context) error {
	if t.opts.Since == "" || len(t.result.Buckets) == 0 || ctx.Err() != nil {
		return nil
	}
	h, err := t.newHistory(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, t.opts.Time)
	defer cancel()
	for i := range t.result.Buckets {
		b := &t.result.Buckets[i]
		if why := t.unseen(i); why != "" {
			b.Revision, b.AtRevision = t.opts.Since, report.NotBuilt+": "+why
			continue
		}
		t.trial.Phase("bucket %d since %s, in %s", b.Number, t.opts.Since, report.Plural(len(h.commits)-1, "commit"))
		if err := h.search(ctx, b); err != nil {
			if bugs.Stopped(ctx, err) {
				t.trial.Warn("out of time to search the history further; raise -triagetime")
				return nil
			}
			return err
		}
	}
	for i := range t.result.Buckets {
		if t.unseen(i) != "" {
			continue
		}
		if err := h.count(ctx, &t.result.Buckets[i], t.sort.Sorted.Buckets[i]); err != nil {
			if bugs.Stopped(ctx, err) {
				t.trial.Warn("out of time to run all inputs at " + t.opts.Since + "; raise -triagetime")
				return nil
			}
			return err
		}
	}
	return nil
}

// unseen says why go test does not show what the inputs of a bucket do; "" if it does.
func (t *triager) unseen(bucket int) string {
	first := t.smallest(t.sort.Sorted.Buckets[bucket])
	switch {
	case first.Cost != nil:
		return "it passes, and what it costs there is not measured"
	case first.Result.Outcome.Kind.Asked():
		return "it passes with go test alone, and nothing looks for a " + first.Result.Outcome.Kind.String() + " there"
	case first.Result.Outcome.Kind == wire.Memory:
		return "it passes with go test alone where there is memory enough"
	}
	return ""
}

// checkSince says what is wrong with the revision before anything is built.
func checkSince(ctx context.Context, opts *Options, p *project.Project) (*git.Repository, error) {
	repo, err := git.Find(ctx, p.Options.Dir, p.Options.Env)
	if errors.Is(err, git.ErrNoRepository) {
		return nil, exit.Errorf(exit.Usage, "-since %s: %s is not in a git work tree", opts.Since, p.Options.Dir)
	}
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-since %s: %w", opts.Since, err)
	}
	var ended *exec.ExitError
	if _, err := repo.Line(ctx, "merge-base", "--is-ancestor", opts.Since, "HEAD"); errors.As(err, &ended) {
		return nil, exit.Errorf(exit.Usage, "-since %s: no such revision, or not an ancestor of HEAD", opts.Since)
	}
	return repo, err
}

func (t *triager) newHistory(ctx context.Context) (*history, error) {
	if t.trial.Test.Target != "" {
		return nil, exit.Errorf(exit.Usage, "-since: %s is derived for %s and is not in a file: write it with fuzzmut -write-test", t.trial.Name(), t.trial.Test.Target)
	}
	repo, err := checkSince(ctx, t.opts, t.trial.Project)
	if err != nil {
		return nil, err
	}
	h := &history{triager: t, repo: repo, revision: t.opts.Since, copies: make(map[string]*copied)}
	first, err := repo.Line(ctx, "rev-parse", "--verify", "--end-of-options", t.opts.Since+"^{commit}")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-since: %w", err)
	}
	list, err := repo.Run(ctx, "rev-list", "--first-parent", "--reverse", first+"..HEAD")
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-since: %w", err)
	}
	h.commits = append([]string{first}, strings.Fields(string(list))...)
	return h, nil
}

// search looks for the first commit at which a bucket's representative fails, by
// halves. Commits that can't be built are skipped.
func (h *history) search(ctx context.Context, b *report.Bucket) error {
	b.Revision = h.revision
	commits := slices.Clone(h.commits)
	fails, why, err := h.fails(ctx, commits[0], b)
	switch {
	case err != nil:
		return err
	case why != "":
		b.AtRevision = report.NotBuilt + ": " + why
		return nil
	case fails:
		b.AtRevision = report.FailsThere
		return nil
	}
	b.AtRevision = report.PassesThere
	good, bad, skipped := 0, len(commits), 0 // at commits[good] it passes; after the last comes the work tree
	for bad-good > 1 {
		middle := (good + bad) / 2
		if bad == len(commits) {
			middle = bad - 1 // it may be that only the work tree fails
		}
		fails, why, err := h.fails(ctx, commits[middle], b)
		switch {
		case err != nil:
			return err
		case why != "":
			commits = slices.Delete(commits, middle, middle+1)
			bad--
			skipped++
		case fails:
			bad = middle
		default:
			good = middle
		}
	}
	b.FirstFailing = "uncommitted changes"
	if bad < len(commits) {
		if b.FirstFailing, err = h.repo.Line(ctx, "show", "--no-patch", "--format=%h %as %s", commits[bad]); err != nil {
			return exit.Errorf(exit.Usage, "-since: %w", err)
		}
	}
	if skipped > 0 {
		b.FirstFailing += fmt.Sprintf(" (or one of %s that can't be built)", report.Plural(skipped, "commit"))
	}
	return nil
}

// fails runs a bucket's representative at a commit. why says that it can't be run.
func (h *history) fails(ctx context.Context, commit string, b *report.Bucket) (fails bool, why string, err error) {
	c, err := h.at(ctx, commit)
	if err != nil || c.why != "" {
		return false, whyOf(c), err
	}
	name, err := h.put(c, []byte("go test fuzz v1\n"+b.Representative+"\n"))
	if err != nil {
		return false, "", err
	}
	out, err := h.replay(ctx, c, []string{name})
	switch {
	case err != nil:
		return false, "", err
	case len(out.started) == 0:
		return false, "it ends before it runs the input", nil
	}
	return out.failed, "", nil
}

// put writes an entry where the fuzz test finds it at a commit.
func (h *history) put(c *copied, entry []byte) (name string, err error) {
	name = corpus.FileName(entry)
	if _, err := corpus.WriteFile(corpus.TestdataDir(c.dir, h.triager.trial.Test.Name), name, entry); err != nil {
		return "", exit.Errorf(exit.Usage, "-since: %w", err)
	}
	return name, nil
}

// replay runs entries of the corpus at a commit in one process, in the order of their
// names. It has the time that one input may take.
func (h *history) replay(ctx context.Context, c *copied, names []string) (*replayed, error) {
	limit := cmp.Or(h.triager.trial.Timeout(), project.DefaultTimeout)
	cmd := exec.CommandContext(ctx, c.binary, "-test.v", "-test.timeout="+limit.String(),
		"-test.run=^"+h.triager.trial.Test.Name+"$/"+gotool.Exactly(names))
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, h.triager.trial.Project.Options.Env, time.Second
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &ended):
		return nil, exit.Errorf(exit.Usage, "-since: %w", err)
	}
	r := readReplay(string(out), h.triager.trial.Test.Name)
	r.failed = err != nil
	return r, nil
}

// replayBatch is how many inputs one process runs at most: their names stand in its
// command line.
const replayBatch = 200

// count runs all inputs of a bucket at the revision, each once, and counts.
func (h *history) count(ctx context.Context, b *report.Bucket, items []int) error {
	c, err := h.at(ctx, h.commits[0])
	if err != nil || c.why != "" || len(items) < 2 {
		return err
	}
	var names []string
	for _, item := range items {
		name, err := h.put(c, h.triager.sort.Inputs[h.triager.sort.Cases[item]].Entry.Input.Encode())
		if err != nil {
			return err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	size := replayBatch
	for len(names) > 0 {
		batch := names[:min(size, len(names))]
		r, err := h.replay(ctx, c, batch)
		if err != nil {
			return err
		}
		failing, passing, alone := r.verdicts()
		if alone {
			size = 1
		}
		if len(failing)+len(passing) == 0 && (len(batch) == 1 || !alone) {
			return nil // it ends before it runs them
		}
		b.InputsFailing += len(failing)
		b.InputsRun += len(failing) + len(passing)
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(failing, name) || slices.Contains(passing, name) })
	}
	return nil
}

// replayed is what a process says that ran entries of a corpus.
type replayed struct {
	started  []string // names of entries
	verdict  map[string]bool
	parallel bool // they did not run one after the other
	timeout  bool // the time was over
	failed   bool // by its exit code
}

// readReplay reads what go test -v writes of a fuzz test's corpus.
func readReplay(out, test string) *replayed {
	r := &replayed{verdict: make(map[string]bool)}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "=== RUN   "+test+"/"); ok {
			r.started = append(r.started, name)
		}
		for mark, passes := range map[string]bool{"--- PASS: ": true, "--- SKIP: ": true, "--- FAIL: ": false} {
			if rest, ok := strings.CutPrefix(line, mark+test+"/"); ok {
				name, _, _ := strings.Cut(rest, " ")
				r.verdict[name] = passes
			}
		}
		r.parallel = r.parallel || strings.HasPrefix(line, "=== PAUSE "+test+"/")
		r.timeout = r.timeout || strings.HasPrefix(line, "panic: test timed out after ")
	}
	return r
}

// verdicts tells which entries fail, and which pass. What was running when the process
// died has failed. If it can't be told what that was, or the others have used up its
// time, each has to be run alone.
func (r *replayed) verdicts() (failing, passing []string, alone bool) {
	if r.failed && r.parallel && len(r.started) > 1 {
		return nil, nil, true
	}
	for i, name := range r.started {
		passes, ok := r.verdict[name]
		switch {
		case passes || !ok && !r.failed:
			passing = append(passing, name)
		case !ok && (i < len(r.started)-1 || i > 0 && r.timeout):
			alone = true
		default:
			failing = append(failing, name)
		}
	}
	return failing, passing, alone
}

func whyOf(c *copied) string {
	if c == nil {
		return ""
	}
	return c.why
}

// at returns the package as it was, with the fuzz test's file as it is now where
// there was none.
func (h *history) at(ctx context.Context, commit string) (*copied, error) {
	if c := h.copies[commit]; c != nil {
		return c, nil
	}
	root := filepath.Join(h.triager.trial.Project.WorkDir, "since-"+commit)
	archive, err := h.repo.Run(ctx, "archive", "--format=tar", commit)
	if err == nil {
		err = unpack(archive, root)
	}
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-since: %w", err)
	}
	rel, err := filepath.Rel(h.repo.Root, h.triager.trial.Package.Program.Test.Dir)
	if err != nil {
		return nil, exit.Errorf(exit.Usage, "-since: %w", err)
	}
	c := &copied{dir: filepath.Join(root, rel), binary: filepath.Join(root, "since.test")}
	h.copies[commit] = c
	if err := h.addFuzzTest(c); err != nil {
		return nil, err
	}
	args := append([]string{"test", "-c", "-vet=off", "-o", c.binary}, h.triager.trial.Project.Options.BuildFlags...)
	cmd := gotool.GoCommand(ctx, "go", append(args, ".")...)
	cmd.Dir, cmd.Env = c.dir, append(slices.Clone(h.triager.trial.Project.Options.Env), "GOTMPDIR="+root)
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		delete(h.copies, commit)
		return nil, ctx.Err()
	case err != nil:
		c.why = buildError(string(out), err)
	}
	return c, nil
}

// addFuzzTest copies the file of the fuzz test if the copy lacks it.
func (h *history) addFuzzTest(c *copied) error {
	to := filepath.Join(c.dir, filepath.Base(h.triager.trial.Test.File))
	if _, err := os.Stat(c.dir); err != nil {
		return nil // there was no such package: the build will report it
	}
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	src, err := os.ReadFile(h.triager.trial.Test.File)
	if err == nil {
		err = os.WriteFile(to, src, 0o666)
	}
	if err != nil {
		return exit.Errorf(exit.Usage, "-since: %w", err)
	}
	return nil
}

// buildError is the first line by which the go command says what is wrong.
func buildError(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return err.Error()
}

// unpack writes the files of an archive below a directory.
func unpack(archive []byte, dir string) error {
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(head.Name) || head.Typeflag != tar.TypeReg {
			continue // directories are made as files need them
		}
		path := filepath.Join(dir, filepath.FromSlash(head.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			return err
		}
	}
}
