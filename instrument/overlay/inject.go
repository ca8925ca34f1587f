package overlay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// hostPrefix is the runtime's import path in this repository, injectedPrefix the
// one in a test binary; both with the opening quote.
const (
	hostPrefix     = `"github.com/fuzzmut/fuzzmut/instrument/rt`
	injectedPrefix = `"fuzzmutrt`
)

// hooks maps the files of rt/hook to where they are injected, below GOROOT/src.
var hooks = map[string]string{
	"hook/testing.go.txt": "testing/fuzzmut_hook.go",
	"hook/loop.go.txt":    "fuzzmutrt/loop/fuzzmut_hook.go",
	"hook/start.go.txt":   "fuzzmutrt/fuzzmut_start.go",
}

// nativeHooks are those for the stock engine only.
var nativeHooks = map[string]string{
	"hook/native.go.txt": "fuzzmutrt/loop/fuzzmut_native.go",
}

// nativeCoverage gives the loop the stock engine's counters.
const nativeCoverage = `package fuzz

// FuzzmutCoverage returns the coverage counters that the engine watches.
func FuzzmutCoverage() []byte { return coverage() }
`

// injected returns the files that are put into GOROOT/src, by path. Their
// contents depend on fuzzmut and the toolchain only, but for the kill counters,
// so the build cache has them after the first run.
func injected(goroot string, native bool, mutants int) (map[string][]byte, error) {
	src := filepath.Join(goroot, "src")
	files := make(map[string][]byte)
	put := func(name string, text []byte) { files[filepath.Join(src, filepath.FromSlash(name))] = text }
	err := fs.WalkDir(fuzzmutrt.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		to := "fuzzmutrt/" + name
		if path.Dir(name) == "hook" {
			if to = hooks[name]; to == "" && native {
				to = nativeHooks[name]
			}
			if to == "" {
				return nil
			}
		} else if strings.HasSuffix(name, "_test.go") || name == "embed_host.go" {
			return nil
		}
		text, err := fs.ReadFile(fuzzmutrt.Source, name)
		put(to, bytes.ReplaceAll(text, []byte(hostPrefix), []byte(injectedPrefix)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the embedded runtime: %w", err)
	}
	for name, hook := range map[string]func(string) ([]byte, error){"fuzz.go": hookFuzz, "testing.go": hookLog} {
		hooked := filepath.Join(src, "testing", name)
		if files[hooked], err = hook(hooked); err != nil {
			return nil, err
		}
	}
	if native {
		put("internal/fuzz/fuzzmut_coverage.go", []byte(nativeCoverage))
		put("fuzzmutrt/kills/kills.go", killCounters(mutants))
		put("fuzzmutrt/loop/fuzzmut_kills.go", []byte("package loop\n\nimport _ \"fuzzmutrt/kills\"\n"))
	}
	return files, nil
}

// hookFuzz returns the text of package testing's fuzz.go with a hook at the head
// of F.Fuzz.
func hookFuzz(file string) ([]byte, error) {
	return atHead(file, "F", "Fuzz", func(f, ff string) string {
		return " if fuzzmutHook != nil { if " + ff + " = fuzzmutHook(" + f + ", " + ff + "); " + ff + " == nil { return } };"
	})
}

// hookLog returns the text of package testing's testing.go with a switch at the
// head of what T.Log and its kin come down to.
func hookLog(file string) ([]byte, error) {
	return atHead(file, "common", "log", func(_, _ string) string { return " if FuzzmutQuiet { return };" })
}

// atHead returns the text of file with a statement at the head of a method with
// one parameter, on the line where its body begins. stmt is given the names of
// receiver and parameter.
func atHead(file, recv, method string, stmt func(recv, param string) string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Name.Name != method || fd.Body == nil || !pointerTo(fd.Recv, recv) {
			continue
		}
		params := fd.Type.Params.List
		if len(params) != 1 || len(params[0].Names) != 1 {
			break
		}
		head := stmt(fd.Recv.List[0].Names[0].Name, params[0].Names[0].Name)
		at := fset.Position(fd.Body.Lbrace).Offset + 1
		return append(append(append([]byte(nil), text[:at]...), head...), text[at:]...), nil
	}
	return nil, fmt.Errorf("%s has no method %s.%s as fuzzmut knows it: this version of Go is not supported", file, recv, method)
}

// pointerTo says whether a method's receiver is named and a pointer to a type of
// that name.
func pointerTo(recv *ast.FieldList, name string) bool {
	if recv == nil || len(recv.List[0].Names) != 1 {
		return false
	}
	star, ok := recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == name
}

// killCounters returns package kills: a function with a piece of code per mutant,
// which the stock engine's instrumentation gives a counter each.
func killCounters(mutants int) []byte {
	var b bytes.Buffer
	b.WriteString("// Package kills turns kills into coverage for the stock engine.\npackage kills\n\nimport \"fuzzmutrt\"\n\n")
	b.WriteString("func init() { fuzzmutrt.KillHook = Kill }\n\n")
	b.WriteString("var last int\n\n")
	b.WriteString("// Kill runs the piece of code that belongs to mutant i.\nfunc Kill(i int) {\n\tswitch i {\n")
	for i := 1; i <= mutants; i++ {
		n := strconv.Itoa(i)
		b.WriteString("\tcase " + n + ":\n\t\tlast = " + n + "\n")
	}
	b.WriteString("\t}\n}\n")
	return b.Bytes()
}
