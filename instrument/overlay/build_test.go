package overlay

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// module is an unpacked archive: files "dir" (where to work) and "flags" (-mutate
// patterns and build flags, one a line) are options, the others the source.
type module struct {
	root, dir string
	mutate    []string
	flags     []string
}

func unpack(t *testing.T, ar *txtar.Archive) *module {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &module{root: root, dir: root}
	for _, f := range ar.Files {
		text := strings.TrimSpace(string(f.Data))
		switch f.Name {
		case "dir":
			m.dir = filepath.Join(root, text)
			continue
		case "flags":
			for line := range strings.SplitSeq(text, "\n") {
				if pattern, ok := strings.CutPrefix(line, "-mutate "); ok {
					m.mutate = append(m.mutate, pattern)
				} else {
					m.flags = append(m.flags, line)
				}
			}
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func unpackText(t *testing.T, text string) *module {
	t.Helper()
	return unpack(t, txtar.Parse([]byte(text)))
}

func (m *module) load(t *testing.T) *load.Result {
	t.Helper()
	r, err := load.Load(t.Context(), load.Config{Dir: m.dir, Pattern: ".", Mutate: m.mutate, BuildFlags: append(slices.Clone(m.flags), symbols)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (m *module) config(t *testing.T, r *load.Result) Config {
	t.Helper()
	ops, err := operator.ByNames("default")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return Config{Loaded: r, Operators: ops, WorkDir: dir, Output: filepath.Join(dir, "test.bin"), Log: t.Output()}
}

// snapshot maps the files below dir to their contents.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var timing = regexp.MustCompile(`\(\d+\.\d+s\)|(?m)^(ok  \t|go: found ).*$`)

// results is the output of a test binary, but for what varies.
func results(out []byte) string {
	return strings.TrimSpace(timing.ReplaceAllString(string(out), ""))
}

// TestBuild builds each archive and runs its tests with no mutant active: they
// have to say the same, lines and file names included, as those of the package
// as it was, which must be as it was afterwards.
func TestBuild(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if err != nil || len(archives) == 0 {
		t.Fatal(err, archives)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compareWithPlain(t, unpack(t, ar))
		})
	}
	for _, name := range []string{"intest", "targetdir", "generics", "recovers", "skips", "calc"} {
		t.Run(name, func(t *testing.T) {
			m := &module{root: t.TempDir()}
			m.dir = m.root
			if err := os.CopyFS(m.root, os.DirFS(filepath.Join("../../testdata/trees", name))); err != nil {
				t.Fatal(err)
			}
			compareWithPlain(t, m)
		})
	}
}

func compareWithPlain(t *testing.T, m *module) {
	before := snapshot(t, m.root)
	r := m.load(t)
	cfg := m.config(t, r)
	var log bytes.Buffer
	cfg.Log = &log
	p, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if log.Len() > 0 {
		t.Errorf("code was left out: %s", &log)
	}
	if diff := cmp.Diff(before, snapshot(t, m.root)); diff != "" {
		t.Errorf("the tree has changed:\n%s", diff)
	}
	checkLinked(t, p, cfg.Output)
	if len(p.Sites) == 0 {
		t.Error("nothing is observed")
	}

	cmd := exec.CommandContext(t.Context(), cfg.Output, "-test.v")
	cmd.Dir = m.dir
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("rewritten tests: %v\n%s", err, got)
	}
	cmd = exec.CommandContext(t.Context(), "go", slices.Concat([]string{"test", "-vet=off", "-v"}, m.flags, []string{"."})...)
	cmd.Dir = m.dir
	want, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("plain tests: %v\n%s", err, want)
	}
	if diff := cmp.Diff(results(want), results(got)); diff != "" {
		t.Errorf("plain -, rewritten +:\n%s", diff)
	}
}

// symbols keeps the symbol table in a test binary, for checkLinked.
const symbols = "-ldflags="

// checkLinked looks for the counters of each mutated package among the binary's
// symbols.
func checkLinked(t *testing.T, p *instrument.Program, binary string) {
	t.Helper()
	text, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	mutated := false
	for _, pkg := range p.Packages {
		has := slices.ContainsFunc(p.Funcs, func(f instrument.Func) bool { return f.Package == pkg.ImportPath })
		if has && !bytes.Contains(text, []byte(pkg.ImportPath+".fuzzmutC")) {
			t.Errorf("package %s is not the rewritten one", pkg.ImportPath)
		}
		mutated = mutated || pkg.Mutated && has
	}
	if !mutated {
		t.Error("no mutated package has a rewritten function")
	}
}

const small = `
-- go.mod --
module example.com/small

go 1.26
-- small.go --
package small

func Half(n int) int {
	if n < 0 {
		return -Half(-n)
	}
	return n / 2
}

func Twice(n int) int { return n * 2 }
-- small_test.go --
package small

import "testing"

func FuzzHalf(f *testing.F) {
	f.Add(4)
	f.Fuzz(func(t *testing.T, n int) {
		if h := Half(n); h > 0 && h > n {
			t.Error(h)
		}
		Twice(n)
	})
}
`

// A second build finds everything but the link in Go's cache, although its files
// lie elsewhere.
func TestSecondBuildCompilesNothing(t *testing.T) {
	m := unpackText(t, small+`
-- flags --
-x
`)
	r := m.load(t)
	compiled := func() int {
		cfg := m.config(t, r)
		b := &builder{cfg: cfg, drops: newDrops(), rewrite: rewriteAll}
		if err := b.prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		rw, err := rewriteAll(t.Context(), cfg, b.drops)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.write(rw); err != nil {
			t.Fatal(err)
		}
		text, err := b.compile(t.Context())
		if err != nil {
			t.Fatal(err, text)
		}
		if !strings.Contains(text, "/link ") {
			t.Fatalf("no commands in the output: %s", text)
		}
		return len(regexp.MustCompile(`(?m)/compile .* -p `).FindAllString(text, -1))
	}
	if first := compiled(); first == 0 {
		t.Error("the first build of a package in a new directory compiles nothing")
	}
	if second := compiled(); second != 0 {
		t.Errorf("the second build compiles %d packages", second)
	}
}

// spoiled builds m, rewriting as always but for the mistakes that spoil makes.
func spoiled(t *testing.T, m *module, spoil func(rw *rewritten, d drops)) (p *instrument.Program, log string) {
	t.Helper()
	cfg := m.config(t, m.load(t))
	var buf bytes.Buffer
	cfg.Log = &buf
	cfg.Compiling = func(*instrument.Program) {}
	bad := func(ctx context.Context, cfg Config, d drops) (*rewritten, error) {
		rw, err := rewriteAll(ctx, cfg, d)
		if err == nil {
			spoil(rw, d)
		}
		return rw, err
	}
	p, err := (&builder{cfg: cfg, drops: newDrops(), rewrite: bad}).build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), cfg.Output).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return p, buf.String()
}

