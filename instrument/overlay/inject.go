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

	"github.com/fuzzmut/fuzzmut/instrument/edit"
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
	"hook/tests.go.txt":   "testing/fuzzmut_tests.go",
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
	for name, heads := range testingHeads {
		hooked := filepath.Join(src, "testing", name)
		if files[hooked], err = atHeads(hooked, heads); err != nil {
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

// A head is a statement that is put at the head of a function, on the line where
// its body begins.
type head struct {
	recv, name string // of the function; recv is the type pointed to, "" for none
	params     int
	// stmt is given the names of the receiver, if there is one, and of the
	// parameters.
	stmt func(names []string) string
}

// testingHeads are the hooks in the files of package testing: F.Fuzz and M.Run
// can be taken over, tests that panic fail, failures are told, and what T.Log and
// its kin come down to can be switched off.
var testingHeads = map[string][]head{
	"fuzz.go": {{"F", "Fuzz", 1, func(n []string) string {
		return " if fuzzmutHook != nil { if " + n[1] + " = fuzzmutHook(" + n[0] + ", " + n[1] + "); " + n[1] + " == nil { return } };"
	}}},
	"testing.go": {
		{"common", "log", 1, func([]string) string { return " if fuzzmutMuted() { return };" }},
		{"common", "Fail", 0, func(n []string) string { return " fuzzmutFail(" + n[0] + ");" }},
		{"M", "Run", 0, func(n []string) string {
			return " if fuzzmutTakeOver(" + n[0] + ") { return " + n[0] + ".exitCode };"
		}},
		{"", "tRunner", 2, func(n []string) string {
			return " if fuzzmutRunning { " + n[1] + " = fuzzmutGuarded(" + n[1] + ") };"
		}},
	},
}

// atHeads returns the text of file with statements at the heads of functions.
func atHeads(file string, heads []head) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	var edits edit.List
	for _, h := range heads {
		fd, names := h.find(f)
		if fd == nil {
			return nil, fmt.Errorf("%s has no function %s as fuzzmut knows it: this version of Go is not supported", file, h.name)
		}
		edits.Insert(fset.Position(fd.Body.Lbrace).Offset+1, h.stmt(names))
	}
	return edits.Render(text, 0, len(text)), nil
}

// find returns the function that h is for, with the names of its receiver and
// parameters, nil if there is none of that shape.
func (h *head) find(f *ast.File) (*ast.FuncDecl, []string) {
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Name.Name != h.name || fd.Body == nil || (fd.Recv == nil) != (h.recv == "") {
			continue
		}
		var names []string
		if fd.Recv != nil {
			if !pointerTo(fd.Recv, h.recv) {
				continue
			}
			names = append(names, fd.Recv.List[0].Names[0].Name)
		}
		for _, p := range fd.Type.Params.List {
			for _, n := range p.Names {
				names = append(names, n.Name)
			}
		}
		fields := fd.Recv.NumFields() + fd.Type.Params.NumFields()
		if fd.Type.Params.NumFields() == h.params && len(names) == fields {
			return fd, names
		}
	}
	return nil, nil
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
