package overlay

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// need says what a part of the hooks is to a build.
type need int

const (
	unused   need = iota // nothing is lost without it
	optional             // without it, something is lost that a warning names
	vital                // nothing works without it
)

// A part is one of the things that are added to package testing. Package testing
// changes with Go: a part that does not fit is left out, if the build can do without.
type part struct {
	name  string
	files map[string]string // of rt/hook, to where they are injected below GOROOT/src
	heads []head
	of    string // the name of the part that it can't do without; "" if there is none
	// fuzz and test say what it is to a build that fuzzes, and to one for the
	// package's own tests. Both have all parts, so that they share what is compiled.
	fuzz, test need
	lost       string // what does not work without it
}

// seeds is the name of the part that runs fuzz tests with their seeds.
const seeds = "seeds"

// parts are the hooks in package testing, each after the one that it belongs to.
var parts = []part{
	{
		name: "fuzzing", fuzz: vital, lost: "nothing can be fuzzed",
		files: map[string]string{"hook/testing.go.txt": "testing/fuzzmut_hook.go", "hook/loop.go.txt": "fuzzmutrt/loop/fuzzmut_hook.go"},
		heads: []head{{recv: "F", name: "Fuzz", self: true, param: "any", stmt: func(f, ff string) string {
			return " if fuzzmutHook != nil { if " + ff + " = fuzzmutHook(" + f + ", " + ff + "); " + ff + " == nil { return } };"
		}}},
	},
	{
		name: "tests", test: vital, lost: "the package's own tests can't be run with mutants",
		files: map[string]string{"hook/tests.go.txt": "testing/fuzzmut_tests.go", "hook/suite.go.txt": "fuzzmutrt/loop/fuzzmut_suite.go"},
		heads: []head{
			{recv: "M", name: "Run", self: true, stmt: func(m, _ string) string {
				return " if fuzzmutTakeOver(" + m + ") { return " + m + ".exitCode };"
			}},
			{name: "tRunner", param: "func(*T)", stmt: func(_, fn string) string {
				return " if fuzzmutRunning { " + fn + " = fuzzmutGuarded(" + fn + "); defer fuzzmutBegin()() };"
			}},
		},
	},
	{
		name: seeds, of: "tests", test: optional, lost: "fuzz tests are not run with their seeds among the package's own tests",
		files: map[string]string{"hook/testseeds.go.txt": "testing/fuzzmut_testseeds.go"},
	},
	{
		name: "failures", of: "tests", test: optional, lost: "a test that fails with a mutant runs to its end, which takes longer",
		heads: []head{{recv: "common", name: "Fail", self: true, stmt: func(c, _ string) string { return " fuzzmutFail(" + c + ");" }}},
	},
	{
		name: "logging", fuzz: optional, test: optional, lost: "T.Log and similar calls are not suppressed, so tests that log a lot take more time and memory",
		heads: []head{{recv: "common", name: "log", stmt: func(_, _ string) string { return " if fuzzmutMuted() { return };" }}},
	},
	{
		name: "call sites", fuzz: optional, test: optional, lost: "T.Log and similar calls take longer to find out where they were called",
		files: map[string]string{"hook/callsite.go.txt": "testing/fuzzmut_callsite.go"},
		heads: []head{{recv: "common", name: "frameSkip", self: true, param: "int", stmt: func(c, skip string) string {
			return " if frame, ok := fuzzmutSite(" + c + ", " + skip + "); ok { return frame };"
		}}},
	},
}

// need says what the part is to a build.
func (p *part) need(tests bool) need {
	if tests {
		return p.test
	}
	return p.fuzz
}

// A head is a statement that is put at the head of a function of package testing, on
// the line where its body begins. The function is known by its name and receiver; its
// parameters and results may change, as long as there is the one that the statement
// needs.
type head struct {
	recv, name string // of the function; recv is the type, or the type pointed to, "" for none
	self       bool   // the statement needs the receiver, a pointer
	param      string // the type of the parameter that the statement needs, "" for none
	stmt       func(self, param string) string
}

// function is what the head is put into, for people.
func (h *head) function() string {
	if h.recv == "" {
		return h.name
	}
	return "(*" + h.recv + ")." + h.name
}

// A place is a line of package testing.
type place struct {
	file string // absolute, in GOROOT
	line int
}

