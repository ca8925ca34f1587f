package hook

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// jobIn returns a job whose user's tree is root, and what it writes. Its checkout is in a
// separate directory.
func jobIn(t *testing.T, root string) (*job, *strings.Builder) {
	t.Helper()
	base := t.TempDir()
	tree := &checkout{repo: &git.Repository{Root: root}, base: base, root: filepath.Join(base, root)}
	out := new(strings.Builder)
	return &job{opts: Options{Out: out}, repo: tree.repo, tree: tree}, out
}

// What becomes of a commit depends on how a regeneration ends.
func TestJudge(t *testing.T) {
	whole, cut := report.FuzzTest{Name: "FuzzWhole"}, report.FuzzTest{Name: "FuzzCut", Interrupted: true}
	failing := report.FuzzTest{Name: "FuzzBad", Crashes: []report.Crash{{Kind: "panic", Message: "boom"}}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx, limited context.Context
		tests        []report.FuzzTest // nil: no report
		err          error
		want         string // names of the fuzz tests whose corpora are staged
		code         exit.Code
		told         string // what the user reads; "" nothing
	}{
		"it went well":                   {tests: []report.FuzzTest{whole}, want: "FuzzWhole"},
		"one had no time to end":         {limited: ended, tests: []report.FuzzTest{whole, cut}, err: exit.Errorf(exit.Interrupted, "late"), want: "FuzzWhole"},
		"none had":                       {limited: ended, err: exit.Errorf(exit.Interrupted, "late")},
		"a fault holds no commit up":     {err: exit.Errorf(exit.Internal, "no space"), told: "fuzzmut: ./p is not regenerated: no space\n"},
		"a failing input does":           {tests: []report.FuzzTest{whole, failing}, code: exit.Failing, told: "boom"},
		"the code says so":               {err: exit.Errorf(exit.Failing, "fails"), code: exit.Failing},
		"what fails before any mutant":   {err: exit.Errorf(exit.Baseline, "seed#0 fails"), code: exit.Baseline},
		"failing, and time was short":    {limited: ended, tests: []report.FuzzTest{failing}, err: exit.Errorf(exit.Interrupted, "late"), code: exit.Failing, told: "boom"},
		"the user interrupts everything": {ctx: ended, limited: ended, tests: []report.FuzzTest{failing}, code: exit.Interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			j, out := jobIn(t, t.TempDir())
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			if c.limited == nil {
				c.limited = c.ctx
			}
			var rep *report.Report
			if c.tests != nil {
				rep = &report.Report{Tests: c.tests}
			}
			tests, err := j.judge(c.ctx, c.limited, target{dir: "p", module: "."}, rep, c.err)
			var names []string
			for _, f := range tests {
				names = append(names, f.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("staged %q, want %q", got, c.want)
			}
			if code := exit.CodeOf(interrupted(c.ctx, err)); code != c.code {
				t.Errorf("%v: code %d, want %d", err, code, c.code)
			}
			if got := out.String(); !strings.Contains(got, c.told) || (got != "") != (c.told != "") {
				t.Errorf("told %q, want %q", got, c.told)
			}
			if err != nil && c.ctx.Err() == nil && !strings.Contains(err.Error(), "git commit --no-verify") {
				t.Errorf("%v does not say how to commit nevertheless", err)
			}
		})
	}
}

// A failing input is found in the checkout. The user gets it in the work tree.
func TestFailingInputsAreKeptInTheWorkTree(t *testing.T) {
	root := t.TempDir()
	j, _ := jobIn(t, root)
	entry := filepath.Join(j.tree.root, "p", "testdata", "fuzz", "FuzzX", "0123")
	input := corpus.Marshal([]any{"a"})
	err := os.MkdirAll(filepath.Dir(entry), 0o777)
	if err == nil {
		err = os.WriteFile(entry, input, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "elsewhere") // in Go's fuzz cache, say
	if err := os.WriteFile(elsewhere, input, 0o666); err != nil {
		t.Fatal(err)
	}
	rep := &report.Report{Tests: []report.FuzzTest{{Crashes: []report.Crash{
		{Entries: []string{entry}}, {}, {Entries: []string{elsewhere}}, {Entries: []string{entry + "-gone"}},
	}}}}
	at := target{dir: "p", module: "."}
	if err := j.keepFailing(at, rep); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "p", "testdata", "fuzz", "FuzzX")
	got, err := os.ReadFile(filepath.Join(dir, "0123"))
	if err != nil || string(got) != string(input) {
		t.Errorf("%q, %v", got, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}

	// Nothing is written through a link that leads out of the tree.
	outside := t.TempDir()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, dir); err != nil {
		t.Skip(err)
	}
	if err := j.keepFailing(at, rep); exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("through a link: %v", err)
	}
	if files, err := os.ReadDir(outside); err != nil || len(files) != 0 {
		t.Errorf("written outside: %v, %v", files, err)
	}
}

// While git is in the middle of something, a commit gets no files that the user did not
// stage.
func TestNothingIsAddedWhileGitIsUnderWay(t *testing.T) {
	r := newRepository(t)
	repo, err := git.Find(t.Context(), r.dir, r.env)
	if err != nil {
		t.Skip(err)
	}
	j := &job{repo: repo, opts: Options{}}
	if why := j.onlyVerify(t.Context()); why != "" {
		t.Errorf("in a tree at rest: %q", why)
	}
	for _, u := range underWay {
		path := filepath.Join(r.dir, ".git", u.file)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if why := j.onlyVerify(t.Context()); why != u.what {
			t.Errorf("with %s: %q", u.file, why)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for index, want := range map[string]bool{"/x/.git/next-index-123.lock": true, "/x/.git/index": false} {
		j.opts.Env = []string{"GIT_INDEX_FILE=" + index}
		if why := j.onlyVerify(t.Context()); (why != "") != want {
			t.Errorf("with the index %s: %q", index, why)
		}
	}
}

// A file that is not what it was in the index belongs to the user.
func TestFilesAreWrittenAndTakenBack(t *testing.T) {
	const empty = "an empty file"
	for name, c := range map[string]struct {
		before, after, now string // "" no file
		written            bool
	}{
		"new":                      {"", "b", "", true},
		"changed":                  {"a", "b", "a", true},
		"gone":                     {"a", "", "a", true},
		"new, the user has one":    {"", "b", "u", false},
		"new, the user's is empty": {"", "b", empty, false},
		"changed by the user":      {"a", "b", "u", false},
		"removed by the user":      {"a", "b", "", false},
		"gone, the user's is new":  {"a", "", "u", false},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			file := filepath.Join(root, "d", "f")
			if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			content := func(text string) []byte {
				switch text {
				case "":
					return nil
				case empty:
					return []byte{}
				}
				return []byte(text)
			}
			if c.now != "" {
				if err := os.WriteFile(file, content(c.now), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			holds := func() string {
				data, err := os.ReadFile(file)
				if err == nil && len(data) == 0 {
					return empty
				}
				return string(data)
			}
			change := fileChange{name: "d/f", before: content(c.before), after: content(c.after)}
			written, err := change.write(root)
			if err != nil || written != c.written {
				t.Fatalf("written %v, %v", written, err)
			}
			want := c.now
			if c.written {
				want = c.after
			}
			if got := holds(); got != want {
				t.Errorf("it holds %q, want %q", got, want)
			}
			if written {
				undo(root, []fileChange{change})
			}
			if got := holds(); got != c.now {
				t.Errorf("taken back, it holds %q, want %q", got, c.now)
			}
		})
	}
}
