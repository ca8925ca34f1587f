package schemata

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

const allPrograms = "*.go"

var (
	programsFlag = flag.String("programs", allPrograms, "`pattern` of the files in testdata/programs to take")
	everyFlag    = flag.Int("every", 4, "compare each `n`-th mutant of a program: to compile them takes most of the time")
)

// TestSchemataDoAsThePlainEdits is the proof of the rewriter. The programs in
// testdata/programs hold one case a file, each a function from a small number to
// text. For every mutant, the rewritten program with the mutant active must give
// what the plain edit of the source gives, compiled by itself: the same text or
// panic, and the same fuel burnt. With no mutant active, both bodies must give
// what the source gives. And a mutant that makes a difference must have been
// traced as reached and infected.
//
// By default a part of the mutants is compared; -every=1 compares all.
//
// Cases don't share functions, so one build of the program can carry one plain
// edit in each file; there are as many builds as the file with most mutants needs.
func TestSchemataDoAsThePlainEdits(t *testing.T) {
	proveSchemata(t, "all")
}

// TestGuardsDoAsThePlainEdits is the same for repairs, which are many and never
// chosen together with faults.
func TestGuardsDoAsThePlainEdits(t *testing.T) { proveSchemata(t, "guards") }

func proveSchemata(t *testing.T, operators string) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	p := newProgram(t, readPrograms(t))
	var err error
	if p.in.Operators, err = operator.ByNames(operators); err != nil {
		t.Fatal(err)
	}
	out := mustRewrite(t, p.in)
	p.add("schemata", out)
	variants := p.byFile(out.Mutants)
	for i, round := range variants {
		p.addPlain(fmt.Sprintf("v%03d", i+1), round)
	}
	p.writeMain(out, variants)
	p.run()
}

// program is the module that the test generates.
type program struct {
	t     *testing.T
	c     checker
	dir   string
	in    Input
	cases map[string]string // function by file
	ops   map[string]string // operators whose mutants are compared, by file; "" means all
}

var (
	caseFunc = regexp.MustCompile(`(?m)^func (Case\w+)\(`)
	// A program with shapes that matter to few operators says which.
	onlyOperators = regexp.MustCompile(`(?m)^// ?operators (.*)$`)
	// One that a Go before some version can't compile says which.
	needsGo = regexp.MustCompile(`(?m)^//needs (go1\.\d+)$`)
)

