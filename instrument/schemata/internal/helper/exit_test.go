package helper_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
)

// TestExit: only a call that surely ends the process, and whose arguments can be handed
// over with the function, has a helper that stands in for it.
func TestExit(t *testing.T) {
	for call, want := range map[string]string{
		`os.Exit(1)`:             "Exit",
		`log.Fatal("a", 1)`:      "Fatal",
		`log.Fatalln("a")`:       "Fatal",
		`log.Fatalf("%d", 1)`:    "Fatalf",
		`logger.Fatalf("%d", 1)`: "Fatalf",
		`log.Fatal()`:            "", // nothing that could follow the function
		`log.Fatal(two())`:       "", // one more argument can't be beside two results
		`log.Panic("a")`:         "",
		`own.Exit(1)`:            "",
		`Exit(1)`:                "",
		`exit(1)`:                "", // a variable that holds the function
		`(os.Exit)(1)`:           "",
		`func(int) {}(1)`:        "",
	} {
		c := checked.Text(t, `import ("log"; "os"); func f() { `+call+` }
type t struct{}; func (t) Exit(int) {}; func Exit(int) {}; func two() (int, int)
var ( own t; exit = os.Exit; logger *log.Logger; _ = log.Print )`)
		e := checked.First[*ast.ExprStmt](c, "").X.(*ast.CallExpr)
		if got := helper.Exit(c.Info, e); got != want {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}