// What does not compile after rewriting is left out, with a warning and a Skip,
// and the rest goes on: first a function's mutants, then its file.
func TestUncompilableCodeIsDropped(t *testing.T) {
	m := unpackText(t, small)
	file := filepath.Join(m.dir, "small.go")
	const half = "func Half(n int) int {"
	live := func(p *instrument.Program, name string) int {
		n := 0
		for _, m := range p.Mutants {
			if m.Func == name && m.Status != instrument.StatusSkipped {
				n++
			}
		}
		return n
	}
	t.Run("function", func(t *testing.T) {
		p, log := spoiled(t, m, func(rw *rewritten, d drops) {
			if len(d.funcs) == 0 {
				replace(rw, file, half, half+" var _ int = true;")
			}
		})
		if want := "small.go:3: Half is not mutated"; !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
		if live(p, "Half") > 0 || live(p, "Twice") == 0 {
			t.Errorf("%d mutants in Half, %d in Twice", live(p, "Half"), live(p, "Twice"))
		}
		checkSkip(t, p, "Half")
		checkWarning(t, p, "1 function is not mutated, because the compiler rejects the rewritten code (small.go:3: ")
	})
	t.Run("file", func(t *testing.T) {
		p, log := spoiled(t, m, func(rw *rewritten, d drops) { replace(rw, file, half, half+" var _ int = true;") })
		if want := "small.go:3: the file is neither mutated nor covered"; !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
		if live(p, "Half")+live(p, "Twice") > 0 {
			t.Errorf("mutants in a file that is left alone")
		}
		checkWarning(t, p, "1 file is neither mutated nor covered, because")
		checkSkip(t, p, "file")
	})
	t.Run("initialiser", func(t *testing.T) {
		m := unpackText(t, strings.Replace(small, "return n * 2 }", "return n * factor }\n\nvar factor = Half(4) * 1", 1))
		file := filepath.Join(m.dir, "small.go")
		p, log := spoiled(t, m, func(rw *rewritten, d drops) {
			if len(d.funcs) == 0 {
				replace(rw, file, "var factor =", "var factor = true +")
			}
		})
		if want := "small.go:12: the initializer is not mutated"; !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
		if live(p, "Half") == 0 || live(p, "Twice") == 0 || live(p, "") > 0 {
			t.Errorf("%d mutants in Half, %d in Twice, %d in the initialiser", live(p, "Half"), live(p, "Twice"), live(p, ""))
		}
		checkSkip(t, p, "var factor")
		checkWarning(t, p, "1 initializer is not mutated, because")
	})
	t.Run("test", func(t *testing.T) {
		test := filepath.Join(m.dir, "small_test.go")
		p, log := spoiled(t, m, func(rw *rewritten, d drops) { replace(rw, test, "f.Add(4)", "f.Add(undefined)") })
		if want := "small_test.go:6: calls are not observed"; !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
		if len(p.Sites) > 0 {
			t.Errorf("sites of a test file that was left alone: %v", p.Sites)
		}
		checkWarning(t, p, "1 test file is not observed, because")
	})
}

