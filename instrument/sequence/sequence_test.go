package sequence

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// code is a package with what sequences call: values made by functions, of nothing and of
// texts, several results, errors, panics, buffers, interfaces and type parameters.
const code = `package p

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"
)

type Name string

type Level uint8

const Third, got Level = 3, 2

func (l Level) String() string { return "level" }

// A Node is in a tree.
type Node struct {
	Tag  Name
	Rank Level
	How  Style
	low  []*Node
	up   *Node
}

func NewNode(tag string, more ...func()) *Node { return &Node{Tag: Name(tag), Rank: Level(len(tag))} }

func Parse(text string) (*Node, error) {
	if strings.Contains(text, "<") {
		return nil, fmt.Errorf("no tag: %q at 100%%", text)
	}
	return NewNode(text), nil
}

func Copy(n Node) Node { return Node{Tag: n.Tag + "2"} }

func (n *Node) Add(tag Name) *Node {
	c := &Node{Tag: tag, up: n}
	n.low = append(n.low, c)
	return c
}

func (n *Node) Put(i Item) int {
	n.low = append(n.low, NewNode(i.Label()))
	return len(n.low)
}

func (n *Node) At(i int) *Node {
	if i < 0 || i >= len(n.low) {
		panic("no such node")
	}
	return n.low[i]
}

func (n *Node) Low(i int) *Node { return n.low[i] }

func (n *Node) Up() *Node { return n.up }

// GoString is not what fmt asks for, nor is String with arguments.
func (n *Node) GoString() string { return "node" }

func (n *Node) String(tag Name) *Node { return n.Add(tag) }

func (n *Node) Tags() (list []string) {
	for _, c := range n.low {
		list = append(list, string(c.Tag))
	}
	return list
}

func (n *Node) Counts() []int             { return []int{len(n.low), len(n.Tag)} }
func (n *Node) Index() map[Name]int       { return map[Name]int{n.Tag: 1} }
func (n *Node) Bytes() []byte             { return []byte(n.Tag) }
func (n *Node) Ratio(f float64) float64   { return float64(len(n.low)) / f }
func (n *Node) Label() string             { return string(n.Tag) + "%" }
func (n *Node) Big(u uint64, ok bool) (uint64, bool) { return u << 60, !ok }
func (n *Node) Clear()                    { n.low = nil }
func (n *Node) Each(f func(Name, *Node) bool) {
	for _, l := range n.low {
		if !f(l.Tag, l) {
			break
		}
	}
}
func (n *Node) Walk(f func(*Node))        { f(n) }
func (n *Node) Must(format string) {
	if strings.Contains(format, "%d") {
		panic("a format")
	}
}
func (n *Node) Use(f func(io.Reader)) bool { return f == nil }
func (n *Node) Match(r *regexp.Regexp, d time.Duration, at time.Time) string {
	return fmt.Sprint(r.FindString(string(n.Tag)), d, at.Unix())
}
func (n *Node) Children() []*Node         { return n.low }
func (n *Node) Span() Span                { return Span{len(n.Tag), string(n.Tag)} }
func (n *Node) Spans() []Span             { return []Span{n.Span(), n.Span()} }
func (n *Node) All(tags ...Name) int      { return len(tags) * len(n.Tag) }
func (n *Node) Sum(list []uint8, ok []bool) (sum int) {
	for i, v := range list {
		if i < len(ok) && ok[i] {
			sum += int(v)
		}
	}
	return sum
}
func (n *Node) Set(m map[Name]Level, o *Options) Leaf { return Leaf{fmt.Sprint(len(m), o.Deep)} }
func (n *Node) Map(f func(Name, int) (Name, bool)) Name { tag, _ := f(n.Tag, 2); return tag }
func (n *Node) Order(less func(a, b string) int, above func(a, b interface{}) bool) (int, bool) {
	return less("x", string(n.Tag)), above(len(n.Tag), 2)
}
func (n *Node) Is(err error) bool         { return err == nil }
func (n *Node) Check(ctx context.Context) error {
	if len(n.low) == 0 {
		return errors.New("empty")
	}
	return ctx.Err()
}

func (n *Node) WriteTo(w io.Writer) (int64, error) {
	k, err := io.WriteString(w, string(n.Tag))
	return int64(k), err
}

func (n *Node) Print(b *bytes.Buffer) { fmt.Fprintf(b, "<%s>", n.Tag) }

func (n *Node) Read(r io.Reader, b []byte, c byte, v any) error {
	text, err := io.ReadAll(r)
	n.Tag = Name(text) + Name(b) + Name(c) + Name(fmt.Sprint(v))
	return err
}

// Fill puts a text into a value, Weigh has no value to keep, and Load takes what tests give alone.
func Fill(text string, v interface{}) error { return json.Unmarshal([]byte(text), v) }

func Weigh(v interface{}, more ...interface{}) int { return len(fmt.Sprint(v, more)) }

func Load(s fmt.Stringer) string { return s.String() }

func Quiet(v chan int) int { return 0 }

// Talkf has its format checked by go vet.
func (n *Node) Talkf(line string, args ...interface{}) string { return fmt.Sprintf(line, args...) }

// Later returns a function.
func (n *Node) Later() func() *Node { return func() *Node { return n } }

// Fill is a method.
func (n *Node) Fill(v interface{}) { _ = json.Unmarshal([]byte("{\"From\": 7, \"N\": 8}"), v) }

// A Style is in nodes.
type Style struct{ Short bool }

func (n *Node) Styled() Name {
	if n.How.Short {
		return n.Tag[:1]
	}
	return n.Tag
}

// Loud is a setting.
var Loud = true

func (n *Node) Cry() string {
	if Loud {
		return strings.ToUpper(string(n.Tag))
	}
	return string(n.Tag)
}

// A Span has no methods.
type Span struct {
	N    int
	Text string
}

// A Mark has fields that are compared, and a method.
type Mark struct{ From, To int }

func (m Mark) Between() Mark { return Mark{m.From, m.To + 1} }

// An Item has a label.
type Item interface{ Label() string }

// A Leaf is an item.
type Leaf struct{ text string }

func (n *Node) Wide(to *int, by Level) int { *to += int(by); return *to }

func (n *Node) Deep() (Level, time.Month, reflect.Kind) {
	return Level(min(len(n.low)+2, 4)), time.Month(len(n.low)), reflect.Kind(len(n.low))
}

func (n *Node) First() byte { return (string(n.Tag) + "b")[0] }

func NewLeaf(text string) Leaf { return Leaf{text} }

func (l Leaf) Label() string { return l.text }

func (l Leaf) Same(other Leaf) bool { return l == other }

// Options are not kept.
type Options struct{ Deep bool }

// A Reader is returned by a function.
type Reader interface {
	Next() (byte, Leaf)
	Skip(n int, o Options) bool
}

type words struct{ list []string }

func NewReader(text string) Reader {
	if text == "" {
		return nil
	}
	return &words{strings.Fields(text)}
}

func (w *words) Next() (byte, Leaf) {
	w.list = w.list[1:]
	return byte(len(w.list)), Leaf{"x"}
}

func (w *words) Skip(n int, o Options) bool { w.list = w.list[n:]; return o.Deep || len(w.list) > 1 }

func Count(r Reader) int { return len(r.(*words).list) }

// A Stack is of any type.
type Stack[T any] struct{ list []T }

func (s *Stack[T]) Push(v T) { s.list = append(s.list, v) }

func (s *Stack[T]) Pop() (v T, ok bool) {
	if len(s.list) == 0 {
		return v, false
	}
	v = s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return v, true
}

func (s *Stack[T]) Top() any {
	if len(s.list) == 0 {
		return nil
	}
	return s.list[len(s.list)-1]
}
`

