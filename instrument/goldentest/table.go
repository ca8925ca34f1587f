package goldentest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/goldentest/replay"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
	"github.com/fuzzmut/fuzzmut/instrument/rt/golden"
)

// planned is the table of one fuzz test.
type planned struct {
	test    Test
	direct  *observe.Direct // nil if a copy runs
	columns []column        // of a direct call: its results
	lit     *literals.Literals
	why     string   // there is no direct call, if that is known
	titles  []string // of the cases, once they are needed
}

// renders says whether a direct call has results that are compared by their texts.
func (p *planned) renders() bool {
	return slices.ContainsFunc(p.columns, func(c column) bool { return c.kind == textColumn })
}

// ownNames are those that a table uses.
var ownNames = []string{
	"t", "test", "got", "err", "gotErr", "i", "part", "testing", "fmt", "math", "reflect",
	"got0", "got1", "got2", "got3", "got4", "got5", "got6", "got7",
}

// directOf is the one call of a fuzz test that a table can make; nil: there is none. With
// lit, calls before it may make its arguments.
func directOf(r *load.Result, t *load.TestFiles, name string, lit *literals.Literals) *observe.Direct {
	if lit != nil {
		d := callOf(r, t, name, observe.FindPrepared, "reflect")
		if d != nil {
			byOwnNames(d, t, lit)
		}
		return d
	}
	return callOf(r, t, name, observe.FindDirect)
}

// firstOf is the first call of a fuzz test that a table of plain results can make; nil: it can't.
func firstOf(r *load.Result, t *load.TestFiles, name string) *observe.Direct {
	return callOf(r, t, name, observe.FindFirst, "reflect")
}

type finder func(r *load.Result, name string, field func(param string) string, reserved ...string) *observe.Direct

// callOf is a call of a fuzz test in a file with imports, in addition to those that all have.
func callOf(r *load.Result, t *load.TestFiles, name string, find finder, imports ...string) *observe.Direct {
	for _, name := range append(imports, "testing", "fmt", "math") {
		if t.Types.Scope().Lookup(name) != nil {
			return nil // the imports would be in its way
		}
	}
	return find(r, name, func(param string) string { return "test." + fieldOf(param) }, ownNames...)
}

// plan chooses the form of a table: direct, if that fits all cases. With lit, values of
// composite types are written as Go source where that is possible; nil: they are compared by
// their texts.
func plan(direct *observe.Direct, test Test, lit *literals.Literals) *planned {
	p := &planned{test: test, lit: lit}
	if direct == nil {
		return p
	}
	if lit != nil {
		lit.Reserve(direct.Imports)
	}
	if p.columns, p.why = columns(direct, test.Cases, lit); p.columns != nil {
		p.direct = direct
	}
	return p
}

// testName is the name of the test, which nothing else of the package has.
func (c *clause) testName(fuzz string) string { return c.freeName("TestGolden", fuzz) }

// freeName is the name of a fuzz test with another beginning, and a number if the package
// has it already.
func (c *clause) freeName(begin, fuzz string) string {
	return c.unused(begin, fuzz, func(string) bool { return false })
}

// unused is that where other names are taken, too.
func (c *clause) unused(begin, fuzz string, taken func(name string) bool) string {
	base := begin + strings.TrimPrefix(fuzz, "Fuzz")
	name := base
	for i := 2; c.declared(name) || taken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	return name
}

// declared says whether a name stands for something in the test's package. An external test that imports the
// package with a dot has all names of both.
func (c *clause) declared(name string) bool {
	dot := slices.ContainsFunc(c.loaded.Tests, importsWithDot)
	return c.tests.Types.Scope().Lookup(name) != nil || dot && slices.ContainsFunc(c.loaded.Tests, func(t *load.TestFiles) bool { return t.Types.Scope().Lookup(name) != nil })
}

// importsWithDot says whether a file of an external test has an import without a package name.
func importsWithDot(t *load.TestFiles) bool {
	return t.External && slices.ContainsFunc(t.Files, func(f load.File) bool {
		return slices.ContainsFunc(f.Syntax.Imports, func(i *ast.ImportSpec) bool { return i.Name != nil && i.Name.Name == "." })
	})
}

