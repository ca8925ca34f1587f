//go:build unix

package triage

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/bugs"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// commitAll makes the directory of a fuzz test a repository with empty commits, which
// are called c0, c1 and so on. The test is skipped where there is no git.
func commitAll(t *testing.T, x *triager, n int) {
	t.Helper()
	dir := x.trial.Project.Options.Dir
	x.trial.Project.Options.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, x.trial.Project.Options.Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %q: %v: %s", args, err, out)
		}
	}
	git("init", "--quiet")
	for i := range n {
		git("commit", "--quiet", "--allow-empty", "-m", "c"+string(rune('0'+i)))
	}
	git("tag", "old", "HEAD~"+string(rune('0'+n-1)))
}

// replayer is a test binary that fails on entries that hold one of its words.
const replayer = `#!/bin/sh
names=${3#*/^(}
code=0
for name in $(echo "${names%)*}" | tr '|' ' '); do
	echo "=== RUN   FuzzFake/$name"
	verdict=PASS
	if grep -q -e 'WORD' "testdata/fuzz/FuzzFake/$name"; then verdict=FAIL code=1; fi
	echo "    --- $verdict: FuzzFake/$name (0.00s)"
done
exit $code
`

// putCopies has the inputs with a word fail at the commits with an f, of one letter for
// each, none fail at those with a p, and those with a b can't be built.
func putCopies(t *testing.T, h *history, letters, word string) {
	t.Helper()
	if len(letters) != len(h.commits) {
		t.Fatalf("%d commits", len(h.commits))
	}
	for i, commit := range h.commits {
		c := &copied{dir: t.TempDir()}
		c.binary = filepath.Join(c.dir, "binary")
		switch letters[i] {
		case 'f':
			write(t, c.binary, strings.ReplaceAll(replayer, "WORD", word))
		case 'p':
			write(t, c.binary, strings.ReplaceAll(replayer, "WORD", "no such word"))
		case 'e':
			write(t, c.binary, "#!/bin/sh\nexit 1\n")
		case 'b':
			c.why = "p.go:1: broken"
		}
		h.copies[commit] = c
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstFailingCommitIsFound(t *testing.T) {
	x := triagerOf(t, Options{Since: "old"})
	commitAll(t, x, 5)
	for letters, want := range map[string]string{
		"fffff": "fails:",
		"pffff": "passes: c1",
		"pppff": "passes: c3",
		"ppppf": "passes: c4",
		"ppppp": "passes: uncommitted changes",
		"bffff": "not run: p.go:1: broken:",
		"epppp": "not run: it ends before it runs the input:",
		"pbfff": "passes: c2 (or one of 1 commit that can't be built)",
		"pbbbf": "passes: c4 (or one of 3 commits that can't be built)",
		"pbbbb": "passes: uncommitted changes (or one of 4 commits that can't be built)",
	} {
		h, err := x.newHistory(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		putCopies(t, h, letters, "bad")
		b := &report.Bucket{Representative: `string("bad input")`}
		if err := h.search(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		at := b.FirstFailing
		if head, rest, ok := strings.Cut(at, " c"); ok && !strings.HasPrefix(at, "uncommitted") && head != "" {
			at = "c" + rest // without hash and date
		}
		if got := strings.TrimSpace(b.AtRevision + ": " + at); got != want || b.Revision != "old" {
			t.Errorf("%s: %q, want %q", letters, got, want)
		}
	}
}

func TestInputsAreCountedAtTheRevision(t *testing.T) {
	x := triagerOf(t, Options{Since: "old"})
	commitAll(t, x, 1)
	for i, words := range []string{"fail bad 1", "fail 2", "fail bad 3", "fail 4"} {
		x.sort.Inputs = append(x.sort.Inputs, bugs.Input{Entry: fake.Input(words).Found()})
		x.sort.Cases = append(x.sort.Cases, i)
	}
	for letters, want := range map[string][2]int{"f": {2, 4}, "p": {0, 4}, "b": {0, 0}, "e": {0, 0}} {
		h, err := x.newHistory(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		putCopies(t, h, letters, "bad")
		b := new(report.Bucket)
		if err := h.count(t.Context(), b, x.sort.Cases); err != nil {
			t.Fatal(err)
		}
		if got := [2]int{b.InputsFailing, b.InputsRun}; got != want {
			t.Errorf("%s: %d of %d, want %v", letters, got[0], got[1], want)
		}
		if err := h.count(t.Context(), b, x.sort.Cases[:1]); err != nil || [2]int{b.InputsFailing, b.InputsRun} != want {
			t.Errorf("%s: one input is counted, which is known already: %v", letters, err)
		}
	}
}

func TestRevisionsAreCheckedFirst(t *testing.T) {
	x := triagerOf(t, Options{Since: "old"})
	if _, err := x.newHistory(t.Context()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "is not in a git work tree") {
		t.Errorf("without a repository: %v", err)
	}
	commitAll(t, x, 2)
	if h, err := x.newHistory(t.Context()); err != nil || len(h.commits) != 2 {
		t.Errorf("%v", err)
	}
	x.opts.Since = "nothing"
	if _, err := x.newHistory(t.Context()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "no such revision") {
		t.Errorf("%v", err)
	}
	x.trial.Test.Target = "Parse"
	if _, err := x.newHistory(t.Context()); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "is not in a file") {
		t.Errorf("derived: %v", err)
	}
}

func TestAnArchiveIsUnpackedBelowItsDirectory(t *testing.T) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, h := range []tar.Header{
		{Name: "a/", Typeflag: tar.TypeDir},
		{Name: "a/b.go", Typeflag: tar.TypeReg},
		{Name: "../out", Typeflag: tar.TypeReg},
		{Name: "/abs", Typeflag: tar.TypeReg},
		{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/"},
	} {
		if h.Typeflag == tar.TypeReg {
			h.Size = 4
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte("text")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "in")
	if err := unpack(archive.Bytes(), dir); err != nil {
		t.Fatal(err)
	}
	var files []string
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			files = append(files, rel)
		}
		return err
	}); err != nil || !slices.Equal(files, []string{"in/a/b.go"}) {
		t.Errorf("%q, %v", files, err)
	}
	if err := unpack(archive.Bytes()[:700], t.TempDir()); err == nil {
		t.Error("half an archive is unpacked")
	}
}

func TestTheFirstErrorOfABuildIsTold(t *testing.T) {
	failed := errors.New("exit status 1")
	for out, want := range map[string]string{
		"# example.com/p\n\n./p.go:3:1: undefined: x\nmore\n": "./p.go:3:1: undefined: x",
		"# example.com/p\n": "exit status 1",
		"":                  "exit status 1",
	} {
		if got := buildError(out, failed); got != want {
			t.Errorf("%q: %q", out, got)
		}
	}
}

func TestTheFuzzTestIsAddedWhereItLacks(t *testing.T) {
	x := triagerOf(t, Options{})
	file := filepath.Join(t.TempDir(), "x_test.go")
	write(t, file, "now")
	x.trial.Test.File = file
	h := &history{triager: x}
	without, with := t.TempDir(), t.TempDir()
	write(t, filepath.Join(with, "x_test.go"), "then")
	for dir, want := range map[string]string{without: "now", with: "then"} {
		if err := h.addFuzzTest(&copied{dir: dir}); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "x_test.go")); string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if err := h.addFuzzTest(&copied{dir: filepath.Join(with, "absent")}); err != nil {
		t.Errorf("a package that was not there: %v", err)
	}
}

// A commit is built once, as it was. The fuzz test of today is added where there was none, and
// one that was there stays. Why a commit can't be built is the line that says it.
func TestACommitIsBuiltAsItWas(t *testing.T) {
	x := triagerOf(t, Options{Since: "old"})
	commitAll(t, x, 1)
	opts := &x.trial.Project.Options
	now, err := os.ReadFile(x.trial.Test.File)
	if err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = opts.Dir, opts.Env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(files map[string]string) string {
		t.Helper()
		git("rm", "-rq", "--cached", "--ignore-unmatch", ".")
		for name, text := range files {
			path := filepath.Join(opts.Dir, name)
			write(t, path, text)
			git("add", name)
		}
		git("commit", "-qm", "next")
		return git("rev-parse", "HEAD")
	}
	const test = "fake_test.go"
	first := commit(map[string]string{"p.go": "package fake // first\n"})
	second := commit(map[string]string{"p.go": "package fake // second\n", test: "package fake // old test\n"})
	broken := commit(map[string]string{"p.go": "package fake // broken\n"})
	write(t, filepath.Join(opts.Dir, test), string(now))

	bin := t.TempDir()
	calls := filepath.Join(bin, "calls")
	write(t, filepath.Join(bin, "go"), "#!/bin/sh\necho \"$*\" >> '"+calls+"'\nif grep -q broken p.go; then echo '# example.com/fake'; echo; echo './p.go:1: it is broken'; exit 1; fi\n")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	opts.BuildFlags = []string{"-tags=x"}
	h, err := x.newHistory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ commit, code, test, why string }{
		{first, "package fake // first\n", string(now), ""},
		{second, "package fake // second\n", "package fake // old test\n", ""},
		{broken, "package fake // broken\n", string(now), "./p.go:1: it is broken"},
		{first, "package fake // first\n", string(now), ""},
	} {
		got, err := h.at(t.Context(), c.commit)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"p.go": c.code, test: c.test} {
			if text, err := os.ReadFile(filepath.Join(got.dir, name)); err != nil || string(text) != want {
				t.Errorf("%s: %q, want %q; %v", name, text, want, err)
			}
		}
		if got.why != c.why {
			t.Errorf("%q, want %q", got.why, c.why)
		}
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "test -c -vet=off -o ") || !strings.HasSuffix(lines[0], " -tags=x .") {
		t.Errorf("%q", lines)
	}
	if text, err := os.ReadFile(x.trial.Test.File); err != nil || string(text) != string(now) {
		t.Errorf("the user's file is %q, %v", text, err)
	}
}