// checked is a package of some files.
func checked(t *testing.T, files ...string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	var list []*ast.File
	for i, src := range files {
		f, err := parser.ParseFile(fset, fmt.Sprintf("f%d.go", i), src, 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		list = append(list, f)
	}
	conf := types.Config{Importer: importer.Default()}
	pkg, err := conf.Check("example.com/p", fset, list, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, files[len(files)-1])
	}
	return pkg
}

// literals are what tests have for values.
func literals(t types.Type) []string {
	return map[string][]string{
		"example.com/p.Mark": {"Mark{From: 1, To: 2}", "Mark{To: 3}"}, "example.com/p.Style": {"Style{Short: true}"},
		"*example.com/p.Options": {`&Options{Deep: len("a") > 0}`},
	}[types.TypeString(t, nil)]
}

// scripts are what tests do.
func scripts() []Script {
	text := func(s string) Arg { return Arg{Constant: constant.MakeString(s)} }
	number := func(n int64) Arg { return Arg{Constant: constant.MakeInt64(n)} }
	var a, b, c, mark, far, low, label, again Made
	long := Script{{Function: "example.com/p.NewNode", Args: []Arg{text("root")}, Results: []*Made{&far}}}
	for range 20 {
		long = append(long, Do{Function: "(*example.com/p.Node).Up", Type: "Node", Receiver: &far, Results: []*Made{new(Made)}})
	}
	return []Script{
		{
			{Function: "example.com/p.NewNode", Args: []Arg{text("first")}, Results: []*Made{&a}},
			{Function: "(*example.com/p.Node).Add", Type: "Node", Receiver: &a, Args: []Arg{text("second")}, Results: []*Made{&b}},
			{Function: "(*example.com/p.Node).Add", Type: "Node", Receiver: &a, Args: []Arg{text("%d")}, Results: []*Made{&c}},
			{Function: "(*example.com/p.Node).Lost", Type: "Node", Receiver: &a},
			{Function: "(*example.com/p.Node).Put", Type: "Node", Receiver: &b, Args: []Arg{{Made: &c}}},
			{Function: "(*example.com/p.Node).All", Type: "Node", Receiver: &b, Args: []Arg{text("first"), text("second")}},
			{Function: "(*example.com/p.Node).Low", Type: "Node", Receiver: &a, Args: []Arg{number(1)}},
			{Field: "How.Short", Type: "Node", Receiver: &c, Args: []Arg{{Constant: constant.MakeBool(true)}}},
			{Field: "How", Type: "Node", Receiver: &b, Args: []Arg{{Source: "Style{Short: true}"}}},
			{Field: "Loud", Args: []Arg{{Constant: constant.MakeBool(true)}}},
			{Function: "(*example.com/p.Node).Set", Type: "Node", Receiver: &b, Args: []Arg{{}, {Source: `&Options{Deep: len("a") > 0}`}}},
			{Type: "Mark", Args: []Arg{{Source: "Mark{To: 3}"}}, Results: []*Made{&mark}},
			{Function: "(example.com/p.Mark).Between", Type: "Mark", Receiver: &mark},
		},
		long,
		{
			{Function: "example.com/p.NewNode", Args: []Arg{text("first")}, Results: []*Made{&low}},
			{Function: "(*example.com/p.Node).Label", Type: "Node", Receiver: &low, Results: []*Made{&label}},
			{Function: "(*example.com/p.Node).Bytes", Type: "Node", Receiver: &low, Results: []*Made{new(Made)}},
			{Function: "example.com/p.Parse", Args: []Arg{{Made: &label}}, Results: []*Made{&again, new(Made)}},
			{Function: "(*example.com/p.Node).Add", Type: "Node", Receiver: &again, Args: []Arg{{Made: &label}}},
		},
	}
}

