package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
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
		want       crash
	}{
		{"a panic that is recovered and goes on", panicOutput, crash{
			"panic", "runtime error: slice bounds out of range [:4] with length 3",
			[]string{"example.com/m.(*P).squash:gjson.go:501", "example.com/m_test.target:target_test.go:12"},
		}},
		{"an endless loop", hangOutput, crash{
			"hang", "timeout", []string{"example.com/m.deepMatch:match.go:45", "example.com/m_test.target:target_test.go:12"},
		}},
		{"an endless recursion", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n" +
			"runtime stack:\nruntime.throw({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:1094 +0x48\n\n" +
			"goroutine 9 gp=0xc000003c00 m=0 mp=0x6e1ea0 [running]:\nexample.com/m.f(0x1)\n\t/tmp/m/f.go:7 +0x1 fp=0x1 sp=0x2 pc=0x3\n", crash{
			"stackoverflow", "stack overflow", []string{"example.com/m.f:f.go:7"},
		}},
	} {
		got, ok := parseCrash(test.out)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(crash{})); diff != "" || !ok {
			t.Errorf("%s: %v\n%s", test.about, ok, diff)
		}
	}
	if c, ok := parseCrash("--- FAIL: FuzzX/input (0.0s)\n    x_test.go:3: wrong\nFAIL\n"); ok {
		t.Errorf("a failure is taken for a crash: %+v", c)
	}
}

func TestAttribute(t *testing.T) {
	labels := []label{
		{Bug: "A", Kind: "panic", Msg: "index out of range [5] with length 5", Stack: "m.f:f.go:1 < m.g:f.go:9 < m_test.target:t.go:1"},
		{Bug: "B", Kind: "panic", Msg: "invalid memory address", Stack: "m.f:f.go:1 < m.h:f.go:8"},
		{Bug: "C", Kind: "hang", Msg: "timeout 4s", Stack: "m.loop:f.go:2 < m.g:f.go:7 < m_test.target:t.go:1"},
		{Bug: "D", Kind: "hang", Msg: "timeout 4s", Stack: "m.other:f.go:2 < m_test.target:t.go:1"},
		{Bug: "E", Kind: "panic", Msg: "invalid memory address", Stack: "m.f:f.go:1 < m.k:f.go:8"},
	}
	for _, test := range []struct {
		about string
		crash crash
		want  string
	}{
		{"numbers differ", crash{"panic", "index out of range [2] with length 2", []string{"m.f:f.go:1"}}, "A"},
		{"bugs that look alike", crash{"panic", "invalid memory address", []string{"m.f:f.go:1"}}, "B/E"},
		{"another message at a known line", crash{"panic", "slice bounds", []string{"m.f:f.go:1"}}, "A/B/E"},
		{"another line", crash{"panic", "invalid memory address", []string{"m.f:f.go:2"}}, ""},
		{"a loop at another line, from a callee", crash{"hang", "timeout", []string{"m.leaf:f.go:4", "m.loop:f.go:3", "m.g:f.go:7", "m_test.target:t.go:1"}}, "C"},
		{"a loop that shares the test alone", crash{"hang", "timeout", []string{"m.leaf:f.go:4", "m_test.target:t.go:1"}}, ""},
	} {
		if got := attribute(test.crash, labels); got != test.want {
			t.Errorf("%s: %q, want %q", test.about, got, test.want)
		}
	}
}

func TestFirstPoint(t *testing.T) {
	points := []runlog.Point{{Executions: 1}, {Executions: 5, Buckets: 2}, {Executions: 9, Buckets: 3}}
	for n, want := range map[int]int64{1: 5, 2: 5, 3: 9} {
		if p, ok := firstPoint(points, n); !ok || p.Executions != want {
			t.Errorf("bucket %d: %+v, want %d executions", n, p, want)
		}
	}
	if _, ok := firstPoint(points, 4); ok {
		t.Error("there is no fourth bucket")
	}
}

func TestTally(t *testing.T) {
	var sum tally
	var out bytes.Buffer
	others := sum.print(&out, "m",
		hunt{"A": {{10, 4}, {30, 8}}, "B": {{5, 1}}, unknown + "odd": {{1, 1}}},
		hunt{"A": {{2, 2}}, "C": {{1, 1}}})
	want := tally{both: 1, stock: 1, ours: 1, sooner: 1, ratios: []float64{3}}
	if diff := cmp.Diff(want, sum, cmp.AllowUnexported(tally{})); diff != "" {
		t.Error(diff)
	}
	const lines = "m\tA\t2\t20\t6.0\t1\t2\t2.0\t3.0\t\nm\tB\t1\t5\t1.0\t0\t-\t-\t-\t\nm\tC\t0\t-\t-\t1\t1\t1.0\t-\t\n"
	if diff := cmp.Diff(lines, out.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"m: odd (stock 1, fuzzmut 0 runs)"}, others); diff != "" {
		t.Error(diff)
	}
}
