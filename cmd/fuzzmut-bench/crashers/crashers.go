// Package crashers has old versions of modules with known bugs, in copies that can be
// written to, and tells which bug a failing input shows (testdata/crashers).
package crashers

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

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/corpus"
)

// Prepare makes the work directory and builds the command.
func (b *Collection) Prepare() (err error) {
	if b.Work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	if b.Command, err = arena.BuildFuzzmut(b.Work); err == nil {
		b.GoCache, err = arena.GoCache()
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(b.Work))
	}
	return err
}

// Names returns the names of the modules to work on: all that are described,
// unless some are named.
func (b *Collection) Names(names []string) ([]string, error) {
	if len(names) > 0 {
		return names, nil
	}
	files, err := filepath.Glob(filepath.Join(b.Data, "*", "labels.json"))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		names = append(names, filepath.Base(filepath.Dir(f)))
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no module is described in %s: name the directory with -data", b.Data)
	}
	return names, nil
}

// Each calls f for each of the modules, with its number from 0. What the module proxy does
// not serve is asked for once more after the others, and then left out.
func Each(names []string, f func(i int, name string) error) error {
	numbers := make(map[string]int)
	for i, name := range names {
		numbers[name] = i
	}
	queue := slices.Clone(names)
	for at := 0; at < len(queue); at++ {
		name := queue[at]
		err := f(numbers[name], name)
		switch {
		case errors.Is(err, arena.ErrNotServed) && at < len(names):
			queue = append(queue, name)
		case errors.Is(err, arena.ErrNotServed):
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Collection is the modules that are described, each in a separate copy.
type Collection struct {
	arena.Bench
	Data      string // a directory for each module, with seeds and labels
	KeepTests bool   // the module's own, as far as they can be built
}

// Module is an old version of a module, in a copy that can be written to.
type Module struct {
	arena.Target
	Version string
	Labels  []Label
}

// Forget removes a module's copy, and what fuzzing it has left in Go's fuzz cache.
func (b *Collection) Forget(m *Module) {
	os.RemoveAll(m.Dir)
	for _, dir := range []func(string, string, string) (string, error){corpus.CacheDir, corpus.CrashersDir} {
		if path, err := dir(b.GoCache, m.Mutate[0], m.Fuzz); err == nil {
			os.RemoveAll(path)
		}
	}
}

// hangTime is what an input may take.
const hangTime = 4 * time.Second

// Replay runs one failing input with plain go test.
func Replay(ctx context.Context, m *Module, plain, path string) (c Crash, ok bool, err error) {
	dir, err := os.MkdirTemp(m.Dir, "replay-")
	if err != nil {
		return c, false, err
	}
	defer os.RemoveAll(dir)
	entries := corpus.TestdataDir(dir, m.Fuzz)
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
	p, err := arena.Run(ctx, 0, dir, plain, "-test.run=^"+m.Fuzz+"$/^input$", "-test.timeout="+hangTime.String())
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return c, false, err
	}
	c, ok = parseCrash(string(p.Stderr) + string(p.Stdout))
	return c, ok, nil
}

// described is the first line of a module's description.
var described = regexp.MustCompile(`^# \S+: (\S+)@(\S+) \(package (\S+)\)`)

// Description returns what the README in dir says of a module: its path, its version,
// and the directory of the package.
func Description(dir string) (path, version, pkg string, err error) {
	file := filepath.Join(dir, "README.md")
	readme, err := os.ReadFile(file)
	if err != nil {
		return "", "", "", err
	}
	d := described.FindSubmatch(readme)
	if d == nil {
		return "", "", "", fmt.Errorf("%s does not begin with the module's version", file)
	}
	return string(d[1]), string(d[2]), string(d[3]), nil
}

// Module makes a copy of a described module, or of another version of it as in
// jsonparser@v1.1.1, with a fuzz test over its function target. The test has its own name, since Go's fuzz cache goes by it.
func (b *Collection) Module(ctx context.Context, name string, rep int) (*Module, error) {
	name, wanted, _ := strings.Cut(name, "@")
	from := filepath.Join(b.Data, name)
	path, version, pkg, err := Description(from)
	if err != nil {
		return nil, err
	}
	m := &Module{Version: cmp.Or(wanted, version)}
	if m.Labels, err = ReadLabels(filepath.Join(from, "labels.json")); err != nil {
		return nil, err
	}
	root := filepath.Join(b.Work, fmt.Sprintf("%s-%d", name, rep))
	if err := arena.CopyModule(b.Work, path+"@"+m.Version, root); err != nil {
		return nil, err
	}
	m.Name, m.Dir = name, filepath.Join(root, pkg)
	m.Fuzz = "Fuzz" + digits.FindString(filepath.Base(b.Work)) + "x" + strconv.Itoa(rep)
	m.Mutate = []string{strings.TrimSuffix(path+"/"+filepath.ToSlash(filepath.Clean(pkg)), "/.")}
	mod := filepath.Join(root, "go.mod")
	if _, err := os.Stat(mod); errors.Is(err, fs.ErrNotExist) {
		if err := os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.16\n"), 0o666); err != nil {
			return nil, err
		}
	}
	if err := raiseSys(ctx, mod); err != nil {
		return nil, err
	}
	return m, m.addTest(ctx, filepath.Join(from, "target_test.go"), b.KeepTests)
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
func (m *Module) addTest(ctx context.Context, file string, keep bool) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := m.dropTests(ctx, keep); err != nil {
		return err
	}
	test := fuzzTest(string(src), m.Fuzz)
	return errors.Join(
		os.RemoveAll(corpus.TestdataDir(m.Dir, m.Fuzz)),
		os.WriteFile(filepath.Join(m.Dir, "target_test.go"), src, 0o666),
		os.WriteFile(filepath.Join(m.Dir, "fuzz_test.go"), []byte(test), 0o666))
}

// fuzzTest returns the file of a fuzz test over the function target of another file.
func fuzzTest(target, name string) string {
	head, _, _ := strings.Cut(target, "\n")
	return fmt.Sprintf(`%s

import "testing"

func %s(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { target(b) })
}
`, head, name)
}

// inTestFile is where an error in a test is, in what the go command says.
var inTestFile = regexp.MustCompile(`(?m)^(?:\./)?([^/:\s]+_test\.go):\d`)

// dropTests removes the package's own tests, or if they are kept those that can't be
// built today, as old ones that need what the proxy does not serve.
func (m *Module) dropTests(ctx context.Context, keep bool) error {
	tests, err := filepath.Glob(filepath.Join(m.Dir, "*_test.go"))
	for err == nil && len(tests) > 0 {
		bad := tests
		if keep {
			p, err := arena.Run(ctx, arena.AnyCore, m.Dir, "go", "test", "-c", "-vet=off", "-mod=mod", "-o", os.DevNull, ".")
			if err == nil {
				return nil
			}
			if bad = named(string(p.Stdout)+string(p.Stderr), m.Dir); len(bad) == 0 {
				bad = tests
			}
		}
		for _, t := range bad {
			if err := os.Remove(t); err != nil {
				return err
			}
		}
		tests, err = filepath.Glob(filepath.Join(m.Dir, "*_test.go"))
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