// checkWarning looks for what a run tells of code that is left out.
func checkWarning(t *testing.T, p *instrument.Program, want string) {
	t.Helper()
	if len(p.Refused) != 1 || len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0], want) || !strings.HasSuffix(p.Warnings[0], instrument.IssuePage) {
		t.Errorf("refused %v, warnings %q; want one that begins with %q", p.Refused, p.Warnings, want)
	}
}

func checkSkip(t *testing.T, p *instrument.Program, what string) {
	t.Helper()
	if !slices.ContainsFunc(p.Skips, func(s instrument.Skip) bool {
		return s.What == what && strings.Contains(s.Reason, "a bug in fuzzmut: ")
	}) {
		t.Errorf("no skip for %s: %v", what, p.Skips)
	}
}

func replace(rw *rewritten, path, from, to string) {
	if text, ok := rw.files[path]; ok {
		rw.files[path] = bytes.Replace(text, []byte(from), []byte(to), 1)
	}
}

// A package that the plain go command can't build is the user's to fix.
func TestPackageThatNeverBuilds(t *testing.T) {
	m := unpackText(t, small+`
-- asm.go --
package small

func missing()
`)
	r, err := load.Load(t.Context(), load.Config{Dir: m.dir, Pattern: "."})
	if err == nil {
		_, err = Build(t.Context(), m.config(t, r))
	}
	var broken *problem.Error
	if !errors.As(err, &broken) || broken.Kind != problem.KindBroken || !strings.Contains(err.Error(), "missing function body") {
		t.Errorf("error is %v", err)
	}
}

