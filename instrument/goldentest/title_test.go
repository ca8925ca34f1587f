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
		k     Case
		want  string
		named []string
	}{
		{Case{Name: "fuzzmut-a b-" + hash, Args: []any{"a b"}}, "a b", nil},
		{Case{Name: "fuzzmut-a b-" + hash, Title: "given", Args: []any{"a b"}}, "given", nil},
		{Case{Name: hash, Args: []any{"\t"}}, `\t`, nil},
		{Case{Name: hash, Args: []any{"", 5}}, `"", 5`, nil},
		{Case{Name: hash, Args: []any{[]byte("\x00\""), true}}, `\x00", true`, nil},
		{Case{Name: hash, Args: []any{strings.Repeat("\n", 30)}}, strings.Repeat(`\n`, 20) + "...", nil},
		{Case{Name: hash, Args: []any{uint8(47), "a", uint8(3)}}, "/, a, Third", []string{"/", "", "Third"}},
		{Case{Name: "fuzzmut-a, 3-" + hash, Args: []any{"a", 3}}, "a, Third", []string{"", "Third"}},
		{Case{Name: "fuzzmut-a, 3-" + hash, Args: []any{"a", 3}}, "a, 3", []string{"", ""}},
		{Case{Name: hash}, hash, nil},
		{Case{Name: "seed#0", Args: []any{"a"}}, "seed#0", nil},
		{Case{Name: "mine", Args: []any{"a"}}, "mine", nil},
	} {
		if got := c.k.title(c.named); got != c.want {
			t.Errorf("%+v: %q, want %q", c.k, got, c.want)
		}
	}
}

func TestFieldsOfParametersThatAreCalledAsThoseOfFuzzTests(t *testing.T) {
	if f := fieldOf("fArg"); f != "f" {
		t.Errorf("the field of fArg is %s", f)
	}
}

// Parameters with different names have different fields. The field of the case's name is no other.
func TestFieldsOfParameters(t *testing.T) {
	seen := map[string]bool{"name": true, "want": true, "wantErr": true}
	for _, param := range []string{"name", "nameArg", "nameArgArg", "named", "want", "wantArg", "wantErr", "type", "typeArg", "arg", "f", "fArg", "fArgArg", "tArg"} {
		field := fieldOf(param)
		if seen[field] || token.IsKeyword(field) {
			t.Errorf("%s: field %s is taken", param, field)
		}
		seen[field] = true
	}
}
