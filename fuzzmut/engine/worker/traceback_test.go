package worker

import (
	"slices"
	"strings"
	"testing"
)

const overflow = `runtime: goroutine stack exceeds 67108864-byte limit
runtime: sp=0xc020160390 stack=[0xc020160000, 0xc024160000]
fatal error: stack overflow

runtime stack:
runtime.throw({0x55d0b3?, 0x0?})
	/usr/local/go/src/runtime/panic.go:1101 +0x48
runtime.newstack()
	/usr/local/go/src/runtime/stack.go:1107 +0x5bd

goroutine 22 gp=0xc000105c00 m=0 mp=0x6d6b80 [running]:
example.com/p.(*parser).value(0xc000012345, {0x1, 0x2})
	/home/u/p/parse.go:31 +0x45 fp=0xc0201603a8 sp=0xc0201603a0 pc=0x4f1c05
example.com/p.list[...](...)
	/home/u/p/list.go:7
example.com/p_test.FuzzX.func1(0x0)
	/home/u/p/x_test.go:9 +0x1d

goroutine 1 [chan receive]:
testing.(*F).Fuzz(0xc000106000)
	/usr/local/go/src/testing/fuzz.go:1 +0x1
`

func TestFrames(t *testing.T) {
	got := Frames(overflow, []string{"example.com/p"})
	want := []string{
		"example.com/p.(*parser).value /home/u/p/parse.go:31",
		"example.com/p.list[...] /home/u/p/list.go:7",
		"example.com/p_test.FuzzX.func1 /home/u/p/x_test.go:9",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	deadlock := "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n" +
		"testing.(*F).Fuzz(0x1)\n\t/go/testing/fuzz.go:1 +0x1\nexample.com/p.FuzzX(0x1)\n\t/p/x_test.go:9 +0x1\n\n" +
		"goroutine 9 [select (no cases)]:\nexample.com/p.block()\n\t/p/p.go:3 +0x1\n"
	if got := Frames(deadlock, []string{"example.com/p"}); len(got) != 1 || got[0] != "example.com/p.block /p/p.go:3" {
		t.Errorf("of a deadlock: %q", got)
	}
	running := strings.Replace(deadlock, "example.com/p.block()\n\t/p/p.go:3 +0x1\n", "\tgoroutine running on other thread; stack unavailable\n", 1)
	if got := Frames(running, []string{"example.com/p"}); got != nil {
		t.Errorf("of a goroutine whose stack nobody knows: %q", got)
	}
	// A run within the end of one before it, which called t.Skip.
	nested := strings.Replace(overflow, "\n\ngoroutine 1 [", "\nfuzzmutrt/loop/exec.(*runner).guarded(0xc000)\n\t/r/runner.go:1 +0x1\n"+
		"testing.(*common).Skip(0xc001)\n\t/go/testing/testing.go:1 +0x1\nexample.com/p_test.FuzzX.func1(0x1)\n\t/home/u/p/x_test.go:7 +0x1\n\ngoroutine 1 [", 1)
	if got := Frames(nested, []string{"example.com/p"}); !slices.Equal(got, want) {
		t.Errorf("of a nested run: %q", got)
	}
	if got := Frames(overflow, []string{"example.com/other"}); got != nil {
		t.Errorf("frames of nobody: %q", got)
	}
	if got := Frames("killed", []string{"example.com/p"}); got != nil {
		t.Errorf("frames out of nothing: %q", got)
	}
}

func TestCauseOf(t *testing.T) {
	if got := causeOf(overflow, nil); got != "fatal error: stack overflow" {
		t.Errorf("got %q", got)
	}
	if got := causeOf("panic: (p.T) 0xc000012345 [recovered]\n", nil); got != "panic: (p.T) [recovered]" {
		t.Errorf("got %q", got)
	}
}

func TestTailKeepsBothEnds(t *testing.T) {
	tl := newTail()
	tl.Write([]byte("first\n"))
	line := []byte(strings.Repeat("x", 99) + "\n")
	for range 20_000 {
		tl.Write(line)
	}
	tl.Write([]byte("last\n"))
	s := tl.String()
	if !strings.HasPrefix(s, "first\n") || !strings.HasSuffix(s, "last\n") || !strings.Contains(s, "\n…\n") {
		t.Errorf("%d bytes: %.40q … %q", len(s), s, s[len(s)-40:])
	}
	if len(s) > headMost+2*tailMost+10 {
		t.Errorf("keeps %d bytes", len(s))
	}
	short := newTail()
	short.Write([]byte("all of it"))
	if short.String() != "all of it" {
		t.Errorf("got %q", short.String())
	}
}
