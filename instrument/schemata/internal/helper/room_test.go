package helper_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
)

// TestRoom: a size counts unless it is a constant, or no more than what exists.
func TestRoom(t *testing.T) {
	for call, want := range map[string]struct {
		size  string
		bytes int64
	}{
		"make([]byte, n)":                         {"n", 1},
		"make([]byte, 0, n)":                      {"n", 1},
		"make([]byte, n, 9)":                      {},
		"make([]struct{a, b int64; c string}, n)": {"n", 32},
		"make([][4]uint16, n*len(s))":             {"n*len(s)", 8},
		"make([]struct{}, n)":                     {"n", 1},
		"make([]E, n)":                            {"n", 16},
		"make(S, n)":                              {"n", 1},
		"make(map[string]int, n)":                 {"n", 25},
		"make(map[string]int)":                    {},
		"make(chan *int, n)":                      {"n", 8},
		"make([]byte, f())":                       {"f()", 1},
		"make([]byte, 1<<n)":                      {"1<<n", 1},
		"make([]byte, len(s)/2+3-cap(b))":         {},
		"make([]byte, 2*cap(b))":                  {"2*cap(b)", 1},
		"make([]byte, len(s)+cap(b))":             {"len(s)+cap(b)", 1},
		"make([]byte, len(s)*cap(b))":             {"len(s)*cap(b)", 1},
		"make([]byte, uint8(len(s)/2), (8))":      {},
		"make([]byte, int64(len(s)))":             {},
		"make([]byte, int64(n))":                  {"int64(n)", 1},
		"own(b, n)":                               {},
		"slices.Grow(b, n)":                       {"n", 1},
		"slices.Grow([]string(nil), n)":           {"n", 16},
		"slices.Grow(b, len(s))":                  {},
		"slices.Grow(two())":                      {},
		"slices.Clip(b)":                          {},
		"reflect.MakeSlice(nil, 3, n)":            {"n", 1},
		"builder.Grow(n)":                         {"n", 1},
		"buffer.Grow(n)":                          {"n", 1},
		"other.Grow(n)":                           {},
	} {
		statement := "_ = " + call
		if strings.Contains(call, "er.Grow") {
			statement = call
		}
		c := checked.Text(t, `import ("bytes"; "reflect"; "slices"; "strings")
func do[E any, S ~[]byte](n int, s string, b []byte) { `+statement+` }
func f() int { return 0 }; func own(b []byte, n int) int { return n }; func two() ([]byte, int) { return nil, 0 }
var ( builder strings.Builder; buffer *bytes.Buffer; other grower; _ = reflect.MakeSlice; _ = slices.Grow[[]byte] )
type grower struct{}; func (grower) Grow(int) {}`)
		size, bytes := helper.Room(c.Info, checked.First[*ast.CallExpr](c, call))
		got := ""
		if size != nil {
			got = c.Src.Node(size)
		}
		if got != want.size || bytes != want.bytes {
			t.Errorf("%s: %q of %d bytes, want %q of %d", call, got, bytes, want.size, want.bytes)
		}
	}
}
