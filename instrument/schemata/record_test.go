package schemata

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// TestOperandsAreRecorded runs the functions of a rewritten package while
// recording, and compares what is handed over with the list beside them. It must
// not depend on the mutants that are made, so it is done again with hardly any.
func TestOperandsAreRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const path = "testdata/recorded/comparisons.txtar"
	ar, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := recordedBy(t, ar.Files[0].Data, operator.All())
	if *update {
		ar.Files[1].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(ar.Files[1].Data), got); diff != "" {
		t.Errorf("recorded (-want +got; -update accepts):\n%s", diff)
	}
	few, err := operator.ByNames("statement-deletion,empty-returns,false-returns")
	if err != nil {
		t.Fatal(err)
	}
	mutants := regexp.MustCompile(` \d+ mutants`)
	if diff := cmp.Diff(mutants.ReplaceAllString(got, ""), mutants.ReplaceAllString(recordedBy(t, ar.Files[0].Data, few), "")); diff != "" {
		t.Errorf("recorded with few mutants (-with all +with few):\n%s", diff)
	}
}

var recordFunc = regexp.MustCompile(`(?m)^func (Record\w+)\(`)

// recordedBy returns what the functions of a package record, as text.
func recordedBy(t *testing.T, src []byte, ops []*operator.Operator) string {
	t.Helper()
	p := &program{t: t, dir: t.TempDir(), c: checker{imports: stdTypes(t)}}
	p.in = p.check(map[string][]byte{filepath.Join(p.dir, "p", "before.go"): src})
	p.in.Operators = ops
	out := mustRewrite(t, p.in)
	p.add("p", out)
	var calls strings.Builder
	for _, m := range recordFunc.FindAllSubmatch(src, -1) {
		fmt.Fprintf(&calls, "\trecord(%q, p.%[1]s)\n", m[1])
	}
	p.write("main.go", strings.NewReplacer("CALLS", calls.String(), "LAST", fmt.Sprint(out.Comparisons)).Replace(recordText))
	p.write("go.mod", "module sem\n\ngo 1.26\n")
	p.writeOverlay()
	run := exec.Command("go", "run", "-overlay", filepath.Join(p.dir, "overlay.json"), ".")
	run.Dir = p.dir
	run.Env = overlayEnv(p.dir)
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text)
}

const recordText = `package main

import (
	"fmt"
	"fuzzmutrt"
	"fuzzmutrt/codes"
	"math"

	"sem/p"
)

var ops = []string{"?", "<", "<=", ">", ">=", "==", "!=", "?", "?", "HasPrefix", "HasSuffix", "Contains", "EqualFold", "Lookup"}

func side(o *fuzzmutrt.Operands, n uint64, text string, constant bool) string {
	s := ""
	switch o.Kind {
	case codes.Text:
		s = fmt.Sprintf("%q", text)
	case codes.Signed:
		s = fmt.Sprintf("int%d(%d)", o.Width*8, int64(n))
	case codes.Unsigned:
		s = fmt.Sprintf("uint%d(%d)", o.Width*8, n)
	case codes.Float:
		s = fmt.Sprintf("float%d(%v)", o.Width*8, math.Float64frombits(n))
	}
	if constant {
		s += "*"
	}
	return s
}

func record(name string, f func()) {
	fmt.Println(name)
	var first int64 = -1
	fuzzmutrt.OperandsHook = func(o *fuzzmutrt.Operands) {
		if o.Site >= LAST {
			fmt.Println("comparison", o.Site, "of LAST")
		}
		if first < 0 {
			first = int64(o.Site)
		}
		fmt.Printf("\t%d: %s %s %s", int64(o.Site)-first, side(o, o.X, o.XText, o.XConst), ops[o.Op], side(o, o.Y, o.YText, o.YConst))
		n := 0
		for alts := o.Alts; alts != 0; alts >>= 4 {
			n++
		}
		if n > 0 {
			fmt.Printf(" %d mutants", n)
		}
		if (o.Mutant != 0) != (n > 0) {
			fmt.Printf(" from %d", o.Mutant)
		}
		if o.Held {
			fmt.Print(" held")
		}
		fmt.Println()
	}
	fuzzmutrt.Tracing, fuzzmutrt.Recording = true, true
	f()
	fuzzmutrt.Tracing, fuzzmutrt.Recording = false, false
}

func main() {
	for _, p := range fuzzmutrt.Packages {
		for i := range p.Slow {
			p.Slow[i] = true
		}
	}
CALLS}
`
