package hook

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

const command = "example.com/m/cmd/fuzzmut"

func TestTheProgramIsOneThatStays(t *testing.T) {
	r := newRepository(t)
	r.write("bin/fuzzmut", "")
	r.write("go-build123/b001/exe/fuzzmut", "")
	r.write("lib/go.mod", "module example.com/lib\n\ngo 1.26\n\ntool "+command+"\n")
	var cache string
	for _, v := range r.env {
		if dir, ok := strings.CutPrefix(v, "GOCACHE="); ok {
			cache = dir
		}
	}
	installed, built := filepath.Join(r.dir, "bin", "fuzzmut"), filepath.Join(r.dir, "go-build123", "b001", "exe", "fuzzmut")
	for _, c := range []struct {
		name, dir, path, version string
		mod                      string // appended to go.mod
		want                     string // words, or the error
	}{
		{name: "a tool", path: installed, version: "v1.2.0", mod: "tool " + command + "\n", want: "go tool fuzzmut"},
		{name: "a tool of a module below", dir: "lib", path: installed, want: "go -C lib tool fuzzmut"},
		{name: "another tool", path: installed, mod: "tool example.com/other/fuzzmut\n", want: installed},
		{name: "an installed one", path: installed, version: "v1.2.0", want: installed},
		{name: "one of go run", path: built, version: "v1.2.0", want: "go run " + command + "@v1.2.0"},
		{name: "one of go run, kept", path: filepath.Join(cache, "ab", "0123-d", "fuzzmut"), version: "v1.2.0", want: "go run " + command + "@v1.2.0"},
		{name: "one of a work tree", path: built, version: "(devel)", want: "go install " + command + "@latest, or go install ./cmd/fuzzmut in its source"},
		{name: "one of a changed work tree", path: built, version: "v1.2.0+dirty", want: "a temporary build"},
		{name: "one without anything", path: built, want: "a temporary build"},
	} {
		r.write("go.mod", "module example.com/p\n\ngo 1.26\n"+c.mod)
		p, err := FindProgram(t.Context(), filepath.Join(r.dir, c.dir), r.env, Self{Path: c.path, Package: command, Version: c.version})
		switch {
		case err != nil && (exit.CodeOf(err) != exit.Usage || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v", c.name, err)
		case err != nil:
		case strings.Join(p.Words, " ") != c.want || p.Local != (c.want == installed) || p.Elsewhere != (c.dir != "") || p.Fix == "":
			t.Errorf("%s: %+v, want %s", c.name, p, c.want)
		}
	}
}

// A link in PATH stays where an update puts another file.
func TestTheNameInPathIsPreferred(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "cellar", "1.0", "fuzzmut"), filepath.Join(dir, "bin", "fuzzmut")
	for _, d := range []string{filepath.Dir(file), filepath.Dir(link)} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", filepath.Dir(link))
	if got := stablePath(file, filepath.Join(dir, "cache")); got != link {
		t.Errorf("got %s, want %s", got, link)
	}
	if got := stablePath(file, filepath.Join(dir, "bin")); got != file {
		t.Errorf("got %s, want %s", got, file)
	}
}

// runHook runs a hook as git does, with a PATH of some directories before the system's.
func runHook(t *testing.T, dir string, text []byte, path ...string) (string, error) {
	t.Helper()
	file := filepath.Join(dir, "hook")
	if err := writeHook(file, text); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), file)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + strings.Join(append(path, "/usr/bin", "/bin"), string(filepath.ListSeparator))}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestTheHookFailsClosed(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "a bin")
	fake := filepath.Join(bin, "fuzzmut")
	if err := writeHook(fake, []byte("#!/bin/sh\n[ \"$1\" = version ] || echo \"$@\"\n[ \"$1\" = version ] || exit 4\n")); err != nil {
		t.Fatal(err)
	}
	here := &Program{Words: []string{fake}, Local: true, Fix: "install it"}
	out, err := runHook(t, dir, Commit.scriptFor(here, []string{"-regen", "-tags=x y"}))
	if out != "hook run -regen -tags=x y\n" || err == nil || err.Error() != "exit status 4" {
		t.Errorf("%q, %v", out, err)
	}
	elsewhere := &Program{Words: []string{fake}, Elsewhere: true}
	if out, _ := runHook(t, dir, Commit.scriptFor(elsewhere, nil)); out != "hook run -C "+dir+"\n" {
		t.Errorf("%q, in %s", out, dir)
	}
	gone := &Program{Words: []string{filepath.Join(dir, "gone", "fuzzmut")}, Local: true, Fix: "install it"}
	if out, _ := runHook(t, dir, Commit.scriptFor(gone, nil), bin); out != "hook run\n" {
		t.Errorf("in PATH: %q", out)
	}
	out, err = runHook(t, dir, Commit.scriptFor(gone, nil))
	if err == nil || strings.Count(out, "\n") != 1 || !strings.Contains(out, "; install it; or skip the check: git commit --no-verify\n") {
		t.Errorf("%q, %v", out, err)
	}
	out, err = runHook(t, dir, Commit.scriptFor(&Program{Words: []string{"go-is-not-here", "tool", "fuzzmut"}, Fix: "get it"}, nil))
	if err == nil || strings.Count(out, "\n") != 1 || !strings.Contains(out, "the commit is refused: ") {
		t.Errorf("%q, %v", out, err)
	}
}
