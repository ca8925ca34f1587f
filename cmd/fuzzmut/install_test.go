package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	xmodule "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// proxyOf makes a module proxy that serves this module as it lies there, in a version.
func proxyOf(t *testing.T, root, version string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	at := filepath.Join(dir, filepath.FromSlash(home), "@v")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "list"), version+"\n")
	write(t, filepath.Join(at, version+".mod"), string(mod))
	write(t, filepath.Join(at, version+".info"), `{"Version": "`+version+`"}`)
	file, err := os.Create(filepath.Join(at, version+".zip"))
	if err == nil {
		err = zip.CreateFromDir(file, xmodule.Version{Path: home, Version: version}, root)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// README tells to install the command by go install, go get -tool and go run. What is
// tried here is what all three need: the module in a proxy, whole. Building it once more
// would take too long.
func TestTheCommandCanBeHadFromAProxy(t *testing.T) {
	if testing.Short() {
		t.Skip("unpacks modules")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pkg := home + "/cmd/fuzzmut"
	for _, line := range []string{"go install " + pkg + "@latest", "go get -tool " + pkg, "go run " + pkg + "@latest"} {
		if !strings.Contains(string(readme), "\n    "+line) {
			t.Errorf("README.md does not tell of %q", line)
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := modfile.Parse("go.mod", mod, nil); err != nil || len(f.Replace)+len(f.Exclude) > 0 {
		t.Errorf("go install and go run take no module with replace or exclude directives: %v", err)
	}

	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	downloaded := filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")
	own := t.TempDir()
	env := append(
		os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxyOf(t, root, "v1.2.3"))+",file://"+filepath.ToSlash(downloaded),
		"GOMODCACHE="+own, "GOFLAGS=-modcacherw", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local",
	)
	user := t.TempDir()
	write(t, filepath.Join(user, "go.mod"), "module example.com/user\n\ngo 1.26\n")
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = user, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("get", "-tool", pkg)
	if got := run("list", "-m", home); got != home+" v1.2.3\n" {
		t.Errorf("got %q", got)
	}
	// All packages are there, with the files that they embed: the runtime's source among them.
	files := strings.Fields(run("list", "-deps", "-f", `{{with .Module}}{{if eq .Path "`+home+`"}}{{$.ImportPath}} {{join $.EmbedFiles " "}}{{end}}{{end}}`, pkg))
	for _, want := range []string{pkg, "help/usage.txt", home + "/instrument/rt", "loop/exec/exec.go", "fuzzmut/fuzz.go"} {
		if !slices.Contains(files, want) {
			t.Errorf("%s is not among what the module holds", want)
		}
	}
}
