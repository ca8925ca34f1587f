package change

import (
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
)

const linesCode = `package p

var table = []int{
	1,
	2,
}

func F(n int,
	m int) int {
	for i := 0; i < n; i++ {
		n--
		if n > 10 &&
			m > 11 {
			n = 12
		} else {
			n = 13
		}
		m++
	}
	switch n {
	case 14:
		m = 15
	case 16:
		m = 17
	}
	call(func() {
		m = 18
	}, 19)
	return n
}
`

// Of a change by line, the mutants of changed lines count, and where lines were taken out
// those of the statements in the same block. A mutant of a whole loop does not count for
// each line in it.
func TestMutantsOfChangedLines(t *testing.T) {
	mutants := map[string]string{ // the text that a mutant replaces, by its name
		"one": "1,", "head": "i < n", "loop": linesCode[strings.Index(linesCode, "for i"):strings.Index(linesCode, "\tswitch")],
		"dec": "n--", "and": "n > 10 &&\n\t\t\tm > 11", "eleven": "m > 11", "12": "n = 12", "13": "n = 13", "inc": "m++",
		"tag": "n {\n\tcase", "15": "m = 15", "17": "m = 17", "18": "m = 18", "19": "19", "return": "return n",
	}
	order := strings.Fields("one head loop dec and eleven 12 13 inc tag 15 17 18 19 return")
	for _, c := range []struct {
		about  string
		change Change
		by     Part
		want   string
	}{
		{"the head of a loop", Change{Line: 10, Count: 1}, ByLine, "head loop"},
		{"a line of its body", Change{Line: 11, Count: 1}, ByLine, "dec"},
		{"the first line of a condition", Change{Line: 12, Count: 1}, "", "and"},
		{"its second line", Change{Line: 13, Count: 1}, ByLine, "and eleven"},
		{"lines that follow each other", Change{Line: 14, Count: 3}, ByLine, "12 13"},
		{"a brace", Change{Line: 17, Count: 1}, ByLine, ""},
		{"taken out of the body of the loop", Change{Line: 17}, ByLine, "dec and eleven inc"},
		{"taken out of a branch", Change{Line: 14}, ByLine, "12"},
		{"taken out of a condition", Change{Line: 12}, ByLine, "and eleven"},
		{"taken out at the end of a case", Change{Line: 22}, ByLine, "15"},
		{"taken out at the end of the last case", Change{Line: 24}, ByLine, "17"},
		{"taken out of the function", Change{Line: 28}, ByLine, "head loop tag 19 return"},
		{"taken out of a function in it", Change{Line: 27}, ByLine, "18"},
		{"taken out of a table", Change{Line: 4}, ByLine, "one"},
		{"taken out between functions", Change{Line: 7}, ByLine, ""},
		{"a line in a function literal", Change{Line: 27, Count: 1}, ByLine, "18"},
		{"by function", Change{Line: 11, Count: 1}, ByFunction, "head loop dec and eleven 12 13 inc tag 15 17 18 19 return"},
	} {
		r := loadedOf(t, "/m", linesCode, sourceOther, sourceTests)
		choice := NewChoice(set("/m/p.go", c.change), c.by, NewSources(r))
		var got []string
		for _, name := range order {
			m := mutantAt(r, "p.go", mutants[name])
			m.Original = mutants[name]
			m.Line = 1 + strings.Count(linesCode[:m.Offset], "\n")
			if choice.Has(m) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.about, got, c.want)
		}
	}
}

// A run by line aims at the blocks that have changed, not at all of their function.
func TestFocusByLine(t *testing.T) {
	r := loadedOf(t, "/m", linesCode, sourceOther, sourceTests)
	m := mutantAt(r, "p.go", "n--")
	m.Index, m.Line, m.Original = 1, 11, "n--"
	p := &instrument.Program{Mutants: []instrument.Mutant{*m}, Blocks: []instrument.Block{
		{File: "/m/p.go", Line: 11, EndLine: 12}, {File: "/m/p.go", Line: 14, EndLine: 14}, {File: "/m/other.go", Line: 3, EndLine: 3},
	}}
	for by, want := range map[Part][3]bool{ByLine: {true, false, false}, ByFunction: {true, true, false}} {
		f := NewChoice(set("/m/p.go", Change{Line: 11, Count: 1}), by, NewSources(r)).Focus(p)
		if got := [3]bool{f.Block(0), f.Block(1), f.Block(2)}; got != want || !f.Mutant(1) || f.Count != 1 || f.Functions != 1 {
			t.Errorf("%s: blocks %v, want %v; %d mutants in %d functions", by, got, want, f.Count, f.Functions)
		}
	}
	var none *Choice
	if !none.Has(m) || !none.Any() || none.Focus(p) != nil || NewChoice(nil, ByLine, NewSources(r)) != nil {
		t.Error("without a change, mutants are left out")
	}
}

// What a result says of its restriction.
func TestNamed(t *testing.T) {
	for _, c := range []struct {
		diff, patch string
		by          Part
		want        [2]string
	}{
		{"", "", "", [2]string{}},
		{"main", "", "", [2]string{"main", "line"}},
		{"", "a patch", ByFunction, [2]string{"-", "function"}},
	} {
		var got [2]string
		if c.patch != "" {
			got[0], got[1] = Named(c.diff, strings.NewReader(c.patch), c.by)
		} else {
			got[0], got[1] = Named(c.diff, nil, c.by)
		}
		if got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
