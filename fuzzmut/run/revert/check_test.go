package revert

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// A changedFile is an old and a new text; "" is a file that is not there.
type changedFile struct{ name, old, new string }

// checkedBuilder has one package, example.com/m, in its new text, and parts to check.
func checkedBuilder(t *testing.T, files ...changedFile) *Builder {
	t.Helper()
	root := t.TempDir()
	fset := token.NewFileSet()
	pkg := &load.Package{ImportPath: "example.com/m", Name: "m", Dir: root, ModulePath: "example.com/m", ModuleDir: root, Mutated: true}
	b := &Builder{Project: new(project.Project), Pair: new(versions.Pair), built: make(map[string]*project.Package)}
	var syntax []*ast.File
	for _, f := range files {
		p := filepath.Join(root, filepath.FromSlash(f.name))
		file := versions.File{Name: f.name, Path: p, OldPath: p}
		if f.old != "" {
			file.Old = []byte(f.old)
		}
		if f.new != "" {
			file.New = []byte(f.new)
		}
		if f.old == "" || f.new == "" {
			file.Hunks = []hunk.Hunk{hunk.Whole(file.Old, file.New)}
		} else {
			file.Hunks = hunk.Diff(file.Old, file.New)
		}
		b.Pair.Files = append(b.Pair.Files, file)
		if f.new != "" && filepath.Dir(p) == root {
			s, err := parser.ParseFile(fset, p, f.new, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			syntax = append(syntax, s)
			pkg.Files = append(pkg.Files, load.File{Path: p, Src: file.New, Syntax: s})
		}
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	var err error
	if pkg.Types, err = config.Check(pkg.ImportPath, fset, syntax, nil); err != nil {
		t.Fatal(err)
	}
	b.Whole = &project.Package{Loaded: &load.Result{Fset: fset, Packages: []*load.Package{pkg}}}
	return b
}

func part(refs ...versions.Ref) Part { return refs }

func TestWhatDoesNotCompileIsNotBuilt(t *testing.T) {
	const uses = "package m\n\ntype kind bool\n\nvar a = kind(true)\n\nfunc F(s string) string {\n\treturn s + \"x\"\n}\n"
	const used = "package m\n\ntype kind int\n\nvar a = kind(1)\n\nfunc F(s string) string {\n\treturn s\n}\n"
	b := checkedBuilder(t, changedFile{"a.go", used, uses})
	for _, c := range []struct {
		part Part
		fits bool
	}{
		{part(versions.Ref{Hunk: 0}), false},
		{part(versions.Ref{Hunk: 1}), false},
		{part(versions.Ref{Hunk: 0}, versions.Ref{Hunk: 1}), true},
		{part(versions.Ref{Hunk: 2}), true},
		{part(versions.Ref{Hunk: 2}, versions.Ref{Hunk: 1}), false},
	} {
		for range 2 { // the answer is kept
			if b.fits(c.part) != c.fits {
				t.Errorf("%v fits: %v", c.part, !c.fits)
			}
		}
		if c.fits {
			continue
		}
		if got, err := b.Build(t.Context(), c.part); got != nil || err != nil || b.made != 0 {
			t.Errorf("%v: %v, %v; %d built", c.part, got, err, b.made)
		}
	}
}

func TestWhatCanNotBeCheckedFits(t *testing.T) {
	const now = "package m\n\nimport \"errors\"\n\nvar Err = errors.New(\"m\")\n\nvar N = 2\n"
	for _, c := range []struct {
		name, old string
		more      []changedFile
		part      Part
		fits      bool
	}{
		{"an import that new code does not need", "package m\n\nimport \"example.com/errors\"\n\nvar Err = errors.Wrap(\"m\")\n\nvar N = 2\n", nil, part(versions.Ref{Hunk: 0}, versions.Ref{Hunk: 1}), true},
		{
			"a package that is gone", "package m\n\nimport \"example.com/m/in/errors\"\n\nvar Err = errors.Wrap(\"m\")\n\nvar N = 2\n",
			[]changedFile{{"in/errors/e.go", "package errors\n\nfunc Wrap(s string) string { return s }\n", ""}},
			part(versions.Ref{Hunk: 0}, versions.Ref{Hunk: 1}), false,
		},
		{
			"that package as well", "package m\n\nimport \"example.com/m/in/errors\"\n\nvar Err = errors.Wrap(\"m\")\n\nvar N = 2\n",
			[]changedFile{{"in/errors/e.go", "package errors\n\nfunc Wrap(s string) string { return s }\n", ""}},
			part(versions.Ref{Hunk: 0}, versions.Ref{Hunk: 1}, versions.Ref{File: 1}), true,
		},
		{"a file that is gone", "package m\n\nimport \"errors\"\n\nvar Err = errors.New(\"m\")\n\nvar N = 1\n", []changedFile{{"b.go", "package m\n\nvar N = 3\n", ""}}, part(versions.Ref{File: 1}), true},
		{"a file that is new, and nothing needs", "package m\n\nimport \"errors\"\n\nvar Err = errors.New(\"m\")\n\nvar N = 1\n", []changedFile{{"b.go", "", "package m\n\nvar M = 3\n"}}, part(versions.Ref{File: 1}), true},
		{"a file that is new, and needed", "package m\n\nimport \"errors\"\n\nvar Err = errors.New(\"m\")\n\nvar N = 1\n", []changedFile{{"b.go", "", "package m\n\nvar M = 3\n"}, {"c.go", "", "package m\n\nvar L = M\n"}}, part(versions.Ref{File: 1}), false},
	} {
		b := checkedBuilder(t, append([]changedFile{{"a.go", c.old, now}}, c.more...)...)
		if got := b.fits(c.part); got != c.fits {
			t.Errorf("%s: fits %v; hunks %d", c.name, got, len(b.Pair.Files[0].Hunks))
		}
	}
}

// Hunks that need each other to compile are left out together.
func TestMinimalLeavesGroupsOut(t *testing.T) {
	b := checkedBuilder(t, changedFile{
		"a.go",
		"package m\n\nfunc F() int {\n\treturn 1\n}\n\ntype kind int\n\nvar a = kind(1)\n\nvar b = kind(2)\n",
		"package m\n\nfunc F() int {\n\treturn 2\n}\n\ntype kind bool\n\nvar a = kind(true)\n\nvar b = kind(false)\n",
	}, changedFile{"b.go", "package m\n\nfunc G() int {\n\treturn 1\n}\n", "package m\n\nfunc G() int {\n\treturn 2\n}\n"})
	var whole Part
	for i := range b.Pair.Files {
		for k := range b.Pair.Files[i].Hunks {
			whole = append(whole, versions.Ref{File: i, Hunk: k})
		}
	}
	if len(whole) != 5 {
		t.Fatalf("%v", whole)
	}
	for set := range 1 << len(whole) {
		var p Part
		for i, h := range whole {
			if set>>i&1 == 1 {
				p = append(p, h)
			}
		}
		b.built[b.key(p)] = new(project.Package)
	}
	want := part(whole[0], whole[4])
	got, err := b.Minimal(t.Context(), whole, func(p Part, _ *project.Package) (bool, error) {
		if !b.fits(p) {
			t.Errorf("%v is tried", p)
		}
		return p.Has(want...), nil
	})
	if err != nil || got.key() != want.key() {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
