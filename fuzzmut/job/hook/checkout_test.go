//go:build unix

package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// below is a repository in a directory of a new one, repo, so that other files can stand beside it.
func below(t *testing.T) (r *repository, outside string) {
	t.Helper()
	r = newRepository(t)
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.dir, filepath.Join(outside, "repo")); err != nil {
		t.Fatal(err)
	}
	r.dir = filepath.Join(outside, "repo")
	r.env = slices.DeleteFunc(r.env, func(v string) bool { return strings.HasPrefix(v, "GOWORK=") })
	return r, outside
}

// checkedOut checks the index out to a new directory.
func checkedOut(t *testing.T, r *repository) (*checkout, error) {
	t.Helper()
	repo, err := git.Find(t.Context(), r.dir, r.env)
	if err != nil {
		t.Fatal(err)
	}
	return newCheckout(t.Context(), repo, filepath.Join(t.TempDir(), "base"))
}

// texts are the contents of files of a tree, by their paths; "link" those of links.
func texts(t *testing.T, root string, names ...string) map[string]string {
	t.Helper()
	got := make(map[string]string)
	for _, name := range names {
		path := filepath.Join(root, name)
		info, err := os.Lstat(path)
		switch {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				t.Fatal(err)
			}
			got[name] = "link to " + filepath.Base(to)
		default:
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got[name] = string(data)
		}
	}
	return got
}

// A checkout has what the index holds, and nothing else of the work tree but what git ignores
// and the build may need. What a hook writes to testdata does not reach the user's tree.
func TestACheckoutIsWhatTheIndexHolds(t *testing.T) {
	r, _ := below(t)
	r.env = append(r.env, "GOWORK=off", "GIT_DIR="+filepath.Join(r.dir, ".git"), "PWD=/somewhere", "MINE=stays")
	r.write(".gitignore", "gen/\n*.gen.go\nignored\n")
	r.write("staged.go", "package p // staged\n")
	r.git("add", ".")
	r.write("staged.go", "package p // edited since\n")
	r.write("loose.go", "package p\n")
	r.write("gen/g.go", "package gen\n")
	r.write("x.gen.go", "package p\n")
	r.write("testdata/ignored/f", "f\n")
	r.write("sub/inside", "of a submodule\n")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+r.git("rev-parse", "HEAD")+",sub")
	c, err := checkedOut(t, r)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"staged.go": "package p // staged\n", "go.mod": "module example.com/p\n\ngo 1.26\n", r.entry: "a",
		"gen": "link to gen", "x.gen.go": "link to x.gen.go", "sub": "link to sub",
	}
	got := texts(t, c.root, "staged.go", "go.mod", r.entry, "gen", "x.gen.go", "sub", "loose.go", "testdata/ignored", ".git")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, v := range c.env {
		if name, _, _ := strings.Cut(v, "="); name == "GIT_DIR" || name == "PWD" {
			t.Errorf("the environment has %s", v)
		}
	}
	if !slices.Contains(c.env, "MINE=stays") || !slices.Contains(r.env, "PWD=/somewhere") {
		t.Error("the environment has lost more than git's variables, or that of the hook is altered")
	}
	if text := c.userText(filepath.Join(c.root, "staged.go") + ":1: wrong"); text != filepath.Join(r.dir, "staged.go")+":1: wrong" {
		t.Errorf("%q", text)
	}
	if err := c.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.base); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	for _, name := range []string{"gen/g.go", "x.gen.go", "sub/inside"} {
		if _, err := os.Stat(filepath.Join(r.dir, name)); err != nil {
			t.Errorf("what a link leads to is removed: %v", err)
		}
	}
}