// A fuzz test begins with what tests do: as many calls as it makes, the last ones of many, with
// those that make their values.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	s := of(checked(t, code))
	var inputs [][]any
	for _, in := range s.begin {
		inputs = append(inputs, []any{[]byte(in.ops), in.texts[0], in.texts[1]})
	}
	var got []string
	for i, seen := range record(t, t.TempDir(), s, inputs) {
		steps, ok := s.Read(inputs[i], seen)
		if !ok {
			t.Fatalf("%q can't be read: %q", inputs[i], seen)
		}
		got = append(got, steps.Case().Call)
	}
	up := strings.Repeat("; node.Up()", stepsMost-1)
	want := []string{
		`node := NewNode("first"); node2 := node.Add("second"); node3 := node.Add("%d"); node2.Put(node3); node2.All("first", "second"); node.Low(1); node3.How.Short = true; node2.How = Style{Short: true}; ` +
			`Loud = true; node2.Set(map[Name]Level{"a": 1}, &Options{Deep: len("a") > 0}); mark := Mark{To: 3}; mark.Between()`,
		`node := NewNode("root")` + up,
		`node := NewNode("first"); node.Label(); node.Bytes(); node2 := Parse("first%"); node2.Add("first%")`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// of is the fuzz test over all types of a package.
func of(pkg *types.Package) *Sequence {
	return New(Config{
		Package: pkg, Types: Values(pkg), Harmless: func(fn *types.Func) bool { return fn.Name() != "Clear" },
		Rank: func(*types.Func) int { return 0 }, Texts: []string{"a", "<", "a", "50%\t\"`", "%d", strings.Repeat("x", 300)}, Taken: map[string]bool{"FuzzLeaf_sequence": true},
		Scripts: scripts(), Literals: literals, Passed: passed, Functions: functions(pkg, "Fill", "Weigh", "Load", "Quiet"),
		Begin: []string{"_ = 7"},
	})
}

// passed are what tests give to functions.
func passed(fn *types.Func, i int, _ types.Type) []string {
	return map[string][]string{
		"Fill 0":  {"new(Mark)", "&Span{N: 1}", "Span{N: 2}", "&[]string{" + TextHole + "}"},
		"Fill 1":  {"new(Mark)", "&Span{Text: " + TextHole + "}", "map[string]interface{}{}"},
		"Set 0":   {`map[Name]Level{"b": 2}`},
		"Weigh 0": {"Span{N: 3}"}, "Weigh 1": {"Mark{}"},
		"Load 0": {"big.NewInt(5)", "Level(len(" + TextHole + "))"},
	}[fn.Name()+" "+strconv.Itoa(i)]
}

// functions are those of a package.
func functions(pkg *types.Package, names ...string) (list []*types.Func) {
	for _, name := range names {
		if fn, ok := pkg.Scope().Lookup(name).(*types.Func); ok {
			list = append(list, fn)
		}
	}
	return list
}

// Functions that have nothing to do with each other are called one in each input, also those of scripts.
func TestFunctionsThatShareNothingAreCalledAlone(t *testing.T) {
	pkg := checked(t, strings.ReplaceAll(code, "Loud", "loud")) // one that is exported is set
	script := Script{
		{Function: "example.com/p.Weigh", Args: []Arg{{Source: "Span{N: 3}"}}},
		{Function: "example.com/p.Load", Args: []Arg{{Source: "big.NewInt(5)"}}},
		{Function: "example.com/p.Weigh", Args: []Arg{{Source: "nil"}}},
	}
	for _, c := range []struct {
		names []string
		state []Variable
		most  int
		begin int
	}{
		{[]string{"Weigh", "Load"}, nil, 1, 3},
		{[]string{"Weigh", "Load", "Fill"}, nil, stepsMost, 1}, // a text that another returns
		{[]string{"Weigh", "Load"}, []Variable{{Name: "loud", Type: types.Typ[types.Bool]}}, stepsMost, 1},
	} {
		s := New(Config{
			Package: pkg, Functions: functions(pkg, c.names...), Passed: passed, Scripts: []Script{script}, State: c.state,
			Uses: func(*types.Func) []string { return []string{"loud"} }, Unless: func(*types.Func) []string { return nil },
			Harmless: func(*types.Func) bool { return false }, Rank: func(*types.Func) int { return 0 },
		})
		if want := fmt.Sprintf("n < %d &&", c.most); s.most != c.most || !strings.Contains(string(s.Text), want) || len(s.begin) < c.begin {
			t.Errorf("%q, %d variables: %d calls, %d inputs to begin with", c.names, len(c.state), s.most, len(s.begin))
		}
		for _, in := range s.begin {
			if len(in.ops) > c.most*s.width {
				t.Errorf("%q: an input of %d calls", c.names, len(in.ops)/s.width)
			}
		}
	}
}

// Functions that neither make nor take a value to keep have a separate fuzz test, named after
// the first that can be called.
func TestFunctionsAlone(t *testing.T) {
	pkg := checked(t, code)
	s := New(Config{
		Package: pkg, Functions: functions(pkg, "Quiet", "Fill", "Weigh", "Load"), Passed: passed,
		Harmless: func(*types.Func) bool { return false }, Rank: func(*types.Func) int { return 0 },
	})
	if s == nil || s.Fuzz != "FuzzFill_sequence" || s.About != "sequences of Fill" {
		t.Fatalf("%+v", s)
	}
	checked(t, code, string(s.Text))
	for _, want := range []string{`"math/big"`, "Fill(pick(op[2]), any3)", "Weigh(any2, any3)", "big.NewInt(5)", "&Span{Text: pick(byte(int(op[3]-48)/18) + 48)}"} {
		if !strings.Contains(string(s.Text), want) {
			t.Errorf("%q is missing in\n%s", want, s.Text)
		}
	}
	if New(Config{Package: pkg, Functions: functions(pkg, "Quiet"), Rank: func(*types.Func) int { return 0 }, Harmless: func(*types.Func) bool { return false }}) != nil {
		t.Error("there is a fuzz test that calls nothing")
	}
}

// A package that declares the name of an import does without what needs it.
func TestANameOfAnOptionalImport(t *testing.T) {
	src := "package p\n\nvar json int\n\nfunc Fill(v interface{}) int { return json }\n"
	pkg := checked(t, src)
	s := New(Config{
		Package: pkg, Functions: functions(pkg, "Fill"), Passed: func(*types.Func, int, types.Type) []string { return []string{"new(int)"} },
		Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
	})
	checked(t, src, string(s.Text))
	if steps, ok := s.Read([]any{[]byte("000"), "", ""}, []string{"3", unknown}); !ok || strings.Contains(steps.Case().Body, "json") {
		t.Errorf("%v: %+v", ok, steps)
	}
}

// A fuzz test compiles, and calls what can be called with plain arguments and with what other
// calls make.
func TestAFuzzTestCallsAll(t *testing.T) {
	s := of(checked(t, code))
	checked(t, code, string(s.Text))
	if s.Fuzz != "FuzzLeaf_sequence2" || s.Function != "sequenceLeaf" || s.Width() != 6 {
		t.Errorf("%s, %s, %d", s.Fuzz, s.Function, s.Width())
	}
	text := string(s.Text)
	for _, want := range []string{
		"NewNode(pick(", "Parse(pick(", "new(Stack[int])", ".Add(Name(pick(", ".Put(any2[", ".Tag", ".Rank", "context.Background()", "bytes.Buffer",
		"NewLeaf(", ".Same(*", "Copy(*", ".Push(int(int8(",
		"var readerList []Reader", ".Next()", "Options{Deep: true}", "Count(", ".Wide(new(int), ",
		`map[Name]Level{"b": 2}`, ".Walk(", ".Is(", ".Use(nil)", "[len(v0)-1]", `recordedCalls = append(recordedCalls, fmt.Sprint(v0, " ", v1))`,
		"return strings.Compare(a, b)", "defer func(was bool) { Loud = was }(Loud)", ".How.Short = ", ".Match(", "return a.(int) < b.(int)", "map[Name]Level{", "&Options{}",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, not := range []string{"func() {}", ".Clear(", "new(Node)", "xxx"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is in\n%s", not, text)
		}
	}
	if strings.Contains(text, "any)") {
		t.Error("the language may be of a version before any")
	}
	if first, _, _ := strings.Cut(text, "func FuzzLeaf_sequence2"); s.Line != strings.Count(first, "\n")+1 {
		t.Errorf("line %d", s.Line)
	}
}

// Of many methods some are left out, with all of a type perhaps, and the rest compiles.
func TestManyMethods(t *testing.T) {
	var b strings.Builder
	b.WriteString("package p\ntype A struct{}\ntype Z interface{ M() int }\nfunc NewZ(f chan int) Z { return nil }\n")
	for i := range callsMost + 10 {
		fmt.Fprintf(&b, "func (A) M%d() int { return %[1]d }\n", i)
	}
	s := of(checked(t, b.String()))
	checked(t, b.String(), string(s.Text))
	if busy := New(Config{Package: s.pkg, Types: Values(s.pkg), Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return -9 }}); busy == nil {
		t.Error("methods that reach much leave nothing that makes a value")
	}
	if n := len(s.Functions()); n != callsMost-1 || strings.Contains(string(s.Text), "zList[") {
		t.Errorf("%d functions", n)
	}
}

