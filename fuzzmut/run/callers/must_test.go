package callers

import (
	"go/types"
	"testing"
)

// A function that panics with the error of another is known by what it does.
func TestMust(t *testing.T) {
	r := loadModule(t, `-- m.go --
package m

import "errors"

func Read(s string) (int, error) { return 0, errors.New(s) }

func Require(s string) int {
	n, err := Read(s)
	if err != nil {
		panic("read: " + err.Error())
	}
	return n
}

func Other(s string) int {
	n, err := Read(s)
	if err == nil {
		panic(err)
	}
	return n
}

func Returns(s string) (int, error) {
	n, err := Read(s)
	if err != nil {
		return 0, err
	}
	return n, nil
}

func Late(s string) int {
	s += "."
	n, err := Read(s)
	if err != nil {
		panic(err)
	}
	return n
}

func Counts(s string) int {
	n, _ := Read(s)
	if n != 1 {
		panic(n)
	}
	return n
}
`)
	s := NewSurface(r)
	scope := r.Packages[0].Types.Scope()
	for name, want := range map[string]types.Object{"Read": nil, "Require": scope.Lookup("Read"), "Other": nil, "Returns": nil, "Late": nil, "Counts": nil} {
		if got := s.Must(scope.Lookup(name).(*types.Func)); got != want && (got != nil || want != nil) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
