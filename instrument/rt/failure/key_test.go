package failure

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

func TestKey(t *testing.T) {
	a := wire.Outcome{Kind: wire.Panic, Message: "index 3", Frames: []string{"p.f f.go:1", "p.g f.go:2", "p.h f.go:3", "p.i f.go:4"}}
	b := a
	b.Message = "index 4"
	b.Frames = append(a.Frames[:3:3], "p.other f.go:9")
	if Key(a) != Key(b) {
		t.Error("the panic's value, or a frame far out, splits a bucket")
	}
	b.Frames = []string{"p.f f.go:7"}
	if Key(a) == Key(b) {
		t.Error("another line is the same bucket")
	}
	l1 := wire.Outcome{Kind: wire.Death, Frames: []string{"p.f.func1 f.go:7", "p.func.f.go f.go:8"}}
	l2 := wire.Outcome{Kind: wire.Death, Frames: []string{"p.f.func2.1 f.go:7", "p.func.f.go f.go:8"}}
	if Key(l1) != Key(l2) {
		t.Error("one literal, in both bodies of a function, is two buckets")
	}
	r1, r2 := l1, l1
	r1.Frames, r2.Frames = []string{"p.f-range1 f.go:7", "p.g f.go:8"}, []string{"p.f-range3.func4 f.go:7", "p.g f.go:8"}
	if Key(r1) != Key(r2) {
		t.Error("one body of a loop over a function, in both bodies of a function, is two buckets")
	}
	r2.Frames[0] = "q/p-range1.f-range2 f.go:7"
	if !strings.Contains(Key(r2), "q/p-range1.f f.go:7") {
		t.Error("a package's name is cut:", Key(r2))
	}
	l2.Frames[1] = "p.func.g f.go:8"
	if Key(l1) == Key(l2) {
		t.Error("another function is the same bucket")
	}
	fail := wire.Outcome{Kind: wire.Fail, Message: "x_test.go:12: got 1"}
	other := wire.Outcome{Kind: wire.Fail, Message: "x_test.go:12: got 2\nmore"}
	if Key(fail) != Key(other) {
		t.Error("one assertion with other values is another bucket")
	}
	// Where the fuel runs out is chance; the functions that call that place are not.
	h1 := wire.Outcome{Kind: wire.Fuel, Frames: []string{"p.deep f.go:9", "p.loop f.go:2", "p.g f.go:3", "p.h f.go:4", "p.i f.go:5"}}
	h2 := wire.Outcome{Kind: wire.Fuel, Frames: []string{"p.loop f.go:1", "p.g f.go:3", "p.h f.go:4", "p.i f.go:5"}}
	if Key(h1) != Key(h2) {
		t.Error("one hang is two buckets")
	}
}

// TestKeyOfLeaks: one goroutine that nobody reads from is one bucket, wherever it sends.
func TestKeyOfLeaks(t *testing.T) {
	leak := func(state string, frames ...string) string {
		return Key(wire.Outcome{Kind: wire.Leak, Message: "goroutines that outlive the call: 2, waiting in " + state, Frames: frames})
	}
	want := leak("chan send", "p.(*lexer).emit l.go:80", "p.(*lexer).number l.go:90", "p.(*lexer).run l.go:100", "p.Lex l.go:9")
	if got := leak("chan send", "p.(*lexer).errorf l.go:118", "p.(*lexer).run l.go:100", "p.Lex l.go:9"); got != want {
		t.Errorf("another place where it sends is %q, after %q", got, want)
	}
	for _, other := range []string{
		leak("chan receive", "p.(*lexer).emit l.go:80", "p.(*lexer).run l.go:100", "p.Lex l.go:9"),
		leak("chan send", "p.(*lexer).emit l.go:80", "p.(*lexer).run l.go:100", "p.Lex l.go:12"),
	} {
		if other == want {
			t.Errorf("another start, or something else that it waits for, is the same bucket %q", want)
		}
	}
}

// Only the user's own packages, and those below them, tell failures apart.
func TestInPackages(t *testing.T) {
	list := []string{"example.com/p", "q"}
	for function, want := range map[string]bool{
		"example.com/p.F":        true,
		"example.com/p.(*T).M":   true,
		"example.com/p/sub.F":    true,
		"example.com/p_test.F":   true,
		"example.com/pq.F":       false,
		"example.com/p":          false,
		"q.F":                    true,
		"example.com/q.F":        false,
		"runtime.gopanic":        false,
		"":                       false,
		"example.com/p.F.func1":  true,
		"example.com/other/p.F":  false,
		"example.com/p-2/sub.F2": false,
	} {
		if got := InPackages(function, list); got != want {
			t.Errorf("%s: %v", function, got)
		}
	}
}
