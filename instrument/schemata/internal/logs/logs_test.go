package logs_test

import (
	"go/ast"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/checked"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
)

func TestLogs(t *testing.T) {
	c := checked.Body(t, `
import (
	"fmt"
	"log"
	"os"
)

var verbose bool

func later(s string) { debug(s) } // declared before what it calls

func debug(s string) {
	if verbose {
		log.Print(s)
	}
}

func fatal(s string) { log.Fatal(s) }

func counts(s string) int { log.Print(s); return 1 }

func empty() {}
`, `later("a")
debug("b")
fatal("c")
counts("d")
empty()
fmt.Println("e")
fmt.Fprintf(os.Stderr, "f")
fmt.Fprintf(os.NewFile(3, ""), "g")
println("h")
fmt.Sprint("i")`)
	loggers := logs.Find(c.Info, []*ast.File{c.Src.Syntax})
	want := []bool{true, true, false, false, false, true, true, false, true, false}
	list := c.Func("body").Body.List
	for i, s := range list {
		if got := loggers.Logs(s.(*ast.ExprStmt).X.(*ast.CallExpr)); got != want[i] {
			t.Errorf("%s only logs: %v", c.Src.Node(s), got)
		}
	}
	if !loggers.Only(list[:2]) || loggers.Only(list[:3]) {
		t.Error("a list that only logs is mistaken")
	}
}
