package speed

import "testing"

func TestFuzzTestsHandTheirFunctionsOver(t *testing.T) {
	name, text := captured(`package p

import (
	"strings"
	"testing"
)

func add(f *testing.F) { f.Add("a") }

func FuzzX(f *testing.F) {
	add(f)
	f.Fuzz(func(t *testing.T, s string) { strings.ToUpper(s) })
}
`)
	want := `package p

import (
	"strings"
)

func add(f *bodyF) { f.Add("a") }

func bodyFuzzX(f *bodyF) {
	add(f)
	f.Fuzz(func(t *bodyT, s string) { strings.ToUpper(s) })
}
`
	if name != "p" || text != want {
		t.Errorf("package %s:\n%s", name, text)
	}
}
