package expressions_test

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/expressions"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
)

const edges = `
type own int
type flag bool
type fails struct{}
type T struct{ n int; next *T; arr [3]int }
func (*fails) Error() string { return "" }
func use(...any) {}
func call() int { return 0 }
func text() string { return "" }
func pair2() (context.Context, int) { return nil, 0 }
func run(context.Context, int) int { return 0 }
func get() []int { return nil }
func ctx() context.Context { return nil }
func two(x, y int) int { return 0 }
func rest(x int, y ...int) int { return 0 }
func ptrs(x, y *T) int { return 0 }
func texts(x, y string) int { return 0 }
func anys(x, y any) int { return 0 }
var ( top int; m map[string]int; own3 = own(3) )
`

// offered asks for the sites at an expression of a function, with the operators of a list.
func offered(t *testing.T, o expressions.Occasion, operators, body, e string) (replacements, skips, copied string) {
	t.Helper()
	c := checked.Text(t, `import ("context"; "errors"; "fmt"; "slices"; "strings")
func f[N ~int | ~float64, S ~[]byte | ~string](i, j int, u uint, b byte, x, y float64, s, t string, list, other []int, bs []byte, arr [3]int, ap *[3]int, p *T, err error, c, d bool, n N, st S, ch chan int) {
`+body+`
}`+edges+`var ( _ = errors.New; _ = fmt.Sprint; _ = slices.Contains[[]int]; _ = strings.ToLower; _ context.Context )`)
	cx, list := c.Site()
	ops, err := operator.ByNames(operators)
	if err != nil {
		t.Fatal(err)
	}
	list.Operators, cx.Operators = ops, ops
	cx.Block = c.Func("f").Body
	node := c.FirstExpr(e)
	ast.Inspect(cx.Block, func(n ast.Node) bool {
		if n == nil || node.Pos() < n.Pos() || n.End() < node.End() {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && n != ast.Node(cx.Block) {
			cx.Within = s
		}
		return true
	})
	expressions.Offer(o, cx, node, site.Place{})
	c.Edits(list.Mutants)
	var texts, reasons []string
	for _, m := range list.Mutants {
		texts = append(texts, m.Replacement)
	}
	for _, s := range list.Skips {
		reasons = append(reasons, s.Reason)
	}
	return strings.Join(texts, " | "), strings.Join(reasons, " | "), string(cx.Slow.Render(c.Src.Src, c.Src.Off(node.Pos()), c.Src.Off(node.End())))
}

func TestEdges(t *testing.T) {
	const (
		value, called = expressions.Value, expressions.Called
		early         = "it would be read before a call that may change it"
	)
	for _, c := range []struct {
		about, operators string
		o                expressions.Occasion
		body, e          string // the body is use(e) if it is empty
		want, skips      string
	}{
		// Arithmetic.
		{"a package variable before a call", "math", value, "use(top+1, call())", "top+1", "", early},
		{"a local variable before a call", "math", value, "use(i+1, call())", "i+1", "-", ""},
		{"of a type parameter", "math", value, "", "n + n", "-", ""},
		{"of a type that is hidden", "math", value, "{ own := own3; use(own + own) }", "own + own", "-", ""},
		{"a shift by a fraction", "math", value, "", "i << 2.0", "", "shift count written as a floating-point constant"},
		{"neutral", "math", value, "", "i + 0", "", "the same program: neutral operand"},
		{"not of comparisons", "math", value, "", "i < j", "", ""},
		{"not of strings", "math", value, "", "s + t", "", ""},
		{"a minus beside a minus", "math", value, "", "i+-j", "- ", ""},
		{"only one operand", "arithmetic-deletion", value, "", "i + j", "i | j", ""},
		{"one operand is constant", "arithmetic-deletion", value, "", "i + 3", "i", ""},
		{"one operand has effects", "arithmetic-deletion", value, "", "i + call()", "i + 0*call() | call()", ""},
		{"of a product with effects", "arithmetic-deletion", value, "", "call() * i", "call() | (0*call() + i)", ""},
		{"floating-point with effects", "arithmetic-deletion", value, "use(x * float64(call()))", "x * float64(call())", "func() float64 { fuzzmutR_0 := x; _ = float64(call()); return fuzzmutR_0 }() | float64(call())", ""},
		{"that may panic", "arithmetic-deletion", value, "", "i + p.n", "i + 0*p.n | p.n", ""},
		{"that both panic in one way", "arithmetic-deletion", value, "", "p.n + (*p).n", "p.n | (*p).n", ""},
		{"a string with effects", "string-concatenation", value, "", "s + text()", "s + text()[:0] | text()", ""},
		{"exchanged", "operand-exchange", value, "", "i - j*2", "j*2 - i", ""},
		{"exchanged of one precedence", "operand-exchange", value, "", "i - j - 2", "2 - (i - j)", ""},
		{"exchanged with effects", "operand-exchange", value, "", "i - call()", "", "evaluating the operands may have effects, whose order would change"},
		{"exchanged where both may panic in their own way", "operand-exchange", value, "", "p.n - list[0]", "", "evaluating the operands may have effects, whose order would change"},

		// Constants.
		{"a character", "constant-replacement", expressions.Constant, "", "'a'", "'b' | '`'", ""},
		{"the last character", "constant-replacement", expressions.Constant, "", `'\x00'`, `'\x01'`, "does not compile: no such character"},
		{"at the end of its type", "constant-replacement", expressions.Constant, "use(b + 255)", "255", "0 | 1 | 254", "does not compile: the type can't hold it | does not compile: the type can't hold it"},
		{"with a type of its own", "constant-replacement", expressions.Constant, "", "own(3)", "own(0) | own(1) | own(-1) | own(4) | own(2)", ""},
		{"behind a minus", "constant-negation", expressions.Constant, "use(i -5)", "5", "(-5)", ""},
		{"a fraction", "constant-replacement", expressions.Constant, "", "0.5", "0.0 | 1.0 | -1.0 | 1.5 | -0.5", ""},
		{"a string", "string-constants", expressions.Constant, "", `"a"`, `""`, ""},
		{"true is hidden", "bool-constants", expressions.Constant, "{ true := c; use(true); use(false) }", "false", "", "true has another declaration here"},
		{"complex", "constant-replacement", expressions.Constant, "", "2i", "", ""},

		// Comparisons, conditions.
		{"of pointers", "negate-conditionals", value, "", "p == nil", "!=", ""},
		{"a length is never negative", "operator-replacement", value, "", "len(s) > 0", "< | <= | >= | ==", "the same program: the operand is never below 0, or the empty string"},
		{"an error", "error-check-forced", value, "", "err != nil", "err != nil && false", ""},
		{"an error that is there", "error-check-forced", value, "", "err == nil", "err == nil || true", ""},
		{"no error", "error-check-forced", value, "", "p != nil", "", ""},
		{"two errors", "error-check-forced", value, "", "err != err", "", ""},
		{"a pointer that is an error", "error-check-forced", value, "e := &fails{}; use(e != nil)", "e != nil", "e != nil && false", ""},
		{"errors.Is of another package", "error-match-forced", value, "errors := own2{}; use(errors.Is(err, err)) }; type own2 struct{}; func (own2) Is(a, b error) bool { return true", "errors.Is(err, err)", "", ""},
		{"constant condition", "condition-forced", expressions.Condition, "", "1 < 2", "", ""},
		{"a term with or in it", "condition-forced", expressions.Term, "", "(c || d)", "", ""},

		// Lengths, elements, slices.
		{"of a string there is no capacity", "length-change", value, "", "len(s)", "len(s)+1 | len(s)-1", ""},
		{"of a capacity the length", "length-change", value, "", "cap(list)", "len(list)", ""},
		{"of what has effects", "length-change", value, "", "len(get())", "len(get())+1 | len(get())-1", "operand that may have effects"},
		{"of a type parameter", "length-change", value, "", "len(st)", "len(st)+1 | len(st)-1", ""},
		{"of a channel", "length-change", value, "", "len(ch)", "len(ch)+1 | len(ch)-1 | cap(ch)", ""},
		{"cap is hidden", "length-change", value, "{ cap := 1; use(cap, len(list)) }", "len(list)", "len(list)+1 | len(list)-1", "cap has another declaration here"},
		{"an array's index", "index-shift", expressions.Indexed, "", "arr[i]", "min(i+1, max(i, 2)) | max(i-1, min(i, 0))", ""},
		{"behind a pointer", "index-shift", expressions.Indexed, "", "ap[i]", "min(i+1, max(i, 2)) | max(i-1, min(i, 0))", ""},
		{"of another type", "index-shift", expressions.Indexed, "", "list[b]", "func(fuzzmutR_0 byte) byte { if int64(fuzzmutR_0) < int64(len(list)-1) { fuzzmutR_0++ }; return fuzzmutR_0 }(b) | func(fuzzmutR_0 byte) byte { if fuzzmutR_0 > 0 { fuzzmutR_0-- }; return fuzzmutR_0 }(b)", ""},
		{"of a map", "index-shift", expressions.Indexed, "", "m[s]", "", ""},
		{"a constant index", "index-shift", expressions.Indexed, "", "list[2]", "", ""},
		{"a bound that is constant", "slice-bounds", value, "", "list[:2]", "", ""},
		{"a bound that can't hold the length", "slice-bounds", value, "", "list[:b]", "b+1 | b-1", "the type of the bound may not hold the length"},
		{"the bound that is there anyway", "slice-bounds", value, "", "list[:len(list)]", "len(list)+1 | len(list)-1", ""},
		{"with effects", "slice-bounds", value, "", "list[call():]", "call()+1 | call()-1 | 0*(call())", ""},
		{"three", "slice-bounds", value, "", "list[i:j:u]", "i+1 | i-1 | · | j+1 | j-1 | u+1 | u-1 | ·", ""},
		{"a bound that is a difference", "slice-bounds", value, "", "list[i-j:]", "i-j+1 | i-j-1 | ·", ""},

		// Builtins.
		{"append of nothing", "append-removal", value, "", "append(list)", "", ""},
		{"append of a slice", "append-removal", value, "", "append(list, other...)", "list", ""},
		{"append of a string", "append-removal", value, "", "append(bs, s...)", "bs", ""},
		{"append of nil", "append-removal", value, "", "append(list, nil...)", "", ""},
		{"append with effects", "append-removal", value, "", "append(list, call())", "[]int{call()}[:0]...", ""},
		{"append of a slice with effects", "append-removal", value, "", "append(list, get()...)", "get()[:0]", ""},
		{"append of a slice or a string", "append-removal", value, "", "append(bs, st...)", "", "type parameter that may be a slice or a string"},
		{"copy of a string", "copy-removal", value, "", "copy(bs, s)", "s[:0]", ""},
		{"copy of a sum", "copy-removal", value, "", "copy(bs, s+t)", "(s+t)[:0]", ""},
		{"min of one", "min-max-swap", value, "", "min(i)", "", ""},
		{"max", "min-max-swap", value, "", "max(i, j, 3)", "min", ""},
		{"max is hidden", "min-max-swap", value, "{ max := 1; use(max, min(i, j)) }", "min(i, j)", "", "max has another declaration here"},
		{"a function of its own", "min-max-swap", value, "min := two; use(min(i, j))", "min(i, j)", "", ""},

		// Calls.
		{"two constants", "argument-swap", called, "", "two(1, 2)", "", ""},
		{"one constant", "argument-swap", called, "", "two(i, 2)", "2, i", ""},
		{"effects", "argument-swap", called, "", "two(i, call())", "", ""},
		{"what may panic", "argument-swap", called, "", "two(i, p.n)", "p.n, i", ""},
		{"the rest of the arguments", "argument-swap", called, "", "rest(i, j, i+j)", "", ""},
		{"pointers", "argument-swap", called, "use(ptrs(p, p.next))", "ptrs(p, p.next)", "", "the pointed-to value would escape to the heap"},
		{"several lines", "argument-swap", called, "use(two(i, j+\n1))", "two(i, j+\n1)", "", "argument on several lines"},
		{"strings", "argument-swap", called, "", "texts(s, t)", "t, s", ""},
		{"operands of two types", "argument-swap", called, "", "anys(i, s)", "", ""},
		{"no context", "context-background", called, "", "two(i, j)", "", ""},
		{"context.TODO", "context-background", called, "", "run(context.TODO(), 1)", "", ""},
		{"a context with effects", "context-background", called, "", "run(ctx(), 1)", "func() context.Context { _ = ctx(); return context.Background() }()", ""},
		{"several results", "context-background", called, "", "run(pair2())", "", ""},
		{"the import is hidden", "context-background", called, "c2 := ctx(); { context := 1; use(context, run(c2, 1)) }", "run(c2, 1)", "", ""},
		{"a %% before w", "wrapping-removal", called, "", `fmt.Errorf("%%w %w", err)`, "v", ""},
		{"with flags", "wrapping-removal", called, "", `fmt.Errorf("%-5w %[1]w", err)`, "v | v", ""},
		{"an escape", "wrapping-removal", called, "", `fmt.Errorf("\t%w", err)`, `"\t%v"`, ""},
		{"no verb at the end", "wrapping-removal", called, "", `fmt.Errorf("%", err)`, "", ""},
		{"a format that is no constant", "wrapping-removal", called, "", `fmt.Errorf(s, err)`, "", ""},

		// Conversions.
		{"to a wider type", "conversion-truncation,conversion-extension", expressions.Converted, "", "int(b)", "int8(b)", ""},
		{"to as wide a type", "conversion-truncation,conversion-extension", expressions.Converted, "", "uint64(i)", "uint32(i)", ""},
		{"from 16 bits", "conversion-truncation,conversion-extension", expressions.Converted, "w := int16(i); use(uint32(w))", "uint32(w)", "int8(w) | uint16(w)", ""},
		{"to 8 bits", "conversion-truncation,conversion-extension", expressions.Converted, "", "byte(i)", "", ""},
		{"of a fraction", "conversion-truncation,conversion-extension", expressions.Converted, "", "int(x)", "", ""},
		{"of a type parameter", "conversion-truncation,conversion-extension", expressions.Converted, "", "int(n)", "", ""},
		{"the type is hidden", "conversion-truncation", expressions.Converted, "{ uint32 := 1; use(uint32, uint64(i)) }", "uint64(i)", "", "uint32 has another declaration here"},

		{"recover", "recover-removal", value, "defer func() { use(recover()) }()", "recover()", "interface{}(nil)", ""},
	} {
		body := c.body
		if body == "" {
			body = "use(" + c.e + ")"
		}
		got, skips, _ := offered(t, c.o, c.operators, body, c.e)
		if want := strings.ReplaceAll(c.want, "·", ""); got != want || skips != c.skips {
			t.Errorf("%s: %s\n\tbecomes %q\n\twant    %q\n\tskips %q\n\twant  %q", c.about, c.e, got, want, skips, c.skips)
		}
	}
}

// TestCopies: what stands in the copied body where its form depends on the types.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		about, operators string
		o                expressions.Occasion
		e, want          string
	}{
		{"one operand of a type parameter", "math", expressions.Value, "n + n", "fuzzmutrt.ArithN(1, 0x2, 1, n , n)"},
		{"one alternative", "math", expressions.Value, "i * j", "fuzzmutrt.ArithIInt(1, 0x4, 3, i , j)"},
		{"a right operand with effects", "operator-replacement", expressions.Value, "c && call() > 0", "fuzzmutrt.Joined(1, fuzzmutrt.Left(1, 2, c) && fuzzmutrt.Right(1, 2, call() > 0))"},
		{"or", "operator-replacement", expressions.Value, "c || d", "fuzzmutrt.Joined(1, fuzzmutrt.Left(1, 1, c) || fuzzmutrt.Right(1, 1, d))"},
		{"the element of a call's slice", "index-shift", expressions.Indexed, "get()[i]", "(*fuzzmutrt.At(1, 0x21, get(), i))"},
		{"of a string", "index-shift", expressions.Indexed, "text()[i]", "fuzzmutrt.CharAt(1, 0x21, text(), i)"},
		{"a comparison without mutants is recorded", "math", expressions.Value, "i < j", "fuzzmutrt.CmpInt(0, 0, 0x101, i , j)"},
		{"arrays of numbers are not", "math", expressions.Value, "arr == arr", "arr == arr"},
		{"a lookup", "math", expressions.Indexed, "m[s]", "m[fuzzmutrt.Key(0x40d, m, s)]"},
		{"a lookup by bytes", "math", expressions.Indexed, "m[string(bs)]", "m[string(fuzzmutrt.KeyBytes(0x40d, m, bs))]"},
		{"a search of elements", "math", expressions.Called, "slices.Contains(list, i)", "slices.Contains(fuzzmutrt.Among(0x10d, list, i))"},
		{"a search of a byte", "math", expressions.Called, "strings.IndexByte(s, b)", "strings.IndexByte(fuzzmutrt.TextsByte(0x40b, s, b))"},
		{"two constants are not searched", "math", expressions.Called, `strings.Contains("ab", "b")`, `strings.Contains("ab", "b")`},
	} {
		if _, _, got := offered(t, c.o, c.operators, "use("+c.e+")", c.e); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, c.want)
		}
	}
}
