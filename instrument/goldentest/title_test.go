package goldentest

import (
	"go/token"
	"strings"
	"testing"
)

// Who reads a failing test has to know the case by its name.
func TestTitlesOfCases(t *testing.T) {
	const hash = "21d2ae6989cac617"
	for _, c := range []struct {
		k    Case
		want string
	}{
		{Case{Name: "fuzzmut-a b-" + hash, Args: []any{"a b"}}, "a b"},
		{Case{Name: "fuzzmut-a b-" + hash, Title: "given", Args: []any{"a b"}}, "given"},
		{Case{Name: hash, Args: []any{"\t"}}, `\t`},
		{Case{Name: hash, Args: []any{"", 5}}, `"", 5`},
		{Case{Name: hash, Args: []any{[]byte("\x00\""), true}}, `\x00", true`},
		{Case{Name: hash, Args: []any{strings.Repeat("\n", 30)}}, strings.Repeat(`\n`, 20) + "..."},
		{Case{Name: hash}, hash},
		{Case{Name: "seed#0", Args: []any{"a"}}, "seed#0"},
		{Case{Name: "mine", Args: []any{"a"}}, "mine"},
	} {
		if got := c.k.title(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.k, got, c.want)
		}
	}
}

// Parameters with different names have different fields. The field of the case's name is no other.
func TestFieldsOfParameters(t *testing.T) {
	seen := map[string]bool{"name": true, "want": true, "wantErr": true}
	for _, param := range []string{"name", "nameArg", "nameArgArg", "named", "want", "wantArg", "wantErr", "type", "typeArg", "arg"} {
		field := fieldOf(param)
		if seen[field] || token.IsKeyword(field) {
			t.Errorf("%s: field %s is taken", param, field)
		}
		seen[field] = true
	}
}
