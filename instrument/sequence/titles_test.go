package sequence

import (
	"go/types"
	"slices"
	"strings"
	"testing"
)

// Who reads a failing test has to know the case by its name.
func TestTitlesTellCasesApart(t *testing.T) {
	long := strings.Repeat("x", 80)
	of := func(title, result string, calls ...string) Case {
		return Case{Title: title, Result: result, calls: calls}
	}
	for _, c := range []struct {
		name  string
		cases []Case
		want  []string
	}{
		{"others", []Case{of("New, Len", "1", "New()", "n.Len()"), of("New, Cap", "1", "New()", "n.Cap()")}, []string{"New, Len", "New, Cap"}},
		{
			"a call",
			[]Case{of("New, Set, Len", "1", "n := New()", "n.Set(1)", "n.Len()"), of("Len", "7", "Len()"), of("New, Set, Len", "1", "n := New()", "n.Set(2)", "n.Len()")},
			[]string{"New, Set, Len: n.Set(1)", "Len", "New, Set, Len: n.Set(2)"},
		},
		{"a long call", []Case{of("F, G", "1", "F("+long+")", "G(1)"), of("F, G", "2", "F()", "G(2)")}, []string{"F, G: G(1)", "F, G: G(2)"}},
		{
			"three",
			[]Case{of("F, G", "1", "F(1)", "G(1)"), of("F, G", "2", "F(1)", "G(2)"), of("F, G", "2", "F(2)", "G(3)")},
			[]string{"F, G: G(1)", "F, G: G(2)", "F, G: G(3)"},
		},
		{"a result", []Case{of("F", "1", "F("+long+")"), of("F", "2", "F("+long+"2)", "F(3)")}, []string{"F: 1", "F: 2"}},
		{
			"long ones",
			[]Case{of("F", long, "F("+long+")"), of("F", "", "F("+long+"2)")},
			[]string{"F: …" + long[:15] + ")", "F: …" + long[:15] + "2)"},
		},
		{
			"long ones with words",
			[]Case{of("F", "", "value, err := NewValueOfText(1, "+long+")"), of("F", "", "value, err := NewValueOfText(2, "+long+")")},
			[]string{"F: …NewValueOfText(1, " + long[:42] + "…", "F: …NewValueOfText(2, " + long[:42] + "…"},
		},
		{
			"some alike",
			[]Case{of("F, G", "1", "F(1)", "G("+long+"1)"), of("F, G", "1", "F(2)", "G(1)"), of("F, G", "1", "F(1)", "G("+long+"2)")},
			[]string{"F, G: F(1): …" + long[:15] + "1)", "F, G: F(2)", "F, G: F(1): …" + long[:15] + "2)"},
		},
		{"nothing", []Case{of("F", long, "F("+long+")"), of("F", long, "F("+long+")"), of("F", long, "F("+long+")")}, []string{"F", "F (2)", "F (3)"}},
	} {
		Entitle(c.cases)
		var got []string
		for _, k := range c.cases {
			got = append(got, k.Title)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What a function returns may be kept for what it holds alone: it has no type of the package then.
func TestACallThatMakesAnInterfaceOfAnotherPackageIsNamedAfterItsFunction(t *testing.T) {
	fn := types.NewFunc(0, nil, "Open", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	s := &Steps{sequence: &Sequence{}, list: []*step{{call: &call{function: "Open", fn: fn, receiver: -1, results: []result{{form: kept, kind: noKind}}}}}}
	if got := s.subjects(); !slices.Equal(got, []string{"Open"}) {
		t.Errorf("%q", got)
	}
}

// A test is named after a function, and not after the types that it is called with.
func TestACallOfAGenericFunctionIsNamedWithoutItsTypes(t *testing.T) {
	fn := types.NewFunc(0, nil, "Must", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	s := &Steps{sequence: &Sequence{}, list: []*step{{call: &call{function: "Must[int]", fn: fn, receiver: -1}}}}
	if got := s.subjects(); !slices.Equal(got, []string{"Must"}) {
		t.Errorf("%q", got)
	}
}
