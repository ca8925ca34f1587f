package target

import (
	"errors"
	"go/types"
	"strings"
	"testing"
)

const methods = `package p

type Tree struct{}

func (t *Tree) Insert(n int) bool { return true }
func (t Tree) Len() error         { return nil }

type node[T any] struct{ v T }

func (n *node[T]) get(x T) T { return n.v }

func Parse(s string) (int, error)   { return 0, nil }
func parseJSON(s string) error      { return nil }
func HTTPServerURL(s string) bool   { return true }
func IsOdd(n int) odd               { return true }
func Both(n int) (bool, error)      { return true, nil }
func FuzzParse()                    {}
func FuzzParse2()                   {}

type odd bool
`

func TestNamesOfFuzzTestsAndFiles(t *testing.T) {
	pkg := typeCheck(t, methods)
	for _, c := range []struct{ fn, function, name, file string }{
		{"Parse", "Parse", "FuzzParse", "parse_fuzz_test.go"},
		{"parseJSON", "parseJSON", "Fuzz_parseJSON", "parse_json_fuzz_test.go"},
		{"HTTPServerURL", "HTTPServerURL", "FuzzHTTPServerURL", "http_server_url_fuzz_test.go"},
		{"Tree.Insert", "(*Tree).Insert", "FuzzTree_Insert", "tree_insert_fuzz_test.go"},
		{"Tree.Len", "Tree.Len", "FuzzTree_Len", "tree_len_fuzz_test.go"},
		{"node.get", "(*node).get", "Fuzz_node_get", "node_get_fuzz_test.go"},
	} {
		fn := function(pkg, c.fn)
		if got := Function(fn); got != c.function {
			t.Errorf("%s is called %s, want %s", c.fn, got, c.function)
		}
		if got := Name(fn); got != c.name {
			t.Errorf("%s: fuzz test %s, want %s", c.fn, got, c.name)
		}
		if got := FileName(Name(fn), "fuzz"); got != c.file {
			t.Errorf("%s: file %s, want %s", c.fn, got, c.file)
		}
	}
	// What the package declares is not declared again.
	test, err := Write(function(pkg, "Parse"), Options{Package: pkg})
	if err != nil || test.Name != "FuzzParse3" || test.FileName != "parse3_fuzz_test.go" {
		t.Errorf("%+v, %v", test, err)
	}
	lines := strings.Split(string(test.Text), "\n")
	if !strings.HasPrefix(lines[test.Line-1], "func FuzzParse3(") {
		t.Errorf("line %d is %q", test.Line, lines[test.Line-1])
	}
}

func TestPropertiesHaveOneVerdict(t *testing.T) {
	pkg := typeCheck(t, methods)
	for name, want := range map[string]bool{
		"Tree.Insert": true, "Tree.Len": true, "parseJSON": true, "HTTPServerURL": true, "Parse": false, "Both": false, "IsOdd": false, "node.get": false,
	} {
		if IsProperty(function(pkg, name)) != want {
			t.Errorf("%s has the form of a property: %t", name, !want)
		}
	}
}

func TestTypesThatGoTestKnows(t *testing.T) {
	pkg := typeCheck(t, "package p\n\ntype (\n\tS string\n\tB []byte\n\tU []uint8\n\tN []int\n\tA = string\n\tP *int\n\tC byte\n\tD []C\n)\n")
	for name, want := range map[string]struct {
		native  string
		convert bool
	}{
		"S": {"string", true}, "B": {"[]byte", true}, "U": {"[]byte", true}, "N": {"", false}, "A": {"string", false}, "P": {"", false},
		"C": {"byte", true}, "D": {"", false},
	} {
		got, convert := native(pkg.Scope().Lookup(name).Type())
		if got != want.native || convert != want.convert {
			t.Errorf("%s: %q, converted: %t; want %q, %t", name, got, convert, want.native, want.convert)
		}
	}
	for _, kind := range []types.BasicKind{types.Complex128, types.Uintptr, types.UnsafePointer} {
		if got, _ := native(types.Typ[kind]); got != "" {
			t.Errorf("%v is taken as %s", types.Typ[kind], got)
		}
	}
}

// Names of variables hide nothing that the call needs.
func TestLocalNamesHideNothing(t *testing.T) {
	pkg := typeCheck(t, "package p\n\ntype size int\n\nvar sizeArg int\n")
	w := &writer{pkg: pkg, names: make(map[string]bool), imports: make(map[string]string)}
	for _, c := range []struct{ name, want string }{
		{"n", "n"}, {"n", "nArg"}, {"n", "n2"}, {"size", "size2"}, {"len", "lenArg"}, {"err", "errArg"}, {"string", "stringArg"}, {"type", "typeArg"}, {"bytes", "bytesArg"},
	} {
		if got := w.local(c.name); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.name, got, c.want)
		}
	}
	if got := w.use("example.com/n"); got != "n3" {
		t.Errorf("a package is imported as %s", got)
	}
	if again := w.use("example.com/n"); again != "n3" {
		t.Errorf("and again as %s", again)
	}
	if got := w.use("example.com/size"); got != "size3" {
		t.Errorf("a package of a name that is declared is imported as %s", got)
	}
}

func TestErrorsNameTheFunction(t *testing.T) {
	pkg := typeCheck(t, "package p\n\nimport \"unsafe\"\n\ntype T struct{}\n\nfunc (t *T) Put(p unsafe.Pointer) {}\n")
	_, err := Write(function(pkg, "T.Put"), Options{Package: pkg})
	var e *Error
	if !errors.As(err, &e) || e.Function != "(*T).Put" || !strings.HasPrefix(err.Error(), "no fuzz test can be derived for (*T).Put: its argument p is of type unsafe.Pointer") {
		t.Errorf("got %v", err)
	}
}
