package stored

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// facts reads the body of a function with parameters s, n, p, text and an error as second result.
func facts(t *testing.T, results, body string) (f *Facts, info *types.Info, file *ast.File, src string) {
	t.Helper()
	src = "package p\n\nimport \"io\"\n\nvar _ = io.EOF\n\nfunc get(n *int) (int, error) { return *n, io.EOF }\n\nfunc keep(...any) {}\n\nfunc f[E any, A [2]int | [3]int](s []int, n int, p *int, text string) " + results + " {\n" + body + "\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	conf := types.Config{Importer: importer.Default(), Error: func(err error) {
		if !strings.Contains(err.Error(), "declared and not used") {
			t.Errorf("%v\n%s", err, src)
		}
	}}
	_, _ = conf.Check("p", fset, []*ast.File{file}, info) // errors are reported to Error
	return Find(info, file), info, file, src
}

// A statement is unread if no way from it leads to where what it stores is read. Those that are, are
// marked by a comment.
func TestUnread(t *testing.T) {
	for name, body := range map[string]string{
		"before a return":            "i := 1\nkeep(i)\nif n > 1 {\ni = 2 // unread\nreturn 1, nil\n}\ni = 3\nkeep(i)\nreturn 0, nil",
		"read in the next round":     "i := 0\nfor n > 0 {\nkeep(i)\ni = n\nn = 0\n}\nreturn 0, nil",
		"set in each round":          "i := 0 // unread\nfor ; n > 0; n-- {\ni = 2\nkeep(i)\ni = 3 // unread\n}\nreturn 0, nil",
		"overwritten":                "i := 0 // unread\nif n > 0 {\ni = 1\n} else {\ni = 2\n}\nkeep(i)\nreturn 0, nil",
		"overwritten on one way":     "i := 0\nif n > 0 {\ni = 1\n}\nkeep(i)\nreturn 0, nil",
		"read by a function":         "i := 0\ndefer func() { keep(i) }()\ni = 2\nreturn 0, nil",
		"read through a pointer":     "i := 0\nq := &i\ni = 2\nkeep(q)\nreturn 0, nil",
		"a call":                     "i, _ := get(p)\nkeep(i)\ni = len(s)\nreturn 0, nil",
		"a parameter":                "n = 3 // unread\nreturn 0, nil",
		"what may panic":             "i := 1\nkeep(i)\ni = n / 2\ni = s[0]\ni = n + 1\nreturn 0, nil",
		"a truth":                    "ok := n > 1\nkeep(ok)\nok = n > 2 && ok // unread\nreturn 0, nil",
		"a step":                     "keep(n)\nn++ // unread\nreturn 0, nil",
		"read by a switch":           "i := 0 // unread\nswitch i = 2; {\ncase i > n:\nreturn 1, nil\n}\ni = 3 // unread\nreturn 0, nil",
		"read after a label":         "i := 0\nagain:\nkeep(i)\nif n > 0 {\nn, i = 0, 4\ngoto again\n}\nreturn 0, nil",
		"read after a fallthrough":   "i := 0\nswitch n {\ncase 1:\ni = 2\nfallthrough\ncase 2:\nkeep(i)\n}\nreturn 0, nil",
		"several at once":            "i, k := 0, 0\nkeep(i, k)\ni, k = 1, 2 // unread\ni, k = 3, 4\nkeep(k)\nreturn 0, nil",
		"of a range":                 "i := 0\nfor i = range s {\n}\ni = 2\nreturn 0, nil",
		"before a panic":             "i := 1\nkeep(i)\nif n > 1 {\ni = 2 // unread\npanic(n)\n}\nkeep(i)\nreturn 0, nil",
		"in a function literal":      "func() {\ni := 1\nkeep(i)\ni = 2 // unread\n}()\nreturn 0, nil",
		"a field":                    "var v struct{ a int }\nv.a = 1\nreturn 0, nil",
		"an element":                 "s[0] = 1\nreturn 0, nil",
		"read by a communication":    "c := make(chan int)\ni := 1\nselect {\ncase c <- i:\ncase <-c:\n}\ni = 2 // unread\nreturn 0, nil",
		"set by a communication":     "c := make(chan int)\ni := 1\nselect {\ncase i = <-c:\ndefault:\n}\nkeep(i)\nreturn 0, nil",
		"read by an inner statement": "i := 1\nfor k := i; k < n; k++ {\ni = k\nif n > 2 {\ncontinue\n}\nkeep(i)\n}\nreturn 0, nil",
	} {
		f, _, file, src := facts(t, "(int, error)", body)
		begin := file.FileStart
		for line, text := range strings.SplitAfter(src, "\n") {
			code := strings.TrimSpace(text)
			if f.Unread(begin) != strings.HasSuffix(code, "// unread") && code != "" {
				t.Errorf("%s: line %d %q: unread %v", name, line+1, code, f.Unread(begin))
			}
			begin += token.Pos(len(text))
		}
	}
}

