package schemata

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// TestStaticMutantsDoAsThePlainEdits is the proof for what happens before a mutant
// can be switched. Each file in testdata/static is a package with a function that
// reports its state. For every mutant, a process of the rewritten package that has
// it active from the start must report, or die of, what the source with the plain
// edit does. Without a mutant both report the same, also when initialization is
// traced; and what makes a difference must have been traced as infected.
//
// One process holds all plain edits, but for those that the rewritten package dies
// of: these get a process each.
func TestStaticMutantsDoAsThePlainEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	paths, err := filepath.Glob(filepath.Join("testdata/static", *programsFlag))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".go"), func(t *testing.T) {
			testStatic(t, path)
		})
	}
}

// state is a case of TestStaticMutantsDoAsThePlainEdits.
type state struct {
	*program
	base string // of the file
	src  []byte
}

func testStatic(t *testing.T, path string) {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &state{program: &program{t: t, dir: t.TempDir(), c: checker{imports: stdTypes(t)}}, base: filepath.Base(path), src: src}
	in, errs := s.c.check("sem/schemata", map[string][]byte{filepath.Join(s.dir, s.base): src})
	if len(errs) > 0 {
		t.Fatal(errorLines(errs, 5))
	}
	out := mustRewrite(t, in)
	s.write("go.mod", "module sem\n\ngo 1.26\n")
	s.writeOverlay()
	s.add("schemata", out)
	s.writeMain("run", "schemata")
	s.build("./main/run")

	original := s.run1("run")
	traced, infected, _ := strings.Cut(s.run1("run", wire.InitEnv(len(out.Mutants))), "\ninfected:")
	if traced != original {
		t.Errorf("traced: got %s\nwant %s", traced, original)
	}
	got := map[string]string{"plain0": original}
	mutants := map[string]instrument.Mutant{}
	together, alone := []string{"plain0"}, []string{}
	s.write("plain0/"+s.base, string(src))
	for _, m := range out.Mutants {
		if m.Status == instrument.StatusSkipped {
			continue
		}
		name := fmt.Sprintf("plain%d", m.Index)
		mutants[name] = m
		s.write(filepath.Join(name, s.base), string(applyPlain(src, m)))
		got[name] = s.run1("run", wire.StaticEnv(wire.Static{Mutants: []wire.StaticMutant{{Mutant: uint32(m.Index), Func: m.FuncIndex}}, Fuel: 1 << 20}))
		if strings.HasPrefix(got[name], died) {
			alone = append(alone, name)
		} else {
			together = append(together, name)
		}
	}
	want := s.plain(together, alone)
	if want["plain0"] != original {
		t.Errorf("dormant: got %s\nwant %s", original, want["plain0"])
	}
	killed := 0
	for name, m := range mutants {
		if got[name] != want[name] {
			t.Errorf("%s:\n got %s\nwant %s", describe(m), got[name], want[name])
		}
		if want[name] == original {
			continue
		}
		killed++
		if !slices.Contains(strings.Fields(infected), strconv.Itoa(m.Index)) {
			t.Errorf("%s: not traced as infected", describe(m))
		}
	}
	t.Logf("%d of %d mutants make a difference, %d of them end the process", killed, len(mutants), len(alone))
	if killed == 0 {
		t.Error("no mutant makes a difference")
	}
}

func describe(m instrument.Mutant) string {
	return fmt.Sprintf("%d:%d: %s: %s (mutant %d)", m.Line, m.Column, m.Operator, m.Description, m.Index)
}

// plain builds and runs packages, some of them in their own process.
func (s *state) plain(together, alone []string) map[string]string {
	s.writeMain("together", together...)
	for _, name := range alone {
		s.writeMain(name, name)
	}
	s.build("./main/...")
	got := map[string]string{}
	text := s.run1("together")
	for _, line := range strings.Split(text, "\n") {
		name, report, ok := strings.Cut(line, ": ")
		if !ok || !slices.Contains(together, name) {
			s.t.Fatalf("plain edits: %s", text)
		}
		got[name] = report
	}
	for _, name := range alone {
		got[name] = s.run1(name)
	}
	return got
}

// writeMain writes a program that reports the states of packages: of one alone,
// or of several with their names. The rewritten one tells what it has traced.
func (s *state) writeMain(name string, packages ...string) {
	var imports, reports strings.Builder
	for _, p := range packages {
		fmt.Fprintf(&imports, "\t%s \"sem/%[1]s\"\n", p)
		if len(packages) > 1 {
			fmt.Fprintf(&reports, "\tout += sep + \"%s: \"; sep = \"\\n\"\n", p)
		}
		fmt.Fprintf(&reports, "\tout += %s.Report()\n", p)
	}
	text := plainMain
	if name == "run" {
		text = rewrittenMain
	}
	s.write(filepath.Join("main", name, "main.go"), strings.NewReplacer("IMPORTS", imports.String(), "REPORTS", reports.String()).Replace(text))
}

const plainMain = `package main

import (
	"os"
IMPORTS)

func main() {
	out, sep := "", ""
REPORTS
	os.Stdout.WriteString(out)
	_ = sep
}
`

const rewrittenMain = `package main

import (
	"fuzzmutrt"
	"os"
	"strconv"
IMPORTS)

func main() {
	started := fuzzmutrt.EndStart()
	out := ""
REPORTS
	os.Stdout.WriteString(out)
	if !started.Traced {
		return
	}
	os.Stdout.WriteString("\ninfected:")
	for i := range 64 * len(started.Infected) {
		if started.Infected[i/64]>>(i%64)&1 != 0 {
			os.Stdout.WriteString(" " + strconv.Itoa(i))
		}
	}
}
`

func (s *state) build(packages string) {
	s.t.Helper()
	bin := filepath.Join(s.dir, "bin") + string(filepath.Separator)
	build := exec.Command("go", "build", stripped, "-overlay", filepath.Join(s.dir, "overlay.json"), "-o", bin, packages)
	build.Dir = s.dir
	build.Env = overlayEnv(s.dir)
	if text, err := build.CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, text)
	}
}

// died begins what run1 returns of a program that does not end well.
const died = "died: "

// run1 runs a program and returns what it prints, or the panic that ends it.
func (s *state) run1(name string, env ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(s.dir, "bin", name))
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	switch {
	case ctx.Err() != nil, strings.Contains(stderr.String(), wire.StartOutOfFuel):
		return died + "no end"
	case err != nil && stderr.Len() == 0:
		s.t.Fatal(err)
	case err != nil:
		first, _, _ := strings.Cut(stderr.String(), "\n")
		return died + first
	}
	return string(text)
}
