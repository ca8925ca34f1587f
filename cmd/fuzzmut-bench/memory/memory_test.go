package memory

import (
	"os"
	"runtime"
	"testing"
)

func TestParseStat(t *testing.T) {
	for stat, want := range map[string]struct {
		name   string
		parent int
		ok     bool
	}{
		"12 (test.bin) S 7 12 1": {"test.bin", 7, true},
		"12 (a) b (c) R 3":       {"a) b (c", 3, true},
		"12 (a) R":               {"", 0, false},
		"12 )a( R 3":             {"", 0, false},
		"12 (a) R x":             {"a", 0, false},
		"":                       {"", 0, false},
	} {
		if name, parent, ok := parseStat(stat); name != want.name || parent != want.parent || ok != want.ok {
			t.Errorf("%q: %q %d %v", stat, name, parent, ok)
		}
	}
}

func TestMemoryOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	before := memoryOf(os.Getpid())
	const more = 64 << 20
	b := make([]byte, more)
	for i := range b {
		b[i] = 1
	}
	if after := memoryOf(os.Getpid()); before <= 0 || after < before+more/2 {
		t.Errorf("%d bytes, and %d with %d more", before, after, more)
	}
	runtime.KeepAlive(b)
}

func TestSpaced(t *testing.T) {
	s := samples{all: []int64{1 << 20, 2 << 20, 3 << 20, 4 << 20, 5 << 20, 6 << 20, 7 << 20}}
	for n, want := range map[int]string{0: "", 1: "4", 3: "2 4 6"} {
		if got := s.spaced(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
