package change

import (
	"crypto/sha256"
	"encoding/hex"
	goparser "go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// loadedOf is a package of two files, a test file, and a package that is not mutated.
func loadedOf(t *testing.T, dir, code, other, tests string) *load.Result {
	t.Helper()
	r := &load.Result{Fset: token.NewFileSet()}
	file := func(name, text string) load.File {
		path := filepath.Join(dir, name)
		syntax, err := goparser.ParseFile(r.Fset, path, text, goparser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return load.File{Path: path, Src: []byte(text), Syntax: syntax}
	}
	r.Packages = []*load.Package{
		{ImportPath: "example.com/p", Mutated: true, Files: []load.File{file("p.go", code), file("other.go", other)}},
		{ImportPath: "example.com/q", Files: []load.File{file("q.go", "package q\n\nfunc Q() int { return 1 }\n")}},
	}
	r.Tests = []*load.TestFiles{{Files: []load.File{file("p_test.go", tests)}}}
	return r
}

const (
	sourceCode = `package p

import "fmt"

const limit = 3

var (
	one = 1
	two = func() int {
		return 2
	}()
)

// F is a function.
func F(n int) int {
	return n + limit
}

type T struct{ n int }

func (t T) String() string { return fmt.Sprint(t.n) }
`
	sourceOther = "package p\n\nfunc Other() int { return 1 }\n"
	sourceTests = "package p\n"
)

// mutantAt is a mutant at the place where a text begins in a file.
func mutantAt(r *load.Result, name, text string) *instrument.Mutant {
	for _, p := range r.Packages {
		for _, f := range p.Files {
			if filepath.Base(f.Path) == name {
				return &instrument.Mutant{File: f.Path, Offset: strings.Index(string(f.Src), text)}
			}
		}
	}
	return &instrument.Mutant{File: name}
}

// A mutant belongs to a function, or to one specification of variables.
func TestDeclarationsOfMutants(t *testing.T) {
	r := loadedOf(t, "/m", sourceCode, sourceOther, sourceTests)
	s := NewSources(r)
	for _, c := range []struct{ file, at, want string }{
		{"p.go", "n + limit", "func F(n int) int {\n\treturn n + limit\n}"},
		{"p.go", "one = 1", "one = 1"},
		{"p.go", "return 2", "two = func() int {\n\t\treturn 2\n\t}()"},
		{"p.go", "fmt.Sprint", "func (t T) String() string { return fmt.Sprint(t.n) }"},
		{"p.go", "limit = 3", ""},
		{"p.go", "// F is", ""},
		{"p.go", "struct{ n", ""},
		{"other.go", "return 1", "func Other() int { return 1 }"},
		{"q.go", "return 1", ""}, // of a package that is not mutated
		{"elsewhere.go", "", ""},
	} {
		got := ""
		if d := s.Of(mutantAt(r, c.file, c.at)); d != nil {
			got = string(d.Text)
		}
		if got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.file, c.at, got, c.want)
		}
	}
}

// set is a change of lines of a file.
func set(path string, changes ...Change) *Set {
	s := &Set{files: make(map[string][]Change)}
	s.add(path, changes...)
	return s
}

