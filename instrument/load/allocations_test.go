package load_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/load/loadtest"
)

func TestCountsAllocations(t *testing.T) {
	r := loadtest.Typed(t, "func F() {}\n", `
func TestItself(t *testing.T) {
	if testing.AllocsPerRun(10, F) > 0 {
		t.Error()
	}
}

func TestInside(t *testing.T) {
	t.Run("a", func(t *testing.T) { noAllocs(t) })
}

func TestBenchmark(t *testing.T) { testing.Benchmark(func(b *testing.B) { F() }) }

func TestReports(t *testing.T) { benchmark(nil) }

func TestNone(t *testing.T) { F(); other(t); t.Log() }

func noAllocs(t *testing.T) { testing.AllocsPerRun(10, F) }

func benchmark(b *testing.B) { b.ReportAllocs() }

func other(t *testing.T) { nested(t) }

func nested(t *testing.T) { noAllocs(t) }
`)
	for name, want := range map[string]bool{
		"TestItself": true, "TestInside": true, "TestBenchmark": true, "TestReports": true, "TestNone": false, "TestMissing": false,
	} {
		if got := r.CountsAllocations(name); got != want {
			t.Errorf("%s counts allocations: %t", name, got)
		}
	}
}
