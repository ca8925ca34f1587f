package schemata

import (
	"strings"
	"testing"
)

// Where there are no mutants, calls that burn fuel are all that is rewritten.
func TestRewriteCosts(t *testing.T) {
	c := checker{imports: stdTypes(t)}
	in, errs := c.check("p", map[string][]byte{
		"/p/a.go": []byte("package p\n\nimport (\n\t\"math/big\"\n\t\"strings\"\n)\n\nvar line = strings.Repeat(\"-\", 3)\n\n// Ten is a power.\nfunc Ten(n int64) string {\n\treturn strings.Repeat(new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil).String(), len(line))\n}\n"),
		"/p/b.go": []byte("package p\n\nfunc one() int { return 1 }\n"),
	})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	files, err := RewriteCosts(in)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %d files", err, len(files))
	}
	text := string(files["/p/a.go"])
	if n := strings.Count(text, ".Repeat(strings.Repeat, "); n != 2 || !strings.Contains(text, ".Exp(new(big.Int).Exp, big.NewInt(10), ") || strings.Contains(text, "Fuel") {
		t.Errorf("rewritten:\n%s", text)
	}
	if errs := c.recheck(in, &Output{Files: files, GenName: "gen.go", Gen: []byte("package p\n")}); len(errs) > 0 {
		t.Errorf("rewritten: %v\n%s", errs, text)
	}
}
