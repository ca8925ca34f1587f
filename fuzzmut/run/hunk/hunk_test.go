package hunk

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const before = `package p

// A is one.
func A(n int) int {
	if n > 1 {
		return 1
	}
	return n
}

func B() string {
	return "b"
}
`

func TestHunks(t *testing.T) {
	many := func(first, last string) string {
		return "package p\n\nfunc A(x []int) {\n" + first + strings.Repeat("\tx = append(x, 1)\n\tx = append(x, 2)\n", 4) +
			"\tfor i := range x {\n\t\tx[i]++\n\t}\n\tx[0] = 3\n" + last + "}\n"
	}
	wrapped := strings.NewReplacer("{\n\tx = ", "{\n\tif x != nil {\n\tx = ", "\tx", "\t\tx", "\tfor", "\t\tfor", "\t}\n", "\t\t}\n").Replace(many("", ""))
	wrapped = strings.TrimSuffix(wrapped, "}\n") + "\t}\n}\n"
	for _, c := range []struct {
		name, old, new string
		want           []Hunk
	}{
		{"the same", before, before, nil},
		{"a line", before, strings.Replace(before, "n > 1", "n >= 1", 1), []Hunk{{OldLine: 5, OldCount: 1, NewLine: 5, NewCount: 1}}},
		{"a comment", before, strings.Replace(before, "one", "two", 1), nil},
		{"layout", before, strings.ReplaceAll(strings.Replace(before, "(n int)", "(\n\tn int,\n)", 1), "\t", "  "), nil},
		{"a comment and a line", before, strings.Replace(strings.Replace(before, "one", "two", 1), "n > 1", "n >= 1", 1), []Hunk{{OldLine: 5, OldCount: 1, NewLine: 5, NewCount: 1}}},
		{"what is built", before, "//go:build linux\n\n" + before, []Hunk{{OldLine: 1, OldCount: 0, NewLine: 1, NewCount: 2}}},
		{"white space in a string", before, strings.Replace(before, `"b"`, "`b\n`", 1), []Hunk{{OldLine: 12, OldCount: 1, NewLine: 12, NewCount: 2}}},
		{"within a string of lines", "package p\n\nvar s = `a\nb\nc`\n", "package p\n\nvar s = `a\nb \nc`\n", []Hunk{{OldLine: 4, OldCount: 1, NewLine: 4, NewCount: 1}}},
		{"lines taken out", before, strings.Replace(before, "\tif n > 1 {\n\t\treturn 1\n\t}\n", "", 1), []Hunk{{OldLine: 5, OldCount: 3, NewLine: 5, NewCount: 0}}},
		{"no syntax", "package p\nvar a = \"\n", "package p\n// a\nvar a = \"\n", []Hunk{{OldLine: 2, OldCount: 0, NewLine: 2, NewCount: 1}}},
		{
			"several new functions", before, before + "\n// C is new.\nfunc C() {\n\tA(1)\n\tA(2)\n\tA(3)\n}\n\nfunc D() {\n\tA(1)\n\tA(2)\n\tA(3)\n\tA(4)\n\tA(5)\n}\n",
			[]Hunk{{OldLine: 14, OldCount: 0, NewLine: 15, NewCount: 6}, {OldLine: 14, OldCount: 0, NewLine: 22, NewCount: 7}},
		},
		{"indented", many("", ""), wrapped, []Hunk{{OldLine: 4, OldCount: 0, NewLine: 4, NewCount: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Diff([]byte(c.old), []byte(c.new))
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Hunk{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRevertOneHunk(t *testing.T) {
	after := strings.NewReplacer("n > 1", "n >= 1", `"b"`, `"c"`).Replace(before)
	hunks := Diff([]byte(before), []byte(after))
	if len(hunks) != 2 {
		t.Fatalf("%v", hunks)
	}
	for hunk, want := range []string{strings.Replace(after, "n >= 1", "n > 1", 1), strings.Replace(after, `"c"`, `"b"`, 1)} {
		if diff := cmp.Diff(want, string(Revert([]byte(before), []byte(after), hunks, []int{hunk}))); diff != "" {
			t.Errorf("hunk %d (-want +got):\n%s", hunk, diff)
		}
	}
}

// Runs of lines cover what differs, whatever the texts are.
func FuzzLines(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, old, new []byte) {
		hunks := cut(old, new, lineHunks(splitLines(old), splitLines(new)))
		whole := func(text []byte) string { return strings.Join(splitLines(text), "") }
		if got := string(Revert(old, new, hunks, nil)); got != whole(new) {
			t.Errorf("no hunk: %q", got)
		}
		if got := string(Revert(old, new, hunks, all(hunks))); got != whole(old) {
			t.Errorf("all hunks: %q", got)
		}
		for _, h := range hunks {
			if h.OldCount == 0 && h.NewCount == 0 || h.OldCount < 0 || h.NewCount < 0 {
				t.Errorf("hunk %v", h)
			}
		}
	})
}

// All hunks give a file with the old tokens, and each of them one that parses.
func FuzzRevert(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, old, new []byte) {
		if parse(old) != nil && parse(new) != nil {
			checkHunks(t, old, new)
		}
	})
}

// The same with more than a mutator writes. Nothing of it needs runs of lines.
func FuzzPrograms(f *testing.F) {
	f.Add([]byte("0123456789"), []byte("01234x56789"))
	f.Add([]byte("aabbccddeeffgg"), []byte("aabbcceeffgghh"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		checkPrograms(t, a, b)
	})
}

func TestPrograms(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a := make([]byte, 10+random.IntN(80))
		for i := range a {
			a[i] = byte(random.IntN(256))
		}
		b := bytes.Clone(a)
		for range 1 + random.IntN(4) {
			switch i := random.IntN(len(b)); random.IntN(3) {
			case 0:
				b[i] = byte(random.IntN(256))
			case 1:
				b = slices.Delete(b, i, min(len(b), i+random.IntN(10)))
			case 2:
				b = slices.Insert(b, i, a[:random.IntN(min(len(a), 10))]...)
			}
			if len(b) == 0 {
				break
			}
		}
		checkPrograms(t, a, b)
		if t.Failed() {
			return
		}
	}
}

func checkPrograms(t *testing.T, a, b []byte) {
	t.Helper()
	old, new := program(a), program(b)
	if parse(old) == nil || parse(new) == nil {
		t.Fatalf("%s\n%s", old, new)
	}
	for i, h := range checkHunks(t, old, new) {
		if h.swaps == nil {
			hunks := bySyntax(old, new)
			t.Fatalf("hunk %d of\n%s\n\n%s\nis of lines: %v\n%s", i, old, new, hunks, Revert(old, new, hunks, all(hunks)))
		}
	}
}

func checkHunks(t *testing.T, old, new []byte) []Hunk {
	t.Helper()
	hunks := Diff(old, new)
	if got := Revert(old, new, hunks, nil); string(got) != strings.Join(splitLines(new), "") {
		t.Errorf("none: %q", got)
	}
	if got := Revert(old, new, hunks, all(hunks)); !tokensOf(got).equal(tokensOf(old)) && (len(hunks) > 0 || !tokensOf(new).equal(tokensOf(old))) {
		t.Errorf("all of\n%s\n\n%s\nis\n%s", old, new, got)
	}
	for i, h := range hunks {
		if h.OldCount < 0 || h.NewCount < 0 || h.OldCount+h.NewCount == 0 {
			t.Errorf("hunk %d of\n%s\n\n%s\n is on lines %v", i, old, new, h)
		}
		if h.swaps == nil {
			continue
		}
		if text := Revert(old, new, hunks, []int{i}); parse(text) == nil {
			t.Errorf("hunk %d of\n%s\n\n%s\ngives\n%s", i, old, new, text)
		}
		if text := Compilable(old, new, hunks, []int{i}, nil); parse(text) == nil {
			t.Errorf("hunk %d of\n%s\n\n%s\nis completed to\n%s", i, old, new, text)
		}
	}
	return hunks
}

// program writes a program that bytes choose.
func program(data []byte) []byte {
	w := &writer{data: data}
	w.out.WriteString("package p\n\n")
	if n := w.next(4); n > 0 {
		w.out.WriteString("import (\n" + strings.Repeat("\t\"os\"\n\t_ \"slices\"\n", n/2) + "\t\"io\"\n)\n\n")
	}
	for len(w.data) > 0 {
		w.declaration()
	}
	return w.out.Bytes()
}

type writer struct {
	data []byte
	out  bytes.Buffer
}

// next returns a number below n: 0 at the end of the bytes.
func (w *writer) next(n int) int {
	if len(w.data) == 0 {
		return 0
	}
	b := w.data[0]
	w.data = w.data[1:]
	return int(b) % n
}

func (w *writer) name() string { return string(rune('a' + w.next(6))) }

func (w *writer) declaration() {
	switch w.next(6) {
	case 0:
		fmt.Fprintf(&w.out, "const (\n\t%s = iota\n\t%s\n\t%s\n)\n\n", w.name(), w.name(), w.name())
	case 1:
		fmt.Fprintf(&w.out, "type %s struct {\n\t%s int // one\n\t%s, %s string `x`\n}\n\n", w.name(), w.name(), w.name(), w.name())
	case 2:
		fmt.Fprintf(&w.out, "// doc\nvar %s = []int{", w.name())
		w.elements()
		w.out.WriteString("}\n\n")
	case 3:
		fmt.Fprintf(&w.out, "var (\n\t%s = %s; %s int\n)\n", w.name(), w.name(), w.name())
	default:
		fmt.Fprintf(&w.out, "// %s does.\nfunc (x %s) %s(%s int) {", w.name(), w.name(), w.name(), w.name())
		w.block(0)
		w.out.WriteString("}\n")
	}
}

func (w *writer) elements() {
	last := 0
	for n := w.next(5); n > 0; n-- {
		fmt.Fprintf(&w.out, "%s%s", []string{"\n\t", " "}[w.next(2)], w.name())
		if last = w.next(8); n > 1 || last > 0 {
			w.out.WriteString(",")
		}
	}
	if last > 0 {
		w.out.WriteString("\n")
	}
}

func (w *writer) block(depth int) {
	ends := []string{"\n", " "}
	w.out.WriteString(ends[w.next(2)])
	for n := w.next(5); n > 0 && len(w.data) > 0; n-- {
		w.statement(depth)
		if n > 1 {
			w.out.WriteString([]string{"\n", "; ", " // c\n", "\n\n"}[w.next(4)])
		}
	}
	w.out.WriteString(ends[w.next(2)])
}

func (w *writer) statement(depth int) {
	kind := w.next(14)
	if depth > 4 {
		kind %= 5
	}
	nested := func(before, after string) {
		w.out.WriteString(before + "{")
		w.block(depth + 1)
		w.out.WriteString("}" + after)
	}
	switch kind {
	case 0:
		fmt.Fprintf(&w.out, "%s := %s", w.name(), w.name())
	case 1:
		fmt.Fprintf(&w.out, "%s(%s)", w.name(), w.name())
	case 2:
		fmt.Fprintf(&w.out, "return %s", w.name())
	case 3:
		fmt.Fprintf(&w.out, "var %s int", w.name())
	case 4:
		fmt.Fprintf(&w.out, "%s++", w.name())
	case 5:
		nested("if "+w.name()+" ", "")
	case 6:
		nested("for "+w.name()+" := range "+w.name()+" ", "")
	case 7:
		nested("go func() ", "("+w.name()+")")
	case 8:
		nested("if "+w.name()+" ", "")
		for w.next(2) == 1 {
			nested(" else if "+w.name()+" ", "")
		}
		nested(" else ", "")
	case 9:
		fmt.Fprintf(&w.out, "switch %s {", w.name())
		for n := w.next(4); n > 0; n-- {
			fmt.Fprintf(&w.out, "\ncase %s", w.name())
			for w.next(3) == 1 {
				w.out.WriteString(", " + w.name())
			}
			w.out.WriteString(":")
			w.block(depth + 1)
		}
		w.out.WriteString("\n}")
	case 10:
		fmt.Fprintf(&w.out, "%s = []int{", w.name())
		w.elements()
		w.out.WriteString("}")
	case 11:
		nested("", "")
	case 12:
		nested(w.name()+":\n\tfor ", "")
	case 13:
		nested(w.name()+"("+w.name()+", func() ", ")")
	}
}

func seeds(f *testing.F) {
	f.Add([]byte(before), []byte(strings.Replace(before, "n > 1", "n >= 1", 1)))
	f.Add([]byte(before), []byte(strings.ReplaceAll(before, "\n", "\n\n")))
	f.Add([]byte("a\nb\nc"), []byte("c\nb\na\nd\n"))
	f.Add([]byte("package p\n\nfunc f() {\n"+strings.Repeat("\tg()\n", 14)+"}\n"), []byte("package p\n\nfunc f() {\n\tif a {\n"+strings.Repeat("\t\tg()\n", 14)+"\t}\n}\n\nvar x = 1\n"))
}
