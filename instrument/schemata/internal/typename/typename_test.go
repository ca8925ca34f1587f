package typename_test

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
)

func TestName(t *testing.T) {
	c := checked.Body(t, `
import (
	"bytes"
	renamed "strings"
)

type pair[T any] struct{ a, b T }
type words = []string

var (
	one   int
	two   map[string][]*pair[int]
	three bytes.Buffer
	four  *renamed.Builder
	five  func(int, ...string) (bool, error)
	six   <-chan (<-chan [3]byte)
	seven struct {
		A int "tag"
		words
	}
	eight interface{ Close() error }
	nine  words
	ten   any
)

func use(...any) {}
`, `use("outside")
{
	int, pair, bytes := 1, 2, 3
	use(int, pair, bytes)
	use("inside")
}
use(one, two, three, four, five, six, seven, eight, nine, ten)`)
	n := typename.New(c.Info.Pkg, "rt")
	tests := []struct{ v, outside, inside, plain string }{ // inside, the names int, pair and bytes mean variables
		{"one", "int", "rt.Int_", ""},
		{"two", "map[string][]*pair[int]", "", ""},
		{"three", "bytes.Buffer", "", ""},
		{"four", "*renamed.Builder", "*renamed.Builder", "*renamed.Builder"},
		{"five", "func(int, ...string) (bool, error)", "func(rt.Int_, ...string) (bool, error)", ""},
		{"six", "<-chan (<-chan ([3]byte))", "<-chan (<-chan ([3]byte))", "<-chan (<-chan ([3]byte))"},
		{"seven", `struct{A int "tag"; words}`, `struct{A rt.Int_ "tag"; words}`, ""},
		{"eight", "interface{Close() (error)}", "interface{Close() (error)}", "interface{Close() (error)}"},
		{"nine", "words", "words", "words"},
		{"ten", "any", "any", "any"},
	}
	outside, inside := c.Stmt(`use("outside")`).Pos(), c.Stmt(`use("inside")`).Pos()
	for _, tt := range tests {
		typ := c.Info.TypeOf(c.Expr(tt.v))
		if got, ok := n.Name(typ, outside, true); !ok || got != tt.outside {
			t.Errorf("%s: %s, %v, want %s", tt.v, got, ok, tt.outside)
		}
		if got, ok := n.Name(typ, inside, false); ok != (tt.inside != "") || ok && got != tt.inside {
			t.Errorf("%s where names are hidden: %s, %v, want %q", tt.v, got, ok, tt.inside)
		}
		if got, ok := n.Name(typ, inside, true); ok != (tt.plain != "") || ok && got != tt.plain {
			t.Errorf("%s where names are hidden, without the core: %s, %v, want %q", tt.v, got, ok, tt.plain)
		}
	}
}
