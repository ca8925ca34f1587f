package crashers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const panicOutput = `--- FAIL: FuzzX (0.00s)
    --- FAIL: FuzzX/input (0.00s)
panic: runtime error: slice bounds out of range [:4] with length 3 [recovered, repanicked]

goroutine 9 [running]:
testing.tRunner.func1.2({0x5f6d80, 0xc00001c0c0})
	/usr/local/go/src/testing/testing.go:1872 +0x237
panic({0x5f6d80?, 0xc00001c0c0?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
example.com/m.handle()
	/tmp/m/handle.go:3 +0x1f
panic({0x5f6d80?, 0xc00001c0c0?})
	/usr/local/go/src/runtime/panic.go:783 +0x132
runtime.goPanicSliceAlen(0x4, 0x3)
	/usr/local/go/src/runtime/panic.go:141 +0x6f
example.com/m.(*P).squash(...)
	/tmp/m/gjson.go:501
example.com/m_test.target({0xc00001c0a8, 0x3, 0x8})
	/tmp/m/target_test.go:12 +0x5f
created by testing.(*T).Run in goroutine 8
	/usr/local/go/src/testing/testing.go:1931 +0x465
`

const hangOutput = `panic: test timed out after 4s
	running tests:
		FuzzX (4s)
		FuzzX/input (4s)

goroutine 17 [running]:
testing.(*M).startAlarm.func1()
	/usr/local/go/src/testing/testing.go:2484 +0x394
created by time.goFunc
	/usr/local/go/src/time/sleep.go:215 +0x2d

goroutine 1 [chan receive]:
testing.(*F).Fuzz.func1.1(...)
	/usr/local/go/src/testing/fuzz.go:335

goroutine 9 [runnable]:
example.com/m.deepMatch({0x1, 0x2})
	/tmp/m/match.go:45 +0x5f
example.com/m_test.target({0xc00001c0a8, 0x3, 0x8})
	/tmp/m/target_test.go:12 +0x5f
`

func TestParseCrash(t *testing.T) {
	for _, test := range []struct {
		about, out string
		want       Crash
	}{
		{"a panic that is recovered and goes on", panicOutput, Crash{
			"panic", "runtime error: slice bounds out of range [:4] with length 3",
			[]string{"example.com/m.(*P).squash:gjson.go:501", "example.com/m_test.target:target_test.go:12"},
		}},
		{"an endless loop", hangOutput, Crash{
			"hang", "timeout", []string{"example.com/m.deepMatch:match.go:45", "example.com/m_test.target:target_test.go:12"},
		}},
		{"an endless recursion", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n" +
			"runtime stack:\nruntime.throw({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:1094 +0x48\n\n" +
			"goroutine 9 gp=0xc000003c00 m=0 mp=0x6e1ea0 [running]:\nexample.com/m.f(0x1)\n\t/tmp/m/f.go:7 +0x1 fp=0x1 sp=0x2 pc=0x3\n", Crash{
			"stackoverflow", "stack overflow", []string{"example.com/m.f:f.go:7"},
		}},
	} {
		got, ok := parseCrash(test.out)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Crash{})); diff != "" || !ok {
			t.Errorf("%s: %v\n%s", test.about, ok, diff)
		}
	}
	if c, ok := parseCrash("--- FAIL: FuzzX/input (0.0s)\n    x_test.go:3: wrong\nFAIL\n"); ok {
		t.Errorf("a failure is taken for a crash: %+v", c)
	}
}

func TestAttribute(t *testing.T) {
	labels := []Label{
		{Bug: "A", Kind: "panic", Msg: "index out of range [5] with length 5", Stack: "m.f:f.go:1 < m.g:f.go:9 < m_test.target:t.go:1"},
		{Bug: "B", Kind: "panic", Msg: "invalid memory address", Stack: "m.f:f.go:1 < m.h:f.go:8"},
		{Bug: "C", Kind: "hang", Msg: "timeout 4s", Stack: "m.loop:f.go:2 < m.g:f.go:7 < m_test.target:t.go:1"},
		{Bug: "D", Kind: "hang", Msg: "timeout 4s", Stack: "m.other:f.go:2 < m_test.target:t.go:1"},
		{Bug: "E", Kind: "panic", Msg: "invalid memory address", Stack: "m.f:f.go:1 < m.k:f.go:8"},
	}
	for _, test := range []struct {
		about string
		crash Crash
		want  string
	}{
		{"numbers differ", Crash{"panic", "index out of range [2] with length 2", []string{"m.f:f.go:1"}}, "A"},
		{"bugs that look alike", Crash{"panic", "invalid memory address", []string{"m.f:f.go:1"}}, "B/E"},
		{"another message at a known line", Crash{"panic", "slice bounds", []string{"m.f:f.go:1"}}, "A/B/E"},
		{"another line", Crash{"panic", "invalid memory address", []string{"m.f:f.go:2"}}, ""},
		{"a loop at another line, from a callee", Crash{"hang", "timeout", []string{"m.leaf:f.go:4", "m.loop:f.go:3", "m.g:f.go:7", "m_test.target:t.go:1"}}, "C"},
		{"a loop that shares the test alone", Crash{"hang", "timeout", []string{"m.leaf:f.go:4", "m_test.target:t.go:1"}}, ""},
	} {
		if got := Attribute(test.crash, labels); got != test.want {
			t.Errorf("%s: %q, want %q", test.about, got, test.want)
		}
	}
}
