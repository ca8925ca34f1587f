package arena

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTargetsAreTheFuzzTestsBesideADoc(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"json/doc.go":      "// Package json is a target.\n//\n// mutate: encoding/json\n// mutate: example.com/m\n//mutate: none\npackage json\n",
		"json/b_test.go":   "package json\n\nfunc FuzzB(f *testing.F) {}\n\nfunc FuzzC(f *testing.F) {}\n\nfunc fuzzD(f *testing.F) {}\n",
		"json/a_test.go":   "package json\n\nfunc FuzzA(f *testing.F) {\n\t// func FuzzNo(f *testing.F)\n}\n",
		"json/json.go":     "package json\n\nfunc FuzzOld(f *testing.F) {}\n",
		"csv/doc.go":       "package csv\n",
		"csv/x_test.go":    "package csv\n\nfunc FuzzX(f *testing.F) {}\n",
		"other/x_test.go":  "package other\n\nfunc FuzzY(f *testing.F) {}\n",
		"empty/doc.go":     "package empty\n",
		"empty/no_test.go": "package empty\n",
	})
	shown := func(names ...string) string {
		list, err := findTargets(root, names)
		if err != nil {
			return err.Error()
		}
		var ids []string
		for _, t := range list {
			ids = append(ids, fmt.Sprint(t.ID(), t.Mutate))
		}
		return strings.Join(ids, " ")
	}
	const json = "json.FuzzA[encoding/json example.com/m] json.FuzzB[encoding/json example.com/m] json.FuzzC[encoding/json example.com/m]"
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "csv.FuzzX[] " + json},
		{[]string{"json", "csv"}, json + " csv.FuzzX[]"},
		{[]string{"empty"}, ""},
	} {
		if got := shown(c.names...); got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
	if got := shown("other"); !strings.Contains(got, "no such target") {
		t.Errorf("of a directory without a doc: %s", got)
	}
}