// hooked is package testing with the hooks.
type hooked struct {
	files map[string][]byte // the rewritten ones, by path
	at    map[place]string  // the names of the parts whose heads stand on lines
	lost  map[string]string // by the name of the part, why it does not fit
}

// without returns the names of parts left out and why, those that need others included.
func without(left map[string]string) map[string]string {
	all := make(map[string]string)
	for _, p := range parts {
		if why, ok := left[p.name]; ok {
			all[p.name] = why
		} else if why, ok := all[p.of]; ok {
			all[p.name] = why
		}
	}
	return all
}

// hookTesting puts the heads into the source of package testing in dir, but for those of
// the parts left out.
func hookTesting(dir string, left map[string]string) (*hooked, error) {
	src, err := parseTesting(dir)
	if err != nil {
		return nil, err
	}
	h := &hooked{files: make(map[string][]byte), at: make(map[place]string), lost: without(left)}
	for _, p := range parts {
		for i := range p.heads {
			if _, err := src.find(&p.heads[i]); err != nil && h.lost[p.name] == "" {
				h.lost[p.name] = err.Error()
			}
		}
	}
	h.lost = without(h.lost)
	edits := make(map[string]*edit.List)
	for _, p := range parts {
		if h.lost[p.name] != "" {
			continue
		}
		for i := range p.heads {
			f, err := src.find(&p.heads[i])
			if err != nil {
				return nil, err
			}
			if edits[f.file] == nil {
				edits[f.file] = new(edit.List)
			}
			edits[f.file].Insert(f.offset, p.heads[i].stmt(f.self, f.param))
			h.at[place{f.file, f.line}] = p.name
		}
	}
	for file, list := range edits {
		h.files[file] = list.Render(src.text[file], 0, len(src.text[file]))
	}
	return h, nil
}

// testingSource is package testing without its tests.
type testingSource struct {
	fset  *token.FileSet
	text  map[string][]byte // by path
	files []*ast.File
}

func parseTesting(dir string) (*testingSource, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("reading package testing: %w", err)
	}
	s := &testingSource{fset: token.NewFileSet(), text: make(map[string][]byte)}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if s.text[path], err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("reading package testing: %w", err)
		}
		f, err := parser.ParseFile(s.fset, path, s.text[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading package testing: %w", err)
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

// found is where a head goes, and the names that its statement uses.
type found struct {
	file         string
	offset, line int
	self, param  string
}

// find finds the function that h is for. The error says how it is not as h needs it.
func (s *testingSource) find(h *head) (found, error) {
	for _, f := range s.files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Name.Name != h.name || fd.Body == nil {
				continue
			}
			recv, pointer := receiver(fd)
			if recv != h.recv {
				continue
			}
			at := s.fset.Position(fd.Body.Lbrace)
			to := found{file: at.Filename, offset: at.Offset + 1, line: at.Line}
			if h.self {
				if to.self = nameOf(fd.Recv.List[0].Names); to.self == "" || !pointer {
					return found{}, fmt.Errorf("%s of its package testing names no receiver that is a pointer", h.function())
				}
			}
			if h.param != "" {
				if to.param = s.parameter(fd, h.param); to.param == "" {
					return found{}, fmt.Errorf("%s of its package testing names no parameter of type %s", h.function(), h.param)
				}
			}
			return to, nil
		}
	}
	return found{}, fmt.Errorf("its package testing has no %s", h.function())
}

// receiver returns the name of the type of a method's receiver, "" for a function.
func receiver(fd *ast.FuncDecl) (name string, pointer bool) {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return "", false
	}
	t := fd.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t, pointer = star.X, true
	}
	id, ok := t.(*ast.Ident)
	if !ok {
		return "?", pointer
	}
	return id.Name, pointer
}

// parameter returns the name of the first parameter of that type.
func (s *testingSource) parameter(fd *ast.FuncDecl, typ string) string {
	for _, p := range fd.Type.Params.List {
		if s.typeText(p.Type) == typ {
			return nameOf(p.Names)
		}
	}
	return ""
}

// typeText writes a type in one way: without the names of parameters, and any for the
// empty interface.
func (s *testingSource) typeText(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.FuncType:
		var in []string
		for _, p := range t.Params.List {
			in = append(in, slices.Repeat([]string{s.typeText(p.Type)}, max(1, len(p.Names)))...)
		}
		text := "func(" + strings.Join(in, ", ") + ")"
		if t.Results != nil {
			text += " with results"
		}
		return text
	case *ast.InterfaceType:
		if t.Methods.NumFields() == 0 {
			return "any"
		}
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, s.fset, t); err != nil {
		return ""
	}
	return b.String()
}

