// Package form has one function for each way in which the compiler names functions
// after the one they stand in, in the order of the text.
package form

import (
	"iter"
	"runtime"
	"strings"
)

//go:noinline
func name() string {
	pcs := make([]uintptr, 1)
	runtime.Callers(2, pcs)
	frame, _ := runtime.CallersFrames(pcs).Next()
	path := frame.Function
	path = path[strings.LastIndexByte(path, '/')+1:]
	return path[strings.IndexByte(path, '.')+1:] + "\n"
}

//go:noinline
func call(f func() string) string { return f() }

func literals(n int) (out string) {
	out, m := "", n
	defer func() { out += name() }()
	out += call(func() string {
		if n > 1 {
			return name() + call(func() string { m++; return name() }) + call(func() string { return name() })
		}
		return "few"
	})
	return out + call(func() string { return name() })
}

//go:noinline
func all(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func ranges(n int) (out string) {
	for i := range all(n) {
		out += name()
		for range all(i) {
			out += name()
		}
		out += call(func() string { return name() })
	}
	for range all(n) {
		out += name()
	}
	return out
}

func generic[T any](v T, n int) string {
	return call(func() string { _ = v; n++; return name() }) + call(func() string { return name() })
}

type method struct{ n int }

func (m *method) literal() string {
	if m.n > 1 {
		return call(func() string { return name() + call(func() string { return name() }) })
	}
	return "few"
}

func (m *method) set(to *string, names string) { *to += names + name() }

func wrapped(n int) string {
	m, out := &method{n + 1}, ""
	func() {
		defer m.set(&out, name())
		done := make(chan int)
		go func(n int) { out += name(); done <- n + 1 }(n)
		<-done
	}()
	f := m.set
	f(&out, "value ")
	return out
}

//fuzzmut:target
func observed(n int) string {
	f := func() string { n++; return name() }
	return call(f)
}

var (
	first  = call(func() string { return name() })
	second = func(n int) string {
		return name() + call(func() string { n++; return name() })
	}
	third = func(n int) string { return call(func() string { return name() }) + name() }(1)
)

var inInit string

func init() { inInit = call(func() string { return name() }) }

// Names returns what the functions are called.
func Names() string {
	m := method{2}
	return literals(2) + ranges(2) + generic(1, 2) + generic("", 2) + m.literal() + wrapped(2) + observed(1) +
		first + second(1) + third + inInit
}
