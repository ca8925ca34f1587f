package mutants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

// module writes a module with these files and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	tested    = "package a\n\nfunc F(n int) bool { return n < 3 }\n"
	itsTest   = "package a\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F(1) }\n"
	untested  = "package b\n\nfunc G(n int) int { return n + 1 }\n"
	onlyTests = "package c\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {}\n"
	broken    = "package d\n\nfunc H() int { return \"h\" }\n"
)

func TestList(t *testing.T) {
	for name, c := range map[string]struct {
		files    map[string]string
		packages []string
		want     []string // the packages of the programs
		skipped  string   // package that a phase reports as skipped
		err      string   // part of the error
	}{
		"packages with tests and without": {
			files: map[string]string{"a/a.go": tested, "a/a_test.go": itsTest, "b/b.go": untested}, packages: []string{"./..."},
			want: []string{"example.com/m/a", "example.com/m/b"},
		},
		"a package that is nothing but tests is skipped": {
			files: map[string]string{"a/a.go": tested, "c/c_test.go": onlyTests}, packages: []string{"./..."},
			want: []string{"example.com/m/a"}, skipped: "example.com/m/c",
		},
		"alone it is an error": {
			files: map[string]string{"c/c_test.go": onlyTests}, packages: []string{"./c"}, err: "example.com/m/c",
		},
		"a package that does not compile ends the list": {
			files: map[string]string{"a/a.go": tested, "d/d.go": broken}, packages: []string{"./..."}, err: "d.go:3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var phases []string
			programs, err := List(t.Context(), project.Options{
				Dir: module(t, c.files), Packages: c.packages, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="),
				Events: func(e project.Event) {
					if e.Phase != nil {
						phases = append(phases, e.Phase.Package+": "+e.Phase.Text)
					}
				},
			})
			var got []string
			for _, p := range programs {
				if len(p.Mutants) == 0 {
					t.Errorf("%s has no mutants", p.Test.ImportPath)
				}
				got = append(got, p.Test.ImportPath)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("programs of %q, want %q", got, c.want)
			}
			if (err != nil) != (c.err != "") || err != nil && (!strings.Contains(err.Error(), c.err) || exit.CodeOf(err) != exit.Usage) {
				t.Errorf("error %v, code %d; want %q", err, exit.CodeOf(err), c.err)
			}
			skipped := ""
			for _, p := range phases {
				if pkg, _, ok := strings.Cut(p, ": skipped: "); ok {
					skipped += pkg
				}
			}
			if skipped != c.skipped {
				t.Errorf("skipped %q, want %q; phases %q", skipped, c.skipped, phases)
			}
		})
	}
}