// Values of a generic interface are kept that functions return, as those of any interface.
func TestAGenericInterface(t *testing.T) {
	src := "package p\ntype Set[T comparable] interface { Add(v T) bool; Len() int; Union(o Set[T]) Set[T] }\n" +
		"type Other[T any] interface { M() T }\n" +
		"func NewSet[E comparable](list ...E) Set[E] { return nil }\nfunc Size[E comparable](s Set[E]) int { return s.Len() }\n"
	pkg := checked(t, src)
	s := of(pkg)
	if s == nil {
		t.Fatal("nothing is called in turn")
	}
	checked(t, src, string(s.Text))
	names := make(map[string]bool)
	for _, fn := range s.Functions() {
		names[fn.Name()] = true
	}
	for _, name := range []string{"NewSet", "Size", "Add", "Len", "Union"} {
		if !names[name] {
			t.Errorf("%s is not called", name)
		}
	}
	if len(names) != 5 || s.Fuzz != "FuzzSet_sequence" {
		t.Errorf("%s calls %v", s.Fuzz, names)
	}
}

// A package in which nothing can be called in turn has no fuzz test, nor one in which a name
// is taken by what the file imports.
func TestNothingToCallInTurn(t *testing.T) {
	for name, src := range map[string]string{
		"nothing makes a value": "type T []int\nfunc (T) A(f chan int) {}",
		"one method":            "type T struct{}\nfunc (T) A() int { return 1 }",
		"a name is taken":       "type T struct{}\nfunc (T) A() int { return 1 }\nfunc (T) B() int { return 1 }\nvar fmt int",
	} {
		pkg := checked(t, "package p\n"+src)
		if s := of(pkg); s != nil {
			t.Errorf("%s: %s", name, s.Text)
		}
	}
}

