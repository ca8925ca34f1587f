package schemata

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/gogen"
)

// randomChoices returns n bytes that make a program.
func randomChoices(seed uint64, n int) []byte {
	r := rand.NewPCG(seed, 0)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint64())
	}
	return b
}

// FuzzRewrite rewrites generated programs with all operators. It checks all that
// needs no run; what the programs do is checked by TestGeneratedPrograms.
func FuzzRewrite(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(randomChoices(seed, 200))
	}
	c := checker{imports: stdTypes(f)}
	f.Fuzz(func(t *testing.T, choices []byte) {
		// More takes too long for a fuzz test.
		const longest, most = 300, 20
		checkGenerated(t, c, choices[:min(len(choices), longest)], most)
	})
}

// TestRewriteOfGeneratedPrograms is FuzzRewrite on larger programs, for as many as
// fit into a few seconds.
func TestRewriteOfGeneratedPrograms(t *testing.T) {
	limit := *limitFlag
	if testing.Short() {
		limit = time.Second
	}
	c := checker{imports: stdTypes(t)}
	start, programs := time.Now(), 0
	for seed := 100 * *seedFlag; time.Since(start) < limit && !t.Failed(); seed++ {
		checkGenerated(t, c, randomChoices(seed, 600), -1)
		programs++
	}
	t.Logf("%d programs", programs)
}

var (
	generatedFlag = flag.Int("generated", 8, "`number` of generated programs to run")
	seedFlag      = flag.Uint64("seed", 1, "of the first generated program")
	limitFlag     = flag.Duration("rewrite", 3*time.Second, "`time` for rewriting generated programs")
	variantsFlag  = flag.Int("variants", 4, "`number` of mutants of each generated program to run")
)

// TestGeneratedPrograms is TestSchemataDoAsThePlainEdits with generated programs
// and a sample of their mutants:
//
//	go test ./instrument/schemata -run TestGeneratedPrograms -generated 100 -seed 7 -variants 50
func TestGeneratedPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	srcs := map[string][]byte{}
	for i := range *generatedFlag {
		seed := *seedFlag + uint64(i)
		name := fmt.Sprintf("s%d", seed)
		srcs[name+".go"] = gogen.File("programs", name, randomChoices(seed, 500))
	}
	p := newProgram(t, srcs)
	p.in.Overflow = true // it does the same
	out := mustRewrite(t, p.in)
	p.add("schemata", out)
	r := rand.New(rand.NewPCG(*seedFlag, 0))
	sample := slices.Clone(out.Mutants)
	r.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	variants := p.byFile(sample)
	variants = variants[:min(len(variants), *variantsFlag)]
	for i, round := range variants {
		p.addPlain(fmt.Sprintf("v%03d", i+1), round)
	}
	p.writeMain(out, variants)
	p.run()
}

// checkGenerated rewrites one program. What comes out must type-check, as must
// each plain edit, those of as many mutants in each function as most says, -1 for
// all; it must come out the same twice; and the program's names must stay on their
// lines.
func checkGenerated(t *testing.T, c checker, choices []byte, most int) {
	t.Helper()
	src := gogen.File("p", "x", choices)
	in, errs := c.check("p", map[string][]byte{"/p/x.go": src})
	if len(errs) > 0 {
		t.Fatalf("the generated program does not type-check:\n%s\n%s", errorLines(errs, 5), src)
	}
	out := mustRewrite(t, in)
	if !reflect.DeepEqual(out, mustRewrite(t, in)) {
		t.Error("two rewrites differ")
	}
	if errs := c.recheck(in, out); len(errs) > 0 {
		t.Errorf("the rewritten program does not type-check:\n%s\n%s", errorLines(errs, 5), out.Files["/p/x.go"])
	}
	checkLines(t, in, out)
	race := in
	race.Race = true
	if errs := c.recheck(race, mustRewrite(t, race)); len(errs) > 0 {
		t.Errorf("rewritten for -race, the program does not type-check:\n%s", errorLines(errs, 5))
	}
	watched := in
	watched.Overflow = true
	watchedOut := mustRewrite(t, watched)
	if errs := c.recheck(watched, watchedOut); len(errs) > 0 {
		t.Errorf("with integers watched, the program does not type-check:\n%s\n%s", errorLines(errs, 5), watchedOut.Files["/p/x.go"])
	}
	checkLines(t, watched, watchedOut)
	bad := 0
	all := rounds(out.Mutants)
	if n := len(all); most >= 0 && n > most { // others for other programs
		at := len(out.Mutants) % n
		all = slices.Concat(all[at:], all[:at])[:most]
	}
	for _, round := range all {
		for _, m := range culprits(c, in, round) {
			errs := c.errors("p", applyAll(in.Files, []instrument.Mutant{m}))
			t.Errorf("%d:%d: %s: plain edit %q → %q does not compile: %v", m.Line, m.Column, m.Operator, m.Original, m.Replacement, errs[0])
			if bad++; bad > 5 {
				return
			}
		}
	}
}

// unique are the names of variables in generated programs.
var unique = regexp.MustCompile(`^v\d+$`)

// checkLines compares the lines that variables are on for the compiler. An operand
// may have a copy at the end of its expression or before its statement, some lines
// off, and named results appear where the source has a bare return.
func checkLines(t *testing.T, in Input, out *Output) {
	t.Helper()
	const longest = 8 // lines of an expression
	for _, f := range in.Files {
		text, ok := out.Files[f.Path]
		if !ok {
			continue
		}
		fset := token.NewFileSet()
		rewritten, err := parser.ParseFile(fset, "rewritten.go", text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		want, got := namesByLine(in.Fset, f.Syntax), namesByLine(fset, rewritten)
		for at := range want {
			if !got[at] {
				t.Errorf("%v is no longer there", at)
			}
		}
		for at := range got {
			near := false
			for n := -longest; n <= longest; n++ {
				near = near || want[nameAt{at.name, at.file, at.line + n}]
			}
			if !near {
				t.Errorf("%v: the name was not near that line", at)
			}
		}
	}
}

// nameAt is a name on a line.
type nameAt struct {
	name, file string
	line       int
}

func namesByLine(fset *token.FileSet, f *ast.File) map[nameAt]bool {
	found, results := map[nameAt]bool{}, map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sig, ok := n.(*ast.FuncType); ok && sig.Results != nil {
			for _, field := range sig.Results.List {
				for _, id := range field.Names {
					results[id.Name] = true
				}
			}
		}
		if id, ok := n.(*ast.Ident); ok && !results[id.Name] && unique.MatchString(id.Name) {
			pos := fset.PositionFor(id.Pos(), true)
			found[nameAt{id.Name, pos.Filename, pos.Line}] = true
		}
		return true
	})
	return found
}
