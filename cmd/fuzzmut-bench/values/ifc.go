package values

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// RunIFC measures how soon the strategies for structured inputs find the faults of the
// machines in testdata/ifc.
func RunIFC(args []string) error {
	fs := flag.NewFlagSet("ifc", flag.ContinueOnError)
	h := &faultHunt{build: func(work string) (string, error) {
		return buildTraced(work, filepath.Join("testdata", "ifc"), traced, "./testdata/ifc/run")
	}}
	fs.StringVar(&h.machine, "machine", "stack", "stack or register")
	h.flags(fs, "derived,blind,bytes,fuzzchick,mutagen,default,by-hand")
	if err := fs.Parse(args); err != nil {
		return err
	}
	return h.run()
}

// traced are the files of the machines that are traced: what is tested, and the
// property, but not what draws inputs.
var traced = map[string][]string{
	"stack":    {"machine.go", "rules.go", "property.go"},
	"register": {"machine.go", "step.go", "rules.go", "property.go"},
}

// buildTraced builds a program that makes runs, with calls of package trace at the
// start of each block of the traced files of the packages below a directory.
func buildTraced(work, dir string, traced map[string][]string, program string) (binary string, err error) {
	replace := make(map[string]string)
	for machine, files := range traced {
		block := 0
		for _, name := range files {
			path, err := filepath.Abs(filepath.Join(dir, machine, name))
			if err != nil {
				return "", err
			}
			to := filepath.Join(work, machine+"_"+name)
			n, err := traceFile(path, to, block)
			if err != nil {
				return "", err
			}
			block += n
			replace[path] = to
		}
	}
	overlay := filepath.Join(work, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", err
	}
	binary = filepath.Join(work, "run")
	return binary, command("go", "build", "-overlay", overlay, "-o", binary, program)
}

func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

var (
	counter     = regexp.MustCompile(`FuzzmutTrace\.Count\[(\d+)\]\+\+`)
	packageLine = regexp.MustCompile(`(?m)^package \w+`)
)

// addImport imports a package in the line of the package clause, so that all lines
// keep their numbers.
func addImport(source, path string) string {
	head := packageLine.FindStringIndex(source)
	return source[:head[1]] + fmt.Sprintf("; import %q", path) + source[head[1]:]
}

// traceFile writes a copy of a Go file with a call at the start of each block, and of
// each operand that && and || may leave out, from the number block on, and returns how
// many there are. The blocks are those that go tool cover counts.
func traceFile(path, to string, block int) (n int, err error) {
	text, err := traceOperands(path, block)
	if err != nil {
		return 0, err
	}
	n = strings.Count(text, "trace.Here(")
	if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
		return 0, err
	}
	out, err := exec.Command("go", "tool", "cover", "-mode=count", "-var=FuzzmutTrace", to).Output()
	if err != nil {
		return 0, fmt.Errorf("go tool cover %s: %w", path, err)
	}
	text = counter.ReplaceAllStringFunc(string(out), func(s string) string {
		n++
		return fmt.Sprintf("trace.Hit(%d)", block+n-1)
	})
	text = addImport(text, "github.com/fuzzmut/fuzzmut/testdata/hunt/trace")
	// The declaration of the counters, which is no longer used.
	if i := strings.Index(text, "var FuzzmutTrace = struct"); i >= 0 {
		text = text[:i]
	}
	text += fmt.Sprintf("func init() { trace.Used = max(trace.Used, %d) }\n", block+n)
	return n, os.WriteFile(to, []byte(text), 0o666)
}

// traceOperands returns the text of a Go file with a call around each right operand of
// && and ||: whether it is looked at is a branch, which go tool cover does not count.
func traceOperands(path string, block int) (string, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, 0)
	if err != nil {
		return "", err
	}
	var edits edit.List
	ast.Inspect(file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			lo, hi := fset.Position(b.Y.Pos()).Offset, fset.Position(b.Y.End()).Offset
			edits.Wrap(lo, hi, fmt.Sprintf("trace.Here(%d, ", block), ")")
			block++
		}
		return true
	})
	return string(edits.Render(src, 0, len(src))), nil
}
