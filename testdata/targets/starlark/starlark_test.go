package starlark

import (
	"errors"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

func FuzzResolve(f *testing.F) {
	for _, s := range []string{
		"x = 1 + 2 * 3\n",
		"def f(a, b=2, *args, **kwargs):\n    return a + b\n",
		"for i in range(10):\n    if i % 2 == 0:\n        continue\n    elif i > 5:\n        break\n    else:\n        pass\n",
		"load(\"mod.star\", \"a\", b = \"c\")\n",
		"y = [x * x for x in range(5) if x > 1]\n",
		"d = {\"a\": 1, \"b\": [2, 3], (1, 2): None}\n",
		"s = 'it''s' + \"\\n\\x41\\u00e9\" + r\"\\d\" + b\"bytes\"\n",
		"t = \"\"\"long\nstring\"\"\"\n",
		"f = lambda x, *y: x if y else -x\n",
		"a, (b, c) = 1, (2, 3)\nb += a; c //= 2\n",
		"x = d[\"a\"][1:2:3].append(0xff | 0o17 & 0b11 ^ ~1)\n",
		"def outer():\n    n = 0\n    def inner():\n        return n\n    return inner\n",
		"while True:\n    break\n",
		"x = not a in b and c not in d or e != f\n",
		"f(1, *args, k=2, **kw)\n",
		"1.5e3 + .5 + 1 << 70\n",
		"# comment\nx = (  # inner\n    1,\n)\n",
		"return 1\n",
		"def f(a, a): pass\n",
		"x = undefined\n",
		"  indented\n",
		"if x:\n\ty\n  z\n",
		"(", "'unterminated",
	} {
		f.Add(s)
	}
	opts := &syntax.FileOptions{Set: true, While: true, TopLevelControl: true, GlobalReassign: true}
	f.Fuzz(func(t *testing.T, src string) {
		file, err := opts.Parse("fuzz.star", src, syntax.RetainComments)
		if err != nil {
			var serr syntax.Error
			if !errors.As(err, &serr) || !serr.Pos.IsValid() {
				t.Errorf("error without a position: %v", err)
			}
			return
		}
		checkSpans(t, file)
		err = resolve.File(file, isPredeclared, isUniversal)
		var list resolve.ErrorList
		if err != nil && (!errors.As(err, &list) || len(list) == 0) {
			t.Errorf("unexpected kind of error: %v", err)
		}
		for _, e := range list {
			if !e.Pos.IsValid() || e.Msg == "" {
				t.Errorf("incomplete error %v", e)
			}
		}
	})
}

func isPredeclared(name string) bool { return name == "a" || name == "args" || name == "kw" }

func isUniversal(name string) bool {
	switch name {
	case "None", "True", "False", "range", "len", "set", "d":
		return true
	}
	return false
}

// checkSpans checks the span of each statement and expression in file.
func checkSpans(t *testing.T, file *syntax.File) {
	t.Helper()
	for _, stmt := range file.Stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if n == nil {
				return true
			}
			if start, end := n.Span(); before(end, start) {
				t.Errorf("%T spans from %v to %v", n, start, end)
			}
			return true
		})
	}
}

func before(a, b syntax.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
}
