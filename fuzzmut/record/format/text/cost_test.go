package text

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

func TestCostsText(t *testing.T) {
	var out bytes.Buffer
	b := bufio.NewWriter(&out)
	w := &text{w: b}
	w.costs(&report.FuzzTest{})
	b.Flush()
	if out.Len() > 0 {
		t.Errorf("%q of none", out.String())
	}
	w.costs(&report.FuzzTest{Costs: []report.Cost{{
		Grows: "work", Exponent: 2, TimeExponent: 1.9, Frames: []string{"p.F  p.go:3"}, Argument: 1, Pump: `strings.Repeat(";", n)`,
		Others: []string{"int(3)", `string("")`}, MegabyteSeconds: 70, Extrapolated: true,
		Curve: []report.CostPoint{{Length: 1, Seconds: 1}, {Length: 1024, Seconds: 0.001}, {Length: 2048, Seconds: 0.004}, {Length: 4096, Seconds: 0.016}, {Length: 8192, Seconds: 0.064}},
	}}})
	b.Flush()
	for _, want := range []string{
		"  costly inputs: 1 place\n", "    work grows as length^2.0, processor time as length^1.9\n", "p.go:3\n", "      strings.Repeat(\";\", n)\n",
		"      argument 0 is int(3)\n", "      1,024 bytes 1 ms, 2,048 bytes 4 ms, 4,096 bytes 16 ms, 8,192 bytes 64 ms\n", "      1 MiB takes 70.0 s (extrapolated)\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "argument 1") {
		t.Error("the argument that grows is shown twice")
	}
}

// Whoever looks at the last line alone, as with -q, sees that inputs cost too much.
func TestTheLastLineCountsCosts(t *testing.T) {
	tests := []report.FuzzTest{{Name: "FuzzA", Costs: make([]report.Cost, 2)}, {Name: "FuzzB", Costs: make([]report.Cost, 1)}}
	for n, want := range map[int]string{0: "no fuzz test was run\n", 1: "no failing inputs, costly inputs in 2 places\n", 2: "no failing inputs, costly inputs in 3 places\n"} {
		if got := written(t, &report.Report{Tests: tests[:n]}, Format{Quiet: true}); !strings.HasSuffix(got, want) {
			t.Errorf("%d fuzz tests: %q, want %q", n, got, want)
		}
	}
}