func TestModulesAreRenamedInTheirFirstLine(t *testing.T) {
	dir := t.TempDir()
	mod := filepath.Join(dir, "go.mod")
	write(t, dir, map[string]string{"go.mod": "module example.com/old\n\ngo 1.26\n\nrequire example.com/old/x v1.0.0\n"})
	if err := RenameModule(dir, "example.com/new"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(mod)
	if want := "module example.com/new\n\ngo 1.26\n\nrequire example.com/old/x v1.0.0\n"; err != nil || string(text) != want {
		t.Errorf("got %q, %v", text, err)
	}
	write(t, dir, map[string]string{"go.mod": "module example.com/old"})
	if err := RenameModule(dir, "example.com/new"); err == nil {
		t.Error("no error for a file of one line")
	}
	if err := RenameModule(t.TempDir(), "example.com/new"); err == nil {
		t.Error("no error where there is no go.mod")
	}
}

func TestModulesOfBeforeThereWereModulesGetAGoMod(t *testing.T) {
	dir := t.TempDir()
	if err := withGoMod(dir, "example.com/old"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(text) != "module example.com/old\n\ngo 1.16\n" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := RenameModule(dir, "example.com/new"); err != nil {
		t.Error(err)
	}
	write(t, dir, map[string]string{"go.mod": "module example.com/its\n"})
	if err := withGoMod(dir, "example.com/old"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(text) != "module example.com/its\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestWorkspacesAreModulesOfTheirOwn(t *testing.T) {
	b := &Bench{Work: t.TempDir(), GoCache: t.TempDir()}
	write(t, b.Work, map[string]string{
		"targets/go.mod": "module example.com/t\n\ngo 1.26\n", "targets/go.sum": "sum\n", "targets/json/a_test.go": "package json\n",
		"targets/csv/a_test.go": "package csv\n",
	})
	target := Target{Name: "json", Fuzz: "FuzzA", Dir: filepath.Join(b.Work, "targets", "json")}
	seen := make(map[string]bool)
	for range 2 {
		place, err := b.Workspace(target)
		if err != nil {
			t.Fatal(err)
		}
		root := filepath.Dir(place.Dir)
		mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil || seen[string(mod)] || !bytes.HasSuffix(mod, []byte("\n\ngo 1.26\n")) {
			t.Errorf("go.mod is %q, %v", mod, err)
		}
		seen[string(mod)] = true
		files, _ := filepath.Glob(filepath.Join(root, "*", "*"))
		if !slices.Equal(files, []string{filepath.Join(root, "json", "a_test.go")}) {
			t.Errorf("it holds %q", files)
		}
		// What a run leaves in Go's fuzz cache goes by the module's path.
		cache := filepath.Join(b.GoCache, "fuzz", "example.com", filepath.Base(root))
		write(t, cache, map[string]string{"FuzzA/entry": ""})
		b.Discard(place)
		for _, gone := range []string{root, cache} {
			if _, err := os.Stat(gone); err == nil {
				t.Errorf("%s is left", gone)
			}
		}
	}
	b.Discard(Target{}) // of a workspace that could not be made
	if _, err := os.Stat(target.Dir); err != nil {
		t.Error(err)
	}
}

func TestFailingInputsAreSetAside(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "deep", "to")
	if paths, err := setAside(from, to); err != nil || paths != nil {
		t.Errorf("without a failing input: %q, %v", paths, err)
	}
	write(t, from, map[string]string{"a": "1", "b": "2"})
	paths, err := setAside(from, to)
	if want := []string{filepath.Join(to, "a"), filepath.Join(to, "b")}; err != nil || !slices.Equal(paths, want) {
		t.Errorf("got %q, %v", paths, err)
	}
	if left, _ := os.ReadDir(from); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestRunTellsWhatACommandSays(t *testing.T) {
	p, err := Run(t.Context(), AnyCore, t.TempDir(), "sh", "-c", "echo out; echo err >&2")
	if err != nil || string(p.Stdout) != "out\n" || string(p.Stderr) != "err\n" || p.Wall <= 0 {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = Run(t.Context(), AnyCore, t.TempDir(), "sh", "-c", "echo half; echo why >&2; exit 3")
	if err == nil || string(p.Stdout) != "half\n" || !strings.HasSuffix(err.Error(), "exit status 3\nhalf\nwhy\n") {
		t.Errorf("%q, %v", p.Stdout, err)
	}
	if long := Tail(bytes.Repeat([]byte("x"), 5000)); len(long) != 2000 {
		t.Errorf("%d bytes of 5000 are shown", len(long))
	}
	if got := Tail([]byte("ab")); string(got) != "ab" {
		t.Errorf("%q of ab", got)
	}
}

// The shell plays the binary of go test -fuzz: it writes a failing input in its first
// run, and none in its second.
func TestStockIsStartedAgainAfterAFailingInput(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "fuzz.test")
	script := `#!/bin/sh
echo 'fuzz: elapsed: 1s, execs: 100 (100/sec), new interesting: 1 (total: 2)'
if [ ! -e failed ]; then
	touch failed
	mkdir -p testdata/fuzz/FuzzX
	echo input > testdata/fuzz/FuzzX/abc
	exit 1
fi
sleep 3
`
	if err := os.WriteFile(binary, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	var shown []string
	out, err := FuzzStock(t.Context(), AnyCore, binary, dir, "FuzzX", 3*time.Second, "0s", func(_ Outcome, failing []string, text []byte) {
		for _, f := range failing {
			shown = append(shown, filepath.Base(f))
		}
		if !bytes.Contains(text, []byte("execs: 100")) {
			t.Errorf("the output is %q", text)
		}
	})
	if err != nil || out.Failing != 1 || out.Executions < 200 || !slices.Equal(shown, []string{"abc"}) {
		t.Errorf("%+v, %v, shown %q", out, err, shown)
	}
	if out.Fuzzed != out.Wall || out.FuzzCPU != out.CPU || out.Dir != filepath.Join(dir, "cache", "FuzzX") {
		t.Errorf("%+v", out)
	}
}

func TestStockWithoutProgressIsAnError(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "fuzz.test")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho no such flag\nexit 2\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := FuzzStock(t.Context(), AnyCore, binary, dir, "FuzzX", 1e9, "", nil)
	if err == nil || !strings.Contains(err.Error(), "no such flag") {
		t.Errorf("got %v", err)
	}
}
