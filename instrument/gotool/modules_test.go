package gotool

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]int{
		"go1.26": 26, "go1.26.8": 26, "go1.27rc1": 27, "go1.26.8 X:nogreenteagc": 26,
		"": 0, "1.26": 0, "go2.1": 0, "devel go1.29-abc": 0, "go1": 0, "go1.x": 0,
	} {
		if got := MinorOf(version); got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
}

func TestWithin(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]bool{
		".": true, "a": true, "a/b": true, "..": false, "../x": false, "a/../b": true, "a/../../x": false, "..a": true,
	} {
		if got := Within(dir, filepath.Join(dir, filepath.FromSlash(path))); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if Within(dir, dir+"more") {
		t.Error("a directory whose name begins alike is taken for the same")
	}
	if Within(dir, "relative") {
		t.Error("a relative path")
	}
	tool := Toolchain{Root: dir}
	if tool.InModCache(filepath.Join(dir, "a")) || !tool.InRoot(filepath.Join(dir, "a")) {
		t.Error("without a module cache nothing is in it")
	}
}

func TestCheckCache(t *testing.T) {
	home := "HOME"
	if runtime.GOOS == "windows" {
		home = "LocalAppData"
	}
	for _, c := range []struct {
		dir  string
		env  []string
		want string
	}{
		{t.TempDir(), nil, ""},
		{"", []string{"X=1"}, home + " is not set, so the go command has no build cache: set " + home + ", or set GOCACHE to an absolute path"},
		{"off", []string{"GOCACHE=off"}, "the go command has no build cache: set GOCACHE to an absolute path, or unset it"},
		{"", []string{home + "=/x"}, "the go command has no build cache: set GOCACHE to an absolute path, or unset it"},
		{"", []string{home + "=/x", home + "="}, home + " is not set, so the go command has no build cache: set " + home + ", or set GOCACHE to an absolute path"},
	} {
		err := CheckCache("GOCACHE", "build cache", c.dir, c.env)
		if got := message(err); got != c.want || err != nil && kindOf(err) != problem.KindToolchain {
			t.Errorf("%q with %q: %q, want %q", c.dir, c.env, got, c.want)
		}
	}
}

