package schemata

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

var (
	packagesFlag = flag.String("packages", "", "comma-separated `patterns` of packages to rewrite and type-check")
	dirFlag      = flag.String("dir", ".", "`directory` in which -packages is resolved")
	plainFlag    = flag.Int("plain", 0, "with -packages, type-check the plain edits in at most this many `rounds`; -1 means all")
	opsFlag      = flag.String("operators", "", "with -packages, `names` of operators; all, and guards, by default")
	keepFlag     = flag.String("keep", "", "with -packages, write the rewritten files of packages that fail below this `directory`")
)

// TestEverything rewrites and type-checks any packages named:
//
//	go test ./instrument/schemata -run Everything -packages strconv,regexp/syntax -plain -1 -v
//
// By default it takes a few of the standard library.
func TestEverything(t *testing.T) {
	patterns := []string{"strconv", "text/template/parse", "sort"}
	if *packagesFlag != "" {
		patterns = strings.Split(*packagesFlag, ",")
	} else if testing.Short() {
		t.Skip("loads packages")
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: *dirFlag}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		t.Run(p.PkgPath, func(t *testing.T) { rewritePackage(t, p) })
	}
}

type mapImporter map[string]*packages.Package

func (m mapImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil {
		return p.Types, nil
	}
	return nil, fmt.Errorf("%s is not imported", path)
}

func rewritePackage(t *testing.T, p *packages.Package) {
	if len(p.GoFiles) == 0 || len(p.Syntax) == 0 {
		t.Skip("no Go files")
	}
	if len(p.Errors) > 0 {
		t.Skipf("does not load: %v", p.Errors[0])
	}
	in := Input{
		Fset: p.Fset, Pkg: p.Types, Info: p.TypesInfo, ImportPath: p.PkgPath, Dir: filepath.Dir(p.GoFiles[0]),
		Mutate: true, FirstMutant: 1, Operators: operator.All(),
	}
	if *opsFlag != "" {
		var err error
		if in.Operators, err = operator.ByNames(*opsFlag); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range p.Syntax {
		path := p.Fset.PositionFor(f.FileStart, false).Filename
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, File{Path: path, Src: src, Syntax: f})
	}
	c := checker{imports: mapImporter(p.Imports), goVersion: p.Types.GoVersion()}
	for _, race := range []bool{true, false} {
		in.Race = race
		out := mustRewrite(t, in)
		if errs := c.recheck(in, out); len(errs) > 0 {
			keepFiles(t, out)
			t.Fatalf("rewritten package does not type-check:\n%s", errorLines(errs, 20))
		}
		if !race {
			t.Logf("%d mutants in %d functions, %d blocks; %s", len(out.Mutants), len(out.Funcs), len(out.Blocks), skipTable(out.Skips))
			checkPlain(t, c, in, out)
		}
	}
	in.Mutate = false
	if errs := c.recheck(in, mustRewrite(t, in)); len(errs) > 0 {
		t.Errorf("package rewritten for coverage does not type-check:\n%s", errorLines(errs, 20))
	}
}

// checkPlain type-checks the plain edits, many at once.
func checkPlain(t *testing.T, c checker, in Input, out *Output) {
	bad := 0
	for i, round := range rounds(out.Mutants) {
		if *plainFlag >= 0 && i >= *plainFlag {
			return
		}
		errs := c.errors(in.ImportPath, applyAll(in.Files, round))
		if len(errs) == 0 {
			continue
		}
		for _, m := range culprits(c, in, round) {
			bad++
			if bad <= 20 {
				errs := c.errors(in.ImportPath, applyAll(in.Files, []instrument.Mutant{m}))
				t.Errorf("%s:%d:%d: %s: plain edit %q → %q does not compile: %v", m.File, m.Line, m.Column, m.Operator, m.Original, m.Replacement, errs[0])
			}
		}
	}
	if bad > 20 {
		t.Errorf("%d plain edits do not compile", bad)
	}
}

// culprits finds the mutants of a round that don't compile by halving it.
func culprits(c checker, in Input, round []instrument.Mutant) []instrument.Mutant {
	errs := c.errors(in.ImportPath, applyAll(in.Files, round))
	switch {
	case len(errs) == 0:
		return nil
	case len(round) == 1:
		return round
	}
	half := len(round) / 2
	a := append([]instrument.Mutant(nil), round[:half]...)
	b := append([]instrument.Mutant(nil), round[half:]...)
	return append(culprits(c, in, a), culprits(c, in, b)...)
}

func skipTable(skips []instrument.Skip) string {
	counts := map[string]int{}
	for _, s := range skips {
		counts[s.Reason]++
	}
	var rows []string
	for reason, n := range counts {
		rows = append(rows, fmt.Sprintf("%6d %s", n, reason))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(rows)))
	return fmt.Sprintf("%d skips\n%s", len(skips), strings.Join(rows, "\n"))
}

func keepFiles(t *testing.T, out *Output) {
	if *keepFlag == "" {
		return
	}
	if err := os.MkdirAll(*keepFlag, 0o777); err != nil {
		t.Fatal(err)
	}
	for path, text := range out.Files {
		if err := os.WriteFile(filepath.Join(*keepFlag, filepath.Base(path)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
