package report_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/observe"
)

// at is a survivor with a changed value, of an operator, in a function, with the code that it
// replaces.
func at(id, fn, op string, line, column int, original string) report.Mutant {
	return report.Mutant{
		ID: id, Package: "p", Function: fn, File: "f.go", Operator: op, Line: line, Column: column,
		Original: original, Replacement: id, Status: report.Survived, Reached: 2, Infected: 1,
	}
}

// killed makes a mutant of a function that a test notices.
func killed(fn string) report.Mutant {
	m := at("killed-"+fn, fn, "math", 99, 1, "+")
	m.Status = report.Killed
	return m
}

// shape writes findings as text: "!" before a function that nothing checks, then what is shown,
// in parentheses the others, and after "=" the same in other places.
func shape(list []report.Finding) (out []string) {
	for _, f := range list {
		text := f.ID
		if f.Whole {
			text = "!" + text
		}
		var more []string
		for _, m := range f.More {
			more = append(more, m.ID)
		}
		if len(more) > 0 {
			text += "(" + strings.Join(more, " ") + ")"
		}
		for _, same := range shape(f.Same) {
			text += "=" + same
		}
		out = append(out, text)
	}
	return out
}

// removed is a survivor that takes a statement away.
func removed(id, fn string, line int, original string) report.Mutant {
	m := at(id, fn, "statement-deletion", line, 1, original)
	m.Replacement = ""
	return m
}

func doubted(m report.Mutant) report.Mutant {
	m.Doubt = "seldom worth a test"
	return m
}

