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
