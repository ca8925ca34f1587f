package crashes

import (
	"strings"
	"testing"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashers"
)

func TestTableOfBugsThatAreMet(t *testing.T) {
	all := []*met{
		{module: "yaml", inputs: 30, stacks: 6, wall: 61, execs: 1000, buckets: []metBucket{
			{what: "panic: a", inputs: 10, repairs: 2, bugs: []string{"A"}},
			{what: "panic: b", inputs: 9, bugs: []string{"A", "B"}},
			{what: "hang: c", inputs: 8, bugs: []string{unknown + "hang"}},
		}},
		{module: "none"},
	}
	shown := func(verbose bool) string {
		var b strings.Builder
		if err := printMet(&b, all, verbose); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(b.String()), " ")
	}
	text := shown(false)
	// Executions, inputs, by stack, buckets, of known bugs, bugs, split, mixed, with a repair, others, wall.
	for _, want := range []string{"yaml 1000 30 6 3 2 2 1 1 1 1 61", "none 0 0 0 0 0 0 0 0 0 0 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "panic: a") || !strings.Contains(shown(true), "A, B 9 0 panic: b") {
		t.Errorf("buckets are shown only if asked for: %s", shown(true))
	}
}

func TestBudgets(t *testing.T) {
	b := &metBench{}
	b.Time = time.Minute
	if got := b.budget(); got != "1m0s" {
		t.Errorf("a time is %s", got)
	}
	b.execs = 5000
	if got := b.budget(); got != "5000x" {
		t.Errorf("executions are %s", got)
	}
}

// A run counts a bug once, when it first sees it.
func TestABugCountsOnceInARun(t *testing.T) {
	labels := []crashers.Label{{Bug: "A", Kind: "panic", Msg: "index 5", Stack: "p.F:p.go:3"}}
	crash := crashers.Crash{Kind: "panic", Message: "index 9", Stack: []string{"p.F:p.go:3"}}
	other := crashers.Crash{Kind: "panic", Message: "other", Stack: []string{"p.G:p.go:9"}}
	h := make(hunt)
	for range 2 { // runs
		seen := make(map[string]bool)
		for i, c := range []crashers.Crash{other, crash, crash, other} {
			h.found(seen, c, labels, discovery{executions: int64(i)})
		}
	}
	if len(h) != 2 || len(h["A"]) != 2 || h["A"][0].executions != 1 || len(h[unknown+"panic: other at p.G:p.go:9"]) != 2 {
		t.Errorf("got %v", h)
	}
}
