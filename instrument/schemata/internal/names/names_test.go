package names_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/names"
)

func TestFresh(t *testing.T) {
	for declaration, suffix := range map[string]string{
		"var x int": "", "var fuzzmutrt int": "2", "var fuzzmutC, fuzzmutS2 int": "3", "var fuzzmutR_1 int": "2",
		"func f() { goto end_fuzzmut; end_fuzzmut: }": "2", "type fuzzmutD_ int": "2", "var fuzzmutrtx int": "",
	} {
		c := checked.File(t, "package p\n"+declaration+"\n")
		n := names.Fresh(c.Info.Pkg, []*ast.File{c.Src.Syntax})
		want := names.Names{
			RT: "fuzzmutrt" + suffix, Counters: "fuzzmutC" + suffix, Slow: "fuzzmutS" + suffix,
			Label: "_fuzzmut" + suffix, Result: "fuzzmutR" + suffix + "_", Data: "fuzzmutD" + suffix + "_",
		}
		if *n != want {
			t.Errorf("beside %s: %+v", declaration, *n)
		}
	}
}
