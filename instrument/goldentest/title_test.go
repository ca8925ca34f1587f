package goldentest

import (
	"go/token"
	"slices"
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
		{Case{Name: "fuzzmut-a-b-" + hash, Args: []any{"a\u2003b"}}, `a\u2003b`, nil},
		{Case{Name: "fuzzmut-a-b-" + hash, Args: []any{"A/b"}}, "A/b", nil},
		{Case{Name: "a-b", Args: []any{"a\u2003b"}}, "a-b", nil},
		{Case{Name: "fuzzmut-a-b-" + hash}, "a-b", nil},
		{Case{Name: "fuzzmut-a b-" + hash, Args: []any{"a b", 3}}, "a b, Third", []string{"", "Third"}},
		{Case{Name: hash, Args: []any{2}}, "2", nil},
		{Case{Name: hash, Args: []any{"", 0, []byte(nil)}}, "zero values", nil},
		{Case{Name: hash, Args: []any{"", 0}}, `"", First`, []string{"", "First"}},
		{Case{Name: hash, Args: []any{""}}, `""`, nil},
		{Case{Name: hash}, hash, nil},
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
		if got := titles([]Case{c.k}, [][]string{c.named}); got[0] != c.want {
			t.Errorf("%+v: %q, want %q", c.k, got, c.want)
		}
	}
}

// Titles that are made of arguments differ. Those that somebody has given stay as they are.
func TestTitlesOfSeveralCases(t *testing.T) {
	const hash = "21d2ae6989cac617"
	cases := []Case{
		{Name: "fuzzmut-a-b-" + hash, Args: []any{"a b"}},
		{Name: "fuzzmut-a-b-" + hash, Args: []any{"a_b"}},
		{Name: "mine", Args: []any{"a_b"}},
	}
	want := []string{`"a\u0020b"`, `"a_b"`, "mine"}
	if got := titles(cases, make([][]string, len(cases))); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A copy's cases are called as their entries, with the hashes where the words in their names are the same.
func TestShortNamesDiffer(t *testing.T) {
	const one, two = "21d2ae6989cac617", "31d2ae6989cac617"
	cases := []Case{{Name: "fuzzmut-a-b-" + one}, {Name: "fuzzmut-c-" + one}, {Name: "fuzzmut-a-b-" + two}, {Name: two}}
	want := []string{"a-b-" + one, "c", "a-b-" + two, two}
	if got := shortNames(cases); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
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
