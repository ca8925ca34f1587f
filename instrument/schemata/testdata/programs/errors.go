package programs

//operators error-check-forced error-match-forced wrapping-removal recover-removal context-background condition-forced error-returns

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

type lineErr struct {
	line int
	err  error
}

func (e *lineErr) Error() string { return fmt.Sprint("line ", e.line, ": ", e.err) }

func (e *lineErr) Unwrap() error { return e.err }

const readFormat = "read %d: %w"

func readLine(n int) (string, error) {
	switch n {
	case 0:
		return "", io.EOF
	case 1:
		return "one", fmt.Errorf(readFormat, n, io.EOF)
	case 2:
		return "two", fmt.Errorf("%[2]w and %+[1]w", &lineErr{n, io.ErrShortWrite}, io.ErrNoProgress)
	case 3:
		return "three", &lineErr{n, io.EOF}
	}
	return strings.Repeat("x", n), nil
}

type errVerdict bool

func classifyErr(n int) string {
	s, err := readLine(n)
	var line *lineErr
	if err != nil && !errors.Is(err, io.EOF) {
		s += "!"
	}
	ok := err == nil
	named := errVerdict(err != nil)
	switch {
	case errors.As(err, &line):
		s += fmt.Sprint("line", line.line)
	case errors.Is(err, io.ErrShortWrite), errors.Is(err, io.ErrNoProgress):
		s += "short"
	}
	errors.As(err, &line)
	var other *lineErr
	for other != nil || errors.Is(err, io.EOF) {
		s += "eof"
		break
	}
	return fmt.Sprint(s, ok, named, line != nil, errEnded(err) == (err == nil))
}

func errEnded(err error) bool { return err != nil && errors.Is(err, io.EOF) }

func guarded(n int) (out string) {
	done := ""
	defer func() { out += done }()
	defer func() {
		r := recover()
		if done += "first "; r != nil {
			done += fmt.Sprint("recovered ", r)
		}
	}()
	defer func() {
		if n == 5 {
			defer func() {
				if err, ok := recover().(error); ok {
					done += err.Error()
				}
			}()
		}
		switch x := recover().(type) {
		case error:
			done += "error " + x.Error()
		case nil:
			done += "nil "
		default:
			if n == 3 {
				panic(x)
			}
			done += fmt.Sprint("other ", x, recover())
		}
		var list []int
		if n == 5 {
			list[n] = 1
		}
	}()
	if n > 3 {
		return "fine "
	}
	if n > 1 {
		panic(n)
	}
	return fmt.Sprint(1 / n)
}

type ctxKey struct{}

type ownContext struct{ context.Context }

func lookUp(ctx context.Context, more ...string) string {
	return fmt.Sprint(ctx.Value(ctxKey{}), more)
}

func passContexts(n int) string {
	trail := ""
	note := func(s string) string { trail += s; return s }
	ctx := context.WithValue(context.Background(), ctxKey{}, n)
	child, cancel := context.WithCancel(ctx)
	if n > 2 {
		cancel()
	}
	defer cancel()
	out := lookUp(child)
	out += lookUp(&ownContext{child}, note("a"))
	out += lookUp(func() context.Context { note("b"); return ctx }(), note("c"))
	last := context.WithoutCancel(ctx)
	out += lookUp(last, fmt.Sprint(child.Err()))
	return out + trail
}

// CaseErrors: errors that go unnoticed or lose what they wrap, panics that are not
// recovered, passContexts that get lost.
func CaseErrors(in int) (out string) {
	out = classifyErr(in) + passContexts(in)
	func() {
		defer func() { //fuzzmut:ignore the program has to go on
			if r := recover(); r != nil {
				out += fmt.Sprint("escaped ", r)
			}
		}()
		out += guarded(in)
	}()
	return out
}