// table returns the file of a table.
func (c *clause) table(p *planned) ([]byte, error) {
	var body bytes.Buffer
	var imports []observe.Import
	if p.direct != nil {
		imports = append(imports, p.direct.Imports...)
		if slices.ContainsFunc(p.columns, func(c column) bool { return c.kind == errorColumn }) {
			imports = append(imports, observe.Import{Path: "fmt"})
		}
		c.writeDirect(&body, p, c.testName(p.test.Name))
	} else {
		c.writeCopied(&body, p)
	}
	testing := observe.Import{Path: "testing"}
	if p.direct == nil && c.tests.Types.Scope().Lookup("testing") != nil {
		testing.Name = prefix + "Testing"
	}
	if !slices.Contains(imports, testing) {
		imports = append(imports, testing)
	}
	return c.file(fmt.Sprintf(tableMark, p.test.Name), &body, imports)
}

// file is a file with a mark, imports, and what needs these.
func (c *clause) file(mark string, body *bytes.Buffer, imports []observe.Import) ([]byte, error) {
	if identifiers(body.String())["math"] && !slices.ContainsFunc(imports, func(i observe.Import) bool { return i.Path == "math" }) {
		imports = append(imports, observe.Import{Path: "math"})
	}
	return c.whole(mark, imports, body.Bytes())
}

// lineWidth is the length of a line of a table beyond which its parts have their own.
const lineWidth = 240

// writeCopied writes a test that runs a copy.
func (c *clause) writeCopied(b *bytes.Buffer, p *planned) {
	pkg := "testing"
	if c.tests.Types.Scope().Lookup(pkg) != nil {
		pkg = prefix + "Testing"
	}
	var want [][]string
	for _, k := range p.test.Cases {
		want = append(want, replay.Lines(c.seenByCopy(k.Values), nil))
	}
	always := common(want)
	fmt.Fprintf(b, `
// %[1]s runs a copy of %[2]s. A case is the name of an entry, the arguments of the
// fuzz target, and what the observed calls return. Before the cases are the calls that
// return the same in all of them.
func %[1]s(t *%[3]s.T) {
	%[4]sReplay(t, %[2]q, %[5]s, `, c.testName(p.test.Name), p.test.Name, pkg, prefix, observe.CopyName(prefix, p.test.Name))
	if len(always) == 0 {
		b.WriteString("nil")
	} else {
		b.WriteString("[]string{\n")
		for _, line := range always {
			b.WriteString("\t\t" + literals.Quoted(line) + ",\n")
		}
		b.WriteString("\t}")
	}
	b.WriteString(", []" + prefix + "Case{\n")
	names := shortNames(p.test.Cases)
	for i, k := range p.test.Cases {
		var args, lines []string
		for _, arg := range k.Args {
			args = append(args, argument(arg, false))
		}
		for _, line := range want[i] {
			if !slices.Contains(always, line) {
				lines = append(lines, literals.Quoted(line))
			}
		}
		writeCase(b, []string{literals.Quoted(names[i]), "[]any{" + strings.Join(args, ", ") + "}"}, lines)
	}
	b.WriteString("\t})\n}\n")
}

// common returns the lines that all of two or more cases have.
func common(cases [][]string) (lines []string) {
	if len(cases) < 2 {
		return nil
	}
	for _, line := range cases[0] {
		if !slices.ContainsFunc(cases, func(c []string) bool { return !slices.Contains(c, line) }) {
			lines = append(lines, line)
		}
	}
	return lines
}

// writeCase writes a case of a copy: in one line if it fits.
func writeCase(b *bytes.Buffer, head, lines []string) {
	one := "{" + strings.Join(head, ", ") + ", []string{" + strings.Join(lines, ", ") + "}},\n"
	if len(lines) < 2 && utf8.RuneCountInString(one) <= lineWidth {
		b.WriteString("\t\t" + one)
		return
	}
	b.WriteString("\t\t{" + strings.Join(head, ", ") + ", []string{\n")
	for _, line := range lines {
		b.WriteString("\t\t\t" + line + ",\n")
	}
	b.WriteString("\t\t}},\n")
}

