package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
)

// root is the root of the repository, from here.
var root = filepath.Join("..", "..")

// document returns a file of the root.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// part returns what a document says below a heading of the second level.
func part(t *testing.T, text, heading string) string {
	t.Helper()
	_, after, ok := strings.Cut(text, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("there is no heading %q", heading)
	}
	before, _, _ := strings.Cut(after, "\n## ")
	return before
}

// block returns the lines of the first code block of a text.
func block(t *testing.T, text string) []string {
	t.Helper()
	_, after, ok := strings.Cut(text, "\n```\n")
	inside, _, closed := strings.Cut(after, "```\n")
	if !ok || !closed {
		t.Fatalf("there is no code block in %q", text)
	}
	return strings.Split(strings.TrimSuffix(inside, "\n"), "\n")
}

// folder is where a package of this module lies, from the root.
func folder(importPath string) string {
	return path.Clean("./" + strings.TrimPrefix(importPath+"/", module))
}

// folders reads a tree of folders, each on a line with what it is for, and those that
// are in another indented by two more spaces.
func folders(lines []string) (about map[string]string, odd []string) {
	about = make(map[string]string)
	var above []string
	for _, line := range lines {
		rest := strings.TrimLeft(line, " ")
		depth := (len(line) - len(rest)) / 2
		name, text, _ := strings.Cut(rest, "/")
		if name == "" || strings.Contains(name, " ") || depth > len(above) || len(line)-len(rest) != 2*depth {
			odd = append(odd, line)
			continue
		}
		above = append(above[:depth], name)
		dir := path.Join(above...)
		if about[dir] != "" {
			odd = append(odd, line)
		}
		about[dir] = strings.TrimSpace(text)
	}
	return about, odd
}

func TestFolders(t *testing.T) {
	about, odd := folders([]string{"./  all", "cmd/", "  fuzzmut/  the command", "corpus/ entries", "    deep/  too deep", " no", "corpus/ twice"})
	want := map[string]string{".": "all", "cmd": "", "cmd/fuzzmut": "the command", "corpus": "twice"}
	if diff := cmp.Diff(want, about); diff != "" {
		t.Errorf("folders (-want +got):\n%s", diff)
	}
	if want := []string{"    deep/  too deep", " no", "corpus/ twice"}; !slices.Equal(odd, want) {
		t.Errorf("odd lines %q, want %q", odd, want)
	}
}

// TestArchitectureNamesEveryFolder holds the tree in ARCHITECTURE.md against the one
// that is there.
func TestArchitectureNamesEveryFolder(t *testing.T) {
	about, odd := folders(block(t, part(t, document(t, "ARCHITECTURE.md"), "The house")))
	for _, line := range odd {
		t.Errorf("%q is no line of the tree, or there twice", line)
	}
	for dir := range about {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir))); err != nil || !info.IsDir() {
			t.Errorf("%s is named, and is no folder", dir)
		}
	}
	for p := range imports(t) {
		if dir := folder(p); about[dir] == "" {
			t.Errorf("ARCHITECTURE.md has no line on %s", dir)
		}
	}
}

// TestImportsKeepToTheLayers: ARCHITECTURE.md lists layers of folders from top to bottom;
// a package imports those of its layer and of lower ones.
func TestImportsKeepToTheLayers(t *testing.T) {
	layers := make(map[string]int) // from 1 at the top; 0: none
	for i, line := range block(t, part(t, document(t, "ARCHITECTURE.md"), "Imports")) {
		for _, dir := range strings.Fields(line) {
			layers[dir] = i + 1
		}
	}
	layer := func(p string) int {
		for dir := folder(p); ; dir = path.Dir(dir) {
			if n, ok := layers[dir]; ok || dir == "." {
				return n
			}
		}
	}
	for p, imported := range imports(t) {
		if layer(p) == 0 && folder(p) != "." { // which imports nothing
			t.Errorf("%s is in no layer", p)
		}
		for _, imp := range imported {
			if strings.HasPrefix(imp, module) && layer(imp) < layer(p) {
				t.Errorf("%s imports %s, which is in a layer above", p, imp)
			}
		}
	}
}

// TestArchitectureHasTheExchanges holds the table of messages against the one in package
// wire.
func TestArchitectureHasTheExchanges(t *testing.T) {
	// The kinds are in the order of the fields.
	requests, replies := reflect.TypeFor[wire.Request](), reflect.TypeFor[wire.Reply]()
	reply := func(k wire.ReplyKind) string { return replies.Field(int(k) - 1).Name }
	want := make(map[string][]string)
	for i := range requests.NumField() {
		x := wire.ExchangeOf(wire.RequestKind(i + 1))
		row := []string{reply(x.Closing)}
		for _, k := range x.Events {
			row = append(row, reply(k))
		}
		slices.Sort(row[1:])
		want[requests.Field(i).Name] = row
	}
	got := make(map[string][]string)
	for line := range strings.Lines(part(t, document(t, "ARCHITECTURE.md"), "Messages")) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 5 || strings.Contains(cells[1], "--") || strings.TrimSpace(cells[1]) == "request" {
			continue
		}
		events := strings.FieldsFunc(cells[2], func(r rune) bool { return r == ' ' || r == ',' || r == '-' })
		slices.Sort(events)
		got[strings.TrimSpace(cells[1])] = append([]string{strings.TrimSpace(cells[3])}, events...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("closing and events by request (-wire +ARCHITECTURE.md):\n%s", diff)
	}
}

var (
	linked = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	quoted = regexp.MustCompile("`((?:cmd|corpus|fuzzmut|instrument|testdata)/[\\w./*-]+)`((?: `[A-Za-z_.]+`)*)")
	name   = regexp.MustCompile("`([A-Za-z_.]+)`")
)

// TestDocumentsNameWhatIsThere: the files that ARCHITECTURE.md and CONTRIBUTING.md link to
// or quote are there, and declare the functions and types that are quoted after them.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	for _, doc := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text := document(t, doc)
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", doc, m[1], err)
			}
		}
		found := quoted.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s quotes no file", doc)
		}
		for _, m := range found {
			file := filepath.Join(root, filepath.FromSlash(m[1]))
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s names %s: %v", doc, m[1], err)
				continue
			}
			for _, n := range name.FindAllStringSubmatch(m[2], -1) {
				if !declares(t, file, n[1]) {
					t.Errorf("%s names %s in %s, which does not declare it", doc, n[1], m[1])
				}
			}
		}
	}
}

// declares says whether a file declares a function, a method as T.m, or a type.
func declares(t *testing.T, file, name string) (found bool) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return false
	}
	typ, method, isMethod := strings.Cut(name, ".")
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv == nil:
				found = found || !isMethod && d.Name.Name == name
			case d.Name.Name == method:
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				id, ok := of.(*ast.Ident)
				found = found || ok && id.Name == typ
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					found = found || s.Name.Name == name
				}
			}
		}
	}
	return found
}