// The stock engine runs the package from the same overlay.
func TestStockEngine(t *testing.T) {
	m := unpackText(t, small)
	cfg := m.config(t, m.load(t))
	cfg.Native = true
	if _, err := Build(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	args, env, dir, err := TestArgs(t.Context(), cfg, "-run=^$", "-fuzz=^FuzzHalf$", "-fuzztime=100x", "-parallel=1")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("fuzz: elapsed: ")) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestStockEngineOutsideTheMainModule(t *testing.T) {
	r := &load.Result{Test: instrument.TestPackage{ImportPath: "regexp/syntax"}}
	_, err := Build(t.Context(), Config{Loaded: r, WorkDir: t.TempDir(), Native: true})
	var usage *problem.Error
	if !errors.As(err, &usage) || usage.Kind != problem.KindUsage {
		t.Errorf("error is %v", err)
	}
}

// A toolchain that the go command has downloaded is in the module cache, where
// it accepts no overlay.
func TestToolchainInModuleCache(t *testing.T) {
	m := unpackText(t, small)
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOMODCACHE="+filepath.Dir(strings.TrimSpace(string(root))))
	r, err := load.Load(t.Context(), load.Config{Dir: m.dir, Pattern: ".", Env: env, Mutate: []string{".", "unicode/utf16"}, BuildFlags: []string{symbols}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := m.config(t, r)
	p, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	checkLinked(t, p, cfg.Output)
	cfg.Native = true
	if _, err := Build(t.Context(), cfg); err != nil {
		t.Errorf("for the stock engine: %v", err)
	}

	// A derived fuzz test of any type needs the library, which becomes a part of GOROOT.
	m = unpackText(t, "-- go.mod --\nmodule example.com/d\n\ngo 1.26\n-- d.go --\npackage d\n\ntype P struct{ X, Y int }\n\n//fuzzmut:target\nfunc D(p P) int { return p.X - p.Y }\n")
	if r, err = load.Load(t.Context(), load.Config{Dir: m.dir, Pattern: ".", Env: env, Derive: true, BuildFlags: []string{symbols}}); err != nil {
		t.Fatal(err)
	}
	cfg = m.config(t, r)
	if p, err = Build(t.Context(), cfg); err != nil || len(r.Derived) != 1 {
		t.Fatalf("%d derived, %v", len(r.Derived), err)
	}
	checkLinked(t, p, cfg.Output)
}

func TestRewriteWritesNothingAndIsDeterministic(t *testing.T) {
	m := unpackText(t, small)
	r := m.load(t)
	cfg := m.config(t, r)
	a, err := Rewrite(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Rewrite(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" || len(a.Mutants) == 0 {
		t.Errorf("%d mutants; %s", len(a.Mutants), diff)
	}
	if files := snapshot(t, cfg.WorkDir); len(files) > 0 {
		t.Errorf("files were written: %v", files)
	}
}

// The loop can't be trusted with a mutant of what it is made of.
func TestStaticMutantsOfTheMachineryAreSkipped(t *testing.T) {
	m := unpackText(t, small+"-- list.go --\npackage small\n\nimport _ \"container/list\"\n-- flags --\n-mutate .\n-mutate strconv\n-mutate container/list\n-mutate time\n")
	b := &builder{cfg: m.config(t, m.load(t)), drops: newDrops()}
	if err := b.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	rw, err := rewriteAll(t.Context(), b.cfg, b.drops)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.write(rw); err != nil {
		t.Fatal(err)
	}
	if err := b.markMachinery(t.Context(), rw.program); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, p := range rw.program.Packages {
		got[p.ImportPath] = p.Machinery
	}
	if want := map[string]bool{"example.com/small": false, "strconv": true, "container/list": false, "time": true}; !cmp.Equal(got, want) {
		t.Errorf("machinery: %v, want %v", got, want)
	}
	skipped := 0
	for _, m := range rw.program.Mutants {
		if m.Status == instrument.StatusStatic {
			t.Errorf("mutant in line %d of %s is to be run", m.Line, m.File)
		}
		if strings.Contains(m.Reason, "the test binary itself needs the package") {
			skipped++
		}
	}
	if skipped == 0 {
		t.Error("none is skipped")
	}
}

// The go command does not remove its files if it is interrupted before it handles signals.
func TestTemporaryFilesAreInTheWorkDirectory(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	b := &builder{cfg: Config{WorkDir: dir}}
	for _, env := range [][]string{nil, {"GOTMPDIR=elsewhere"}} {
		out, err := b.goCommand(t.Context(), &gotool.Toolchain{Command: "sh", Dir: dir, Env: env}, "-c", `echo "$GOTMPDIR"`)
		if err != nil || strings.TrimSpace(out) != dir {
			t.Errorf("with %q: GOTMPDIR is %q, %v; want %s", env, out, err, dir)
		}
	}
}
