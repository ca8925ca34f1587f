package edit

import (
	"strings"
	"testing"
)

func render(l *List, src string) string { return string(l.Render([]byte(src), 0, len(src))) }

func TestWrapsNestWhateverTheOrderOfCalls(t *testing.T) {
	const src = "a + b*c"
	type wrap struct {
		lo, hi int
		name   string
	}
	wraps := []wrap{{0, 7, "all"}, {0, 1, "a"}, {4, 7, "mul"}, {4, 5, "b"}, {6, 7, "c"}}
	const want = "all(a(a) + mul(b(b)*c(c)))"
	for rot := range wraps {
		var l List
		for i := range wraps {
			w := wraps[(i+rot)%len(wraps)]
			l.Wrap(w.lo, w.hi, w.name+"(", ")")
		}
		if got := render(&l, src); got != want {
			t.Errorf("starting with %s: got %s, want %s", wraps[rot].name, got, want)
		}
	}
}

func TestSameRangeFirstCallIsOutermost(t *testing.T) {
	var l List
	l.Wrap(0, 1, "outer(", ")o")
	l.Wrap(0, 1, "inner(", ")i")
	if got, want := render(&l, "x"), "outer(inner(x)i)o"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEnclosedRangeIsInside(t *testing.T) {
	var l List
	l.Wrap(0, 1, "a(", ")a")
	l.Wrap(0, 1, "b(", ")b")
	l.Enclose(0, 1, "around(", ")")
	l.Wrap(0, 1, "c(", ")c")
	if got, want := render(&l, "x"), "around(a(b(c(x)c)b)a)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPointsStandBetweenNeighbours(t *testing.T) {
	// {x++} : the block's own insertions stay inside the braces and outside
	// whatever wraps the statement.
	var l List
	l.Wrap(1, 4, "<", ">")
	l.Insert(1, "head;")
	l.Insert(4, ";tail")
	l.Insert(4, ";last")
	if got, want := render(&l, "{x++}"), "{head;<x++>;tail;last}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReplaceKeepsInsertionsAtItsEnds(t *testing.T) {
	var l List
	l.Wrap(0, 5, "f(", ")")
	l.Wrap(0, 2, "a<", ">")
	l.Replace(2, 3, ", ")
	l.Wrap(3, 5, "b<", ">")
	if got, want := render(&l, "aa+bb"), "f(a<aa>, b<bb>)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRenderOfAPartLeavesTheNeighboursEditsOut(t *testing.T) {
	const src = "xx{body}yy"
	var l List
	l.Wrap(0, 3, "before(", ")")
	l.Insert(3, "head;")
	l.Wrap(3, 7, "[", "]")
	l.Insert(7, ";tail")
	l.Wrap(7, 10, "after(", ")")
	got := string(l.Render([]byte(src), 3, 7))
	if want := "head;[body];tail"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := render(&l, src), "before(xx{)head;[body];tailafter(}yy)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTwoListsRenderTwoVersions(t *testing.T) {
	const src = "i++"
	var a, b List
	a.Insert(0, "C[1]++; ")
	b.Wrap(0, 3, "if Do(1) { ", " }")
	if got, want := render(&a, src)+"|"+render(&b, src), "C[1]++; i++|if Do(1) { i++ }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a.Len() != 1 || b.Len() != 2 {
		t.Errorf("lengths %d and %d, want 1 and 2", a.Len(), b.Len())
	}
}

func TestMistakesPanic(t *testing.T) {
	cases := map[string]func(*List){
		"inside a replaced range": func(l *List) { l.Replace(0, 3, "x"); l.Insert(1, "y") },
		"leaves the rendered":     func(l *List) { l.Replace(3, 9, "x") },
		"[5,4) is upside down":    func(l *List) { l.Wrap(5, 4, "(", ")") },
		"[4,4) is empty":          func(l *List) { l.Replace(4, 4, "x") },
	}
	for want, do := range cases {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if msg, _ := recover().(string); !strings.Contains(msg, want) {
					t.Errorf("panic %q, want one with %q", msg, want)
				}
			}()
			var l List
			do(&l)
			l.Render([]byte("0123456789"), 0, 6)
		})
	}
}

func TestRenderAgainAfterMoreEdits(t *testing.T) {
	var l List
	l.Insert(1, "b")
	if got := render(&l, "ac"); got != "abc" {
		t.Fatalf("got %s, want abc", got)
	}
	l.Insert(2, "d")
	if got := render(&l, "ac"); got != "abcd" {
		t.Errorf("got %s, want abcd", got)
	}
}

func TestAppendedEditsComeLater(t *testing.T) {
	var a, b List
	a.Wrap(0, 1, "(", ")")
	b.Wrap(0, 1, "[", "]")
	b.Insert(1, "+")
	if got := string(b.Render([]byte("x"), 0, 1)); got != "[x]+" { // sorts b
		t.Errorf("got %q", got)
	}
	a.Append(&b)
	if got, want := string(a.Render([]byte("x"), 0, 1)), "([x])+"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
