package crashers

import "testing"

func TestLikeness(t *testing.T) {
	crash := func(kind, message string, stack ...string) *Crash {
		return &Crash{Kind: kind, Message: message, Stack: stack}
	}
	panicked := crash("panic", "index 5 of 3\nmore", "p.F:p.go:3", "p.G:p.go:9")
	loop := crash("hang", "timeout", "p.loop:p.go:3", "p.walk:p.go:9", "testing.tRunner:testing.go:1", "p_test.FuzzX:x_test.go:4")
	for _, c := range []struct {
		name string
		a, b *Crash
		want int
	}{
		{"itself", panicked, panicked, 2},
		{"other numbers", panicked, crash("panic", "index 7 of 9", "p.F:p.go:3"), 2},
		{"another message", panicked, crash("panic", "nil map", "p.F:p.go:3"), 1},
		{"another line", panicked, crash("panic", "index 5 of 3", "p.F:p.go:4"), 0},
		{"another kind", panicked, crash("hang", "index 5 of 3", "p.F:p.go:3"), 0},
		{"no stack", panicked, crash("panic", "index 5 of 3"), 0},
		// Loops are seen at any line: the functions count, but not those of tests.
		{"a loop at other lines", loop, crash("hang", "timeout", "p.walk:p.go:10", "p.loop:p.go:5", "p_test.FuzzX:x_test.go:9"), 2},
		{"a part of a loop", loop, crash("hang", "timeout", "p.walk:p.go:10", "p.walk:p.go:11"), 1},
		{"another loop", loop, crash("hang", "timeout", "q.loop:q.go:3", "testing.tRunner:testing.go:1"), 0},
	} {
		if got := c.a.likeness(c.b); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if got := c.b.likeness(c.a); got != c.want {
			t.Errorf("%s, the other way round: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestDescriptions(t *testing.T) {
	for want, c := range map[string]Crash{
		"panic: index 5 at p.F:p.go:3": {Kind: "panic", Message: " index 5 \nmore", Stack: []string{"p.F:p.go:3", "p.G:p.go:9"}},
		"hang: timeout at unknown":     {Kind: "hang", Message: "timeout"},
	} {
		if got := c.Describe(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for frame, want := range map[string]string{"p.F:p.go:3": "p.F", "p.(*T).M:t.go:12": "p.(*T).M", "p.F": "p.F", "": ""} {
		if got := function(frame); got != want {
			t.Errorf("%q: %q, want %q", frame, got, want)
		}
	}
	if got := WithoutNumbers("index 15 of 3\nsecond 4"); got != "index N of N" {
		t.Errorf("got %q", got)
	}
}