// A change touches the mutants of the declarations whose lines it changes.
func TestWhichMutantsAChangeTouches(t *testing.T) {
	r := loadedOf(t, "/m", sourceCode, sourceOther, sourceTests)
	for _, c := range []struct {
		name    string
		changed *Set
		want    string // of the mutants: in one, two, F and Other
	}{
		{"a line of a function", set("/m/p.go", Change{Line: 16, Count: 1}), "F"},
		{"its comment", set("/m/p.go", Change{Line: 14, Count: 1}), ""},
		{"a constant", set("/m/p.go", Change{Line: 5, Count: 1}), ""},
		{"within a variable", set("/m/p.go", Change{Line: 10, Count: 1}), "two"},
		{"a line was taken out of it", set("/m/p.go", Change{Line: 9}), "two"},
		{"a line was taken out before it", set("/m/p.go", Change{Line: 8}), ""},
		{"several", set("/m/p.go", Change{Line: 8, Count: 2}, Change{Line: 17, Count: 9}), "one two F"},
		{"another file", set("/m/other.go", all), "Other"},
		{"a file that is not mutated", set("/m/q.go", all), ""},
	} {
		s := NewSources(r)
		var got []string
		for _, at := range []struct{ name, file, text string }{{"one", "p.go", "1\n"}, {"two", "p.go", "2\n"}, {"F", "p.go", "n + limit"}, {"Other", "other.go", "1 }"}} {
			if s.Touched(c.changed, mutantAt(r, at.file, at.text)) {
				got = append(got, at.name)
			}
		}
		if strings.Join(got, " ") != c.want || NewSources(r).AnyTouched(c.changed) != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A run that is about a change aims at the mutants and blocks of its functions. What can't be
// run is no aim.
func TestFocusIsOnWhatHasChanged(t *testing.T) {
	r := loadedOf(t, "/m", sourceCode, sourceOther, sourceTests)
	s := NewSources(r)
	p := &instrument.Program{Blocks: []instrument.Block{
		{File: "/m/p.go", Line: 16}, {File: "/m/p.go", Line: 10}, {File: "/m/other.go", Line: 3}, {File: "/m/p.go", Line: 5}, {File: "/m/q.go", Line: 3},
	}}
	for i, at := range []struct{ file, text string }{{"p.go", "n + limit"}, {"p.go", "limit\n}"}, {"p.go", "return 2"}, {"other.go", "1 }"}, {"p.go", "n + limit"}, {"q.go", "1 }"}} {
		m := mutantAt(r, at.file, at.text)
		m.Index, m.Status = i+1, instrument.StatusLive
		p.Mutants = append(p.Mutants, *m)
	}
	p.Mutants[4].Status = instrument.StatusSkipped
	f := FocusOn(p, s, func(path string, d *Declaration) bool {
		return filepath.Base(path) == "p.go" && !strings.HasPrefix(string(d.Text), "two")
	})
	var mutants, blocks []int
	for m := range p.Mutants {
		if f.Mutant(uint32(m + 1)) {
			mutants = append(mutants, m+1)
		}
	}
	for b := range p.Blocks {
		if f.Block(b) {
			blocks = append(blocks, b)
		}
	}
	if !slices.Equal(mutants, []int{1, 2}) || !slices.Equal(blocks, []int{0}) || f.Count != 2 || f.Functions != 1 {
		t.Errorf("mutants %v, blocks %v; %d mutants in %d functions", mutants, blocks, f.Count, f.Functions)
	}
	if f.Block(len(p.Blocks)) {
		t.Error("a block of another program is an aim")
	}
	var none *Focus
	if !none.Mutant(7) || !none.Block(7) {
		t.Error("without a focus all code is the aim")
	}
}

// The hash is another one when a byte of the code or of the tests is, or a name, and the same
// wherever the module lies.
func TestHashesOfSources(t *testing.T) {
	hash := func(dir, code, other, tests string) string {
		return NewSources(loadedOf(t, dir, code, other, tests)).Hash()
	}
	base := hash("/m", sourceCode, sourceOther, sourceTests)
	if got := hash("/elsewhere/m", sourceCode, sourceOther, sourceTests); got != base {
		t.Errorf("in another directory: %s, want %s", got, base)
	}
	seen := map[string]string{base: "as it is"}
	renamed := loadedOf(t, "/m", sourceCode, sourceOther, sourceTests)
	renamed.Packages[0].Files[1].Path = "/m/another.go"
	moved := loadedOf(t, "/m", sourceCode, sourceOther, sourceTests)
	moved.Packages[0].Files, moved.Packages[1].Files = moved.Packages[0].Files[:1], append(moved.Packages[0].Files[1:], moved.Packages[1].Files...)
	for name, got := range map[string]string{
		"code":                   hash("/m", sourceCode+"\n// more\n", sourceOther, sourceTests),
		"another file":           hash("/m", sourceCode, sourceOther+"\n", sourceTests),
		"tests":                  hash("/m", sourceCode, sourceOther, sourceTests+"\n"),
		"a file's name":          NewSources(renamed).Hash(),
		"a file's package":       NewSources(moved).Hash(),
		"text at the end of one": hash("/m", sourceCode+"// more\n", sourceOther, sourceTests),
		"text before the next":   hash("/m", sourceCode, "// more\n"+sourceOther, sourceTests),
	} {
		if other := seen[got]; other != "" {
			t.Errorf("%s: the hash is that of %s", name, other)
		}
		seen[got] = name
	}
}

// Functions may depend on types, constants and variables, but neither on imports nor on the
// bodies of others.
func TestHashesOfDeclarations(t *testing.T) {
	hash := func(code string) string {
		r := loadedOf(t, "/m", code, sourceOther, sourceTests)
		return hex.EncodeToString(HashDeclarations(NewSources(r), r.Packages[0]))
	}
	base := hash(sourceCode)
	for _, c := range []struct {
		old, new string
		same     bool
	}{
		{"return n + limit", "return n - limit", true},
		{"// F is a function.", "// F adds.", true},
		{`import "fmt"`, `import "os"`, true},
		{"limit = 3", "limit = 4", false},
		{"one = 1", "one = 11", false},
		{"return 2", "return 22", false},
		{"struct{ n int }", "struct{ n int8 }", false},
	} {
		if got := hash(strings.Replace(sourceCode, c.old, c.new, 1)); (got == base) != c.same {
			t.Errorf("%s for %s: the same: %v", c.new, c.old, !c.same)
		}
	}
	h := sha256.New()
	HashTests(h, loadedOf(t, "/m", sourceCode, sourceOther, sourceTests))
	one := h.Sum(nil)
	h.Reset()
	HashTests(h, loadedOf(t, "/m", sourceCode+"\n", sourceOther, sourceTests))
	if !slices.Equal(one, h.Sum(nil)) {
		t.Error("the hash of the tests is another one where the code is")
	}
}

// What has changed is asked of git, or read from a patch, whose paths are below the
// repository or the directory.
func TestWhereAChangeComesFrom(t *testing.T) {
	dir := repository(t)
	write(t, dir, "a.go", "1\n2\nIII\n4\n5\n")
	const patch = "--- a/a.go\n+++ b/a.go\n@@ -2,3 +2,3 @@\n 2\n-3\n+III\n 4\n"
	inSub := strings.ReplaceAll("--- x/c.go\n+++ x/c.go\n@@ -1 +1 @@\n-0\n+1\n", "x/", "")
	write(t, dir, "sub/c.go", "1\n")
	outside := t.TempDir()
	write(t, outside, "a.go", "1\n2\nIII\n4\n5\n")
	for _, c := range []struct {
		name, dir, revision, patch string
		file                       string
		line                       int
		want                       string // the error
	}{
		{name: "nothing"},
		{name: "a revision", dir: dir, revision: "HEAD", file: filepath.Join(dir, "a.go"), line: 3},
		{name: "a patch", dir: dir, patch: patch, file: filepath.Join(dir, "a.go"), line: 3},
		{name: "a patch of the root, below it", dir: filepath.Join(dir, "sub"), patch: patch, file: filepath.Join(dir, "a.go"), line: 3},
		{name: "a patch of the directory", dir: filepath.Join(dir, "sub"), patch: inSub, file: filepath.Join(dir, "sub", "c.go"), line: 1},
		{name: "a patch without a repository", dir: outside, patch: patch, file: filepath.Join(outside, "a.go"), line: 3},
		{name: "both", dir: dir, revision: "HEAD", patch: patch, want: "both a revision and a patch are given; choose one"},
		{name: "no repository", dir: outside, revision: "HEAD", want: "-diff HEAD: " + outside + " is not in a git work tree; pipe a patch to -diff - instead"},
		{name: "no revision", dir: dir, revision: "nope", want: `-diff: there is no revision "nope"`},
		{name: "no patch", dir: dir, patch: "hello\n", want: "-diff -: the patch contains no diff"},
		{name: "of another file", dir: dir, patch: strings.ReplaceAll(patch, "a.go", "z.go"), want: "-diff -: the patch names b/z.go, which does not exist below " + dir},
		{name: "not applied", dir: dir, patch: strings.ReplaceAll(patch, "+III", "+3.0"), want: "-diff -: " + filepath.Join(dir, "a.go") + ":3 differs from the patch: apply the patch first"},
	} {
		var found *Set
		var err error
		if c.patch != "" {
			found, err = Find(t.Context(), c.dir, nil, c.revision, strings.NewReader(c.patch))
		} else {
			found, err = Find(t.Context(), c.dir, nil, c.revision, nil)
		}
		switch {
		case c.want != "":
			if exit.CodeOf(err) != exit.Usage || err.Error() != c.want {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.file == "":
			if found != nil {
				t.Errorf("%s: %v", c.name, found)
			}
		case !found.Touches(c.file, c.line, c.line) || found.Touches(c.file, c.line+1, c.line+1):
			t.Errorf("%s: %+v", c.name, found)
		}
	}
}