// Modules beside the work tree, which a go.mod names by their directories, are found from the
// checkout as they are from the tree.
func TestModulesBesideTheTreeAreLinked(t *testing.T) {
	r, outside := below(t)
	r.env = append(r.env, "GOWORK=off")
	for _, name := range []string{"lib", "absolute"} {
		if err := os.MkdirAll(filepath.Join(outside, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	r.write("go.mod", "module example.com/p\n\ngo 1.26\n\nreplace (\n\texample.com/lib => ../lib\n\texample.com/gone => ../gone\n\texample.com/other => example.com/fork v1.0.0\n\texample.com/absolute => "+filepath.Join(outside, "absolute")+"\n)\n")
	r.write("broken/go.mod", "what is this\n")
	r.git("add", ".")
	c, err := checkedOut(t, r)
	if err != nil {
		t.Fatal(err)
	}
	got := texts(t, filepath.Dir(c.root), "lib", "gone", "absolute", "example.com")
	if diff := cmp.Diff(map[string]string{"lib": "link to lib"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A go.work above the work tree takes effect, with the modules that it names.
func TestAWorkspaceAboveTheTreeTakesEffect(t *testing.T) {
	for _, named := range []bool{false, true} {
		r, outside := below(t)
		work := filepath.Join(outside, "go.work")
		for name, text := range map[string]string{"go.work": "go 1.26\n\nuse (\n\t./repo\n\t./lib\n)\n", "go.work.sum": "sums\n", "lib/go.mod": "module example.com/lib\n\ngo 1.26\n"} {
			path := filepath.Join(outside, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if named {
			r.env = append(r.env, "GOWORK="+work)
		}
		c, err := checkedOut(t, r)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"go.work": "go 1.26\n\nuse (\n\t./repo\n\t./lib\n)\n", "go.work.sum": "sums\n", "lib": "link to lib"}
		if diff := cmp.Diff(want, texts(t, filepath.Dir(c.root), "go.work", "go.work.sum", "lib")); diff != "" {
			t.Errorf("named %v (-want +got):\n%s", named, diff)
		}
		if got := slices.Contains(c.env, "GOWORK="+c.mirror(work)); got != named || slices.Contains(c.env, "GOWORK="+work) {
			t.Errorf("named %v: the environment has the workspace of the checkout: %v", named, got)
		}
	}
}

// While files are in conflict there is no index to verify.
func TestAnUnmergedIndexIsNotCheckedOut(t *testing.T) {
	r := newRepository(t)
	hash := r.git("hash-object", "-w", "go.mod")
	r.write("info", "100644 "+hash+" 1\tp.go\n100644 "+hash+" 2\tp.go\n100644 "+hash+" 3\tp.go\n")
	r.git("rm", "--quiet", "--cached", "p.go")
	r.git("-c", "alias.feed=!git update-index --index-info < info", "feed")
	c, err := checkedOut(t, r)
	if exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), "the index has unmerged files") || c != nil {
		t.Errorf("%v", err)
	}
}

// A package needs the directories of all that its tests are built of, in the module and beside
// it in the tree. Where the go command fails, nothing can be said.
func TestWhatATargetIsBuiltOf(t *testing.T) {
	r := newRepository(t)
	r.write("m/go.mod", "module example.com/m\n\ngo 1.26\n\nrequire example.com/n v0.0.0\n\nreplace example.com/n => ../n\n")
	r.write("n/go.mod", "module example.com/n\n\ngo 1.26\n")
	r.write("n/deep/d.go", "package deep\n\nconst D = 1\n")
	r.write("m/a/a.go", "package a\n\nimport \"example.com/m/b\"\n\nconst A = b.B\n")
	r.write("m/a/a_test.go", "package a\n\nimport _ \"example.com/m/c\"\n")
	r.write("m/b/b.go", "package b\n\nimport \"example.com/n/deep\"\n\nconst B = deep.D\n")
	r.write("m/c/c.go", "package c\n")
	r.write("m/d/d.go", "package d\n")
	r.write("m/d/d_test.go", "package d\n")
	repo, err := git.Find(t.Context(), r.dir, r.env)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{repo: repo}
	j.opts.Env, j.opts.BuildFlags = r.env, []string{"-tags=x"}
	all := []target{{dir: ".", module: "."}, {dir: "m/a", module: "m"}, {dir: "m/d", module: "m"}}
	list := func(set map[string]bool) (dirs []string) {
		for dir := range set {
			dirs = append(dirs, dir)
		}
		slices.Sort(dirs)
		return dirs
	}
	needs := j.dependencies(t.Context(), "m", all, []int{1, 2})
	if diff := cmp.Diff([]string{"m/a", "m/b", "m/c", "n/deep"}, list(needs[1])); diff != "" {
		t.Errorf("m/a (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"m/d"}, list(needs[2])); diff != "" {
		t.Errorf("m/d (-want +got):\n%s", diff)
	}
	r.write("m/b/b.go", "package b\n\nimport \"example.com/none\"\n")
	if needs := j.dependencies(t.Context(), "m", all, []int{1}); needs != nil {
		t.Errorf("of code that can't be built: %v", needs)
	}
}