// seenByCopy leaves out the values that a copy does not observe.
func (c *clause) seenByCopy(values []golden.Value) []golden.Value {
	if !c.copied.Partial {
		return values
	}
	var kept []golden.Value
	folded := false
	for _, v := range values {
		call, _ := replay.CallOf(v.Name)
		switch {
		case v.Name == "more values":
			folded = true
		case !strings.Contains(call, " in "):
			kept = append(kept, v)
		}
	}
	if !folded || len(kept) == 0 {
		return kept
	}
	// Of the last call there may be more.
	last, _ := replay.CallOf(kept[len(kept)-1].Name)
	return slices.DeleteFunc(kept, func(v golden.Value) bool { call, _ := replay.CallOf(v.Name); return call == last })
}

// managed begins the names of entries that fuzzmut manages.
const managed = "fuzzmut-"

// words is what the name of a managed entry says of its content, or else its hash. Other names are as somebody wants
// them.
func words(name string) string {
	name, ok := strings.CutPrefix(name, managed)
	if !ok {
		return name
	}
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		return name[:i]
	}
	return name
}

// shortNames are the names of entries by their words, with the hashes of those that have the same words.
func shortNames(cases []Case) (names []string) {
	seen := make(map[string]int)
	for i := range cases {
		seen[words(cases[i].Name)]++
	}
	for i := range cases {
		name := words(cases[i].Name)
		if seen[name] > 1 {
			name = strings.TrimPrefix(cases[i].Name, managed)
		}
		names = append(names, name)
	}
	return names
}

// titles are what cases with their results beside them are called: as somebody has called the entry, or else by their
// arguments, by names where these have some. What the name of a managed entry says of its content has none but
// letters and digits: it does not show what else is in an input, which may be all that matters.
func titles(cases []Case, named [][]string) []string {
	list := make([]string, len(cases))
	var at []int
	var args [][]any
	var names [][]string
	for i := range cases {
		k := &cases[i]
		if short := words(k.Name); len(k.Args) == 0 || short == k.Name && !isHash(short) {
			list[i] = short
			continue
		}
		at, args, names = append(at, i), append(args, k.Args), append(names, named[i])
	}
	for n, title := range literals.Titles(args, names) {
		list[at[n]] = title
	}
	return list
}

// isHash says whether a name is what entries are called whose content has no words.
func isHash(name string) bool {
	return len(name) == 16 && strings.Trim(name, "0123456789abcdef") == ""
}

// argument writes an argument of a fuzz target as source: where its type is known, or where
// it has to say it.
func argument(v any, known bool) string {
	switch v := v.(type) {
	case string:
		return literals.Quoted(v)
	case []byte:
		return "[]byte(" + literals.Quoted(string(v)) + ")"
	case bool, int:
		return fmt.Sprint(v)
	case rune:
		if unicode.IsPrint(v) {
			return strconv.QuoteRune(v)
		}
	case float32:
		return floating(float64(v), 32, known, fmt.Sprintf("math.Float32frombits(%#x)", math.Float32bits(v)))
	case float64:
		return floating(v, 64, known, fmt.Sprintf("math.Float64frombits(%#x)", math.Float64bits(v)))
	}
	if known {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

// floating writes a number, or its bits if there is no literal of it.
func floating(f float64, size int, known bool, bits string) string {
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return bits
	}
	text := strconv.FormatFloat(f, 'g', -1, size)
	if known {
		return text
	}
	return "float" + strconv.Itoa(size) + "(" + text + ")"
}

// taken are the names of parameters of fuzz tests and targets. A function's parameter of that name
// has another one in a derived fuzz test.
var taken = []string{"f", "t"}

// fieldOf is the name of the field of a case for a parameter of the fuzz target. Beside "name"
// there may be "nameArg".
func fieldOf(param string) string {
	base := param
	if own, ok := strings.CutSuffix(param, "Arg"); ok && slices.Contains(taken, own) {
		return own
	}
	for strings.HasSuffix(base, "Arg") {
		base = strings.TrimSuffix(base, "Arg")
	}
	if base == "name" || slices.Contains(taken, base) || strings.HasPrefix(param, "want") || token.IsKeyword(base) {
		return param + "Arg"
	}
	return param
}
