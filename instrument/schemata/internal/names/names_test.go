package names_test

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/names"
)

func TestFresh(t *testing.T) {
	first := &names.Names{RT: "fuzzmutrt", Counters: "fuzzmutC", Slow: "fuzzmutS", Label: "_fuzzmut", Result: "fuzzmutR_", Data: "fuzzmutD_"}
	second := &names.Names{RT: "fuzzmutrt2", Counters: "fuzzmutC2", Slow: "fuzzmutS2", Label: "_fuzzmut2", Result: "fuzzmutR2_", Data: "fuzzmutD2_"}
	for _, c := range []struct {
		src  string
		want *names.Names
	}{
		{`var a int`, first},
		{`var fuzzmut, fuzzmutR, fuzzmutD, xfuzzmutR_ int`, first}, // near, but none of ours
		{`var fuzzmutrt int`, second},
		{`func f() { fuzzmutC := 1; _ = fuzzmutC }`, second}, // local, too
		{`type fuzzmutS int`, second},
		{`func f() { loop_fuzzmut: for { break loop_fuzzmut } }`, second},
		{`var fuzzmutR_7 int`, second},
		{`type t struct { fuzzmutD_0 int }`, second}, // a field hides nothing, but costs nothing to avoid
		{`var fuzzmutR2_1 int`, first},
	} {
		s := checked.Text(t, c.src)
		if got := names.Fresh(s.Info.Pkg, []*ast.File{s.Src.Syntax}); *got != *c.want {
			t.Errorf("%s: %+v, want %+v", c.src, *got, *c.want)
		}
	}
}

func TestFreshGoesOnUntilNothingCollides(t *testing.T) {
	s := checked.Text(t, `var fuzzmutrt, fuzzmutC2, fuzzmutR3_x, y_fuzzmut4 int`)
	if got := names.Fresh(s.Info.Pkg, []*ast.File{s.Src.Syntax}); got.RT != "fuzzmutrt5" {
		t.Errorf("%+v", *got)
	}
}

// What tests of the package declare is in its scope, but in none of the files given.
func TestFreshKnowsWhatOtherFilesDeclare(t *testing.T) {
	s := checked.Text(t, `var a int`)
	s.Info.Pkg.Scope().Insert(types.NewVar(0, s.Info.Pkg, "fuzzmutrt", types.Typ[types.Int]))
	if got := names.Fresh(s.Info.Pkg, []*ast.File{s.Src.Syntax}); got.RT != "fuzzmutrt2" {
		t.Errorf("%+v", *got)
	}
	if got := names.Fresh(s.Info.Pkg, nil); got.RT != "fuzzmutrt2" {
		t.Errorf("without files: %+v", *got)
	}
}