// What a run has shown becomes a test that passes, whatever the input is, and the calls are
// those that the fuzz test made.
func TestWhatWasSeenPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two test binaries")
	}
	s := of(checked(t, code))
	random := rand.New(rand.NewPCG(1, 2))
	var inputs [][]any
	for range 2600 {
		var ops []byte
		for range random.IntN(stepsMost + 3) {
			op := []byte(s.record(random.IntN(len(s.calls))))
			for i := 1; i < len(op); i++ {
				op[i] = zero + byte(random.IntN(12)) - 4
			}
			ops = append(ops, op...)
		}
		inputs = append(inputs, []any{ops, []string{"", "b", "c d"}[random.IntN(3)], "e\n"})
	}
	dir := t.TempDir()
	seen := record(t, dir, s, inputs)
	var b strings.Builder
	imports := map[string]bool{"testing": true}
	cases, fails, handed, calls := 0, 0, 0, make(map[string]bool)
	for i, in := range inputs {
		steps, ok := s.Read(in, seen[i])
		if !ok {
			continue
		}
		c := steps.Case()
		for _, name := range c.Imports {
			imports[name] = true
		}
		cases++
		handed += handedOn(steps)
		if steps.Fails() {
			fails++
		}
		for name := range strings.SplitSeq(c.Title, ", ") {
			calls[name] = true
		}
		fmt.Fprintf(&b, "func TestCase%d(t *testing.T) {\n%s}\n", i, c.Body)
	}
	for _, want := range []string{`if got := fmt.Sprintf("%q", calls); got != `, `Walk calls the function with %s, want ["called"]`, "value := &Span{", "json.Marshal(value); err != nil || string(got) != ", "Fill makes value %s, want ", "Each calls the function with %s, want []", "Wide(new(int), Third)", "got != Third || got2 != time.January || got3 != reflect.Bool", "got != 2 || got2 != 0 || got3 != reflect.Invalid", "First(); got != 'b'", "First() = %q, want 'b'", "Wide(new(int), 2)", "line := ", ".Talkf(line, 6)", "Later() = nil, want not nil", "{\nt.Fatalf(", " = len %d, want len "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no case has %q", want)
		}
	}
	if cases < 400 || fails < 20 || len(calls) < 30 || handed == 0 {
		t.Errorf("%d cases, %d that fail, %d with texts of others, calls %v", cases, fails, handed, calls)
	}
	head := "package p\n\nimport (\n"
	for name := range imports {
		head += fmt.Sprintf("%q\n", name)
	}
	src, err := format.Source([]byte(head + ")\n\n" + b.String()))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cases_test.go"), string(src))
	if out, err := goTest(dir, "-run=TestCase").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out[:min(len(out), 4000)])
	}
}

