package exec

import (
	"strings"
	"testing"
)

func TestTracebacks(t *testing.T) {
	const text = `goroutine 18 [chan send, 2 minutes]:
example.com/m.produce({0xc000012345, 0x3}, 0xc00001a0e0)
	/m/m.go:29 +0x5d
created by example.com/m.(*T).Parse in goroutine 7
	/m/m.go:16 +0x85

goroutine 7 [running]:
fuzzmutrt/loop/exec.(*runner).guarded(0xc000100000)
	/rt/runner.go:1 +0x1
example.com/m.Fuzz.func1(...)
	/m/m_test.go:5

goroutine 9 [select (no cases)]:
other.com/lib.run()
	/lib/lib.go:3 +0x1
created by other.com/lib.New in goroutine 7
	/lib/lib.go:2 +0x1

goroutine x [running]:
`
	got := make(map[int64]goroutine)
	for id, g := range tracebacks([]byte(text), []string{"example.com/m"}) {
		got[id] = g
	}
	g := got[18]
	if len(got) != 3 || !g.own || !g.waits() || g.state != "chan send" || strings.Join(g.frames, "; ") != "example.com/m.produce /m/m.go:29; example.com/m.(*T).Parse /m/m.go:16" {
		t.Errorf("%+v", got)
	}
	if got[7].own || got[7].state != "running" || got[9].own {
		t.Errorf("not the user's: %+v, %+v", got[7], got[9])
	}
}
