//go:build unix

package suggest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/fake"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/unittest"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/accepted"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/memory"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial/trialtest"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// fakeGo is the environment variable with the file to which the go command of a world writes
// its arguments.
const fakeGo = "SUGGEST_FAKE_GO"

// The test binary is its own worker, see package fake for what its inputs say, and the go
// command.
func TestMain(m *testing.M) {
	fake.Play()
	if path := os.Getenv(fakeGo); path != "" {
		if slices.Contains(os.Args, "-v") { // it is to show the rows of probes
			for n := range 60 {
				if strings.HasSuffix(path, "rows") {
					word := fmt.Sprint("w", n)
					fmt.Printf("=== RUN   FuzzCleanRows/seed#%d\n    fuzzmut_rows_test.go:9: fuzzmut row []interface {}{%q, %d, %[2]q, %[3]d}\n", n, word, len(word))
				}
			}
			os.Exit(0)
		}
		if strings.HasSuffix(path, "vets") && !slices.Contains(os.Args, "-vet=off") {
			fmt.Println("./own_test.go:3:1: a mistake")
			os.Exit(1)
		}
		if strings.HasSuffix(path, "refuses") && !slices.Contains(os.Args, "-vet=off") && refuse(`"d3"`) {
			os.Exit(1)
		}
		if strings.HasSuffix(path, "unsteady") {
			// The first run fails, and of the tests of one case each the second one does.
			f, err := os.OpenFile(path+".begun", os.O_CREATE|os.O_EXCL, 0o666)
			if f.Close(); err == nil || slices.Contains(os.Args, "-count=5") {
				fmt.Println("--- FAIL: TestF_2 (0.00s)\n    fuzzmut_suggest_test.go:3: got 1\n--- FAIL: FuzzCleanTwice (0.00s)\n    fuzzmut_oracles_test.go:3: got 1")
				os.Exit(1)
			}
		}
		if strings.HasSuffix(path, "table") && strings.Contains(strings.Join(os.Args, " "), "TestTable") {
			fmt.Println("--- FAIL: TestTable (0.00s)")
			os.Exit(1)
		}
		if err := os.WriteFile(path, []byte(strings.Join(os.Args[1:], "\n")), 0o666); err != nil || strings.HasSuffix(path, "fails") {
			fmt.Println("--- FAIL: TestX")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// refuse is go vet that has found something in the lines of an overlay's files with a text.
func refuse(what string) (found bool) {
	for _, arg := range os.Args {
		path, ok := strings.CutPrefix(arg, "-overlay=")
		if !ok {
			continue
		}
		text, _ := os.ReadFile(path)
		var overlay struct{ Replace map[string]string }
		_ = json.Unmarshal(text, &overlay)
		for _, file := range overlay.Replace {
			text, _ := os.ReadFile(file)
			for i, line := range strings.Split(string(text), "\n") {
				if strings.Contains(line, what) {
					fmt.Printf("# example.com/m\n%s:%d:2: a mistake\n", file, i+1)
					found = true
				}
			}
		}
	}
	return found
}

// A world is a package with one function, and what is done with it without a compiler. The
// mutants m1 to m8 are in the function. A fuzz test does what its inputs say.
type world struct {
	*session
	t       *testing.T
	dir     string
	code    string
	table   string                     // a test of the package
	own     []instrument.FuzzTest      // of the package itself
	unit    map[string]unittest.Status // by mutant; others are not covered
	red     string                     // the pattern of tests that do not pass without a mutant
	lost    map[string]bool            // mutants that written tests do not kill, and written tests that kill none
	burns   map[string]int64           // mutants that written tests kill by fuel, with what they burn until they end; 0: they never do
	reverse bool                       // the numbers of mutants in the next build
	within  string                     // the function that the last block of a build is in, and no other; "": none is known
	overlay map[string][]byte          // of the last build of tests
	asked   []string                   // of tests that were run, with the mutants
	targets []string
}

// newWorld begins the work on a package.
func newWorld(t *testing.T, code string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, dir: dir, code: code, unit: make(map[string]unittest.Status), lost: make(map[string]bool)}
	p := &project.Project{
		Options: project.Options{
			Dir: dir, Env: append(fake.Binary().Env, fake.Echo+"=1", fakeGo+"="+filepath.Join(dir, "go")), Parallel: 1, Seed: 1,
			FuzzTime: project.FuzzTime{Execs: 300}, Engine: project.EngineGuided, NoGolden: true,
		},
		Filter: project.Filter{Name: "all"}, WorkDir: t.TempDir(), GoCache: t.TempDir(), Packages: []string{loadtest.Path},
		Accepted: make(map[accepted.ID]bool),
	}
	j := &job{tools: tools{load: w.load, builder: w, runTests: w.test}, project: p, idle: idleLeast, report: &suggestion.Report{}}
	j.memory = memory.Keeper{Project: p, Options: memory.Options{Part: "suggest"}}
	w.session = &session{job: j, pkg: loadtest.Path, report: &suggestion.Package{Package: loadtest.Path}, hangs: make(map[key]bool), slow: make(map[key]string), errors: make(map[string]bool), values: make(map[string][]golden.Value), unfit: make(map[string]string)}
	return w
}

// loadedWith is the package with tests, in the directory of the world.
func (w *world) loadedWith(tests string, fuzz ...instrument.FuzzTest) *load.Result {
	r := loadtest.Typed(w.t, w.code, tests)
	r.Test.Dir, r.Test.ModuleDir, r.Test.Fuzz = w.dir, w.dir, fuzz
	r.Toolchain = &gotool.Toolchain{Root: "/go", Command: os.Args[0]}
	r.Mutate, r.Observe = []string{loadtest.Path}, []string{loadtest.Path}
	return r
}

// program is that of a build. Each second build has other numbers for the mutants.
func (w *world) program(r *load.Result) *instrument.Program {
	p := fake.Program()
	p.Test = r.Test
	p.Sites = []instrument.Site{{Name: "m.F", File: loadtest.File, Line: 2, Values: []string{"result 0"}}}
	body := bytes.LastIndexByte(r.Packages[0].Files[0].Src, '{') + 1
	if w.within != "" {
		p.Funcs[0] = instrument.Func{Package: r.Test.ImportPath, Name: w.within}
		for i := range p.Blocks[:7] {
			p.Blocks[i].Func = -1
		}
	}
	for i := range p.Mutants {
		n := i + 1
		if w.reverse {
			n = len(p.Mutants) - i
		}
		m := &p.Mutants[i]
		m.ID, m.Package, m.File, m.Line, m.Offset, m.End, m.Operator, m.Description = fmt.Sprintf("m%d", n), loadtest.Path, loadtest.File, 2, body, body, "statement-deletion", fmt.Sprintf("change %d", n)
	}
	w.reverse = !w.reverse
	return p
}

func (w *world) BuildTests(_ context.Context, _, _ string, adjust func(*load.Config)) (*project.Package, error) {
	if w.unit == nil {
		return nil, nil
	}
	var cfg load.Config
	adjust(&cfg)
	w.overlay = cfg.Overlay
	r := w.loadedWith("func TestF(t *testing.T) {}")
	return &project.Package{Loaded: r, Program: w.program(r)}, nil
}

func (w *world) Rewrite(_ context.Context, b *project.Package) (*instrument.Program, error) {
	return w.program(b.Loaded), nil
}

// The workers of a world number mutants as their inputs do.
func (w *world) Build(_ context.Context, b *project.Package) error {
	w.reverse = false
	b.Program, b.Binary, b.Live = w.program(b.Loaded), os.Args[0], 8
	return nil
}

var declared = regexp.MustCompile(`(?m)^func (\w+)\(\w \*testing\.[TF]\) \{\n(?s:.*?)\n\}$`)

// load loads the package with fuzz tests: those that are derived for its functions, or those of
// an overlay and its own.
func (w *world) load(_ context.Context, cfg load.Config) (*load.Result, error) {
	for _, t := range cfg.Targets {
		w.targets = append(w.targets, t.Function)
	}
	if cfg.Targets == nil {
		fuzz := slices.Clone(w.own)
		for _, text := range cfg.Overlay {
			fuzz = append(fuzz, w.fuzzTest(string(declared.FindSubmatch(text)[1]), ""))
		}
		return w.loadedWith("", fuzz...), nil
	}
	r := w.loadedWith("func FuzzF(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, words string) { F(words) })\n}\n"+w.table, w.fuzzTest("FuzzF", "F"), w.fuzzTest("FuzzOther", ""))
	pkg := r.Packages[0].Types
	test, err := target.Write(pkg.Scope().Lookup("F").(*types.Func), target.Options{Package: pkg})
	if err != nil {
		return nil, err
	}
	r.Derived = []load.Derived{{Test: test}}
	r.Tests[0].Files[0].Path = filepath.Join(w.dir, "m_test.go")
	return r, nil
}

func (w *world) fuzzTest(name, function string) instrument.FuzzTest {
	return instrument.FuzzTest{Name: name, Target: function, File: filepath.Join(w.dir, "fuzz_test.go"), ArgTypes: []string{"string"}}
}

// seed adds inputs to the corpus of a fuzz test. FuzzF is derived.
func (w *world) seed(fuzz string, words ...string) {
	test := w.fuzzTest(fuzz, "")
	if fuzz == "FuzzF" {
		test.Target = "F"
	}
	home := w.project.Home(&instrument.TestPackage{ImportPath: loadtest.Path, Dir: w.dir}, &test)
	for _, words := range words {
		trialtest.AddEntry(w.t, corpus.TestdataDir(home, fuzz), words)
	}
}

// test runs unit tests: those of the package, or those of the overlay. Of these each kills the
// mutants that its inputs name.
func (w *world) test(_ context.Context, opts unittest.Options) (*unittest.Result, error) {
	if w.red != "" && opts.Run == w.red {
		return nil, &unittest.BaselineError{Tests: []unittest.SetAside{{Test: w.red}}}
	}
	res := &unittest.Result{Tests: []unittest.Test{{Name: "TestF"}}}
	var asked []string
	for _, n := range opts.Mutants {
		id := opts.Program.Mutants[n-1].ID
		asked = append(asked, id)
		if w.overlay == nil {
			status, ok := w.unit[id]
			if !ok {
				status = unittest.StatusNotCovered
			}
			res.Verdicts = append(res.Verdicts, unittest.Verdict{Mutant: n, Status: status})
			continue
		}
		v := unittest.Verdict{Mutant: n, Status: unittest.StatusSurvived}
		for _, text := range w.overlay {
			for _, test := range declared.FindAllStringSubmatch(string(text), -1) {
				if regexp.MustCompile(opts.Run).MatchString(test[1]) && regexp.MustCompile("[ad]"+id[1:]+`\b`).MatchString(test[0]) && !w.lost[id] && !w.lost[test[1]] {
					burns, slow := w.burns[id]
					switch {
					case !slow:
						v.Status, v.Kind, v.Test, v.Detail = unittest.StatusKilled, oracle.Assertion, test[1], "x_test.go:7: "+id+" is seen, want another"
					case burns == 0 || burns > opts.Least.Fuel:
						v.Status, v.Kind, v.Test, v.Detail = unittest.StatusKilled, oracle.Fuel, test[1], "used more than 100000 units of fuel"
					}
				}
			}
		}
		res.Verdicts = append(res.Verdicts, v)
	}
	slices.Sort(asked)
	w.asked = append(w.asked, strings.TrimSpace(opts.Run+" "+strings.Join(asked, " ")))
	return res, nil
}

// goRan are the arguments of the go command, but for paths; nil: it was not called.
func (w *world) goRan() []string {
	text, err := os.ReadFile(filepath.Join(w.dir, "go"))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(arg string) bool { return strings.HasPrefix(arg, "-overlay=") })
}