// A variable is zero at a return if all ways there make it so.
func TestZeroAtReturns(t *testing.T) {
	for name, c := range map[string]struct {
		results, body string
		want          string // by return
	}{
		"handled before":              {"(int, error)", "i, err := get(p)\nif err != nil {\nreturn 0, err\n}\nreturn i, err", "no yes"},
		"made nil on one way":         {"(int, error)", "i, err := get(p)\nif err == io.EOF {\nerr = nil\n} else if err != nil {\nreturn 0, err\n}\nreturn i, err", "no yes"},
		"not handled on one":          {"(int, error)", "i, err := get(p)\nif n > 0 {\nerr = nil\n}\nreturn i, err", "no"},
		"set again":                   {"(int, error)", "i, err := get(p)\nif err != nil {\nreturn 0, err\n}\ni, err = get(p)\nreturn i, err", "no no"},
		"never set":                   {"(int, error)", "var err error\nreturn n, err", "yes"},
		"set in a round":              {"(int, error)", "var err error\nfor n > 0 {\nn, err = get(p)\n}\nreturn n, err", "no"},
		"left at once":                {"(int, error)", "var err error\nfor n > 0 {\nif n, err = get(p); err != nil {\nreturn n, err\n}\n}\nreturn n, err", "no yes"},
		"and another condition":       {"(int, error)", "_, err := get(p)\nif err == nil && n > 0 {\nreturn 1, err\n}\nreturn n, err", "yes no"},
		"or another condition":        {"(int, error)", "_, err := get(p)\nif err != nil || n > 0 {\nreturn 1, err\n}\nreturn n, err", "no yes"},
		"set by a function":           {"(int, error)", "var err error\nfunc() { _, err = get(p) }()\nreturn n, err", "no"},
		"set through a pointer":       {"(int, error)", "var err error\nkeep(&err)\nreturn n, err", "no"},
		"set by a range":              {"(int, error)", "var err error\nfor _, err = range []error{io.EOF} {\nreturn 1, err\n}\nreturn n, err", "no no"},
		"a nil pointer as an error":   {"(int, error)", "var err error = (*fault)(nil)\nreturn n, err", "no"},
		"a tagless switch":            {"(int, error)", "_, err := get(p)\nswitch {\ncase err != nil:\nreturn 1, err\ncase n > 2:\nreturn 2, err\n}\nreturn n, err", "no yes yes"},
		"a switch":                    {"(int, error)", "_, err := get(p)\nswitch err {\ncase nil:\nreturn 1, err\n}\nreturn n, err", "no no"},
		"a tag that is no condition":  {"(int, error)", "_, err := get(p)\nswitch n > 1 {\ncase err == nil:\nreturn 1, err\n}\nreturn n, err", "no no"},
		"a condition turned round":    {"(int, error)", "_, err := get(p)\nif !(err != nil) {\nreturn 1, err\n}\nreturn n, err", "yes no"},
		"a named result":              {"(i int, err error)", "if n > 0 {\nreturn\n}\ni, err = get(p)\nreturn", "yes no"},
		"a named result and deferred": {"(i int, err error)", "defer func() { err = io.EOF }()\nreturn", "no"},
		"a number":                    {"(any, int)", "var i int\nif n == 0 {\nreturn nil, n\n}\ni++\nif n > 1 {\nreturn nil, i\n}\ni = 0\nreturn nil, i", "yes no yes"},
		"a number that is added to":   {"(any, int)", "i := 0\ni += 0\nreturn nil, i", "no"},
		"a fraction":                  {"(any, float64)", "x := 0.0\nif n > 1 {\nreturn nil, x\n}\nx *= 2\nreturn nil, x", "yes no"},
		"a fraction that is compared": {"(any, float64)", "x := float64(n)\nif x == 0 {\nreturn nil, x\n}\nreturn nil, x", "no no"},
		"of any type":                 {"(v E, w E)", "if n > 0 {\nreturn v, w\n}\nw = v\nreturn v, w", "yes no"},
		"of an array of any type":     {"(v A, w A)", "if n > 0 {\nw[0] = 1\n}\nreturn v, w", "no"},
		"a number in an interface":    {"(any, any)", "var x any = 0\nreturn nil, x", "no"},
		"a truth":                     {"(any, bool)", "ok := n > 2\nif !ok {\nreturn nil, ok\n}\nreturn nil, ok", "yes no"},
		"a text":                      {"(any, string)", "x := \"a\"\nif x == \"\" || n > 2 {\nreturn nil, x\n}\nx = \"\"\nreturn nil, x", "no yes"},
		"another constant":            {"(any, int)", "if n == 1 {\nreturn nil, n\n}\nn = 2\nreturn nil, n", "no no"},
		"of a communication":          {"(any, int)", "i := 0\nc := make(chan int)\nselect {\ncase i = <-c:\nreturn nil, i\ncase i, _ = <-c:\n}\nreturn nil, i", "no no"},
		"after a panic":               {"(int, error)", "_, err := get(p)\nif err != nil {\npanic(err)\n}\nreturn n, err", "yes"},
	} {
		f, info, file, _ := facts(t, c.results, strings.ReplaceAll(c.body, "(*fault)(nil)", "error((*io.PipeReader)(nil).CloseWithError(nil))"))
		var got []string
		fn := file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			ret, ok := n.(*ast.ReturnStmt)
			if !ok {
				return true
			}
			var v types.Object
			if len(ret.Results) > 0 {
				v = info.Uses[ret.Results[1].(*ast.Ident)]
			} else {
				v = info.Defs[fn.Type.Results.List[1].Names[0]]
			}
			got = append(got, map[bool]string{true: "yes", false: "no"}[f.Zero(ret, v)])
			return true
		})
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", name, s, c.want)
		}
	}
}