// readPrograms returns the files in testdata/programs that are chosen, by name. All
// of them have to type-check together: their variants share packages.
func readPrograms(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/programs/*.go")
	if err != nil {
		t.Fatal(err)
	}
	all, chosen := map[string][]byte{}, map[string][]byte{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		if needs := needsGo.FindSubmatch(src); needs != nil && version.Compare(version.Lang(runtime.Version()), string(needs[1])) < 0 {
			t.Logf("%s is left out: it needs %s, and this is %s", name, needs[1], runtime.Version())
			continue
		}
		all[name] = src
		if ok, err := filepath.Match(*programsFlag, name); err != nil {
			t.Fatal(err)
		} else if ok {
			chosen[name] = src
		}
	}
	if len(chosen) == 0 {
		t.Fatalf("no programs match %s", *programsFlag)
	}
	if _, errs := (checker{imports: stdTypes(t)}).check("sem/programs", all); len(errs) > 0 {
		t.Fatalf("the programs do not type-check together:\n%s", errorLines(errs, 5))
	}
	return chosen
}

// newProgram makes a program of files of package programs.
func newProgram(t *testing.T, files map[string][]byte) *program {
	t.Helper()
	p := &program{t: t, dir: t.TempDir(), c: checker{imports: stdTypes(t)}, cases: map[string]string{}, ops: map[string]string{}}
	srcs := map[string][]byte{}
	for name, src := range files {
		path := filepath.Join(p.dir, "programs", name)
		srcs[path] = src
		p.cases[path] = string(caseFunc.FindSubmatch(src)[1])
		if only := onlyOperators.FindSubmatch(src); only != nil {
			p.ops[path] = string(only[1])
		}
	}
	p.in = p.check(srcs)
	return p
}

func (p *program) check(srcs map[string][]byte) Input {
	p.t.Helper()

	in, errs := p.c.check("sem/programs", srcs)
	if len(errs) > 0 {
		p.t.Fatalf("does not type-check:\n%s", errorLines(errs, 5))
	}
	return in
}

// byFile distributes mutants over variants with at most one in each file.
func (p *program) byFile(mutants []instrument.Mutant) []map[string]instrument.Mutant {
	var variants []map[string]instrument.Mutant
	next := map[string]int{}
	for _, m := range mutants {
		if m.Status != instrument.StatusLive || !p.compares(m) {
			continue
		}
		n := next[m.File]
		next[m.File]++
		if n%*everyFlag != 0 {
			continue
		}
		i := n / *everyFlag
		if i == len(variants) {
			variants = append(variants, map[string]instrument.Mutant{})
		}
		variants[i][m.File] = m
	}
	return variants
}

// compares says whether a mutant is one of those that its program is about.
func (p *program) compares(m instrument.Mutant) bool {
	return p.ops[m.File] == "" || slices.Contains(strings.Split(p.ops[m.File], " "), m.Operator)
}

// addPlain adds a variant with plain edits, of the files that have one; with nil,
// of the whole source. It is rewritten, too, without
// mutants, so that it burns fuel.
func (p *program) addPlain(name string, edits map[string]instrument.Mutant) {
	p.t.Helper()
	srcs := map[string][]byte{}
	for _, f := range p.in.Files {
		if m, ok := edits[f.Path]; ok {
			srcs[f.Path] = applyPlain(f.Src, m)
		} else if edits == nil {
			srcs[f.Path] = f.Src
		}
	}
	in, errs := p.c.check("sem/programs", srcs)
	if len(errs) > 0 {
		p.t.Errorf("%s: plain edits do not compile:\n%s", name, errorLines(errs, 5))
		return
	}
	in.Mutate = false
	p.add(name, mustRewrite(p.t, in))
}

func (p *program) add(name string, out *Output) {
	for path, text := range out.Files {
		p.write(filepath.Join(name, filepath.Base(path)), string(text))
	}
	p.write(filepath.Join(name, out.GenName), string(out.Gen))
}

func (p *program) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// writeMain writes the program that compares.
func (p *program) writeMain(out *Output, variants []map[string]instrument.Mutant) {
	var imports, mutants, dormant strings.Builder
	var files []string
	for file := range p.cases {
		files = append(files, file)
	}
	sort.Strings(files)
	for _, file := range files {
		fmt.Fprintf(&dormant, "\t{%q, schemata.%s, v000.%[2]s},\n", filepath.Base(file), p.cases[file])
	}
	for i, round := range variants {
		fmt.Fprintf(&imports, "\tv%03d \"sem/v%03[1]d\"\n", i+1)
		for _, file := range files {
			if m, ok := round[file]; ok {
				fmt.Fprintf(&mutants, "\t{%d, %d, %q, schemata.%s, v%03d.%[4]s},\n", m.Index, m.FuncIndex,
					fmt.Sprintf("%s:%d:%d: %s: %s", filepath.Base(file), m.Line, m.Column, m.Operator, m.Description), p.cases[file], i+1)
			}
		}
	}
	least := 0 // some programs need no guards
	if *programsFlag == allPrograms {
		least = 1
	}
	p.addPlain("v000", nil)
	p.write("main.go", strings.NewReplacer("IMPORTS", imports.String(), "MUTANTS", mutants.String(), "DORMANT", dormant.String(),
		"LEAST", fmt.Sprint(least),
		"WORDS", fmt.Sprint(len(out.Mutants)/64+1)).Replace(mainText))
	p.write("go.mod", "module sem\n\ngo "+strings.TrimPrefix(version.Lang(runtime.Version()), "go")+"\n")
}

const mainText = `package main

import (
	"fmt"
	"fuzzmutrt"
	"os"
	"strings"
	"time"

	schemata "sem/schemata"
	v000 "sem/v000"
IMPORTS)

type test func(int) string

var dormant = []struct {
	file         string
	schemata, plain test
}{
DORMANT}

var mutants = []struct {
	index, fn    int
	name         string
	schemata, plain test
}{
MUTANTS}

const budget = 4000

var doomed bool

type outcome struct {
	out   string
	burnt int64
}

// try returns what a case does for an input, and the fuel it burns.
func try(f test, in int) (string, int64) {
	done := make(chan outcome, 1)
	go func() {
		out, burnt := do(f, in)
		done <- outcome{out, burnt}
	}()
	last, idle := int64(0), 0
	for idle < 20 { // blocked: two seconds without burning fuel
		select {
		case o := <-done:
			return o.out, o.burnt
		case <-time.After(100 * time.Millisecond):
		}
		if idle++; fuzzmutrt.Fuel != last {
			last, idle = fuzzmutrt.Fuel, 0
		}
	}
	return "blocked", 0
}

func do(f test, in int) (out string, burnt int64) {
	doomed = false
	fuzzmutrt.Fuel = budget
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint("panic: ", r)
		}
		burnt = budget - fuzzmutrt.Fuel
		if doomed {
			out, burnt = "out of fuel", 0
		}
	}()
	return f(in), 0
}

func slow(on bool, only int) {
	for _, p := range fuzzmutrt.Packages {
		for i := range p.Slow {
			p.Slow[i] = on && (only < 0 || i == only)
		}
	}
}

var failures, killed, texts int

func expect(what string, in int, got, want string, gotFuel, wantFuel int64) {
	if got != want || gotFuel != wantFuel {
		if failures++; failures < 40 {
			fmt.Printf("%s: input %d:\n got %s (fuel %d)\nwant %s (fuel %d)\n", what, in, got, gotFuel, want, wantFuel)
		}
	}
}

func main() {
	fuzzmutrt.DoomHook = func(fuzzmutrt.Doom, int) bool { doomed = true; return false }
	fuzzmutrt.OperandsHook = func(o *fuzzmutrt.Operands) { texts += len(o.XText) + len(o.YText) }
	const inputs = 6
	for _, d := range dormant {
		for in := range inputs {
			want, fuel := try(d.plain, in)
			slow(false, 0)
			got, burnt := try(d.schemata, in)
			expect(d.file+": fast body", in, got, want, burnt, fuel)
			slow(true, -1)
			got, burnt = try(d.schemata, in)
			expect(d.file+": mutable body", in, got, want, burnt, fuel)
			fuzzmutrt.Tracing = true
			got, burnt = try(d.schemata, in)
			expect(d.file+": traced", in, got, want, burnt, fuel)
			fuzzmutrt.Recording = true
			got, burnt = try(d.schemata, in)
			fuzzmutrt.Tracing, fuzzmutrt.Recording = false, false
			expect(d.file+": recorded", in, got, want, burnt, fuel)
		}
	}
	for _, m := range mutants {
		for in := range inputs {
			fuzzmutrt.Reached, fuzzmutrt.Infected = make([]uint64, WORDS), make([]uint64, WORDS)
			slow(true, m.fn)
			fuzzmutrt.Tracing = true
			original, fuel := try(m.schemata, in)
			fuzzmutrt.Tracing = false
			fuzzmutrt.Active = uint32(m.index)
			got, burnt := try(m.schemata, in)
			if got == "blocked" {
				fmt.Println(m.name, "blocks for input", in)
			}
			fuzzmutrt.Active = 0
			slow(false, 0)
			want, wantFuel := try(m.plain, in)
			for _, kind := range []string{"deletion", "removal", "returns", "background", "empty-", "loop-skip", "index-shift", "inversion", "field-clearing"} {
				if strings.Contains(m.name, kind) { // without its calls a function may burn none at entry
					wantFuel = burnt
				}
			}
			expect(m.name, in, got, want, burnt, wantFuel)
			if got != original || burnt != fuel {
				killed++
				if fuzzmutrt.Infected[m.index/64]>>(m.index%64)&1 == 0 || fuzzmutrt.Reached[m.index/64]>>(m.index%64)&1 == 0 {
					expect(m.name+": not traced as infected", in, "", got, 0, 0)
				}
			}
		}
	}
	fmt.Printf("%d mutants, %d kills, %d failures\n", len(mutants), killed, failures)
	if failures > 0 || killed < LEAST {
		os.Exit(1)
	}
}
`

const (
	// plainFlags has the plain edits compiled as they are written, without optimization: there are
	// many, to compile them takes most of the time, and what they do does not depend on it. What
	// the rewriter makes is compiled as it is for users.
	plainFlags = "-gcflags=sem/v...=-N -l -dwarf=false"
	// stripped leaves out of a program what is for debuggers.
	stripped = "-ldflags=-s -w"
)

// run builds the program with the core overlaid into GOROOT, and runs it.
func (p *program) run() {
	t := p.t
	t.Helper()
	p.writeOverlay()
	bin := filepath.Join(p.dir, "sem.bin")
	build := exec.Command("go", "build", plainFlags, stripped, "-overlay", filepath.Join(p.dir, "overlay.json"), "-o", bin, ".")
	build.Dir = p.dir
	build.Env = overlayEnv(p.dir)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // fuel ends what does not end
	defer cancel()
	text, err := exec.CommandContext(ctx, bin).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Logf("%s", text)
}

// overlayEnv is the environment of a go command that builds a program in dir with an
// overlay. A GOROOT in the module cache accepts none; the program needs no modules. A
// heap that may grow by more saves the compiler a fifth of its processor time.
func overlayEnv(dir string) []string {
	return append(os.Environ(), "GOGC=400", "GOFLAGS=", "GOWORK=off", "GOMODCACHE="+filepath.Join(dir, "mod"))
}

// writeOverlay writes the overlay that puts the core into GOROOT, with what reads
// the environment at the start.
func (p *program) writeOverlay() {
	t := p.t
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for i, path := range slices.Concat(corePaths("."), corePaths("codes"), []string{"../rt/hook/start.go.txt"}) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		switch filepath.Base(filepath.Dir(path)) {
		case "hook":
			name = "fuzzmut_" + strings.TrimSuffix(name, ".txt")
		case "codes":
			name = "codes/" + name
		}
		copied := fmt.Sprintf("core%d.txt", i)
		p.write(copied, strings.ReplaceAll(string(text), codesPath, runtimePath+"/codes"))
		replace[filepath.Join(strings.TrimSpace(string(goroot)), "src", runtimePath, name)] = filepath.Join(p.dir, copied)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	p.write("overlay.json", string(overlay))
}
