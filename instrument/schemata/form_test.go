package schemata

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNamesOfFunctionLiteralsStay builds a package as it is and rewritten. With no
// mutant active the runtime must know each function literal by the same name.
func TestNamesOfFunctionLiteralsStay(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	src, err := os.ReadFile("testdata/form/names.go")
	if err != nil {
		t.Fatal(err)
	}
	s := &state{program: &program{t: t, dir: t.TempDir(), c: checker{imports: stdTypes(t)}}}
	in, errs := s.c.check("sem/schemata", map[string][]byte{filepath.Join(s.dir, "names.go"): src})
	if len(errs) > 0 {
		t.Fatal(errorLines(errs, 5))
	}
	out := mustRewrite(t, in)
	if len(out.Mutants) < 20 {
		t.Errorf("%d mutants, want some in every function", len(out.Mutants))
	}
	s.write("go.mod", "module sem\n\ngo 1.26\n")
	s.write("plain/names.go", string(src))
	s.writeOverlay()
	s.add("schemata", out)
	for _, name := range []string{"plain", "schemata"} {
		s.write("main/"+name+"/main.go", "package main\n\nimport (\n\t\"os\"\n\t\"sem/"+name+"\"\n)\n\nfunc main() { os.Stdout.WriteString(form.Names()) }\n")
	}
	s.build("./main/...")
	if diff := cmp.Diff(s.run1("plain"), s.run1("schemata")); diff != "" {
		t.Errorf("names (-as it is +rewritten):\n%s", diff)
	}
}