// nameOf returns the first name, "" if there is none that can be used.
func nameOf(names []*ast.Ident) string {
	if len(names) == 0 || names[0].Name == "_" {
		return ""
	}
	return names[0].Name
}

// hookState is what a builder knows of the parts.
type hookState struct {
	left  map[string]string // parts left out since they did not compile, and why
	lost  map[string]string // those, and parts that were not placed
	files map[string]string // by the path of the file that the overlay puts in, the part; "" for what belongs to none
	at    map[place]string  // the parts whose heads stand in such a file
}

// begin begins a round.
func (h *hookState) begin(in *injection) {
	h.lost, h.files, h.at = in.lost, make(map[string]string), make(map[place]string)
}

// add notes that the overlay puts the file to in for path.
func (h *hookState) add(in *injection, path, to string) {
	if _, ok := in.files[path]; !ok {
		return
	}
	h.files[to] = in.parts[path]
	for p, name := range in.at {
		if p.file == path {
			h.at[place{to, p.line}] = name
		}
	}
}

// checkParts returns an error if a part is lost that the build can't do without.
func (b *builder) checkParts(lost map[string]string) error {
	for _, p := range parts {
		if why := lost[p.name]; why != "" && p.need(b.cfg.Tests) == vital {
			return b.unsupported(fmt.Sprintf("%s; as a result, %s", why, p.lost))
		}
	}
	return nil
}

// leaveOut notes the parts that did not compile, by what the go command says. It reports
// whether there are any that were not known. Without some of them there is no build.
func (b *builder) leaveOut(text string) (progress bool, err error) {
	for _, e := range errorLines(b.tool.Dir, text) {
		name, ok := b.hooks.at[place{e.file, e.line}]
		if !ok {
			name = b.hooks.files[e.file]
		}
		if name == "" || b.hooks.left[name] != "" {
			continue
		}
		if b.hooks.left == nil {
			b.hooks.left = make(map[string]string)
		}
		b.hooks.left[name] = fmt.Sprintf("the code added to its package testing does not compile: %s:%d: %s", b.inRoot(e.file), e.line, e.msg)
		progress = true
	}
	return progress, b.checkParts(without(b.hooks.left))
}

// inRoot returns where a file that the overlay puts in seems to be, below GOROOT/src.
func (b *builder) inRoot(file string) string {
	rel, err := filepath.Rel(filepath.Join(b.cfg.Loaded.Toolchain.Root, "src"), b.origin[file])
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// lost lists the warnings about parts left out.
func (b *builder) lost() []string {
	var list []string
	for _, p := range parts {
		if why := b.hooks.lost[p.name]; why != "" && p.need(b.cfg.Tests) == optional {
			list = append(list, fmt.Sprintf("%s is not fully supported: %s: %s", b.tool.Version, why, p.lost))
		}
	}
	return list
}

// noSeeds says why a binary for the package's own tests does not run fuzz tests; "" if
// it does.
func (b *builder) noSeeds() string {
	for _, p := range parts {
		if why := b.hooks.lost[p.name]; why != "" && p.name == seeds && b.cfg.Tests {
			return b.unsupported(fmt.Sprintf("%s: %s", why, p.lost)).Error()
		}
	}
	return ""
}

// hookLine returns the first line of what the go command says that is about what fuzzmut
// adds to GOROOT, "" if none is.
func (b *builder) hookLine(text string) string {
	for _, e := range errorLines(b.tool.Dir, text) {
		if _, ok := b.hooks.files[e.file]; ok {
			return fmt.Sprintf("%s:%d: %s", b.inRoot(e.file), e.line, e.msg)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line) // of the linker
		if strings.Contains(line, "fuzzmutrt") && !strings.HasPrefix(line, "# ") && !errorPattern.MatchString(line) {
			return line
		}
	}
	return ""
}

// unsupported is the error for a toolchain without what fuzzmut needs.
func (b *builder) unsupported(why string) error {
	language := ""
	for _, p := range b.cfg.Loaded.Packages {
		if p.ImportPath == b.cfg.Loaded.Test.ImportPath && p.Types != nil {
			language = p.Types.GoVersion()
		}
	}
	return b.cfg.Loaded.Toolchain.Unsupported(why, language)
}
