package values

import (
	"strings"
	"testing"
)

func TestPropertiesTable(t *testing.T) {
	var runs []huntRun
	add := func(strategy string, fault, tests int, found bool) {
		runs = append(runs, huntRun{Machine: "w", Strategy: strategy, Fault: fault, Tests: tests, Found: found, Seconds: 1})
	}
	add("a", 1, 10, true)
	add("a", 1, 30, true)
	add("a", 2, 5, false)
	add("a", 2, 5, true)
	add("b", 1, 40, true)
	add("b", 2, 90, true)
	add("c", 2, 90, false)
	var b strings.Builder
	printProperties(&b, "w", runs)
	for _, want := range []string{
		"  fault         a      b         c\n      1     20 1s  40 1s          \n      2  5 1s 50%  90 1s  90 1s 0%\n",
		"a: 3 of 4 runs found their fault, 1 of 2 faults in every run, 1 with the fewest tests; 12 tests a second",
		"b: 2 of 2 runs found their fault, 2 of 2 faults in every run, 1 with the fewest tests",
		"c: 0 of 1 runs found their fault, 0 of 2 faults in every run, 0 with the fewest tests",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
