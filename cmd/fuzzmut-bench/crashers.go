package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// prepare makes the work directory and builds the command.
func (b *collection) prepare() (err error) {
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	if b.command, err = buildFuzzmut(b.work); err == nil {
		b.gocache, err = goCache()
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(b.work))
	}
	return err
}

// modules returns the names of the modules to work on: all that are described,
// unless some are named.
func (b *collection) modules(names []string) ([]string, error) {
	if len(names) > 0 {
		return names, nil
	}
	files, err := filepath.Glob(filepath.Join(b.data, "*", "labels.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no module is described in %s: name the directory with -data", b.data)
	}
	return names, nil
}

// collection is the modules that are described, in copies of their own.
type collection struct {
	bench
	data      string // a directory for each module, with seeds and labels
	keepTests bool   // the module's own, as far as they can be built
}

// oldModule is an old version of a module, in a copy that can be written to.
type oldModule struct {
	target
	version string
	labels  []label
}

// forget removes a module's copy, and what fuzzing it has left in Go's fuzz cache.
func (b *collection) forget(m *oldModule) {
	os.RemoveAll(m.dir)
	for _, dir := range []func(string, string, string) (string, error){corpus.CacheDir, corpus.CrashersDir} {
		if path, err := dir(b.gocache, m.mutate[0], m.fuzz); err == nil {
			os.RemoveAll(path)
		}
	}
}

// hangTime is what an input may take.
const hangTime = 4 * time.Second

// replayCrash runs one failing input with plain go test.
func replayCrash(ctx context.Context, m *oldModule, plain, path string) (c crash, ok bool, err error) {
	dir, err := os.MkdirTemp(m.dir, "replay-")
	if err != nil {
		return c, false, err
	}
	defer os.RemoveAll(dir)
	entries := corpus.TestdataDir(dir, m.fuzz)
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.MkdirAll(entries, 0o777)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(entries, "input"), data, 0o666)
	}
	if err != nil {
		return c, false, err
	}
	p, err := on(ctx, 0, dir, plain, "-test.run=^"+m.fuzz+"$/^input$", "-test.timeout="+hangTime.String())
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return c, false, err
	}
	c, ok = parseCrash(string(p.stderr) + string(p.stdout))
	return c, ok, nil
}

// described is the first line of a module's description.
var described = regexp.MustCompile(`^# \S+: (\S+)@(\S+) \(package (\S+)\)`)

// module makes a copy of a described module, or of another version of it as in
// jsonparser@v1.1.1, with a fuzz test over its function target. The test has a name of its own, since Go's fuzz cache goes by it.
func (b *collection) module(ctx context.Context, name string, rep int) (*oldModule, error) {
	name, wanted, _ := strings.Cut(name, "@")
	from := filepath.Join(b.data, name)
	readme, err := os.ReadFile(filepath.Join(from, "README.md"))
	if err != nil {
		return nil, err
	}
	d := described.FindSubmatch(readme)
	if d == nil {
		return nil, fmt.Errorf("%s does not begin with the module's version", filepath.Join(from, "README.md"))
	}
	path, version, pkg := string(d[1]), string(d[2]), string(d[3])
	m := &oldModule{version: cmp.Or(wanted, version)}
	if m.labels, err = readLabels(filepath.Join(from, "labels.json")); err != nil {
		return nil, err
	}
	root := filepath.Join(b.work, fmt.Sprintf("%s-%d", name, rep))
	if err := copyModule(b.work, path+"@"+m.version, root); err != nil {
		return nil, err
	}
	m.name, m.dir = name, filepath.Join(root, pkg)
	m.fuzz = "Fuzz" + digits.FindString(filepath.Base(b.work)) + "x" + strconv.Itoa(rep)
	m.mutate = []string{strings.TrimSuffix(path+"/"+filepath.ToSlash(filepath.Clean(pkg)), "/.")}
	mod := filepath.Join(root, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.16\n"), 0o666); err != nil {
			return nil, err
		}
	}
	if err := raiseSys(ctx, mod); err != nil {
		return nil, err
	}
	return m, m.addTest(ctx, filepath.Join(from, "target_test.go"), b.keepTests)
}

// raiseSys has a module use this repository's version of golang.org/x/sys, if it needs
// any: not every old one can be had, or built by a new compiler.
func raiseSys(ctx context.Context, mod string) error {
	const sys = "golang.org/x/sys"
	text, err := os.ReadFile(mod)
	if err != nil || !strings.Contains(string(text), sys+" ") {
		return err
	}
	version, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", sys).Output()
	if err != nil {
		return fmt.Errorf("the version of %s: %w", sys, err)
	}
	return exec.CommandContext(ctx, "go", "mod", "edit", "-require="+sys+"@"+strings.TrimSpace(string(version)), mod).Run()
}

// addTest puts the target and a fuzz test into the package, in place of its tests or,
// if these are kept, beside those that can be built.
func (m *oldModule) addTest(ctx context.Context, file string, keep bool) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := m.dropTests(ctx, keep); err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(src), "\n")
	test := fmt.Sprintf(`%s

import "testing"

func %s(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { target(b) })
}
`, head, m.fuzz)
	return errors.Join(
		os.RemoveAll(corpus.TestdataDir(m.dir, m.fuzz)),
		os.WriteFile(filepath.Join(m.dir, "target_test.go"), src, 0o666),
		os.WriteFile(filepath.Join(m.dir, "fuzz_test.go"), []byte(test), 0o666))
}

// inTestFile is where an error in a test is, in what the go command says.
var inTestFile = regexp.MustCompile(`(?m)^(?:\./)?([^/:\s]+_test\.go):\d`)

// dropTests removes the package's own tests, or if they are kept those that can't be
// built today, as old ones that need what the proxy does not serve.
func (m *oldModule) dropTests(ctx context.Context, keep bool) error {
	tests, err := filepath.Glob(filepath.Join(m.dir, "*_test.go"))
	for err == nil && len(tests) > 0 {
		bad := tests
		if keep {
			p, err := on(ctx, anyCore, m.dir, "go", "test", "-c", "-vet=off", "-mod=mod", "-o", os.DevNull, ".")
			if err == nil {
				return nil
			}
			if bad = named(string(p.stdout)+string(p.stderr), m.dir); len(bad) == 0 {
				bad = tests
			}
		}
		for _, t := range bad {
			if err := os.Remove(t); err != nil {
				return err
			}
		}
		tests, err = filepath.Glob(filepath.Join(m.dir, "*_test.go"))
	}
	return err
}

// named lists the test files of a directory that messages of the go command name.
func named(messages, dir string) []string {
	var list []string
	for _, match := range inTestFile.FindAllStringSubmatch(messages, -1) {
		path := filepath.Join(dir, match[1])
		if _, err := os.Stat(path); err == nil && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}