// A constant for a variable that has it already changes nothing.
func TestWhatIsThereAlready(t *testing.T) {
	for name, body := range map[string]string{
		"a truth":                "match := true\nfor n > 0 {\nif n == 3 {\nmatch = true // same\nbreak\n}\nif n == 4 {\nmatch = false\nbreak\n}\nn--\n}\nkeep(match)\nreturn 0, nil",
		"lost":                   "match := true\nfor n > 0 {\nif n == 3 {\nmatch = true\n}\nif n == 4 {\nmatch = false\n}\nn--\n}\nkeep(match)\nreturn 0, nil",
		"by condition":           "ok := n > 3\nif ok {\nok = true // same\n} else {\nok = true\n}\nkeep(ok)\nreturn 0, nil",
		"a number":               "i := 'a'\nif n > 0 {\ni = 97 // same\n}\nkeep(i)\ni++\ni = 97\nkeep(i)\nreturn 0, nil",
		"another":                "i := 1\nif n > 0 {\ni = 2\n}\ni = 1\nkeep(i)\nreturn 0, nil",
		"a number, in two types": "i, b := 1, byte(1)\ni = 1.0 // same\nb = 1 // same\nkeep(i, b)\nreturn 0, nil",
		"compared":               "if n == 3 {\nn = 3 // same\n} else {\nn = 3\n}\nif n != 4 {\nn = 4\n}\nn = 4 // same\nkeep(n)\nreturn 0, nil",
		"a text":                 "x := \"a\"\nx += \"\"\nx = \"a\"\nx = \"a\" // same\nkeep(x)\nreturn 0, nil",
		"a fraction":             "x, y := 1.5, float32(0.1)\nx = 1.5 // same\ny = 0.1 // same\ny = 0.2\nvar z float64\nz = 0 // same\nz = -z\nz = 0\nkeep(x, y, z)\nreturn 0, nil",
		"in an interface":        "var x any = 1\nx = 1\nkeep(x)\nreturn 0, nil",
		"of a range":             "i := 1\nfor i = range s {\n}\ni = 1\nkeep(i)\nreturn 0, nil",
		"declared":               "var i int\ni = 0 // same\nkeep(i)\ni = 1\ni = 0\nkeep(i)\nreturn 0, nil",
		"on one way":             "sign := \"\"\nif n > 0 {\nsign = \"-\"\n}\nsign = \"\"\nkeep(sign)\nreturn 0, nil",
		"on each way":            "sign := \"\"\nif n > 0 {\nsign = \"\" // same\n} else {\nsign = \"-\"\n}\nkeep(sign)\nreturn 0, nil",
		"in a round":             "i := 0\nfor ; n > 0; n-- {\ni = 0\nkeep(i)\ni += n\n}\nreturn 0, nil",
		"of a function":          "i := 0\ndefer func() { i = 2 }()\ni = 0\nreturn 0, nil",
		"with a call":            "i := 0\ni, _ = 0, len(s)\nkeep(i)\nreturn 0, nil",
		"what is nil":            "p = nil\np = nil // same\nkeep(p)\nreturn 0, nil",
		"another type":           "var x any\nx = 0\nkeep(x)\nx = nil\nx = nil // same\nreturn 0, nil",
		"several":                "i, k := 0, 1\ni, k = 0, 0\ni, k = 0, 0 // same\nkeep(i, k)\nreturn 0, nil",
	} {
		f, _, file, src := facts(t, "(int, error)", body)
		lines := strings.Split(src, "\n")
		at := func(pos token.Pos) string { return lines[strings.Count(src[:int(pos-file.FileStart)], "\n")] }
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.AssignStmt); ok && f.Same(s) != strings.HasSuffix(at(s.Pos()), "// same") {
				t.Errorf("%s: %q: same %v", name, at(s.Pos()), f.Same(s))
			}
			return true
		})
	}
}