// kindOf is the kind of an error for the user, -1 of any other.
func kindOf(err error) problem.Kind {
	var p *problem.Error
	if !errors.As(err, &p) {
		return -1
	}
	return p.Kind
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A work file elsewhere means the same: paths relative to its directory become absolute,
// and what is replaced for the run counts before what the user replaces.
func TestWorkFile(t *testing.T) {
	base := t.TempDir()
	abs := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	quoted := func(text string) string {
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var w workFile
	if err := json.Unmarshal([]byte(`{
		"Go": "1.26", "Toolchain": "go1.27.3", "Godebug": [{"Key": "a", "Value": "1"}],
		"Use": [{"DiskPath": "."}, {"DiskPath": "../b"}, {"DiskPath": `+quoted(abs("abs"))+`}],
		"Replace": [
			{"Old": {"Path": "x.org/a"}, "New": {"Path": "./a"}},
			{"Old": {"Path": "x.org/b", "Version": "v1.0.0"}, "New": {"Path": "x.org/c", "Version": "v1.2.3"}},
			{"Old": {"Path": "x.org/d", "Version": "v1.0.0"}, "New": {"Path": "../d"}},
			{"Old": {"Path": "x.org/d"}, "New": {"Path": `+quoted(abs("d"))+`}}
		]
	}`), &w); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"go 1.26", "toolchain go1.27.3", "godebug a=1",
		"use " + quoted(base), "use " + quoted(filepath.Join(filepath.Dir(base), "b")), "use " + quoted(abs("abs")),
		`replace "x.org/d" v1.0.0 => ` + quoted(abs("copy")),
		`replace "x.org/a"  => ` + quoted(abs("a")) + " ",
		`replace "x.org/b" v1.0.0 => "x.org/c" v1.2.3`,
		`replace "x.org/d"  => ` + quoted(abs("d")) + " ",
		"",
	}, "\n")
	got := w.text(base, []Replacement{{Path: "x.org/d", Version: "v1.0.0", Dir: abs("copy")}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := new(workFile).text(base, nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

// Nothing is written unless the go command could change a file of the user.
func TestPrivateIsTheSameWhereNothingCanChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	for _, tool := range []*Toolchain{
		{Mod: "/m/go.mod"},
		{Work: "/m/go.work", Flags: []string{"-mod=readonly"}},
		{Flags: []string{"-mod=vendor"}, defaults: []string{"-mod=mod"}},
	} {
		got, err := tool.Private(t.Context(), dir, nil)
		if got != tool || err != nil {
			t.Errorf("%+v: %+v, %v", tool, got, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is there: %v", err)
	}
}

func TestPrivateCopiesModuleFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		flags []string
		mod   string // of the copy
		sum   string
	}{
		{"go.mod alone", map[string]string{"go.mod": "module a\n"}, nil, "module a\n", ""},
		{"with its sums", map[string]string{"go.mod": "module a\n", "go.sum": "s\n"}, nil, "module a\n", "s\n"},
		{"another file", map[string]string{"go.mod": "module a\n", "go.sum": "s\n", "sub/x.mod": "module b\n", "sub/x.sum": "t\n"}, []string{"-modfile=sub/x.mod", "-race"}, "module b\n", "t\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			user, dir := t.TempDir(), filepath.Join(t.TempDir(), "private")
			write(t, user, c.files)
			tool := &Toolchain{Dir: user, Mod: filepath.Join(user, "go.mod"), Flags: append(c.flags, "-mod=mod")}
			got, err := tool.Private(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			mod := filepath.Join(dir, "go.mod")
			if name, _ := lookup(got.Flags, "modfile"); name != mod || read(t, mod) != c.mod {
				t.Errorf("flags %q, file %q", got.Flags, read(t, mod))
			}
			sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
			if string(sum) != c.sum || (err == nil) != (c.sum != "") {
				t.Errorf("sums %q, %v; want %q", sum, err, c.sum)
			}
			if name, _ := lookup(tool.Flags, "modfile"); name == mod {
				t.Error("the receiver has changed")
			}
			if _, other := lookup(got.Flags, "race"); other != (len(c.flags) > 0) {
				t.Errorf("flags %q", got.Flags)
			}
		})
	}
}

func TestPrivateWithoutFiles(t *testing.T) {
	dir := t.TempDir()
	replace := []Replacement{{Path: "x.org/a", Version: "v1.0.0", Dir: dir}}
	tool := &Toolchain{Dir: dir}
	if _, err := tool.Private(t.Context(), dir, replace); err == nil || kindOf(err) != problem.KindNothingToMutate || !strings.Contains(err.Error(), "module x.org/a can't be replaced outside a module") {
		t.Errorf("outside a module: %v", err)
	}
	tool.Flags = []string{"-mod=mod"}
	if got, err := tool.Private(t.Context(), dir, nil); got != tool || err != nil {
		t.Errorf("outside a module, without replacements: %+v, %v", got, err)
	}
	tool.Mod = filepath.Join(dir, "nosuch", "go.mod")
	if _, err := tool.Private(t.Context(), filepath.Join(dir, "private"), nil); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "copying go.mod: ") {
		t.Errorf("a go.mod that is gone: %v", err)
	}
}

// The go command itself reads what was written, and takes the replacements.
func TestPrivateWithReplacements(t *testing.T) {
	user := t.TempDir()
	write(t, user, map[string]string{
		"m/go.mod":     "module example.com/m\n\ngo 1.26\n\nrequire example.com/d v1.0.0\n\nreplace example.com/d v1.0.0 => ../other\n",
		"other/go.mod": "module example.com/d\n", "copy/go.mod": "module example.com/d\n",
		"work/go.work": "go 1.26\n\nuse ../m\n\nreplace example.com/e v1.0.0 => ../other\n",
	})
	copied := filepath.Join(user, "copy")
	for _, c := range []struct {
		name, dir string
		replace   Replacement
	}{
		{"a module", "m", Replacement{"example.com/d", "v1.0.0", copied}},
		{"a workspace", "work", Replacement{"example.com/e", "v1.0.0", copied}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(user, c.dir)
			tool := &Toolchain{Command: "go", Dir: dir, Env: append(os.Environ(), "PWD="+dir, "GOWORK=off", "GOFLAGS="), Mod: filepath.Join(dir, "go.mod")}
			before := tool.Mod
			edit := []string{"mod", "edit", "-json"}
			if c.dir == "work" {
				tool.Mod, tool.Work = "", filepath.Join(dir, "go.work")
				before, edit = tool.Work, []string{"work", "edit", "-json"}
			}
			text := read(t, before)
			private := filepath.Join(t.TempDir(), "private")
			got, err := tool.Private(t.Context(), private, []Replacement{c.replace})
			if err != nil {
				t.Fatal(err)
			}
			if read(t, before) != text {
				t.Error("the file of the user has changed")
			}
			out, err := got.Go(context.Background(), append(edit, filepath.Join(private, filepath.Base(before)))...)
			if err != nil {
				t.Fatal(err)
			}
			var file struct {
				Replace []struct {
					Old, New struct{ Path, Version string }
				}
			}
			if err := json.Unmarshal(out, &file); err != nil {
				t.Fatal(err)
			}
			if len(file.Replace) != 1 || file.Replace[0].Old.Path != c.replace.Path || file.Replace[0].New.Path != copied {
				t.Errorf("replaced: %+v", file.Replace)
			}
			if c.dir == "work" && lookupEnv(got.Env, "GOWORK") != filepath.Join(private, "go.work") {
				t.Errorf("GOWORK is %s", lookupEnv(got.Env, "GOWORK"))
			}
		})
	}
}

func TestCopyModule(t *testing.T) {
	cache, modcache := t.TempDir(), t.TempDir()
	write(t, modcache, map[string]string{
		"a@v1/go.mod": "module a\n", "a@v1/a.go": "package a\n", "a@v1/sub/b.txt": "b", "old@v1/o.go": "package o\n",
		"made/go.mod": "module old\n",
	})
	tool := &Toolchain{Cache: cache, ModCache: modcache}
	made := filepath.Join(modcache, "made", "go.mod")
	for _, c := range []struct {
		name  string
		files map[string]string
	}{
		{"a@v1", map[string]string{"go.mod": "module a\n", "a.go": "package a\n", "sub/b.txt": "b"}},
		{"old@v1", map[string]string{"go.mod": "module old\n", "o.go": "package o\n"}},
	} {
		dir, err := tool.CopyModule(filepath.Join(modcache, c.name), made)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(cache, "fuzz", "fuzzmut-mod", c.name); dir != want {
			t.Errorf("copied to %s, want %s", dir, want)
		}
		got := make(map[string]string)
		if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				rel, _ := filepath.Rel(dir, path)
				got[filepath.ToSlash(rel)] = read(t, path)
				if info, err := d.Info(); err != nil || info.Mode()&0o200 == 0 {
					t.Errorf("%s can't be written: %v, %v", rel, info.Mode(), err)
				}
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.files, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		// A copy is made once: what is there stays.
		write(t, dir, map[string]string{"mark": ""})
		if again, err := tool.CopyModule(filepath.Join(modcache, c.name), made); err != nil || again != dir {
			t.Errorf("again: %s, %v", again, err)
		}
		read(t, filepath.Join(dir, "mark"))
	}
	entries, err := os.ReadDir(filepath.Join(cache, "fuzz", "fuzzmut-mod"))
	if err != nil || len(entries) != 2 {
		t.Errorf("%d entries are left, %v; want 2", len(entries), err)
	}
	if dir, err := tool.CopyModule(filepath.Join(modcache, "nosuch@v1"), made); err == nil || !strings.HasPrefix(err.Error(), "copying module nosuch@v1: ") {
		t.Errorf("of a module that is not there: %s, %v", dir, err)
	}
	if _, err := tool.CopyModule(filepath.Join(modcache, "old@v1", "."), made); err != nil {
		t.Error(err)
	}
}

// A module without a go.mod that could be made leaves no files.
func TestAModuleThatCantBeCopiedWholeIsNotThere(t *testing.T) {
	cache, modcache := t.TempDir(), t.TempDir()
	write(t, modcache, map[string]string{"old@v1/o.go": "package o\n"})
	tool := &Toolchain{Cache: cache, ModCache: modcache}
	if dir, err := tool.CopyModule(filepath.Join(modcache, "old@v1"), filepath.Join(modcache, "nosuch")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s, %v", dir, err)
	}
	entries, err := os.ReadDir(filepath.Join(cache, "fuzz", "fuzzmut-mod"))
	if err != nil || len(entries) != 0 {
		t.Errorf("%d entries are left, %v", len(entries), err)
	}
}

func TestErrorsOfTheGoCommand(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		tool Toolchain
		args []string
		kind problem.Kind
		want string
	}{
		{"no such command", Toolchain{Command: "fuzzmut-no-such-go", Dir: dir}, []string{"version"}, problem.KindToolchain, "the go command is not in PATH"},
		{"no such directory", Toolchain{Command: "go", Dir: filepath.Join(dir, "nosuch")}, []string{"version"}, problem.KindNotFound, "directory " + filepath.Join(dir, "nosuch") + " does not exist"},
		{"what it says", Toolchain{Command: "go", Dir: dir}, []string{"nosuchcommand"}, problem.KindToolchain, "go nosuchcommand: go nosuchcommand: unknown command"},
	} {
		_, err := c.tool.Go(t.Context(), c.args...)
		if err == nil || err.Error() != c.want || kindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Toolchain{Command: "go", Dir: dir}).Go(ctx, "version"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestNewToolchain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module m\n"})
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"as it is", nil, ""},
		{"no build cache", []string{"GOCACHE=off"}, "the go command has no build cache: set GOCACHE to an absolute path, or unset it"},
	} {
		tool, err := NewToolchain(t.Context(), dir, append(os.Environ(), append(c.env, "GOWORK=off", "GOFLAGS=-race '-tags=a b'")...), []string{"-tags", "x"})
		if message(err) != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if err != nil {
			continue
		}
		tags, _ := tool.setting("tags")
		if filepath.Base(tool.Mod) != "go.mod" || tool.Work != "" || !tool.Race() || tags != "x" || MinorOf(tool.Version) < minMinor || lookupEnv(tool.Env, "PWD") != dir {
			t.Errorf("%+v", tool)
		}
		tool.Flags = nil
		if tags, _ := tool.setting("tags"); tags != "a b" {
			t.Errorf("of GOFLAGS: tags %q", tags)
		}
	}
	if _, err := NewToolchain(t.Context(), dir, nil, []string{"x"}); kindOf(err) != problem.KindUsage {
		t.Errorf("a flag without a dash: %v", err)
	}
}
