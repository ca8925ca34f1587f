package fuzzmut

import (
	"fmt"
	"path"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/fuzzmut/fuzzmut/fuzzmut/derive"
	"github.com/fuzzmut/fuzzmut/fuzzmut/internal/literal"
	"github.com/fuzzmut/fuzzmut/fuzzmut/term"
)

// Encode returns the input that stands for v. The error says which part of v is none
// of its type's values or goes beyond the bounds, or why values of T can't be derived.
func Encode[T any](v T) ([]byte, error) {
	c, err := codecOf[T]()
	if err != nil {
		return nil, err
	}
	x, err := c.Get(unsafe.Pointer(&v))
	if err != nil {
		return nil, err
	}
	return term.Encode(x)
}

// Decode returns the value that an input stands for, which can be any. It panics if
// values of T can't be derived.
func Decode[T any](data []byte) T {
	c, err := codecOf[T]()
	must(err)
	x, _ := term.Decode(c.Type(), data)
	return valueOf[T](c, x)
}

func codecOf[T any]() (*derive.Codec, error) {
	return registry.Of(reflect.TypeFor[T]())
}

func valueOf[T any](c *derive.Codec, x *term.Term) T {
	var v T
	c.Set(unsafe.Pointer(&v), x)
	return v
}

// source returns Go source for the value that x stands for, in the package pkg: an
// expression that gives it.
func source[T any](c *derive.Codec, x *term.Term, pkg string) string {
	expr, ok := literalOf[T](c, x, pkg)
	if ok {
		return expr
	}
	// What no literal can say, its bytes can.
	data, err := term.Encode(x)
	if err != nil {
		return fmt.Sprintf("%s // incomplete: %v", expr, err)
	}
	name := literal.Type(reflect.TypeFor[T](), pkg)
	return fmt.Sprintf("fuzzmut.Decode[%s]([]byte(%s)) // %s", name, strconv.Quote(string(data)), strings.Join(strings.Fields(expr), " "))
}

// literalOf returns an expression for the value that x stands for, and whether it says
// everything. A function of the user's that panics when it makes the value is what
// failed in the first place: that is known, and must not hide the input.
func literalOf[T any](c *derive.Codec, x *term.Term, pkg string) (expr string, ok bool) {
	defer func() {
		if v := recover(); v != nil {
			expr, ok = fmt.Sprintf("panics: %v", v), false
		}
	}()
	v := valueOf[T](c, x)
	return literal.Source(reflect.ValueOf(&v).Elem(), pkg)
}

// callerPackage returns the import path of the package from which the caller of its
// caller was called.
func callerPackage(skip int) string {
	pc, _, _, ok := runtime.Caller(skip + 1)
	if !ok {
		return ""
	}
	name := runtime.FuncForPC(pc).Name() // example.com/a/b.Func.func1
	dir, last := path.Split(name)
	last, _, _ = strings.Cut(last, ".")
	return strings.ReplaceAll(dir, "%2e", ".") + strings.ReplaceAll(last, "%2e", ".")
}