// handedOn counts arguments that are texts which calls before have returned, and nothing else has.
func handedOn(steps *Steps) (n int) {
	made := make(map[string]bool)
	for _, st := range steps.list {
		for _, a := range st.args {
			if made[a.source] {
				n++
			}
		}
		for i, seen := range st.seen {
			if text, err := strconv.Unquote(seen); err == nil && i < len(st.call.results) && st.call.results[i].isText() && !slices.Contains(append(steps.sequence.texts, "", "b", "c d", "e\n"), text) {
				made[requoted(seen)] = true
			}
		}
	}
	return n
}

// record runs the function of a fuzz test on inputs.
func record(t *testing.T, dir string, s *Sequence, inputs [][]any) (seen [][]string) {
	t.Helper()
	return recordIn(t, dir, code, s, inputs)
}

// recordIn is record in another package.
func recordIn(t *testing.T, dir, code string, s *Sequence, inputs [][]any) (seen [][]string) {
	t.Helper()
	write(t, filepath.Join(dir, "go.mod"), "module "+s.pkg.Path()+"\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "p.go"), code)
	write(t, filepath.Join(dir, "s_test.go"), string(s.Text))
	var list strings.Builder
	for _, in := range inputs {
		fmt.Fprintf(&list, "{%q, %q, %q},\n", in[0], in[1], in[2])
	}
	write(t, filepath.Join(dir, "r_test.go"), `package p

import (
	"encoding/json"
	"os"
	"testing"
)

func TestRecord(t *testing.T) {
	var all [][]string
	for _, in := range [][3]string{`+"\n"+list.String()+`} {
		all = append(all, `+s.Function+`([]byte(in[0]), in[1], in[2]))
	}
	data, err := json.Marshal(all)
	if err != nil || os.WriteFile("seen.json", data, 0o666) != nil {
		t.Error(err)
	}
}
`)
	if out, err := goTest(dir, "-run=TestRecord").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "seen.json"))
	if err != nil || json.Unmarshal(data, &seen) != nil || len(seen) != len(inputs) {
		t.Fatalf("%v: %d of %d", err, len(seen), len(inputs))
	}
	return seen
}

func goTest(dir, run string) *exec.Cmd {
	cmd := exec.Command("go", "test", "-count=1", run, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return cmd
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A parameter whose type the file can't name has no values, whatever tests give for it.
func TestATypeOfAnotherPackage(t *testing.T) {
	src := "package p\n\nimport \"crypto/tls\"\n\nfunc Use(c *tls.Config) bool { return c == nil }\n\nfunc Plain(n int) int { return n }\n"
	pkg := checked(t, src)
	s := New(Config{
		Package: pkg, Functions: functions(pkg, "Use", "Plain"), Passed: func(*types.Func, int, types.Type) []string { return []string{"new(tls.Config)"} },
		Harmless: func(*types.Func) bool { return true }, Rank: func(*types.Func) int { return 0 },
	})
	checked(t, src, string(s.Text))
	if strings.Contains(string(s.Text), "Use(") || !strings.Contains(string(s.Text), "Plain(") {
		t.Errorf("%s", s.Text)
	}
}