func TestFindings(t *testing.T) {
	unseen := func(m report.Mutant) report.Mutant { m.Infected = 0; return m }
	seen := func(m report.Mutant, s report.Seen) report.Mutant { m.Seen = &s; return m }
	with := func(m report.Mutant, change func(*report.Mutant)) report.Mutant { change(&m); return m }
	const block = "{\n\t\tn++\n\t\treturn n\n\t}"
	const long = "return nil, errNotThere{name: name}"
	tests := []struct {
		name string
		ms   []report.Mutant
		want []string
	}{
		{"none", nil, nil},
		{
			"what changes more comes first, whatever the order of lines",
			[]report.Mutant{
				killed("F"),
				at("text", "F", "string-constants", 1, 1, `"a"`), at("value", "F", "constant-replacement", 2, 1, "1"),
				at("operation", "F", "math", 3, 1, "+"), at("decision", "F", "negate-conditionals", 4, 1, "=="),
				at("removal", "F", "statement-deletion", 5, 1, "n++"),
			},
			[]string{"removal", "decision", "operation", "value", "text"},
		},
		{
			"what an input kills that is left out is none, and its function is checked",
			[]report.Mutant{
				at("a", "F", "math", 1, 1, "+"), at("b", "F", "math", 2, 1, "+"), at("c", "F", "math", 3, 1, "+"), at("d", "F", "math", 4, 1, "+"),
				with(at("left", "F", "statement-deletion", 5, 1, "n++"), func(m *report.Mutant) { m.KilledByLeftOut = "0a" }),
			},
			[]string{"a", "b", "c", "d"},
		},
		{
			"one for a line, that which changes most",
			[]report.Mutant{
				killed("F"),
				at("b", "F", "constant-replacement", 1, 8, "1"), at("a", "F", "negate-conditionals", 1, 4, "=="),
				at("c", "F", "math", 2, 1, "+"),
			},
			[]string{"a(b)", "c"},
		},
		{
			"what is in a block that can be taken away is shown by it",
			[]report.Mutant{
				killed("F"),
				at("outside", "F", "negate-conditionals", 4, 7, "=="), at("block", "F", "empty-then", 5, 12, block),
				at("inside", "F", "increments", 6, 3, "n++"), at("end", "F", "primitive-returns", 7, 3, "return n"),
				at("after", "F", "math", 8, 3, "+"),
			},
			[]string{"block(end inside)", "outside", "after"},
		},
		{
			"a negated condition does not show what is in its block",
			[]report.Mutant{killed("F"), at("if", "F", "negate-conditionals", 5, 5, "=="), at("inside", "F", "increments", 6, 3, "n++")},
			[]string{"if", "inside"},
		},
		{
			"nothing checks a function",
			[]report.Mutant{
				killed("G"),
				at("g", "G", "statement-deletion", 20, 1, "n++"),
				at("a", "F", "math", 1, 1, "+"), at("b", "F", "math", 2, 1, "+"), at("c", "F", "null-returns", 3, 1, "return p"),
				unseen(at("d", "F", "math", 4, 1, "+")),
			},
			[]string{"!c(a b d)", "g"},
		},
		{
			"few mutants, or no changed value, say nothing of a function",
			[]report.Mutant{
				at("a", "F", "math", 1, 1, "+"), at("b", "F", "math", 2, 1, "+"),
				unseen(at("c", "G", "math", 11, 1, "+")), unseen(at("d", "G", "math", 12, 1, "+")),
				unseen(at("e", "G", "math", 13, 1, "+")), unseen(at("f", "G", "math", 14, 1, "+")),
			},
			[]string{"a", "b", "c", "d", "e", "f"},
		},
		{
			"a mutant that was not judged may be killed",
			[]report.Mutant{
				at("a", "F", "math", 1, 1, "+"), at("b", "F", "math", 2, 1, "+"), at("c", "F", "math", 3, 1, "+"), at("d", "F", "math", 4, 1, "+"),
				with(at("e", "F", "math", 5, 1, "+"), func(m *report.Mutant) { m.Status = report.Pending }),
			},
			[]string{"a", "b", "c", "d"},
		},
		{
			"code that is not run does not count",
			[]report.Mutant{
				at("a", "F", "math", 1, 1, "+"), at("b", "F", "math", 2, 1, "+"), at("c", "F", "math", 3, 1, "+"), at("d", "F", "math", 4, 1, "+"),
				with(at("e", "F", "math", 5, 1, "+"), func(m *report.Mutant) { m.Status = report.NotCovered }),
			},
			[]string{"!a(b c d)"},
		},
		{
			"copies of code are one finding",
			[]report.Mutant{
				killed("F"), killed("G"), killed("H"),
				with(at("f", "F", "null-returns", 1, 1, long), func(m *report.Mutant) { m.Replacement = "return nil, nil" }),
				with(at("g", "G", "null-returns", 11, 1, long), func(m *report.Mutant) { m.Replacement = "return nil, nil" }),
				at("in", "G", "constant-replacement", 11, 9, "1"),
				with(at("h", "H", "null-returns", 21, 1, long), func(m *report.Mutant) { m.Replacement = "return nil, 0" }),
				with(at("short", "F", "math", 2, 1, "+"), func(m *report.Mutant) { m.Replacement = "-" }),
				with(at("other", "G", "math", 12, 1, "+"), func(m *report.Mutant) { m.Replacement = "-" }),
			},
			[]string{"g(in)=f", "h", "short", "other"},
		},
		{
			"functions take turns",
			[]report.Mutant{
				killed("F"), killed("G"),
				at("f1", "F", "math", 1, 1, "+"), at("f2", "F", "math", 2, 1, "+"), at("f3", "F", "math", 3, 1, "+"),
				at("g1", "G", "math", 11, 1, "+"), at("g2", "G", "constant-replacement", 12, 1, "1"),
			},
			[]string{"f1", "g1", "f2", "f3", "g2"},
		},
		{
			"without a changed value later",
			[]report.Mutant{killed("F"), killed("G"), unseen(at("f", "F", "math", 1, 1, "+")), at("g", "G", "math", 11, 1, "+")},
			[]string{"g", "f"},
		},
		{
			"a result that was never another one as any other",
			[]report.Mutant{killed("F"), killed("G"), at("removal", "F", "statement-deletion", 2, 1, "n++"), unseen(at("err", "G", "null-returns", 1, 1, "err")), unseen(at("empty", "G", "empty-returns", 2, 1, "s"))},
			[]string{"err", "removal", "empty"},
		},
		{
			"what is in doubt last, unless a call in a test returns something else",
			[]report.Mutant{
				killed("F"), killed("G"),
				doubted(at("doubted", "F", "statement-deletion", 1, 1, "n++")), at("text", "G", "string-constants", 1, 1, `"a"`),
				doubted(at("bound", "G", "conditional-boundary", 2, 1, "<")), at("part", "G", "constant-replacement", 2, 9, "1"),
				seen(doubted(at("seen", "F", "conditional-boundary", 9, 1, "<")), report.Seen{}),
			},
			[]string{"seen", "part(bound)", "text", "doubted"},
		},
		{
			"a value beside an error is the last",
			[]report.Mutant{
				killed("F"), seen(at("beside", "F", "primitive-returns", 1, 1, "n"), report.Seen{Weak: string(observe.BesideError)}),
				at("line", "F", "constant-replacement", 1, 9, "1"), doubted(at("doubted", "F", "conditional-boundary", 2, 1, "<")),
				seen(at("other", "F", "math", 3, 1, "+"), report.Seen{Weak: string(observe.BesideError)}),
			},
			[]string{"line(beside)", "doubted", "other"},
		},
		{
			"what a call in a test returns comes first, what callers hardly rely on then",
			[]report.Mutant{
				killed("F"), killed("G"),
				at("removal", "F", "statement-deletion", 1, 1, "n++"),
				seen(at("weak", "F", "math", 2, 1, "+"), report.Seen{Weak: report.Unexported}),
				seen(at("value", "G", "constant-replacement", 11, 1, "1"), report.Seen{}),
				at("a", "H", "math", 21, 1, "+"), at("b", "H", "math", 22, 1, "+"), at("c", "H", "math", 23, 1, "+"), at("d", "H", "math", 24, 1, "+"),
			},
			[]string{"value", "weak", "!a(b c d)", "removal"},
		},
		{
			"it is shown in place of what changes more",
			[]report.Mutant{
				killed("F"),
				at("block", "F", "empty-then", 5, 12, block), seen(at("inside", "F", "increments", 6, 3, "n++"), report.Seen{}),
				at("line", "F", "negate-conditionals", 20, 4, "=="), seen(at("part", "F", "math", 20, 8, "+"), report.Seen{Weak: report.Unexported}),
				seen(at("other", "F", "constant-replacement", 20, 9, "1"), report.Seen{}),
			},
			[]string{"inside(block)", "other(line part)"},
		},
		{
			"of a function that nothing checks, too",
			[]report.Mutant{
				at("a", "F", "null-returns", 1, 1, "return p"), at("b", "F", "math", 2, 1, "+"),
				seen(at("c", "F", "string-constants", 3, 1, `"a"`), report.Seen{}), at("d", "F", "math", 4, 1, "+"),
			},
			[]string{"!c(b d a)"},
		},
		{
			"what no test notices, what is not known, what another test notices",
			[]report.Mutant{
				killed("F"),
				with(at("noticed", "F", "statement-deletion", 1, 1, "n++"), func(m *report.Mutant) { m.OtherTests.Status = report.Killed }),
				at("unknown", "F", "math", 1, 1, "+"),
				with(at("unnoticed", "F", "string-constants", 3, 1, `"a"`), func(m *report.Mutant) { m.OtherTests.Status = report.Survived }),
			},
			[]string{"unnoticed", "unknown", "noticed"},
		},
		{
			"the same call removed in several functions",
			[]report.Mutant{
				killed("F"), killed("G"), killed("H"),
				removed("f", "F", 1, "i = indirect(i)"), removed("g", "G", 11, "i = indirect(i)"), removed("h", "H", 21, "i = indirect(i)"),
				at("beside", "H", "math", 21, 20, "+"),
			},
			[]string{"h(beside)=f=g"},
		},
		{
			"short texts, which are the same by chance",
			[]report.Mutant{
				killed("F"), killed("G"),
				removed("f", "F", 1, "n += length"), removed("g", "G", 11, "n += length"), removed("lock", "F", 2, "s.f()"), removed("lock2", "G", 12, "s.f()"),
			},
			[]string{"f", "g", "lock", "lock2"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shape(report.Findings(tt.ms))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEachSurvivorIsInOneFinding holds for any mutants, and their order does not matter.
func TestEachSurvivorIsInOneFinding(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	ops := []string{"statement-deletion", "empty-then", "math", "string-constants", "negate-conditionals", "gone"}
	texts := []string{"+", "n++", "{\n\tn++\n}", "return nil, errNotThere{name: name}"}
	for range 200 {
		var ms []report.Mutant
		for i := range rnd.IntN(40) {
			m := at(string(rune('A'+i)), string(rune('F'+rnd.IntN(3))), ops[rnd.IntN(len(ops))], 1+rnd.IntN(8), 1+rnd.IntN(4), texts[rnd.IntN(len(texts))])
			m.Replacement = ""
			m.Infected = int64(rnd.IntN(2))
			m.Status = []string{report.Survived, report.Survived, report.Killed, report.Pending}[rnd.IntN(4)]
			m.OtherTests.Status = []string{"", report.Killed, report.Survived}[rnd.IntN(3)]
			m.Seen = []*report.Seen{nil, nil, {}, {Weak: report.Unexported}}[rnd.IntN(4)]
			ms = append(ms, m)
		}
		want := shape(report.Findings(ms))
		var survivors, ranked []string
		for _, m := range ms {
			if m.Status == report.Survived {
				survivors = append(survivors, m.ID)
			}
		}
		for _, m := range report.RankSurvivors(ms) {
			ranked = append(ranked, m.ID)
		}
		slices.Sort(ranked)
		slices.Sort(survivors)
		if diff := cmp.Diff(survivors, ranked); diff != "" {
			t.Fatalf("survivors (-want +got):\n%s", diff)
		}
		rnd.Shuffle(len(ms), func(i, j int) { ms[i], ms[j] = ms[j], ms[i] })
		if diff := cmp.Diff(want, shape(report.Findings(ms))); diff != "" {
			t.Fatalf("in another order (-want +got):\n%s", diff)
		}
	}
}

func TestFalseComesFirst(t *testing.T) {
	list := []bool{true, false, true, false}
	slices.SortFunc(list, report.FalseFirst)
	if want := []bool{false, false, true, true}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}
