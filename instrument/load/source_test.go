package load

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
)

// variants is a module whose external test imports a package that imports the package under
// test: there are two variants of both.
const variants = `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import (
	"net/url"

	"example.com/m/word"
)

type T struct{ U *url.URL }

func (t T) Word() word.Word { return word.Word(t.U.Path) }
-- word/word.go --
package word

type Word string
-- help/help.go --
package help

import (
	"net/http"

	"example.com/m"
)

func Make(r *http.Request) m.T { return m.T{U: r.URL} }
-- m_test.go --
package m_test

import (
	"net/http"
	"net/url"
	"testing"
	_ "unsafe"

	"example.com/m"
	"example.com/m/help"
)

func Test(t *testing.T) {
	var made m.T = help.Make(&http.Request{URL: &url.URL{}})
	_ = made.Word()
}
`

// TestSourceIsNotCompiled: the go command compiles what packages import, and not themselves.
func TestSourceIsNotCompiled(t *testing.T) {
	l, done, err := newLoader(t.Context(), Config{Dir: unpack(t, variants)})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	pkgs, err := l.packages(syntaxMode, true, "example.com/m/help")
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("%v, %v", pkgs, err)
	}
	if err := l.checkOne(pkgs[0]); err != nil {
		t.Error(err.Msg)
	}
	if pkgs[0].ExportFile != "" {
		t.Errorf("it is compiled: %s", pkgs[0].ExportFile)
	}
	for _, name := range []string{"example.com/m", "net/http"} {
		if p := pkgs[0].Imports[name]; p == nil || p.ExportFile == "" {
			t.Errorf("%s has no export data: %v", name, p)
		}
	}
}

// TestSourceIsWhatPackagesLoads: packages have the same types and errors as by packages.Load,
// and nothing else is parsed.
func TestSourceIsWhatPackagesLoads(t *testing.T) {
	root := unpack(t, variants)
	for name, files := range map[string]map[string]string{
		"as it is":    nil,
		"a new file":  {"inside_test.go": "package m\n\nfunc (t T) InTest() int { return 1 }\n", "m_test.go": strings.Replace(fileOf(variants, "m_test.go"), "made.Word", "made.InTest", 1)},
		"no package":  {"m.go": strings.Replace(fileOf(variants, "m.go"), "m/word", "m/absent", 1)},
		"no syntax":   {"m.go": "package m\n\nfunc {\n"},
		"in a helper": {"help/help.go": "package help\n\nfunc Make() absent { return 1 }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			overlay := make(map[string][]byte)
			for file, text := range files {
				overlay[filepath.Join(root, filepath.FromSlash(file))] = []byte(text)
			}
			load := func(get func(l *loader) ([]*packages.Package, error)) (types map[string]string, l *loader) {
				l, done, err := newLoader(t.Context(), Config{Dir: root})
				if err != nil {
					t.Fatal(err)
				}
				defer done()
				pkgs, err := get(l)
				if err != nil {
					t.Fatal(err)
				}
				types = make(map[string]string)
				for _, p := range pkgs {
					if p.Name == "main" {
						continue // of the test binary: what go list generates
					}
					text := "well"
					if err := l.checkOne(p); err != nil {
						text = err.Msg
					} else {
						for id, obj := range p.TypesInfo.Defs {
							if obj != nil {
								types[p.ID+" "+l.fset.Position(id.Pos()).String()] = obj.String()
							}
						}
					}
					types[p.ID] = text
				}
				return types, l
			}
			got, l := load(func(l *loader) ([]*packages.Package, error) { return l.source(overlay, true, "example.com/m") })
			want, _ := load(func(l *loader) ([]*packages.Package, error) {
				return l.list(syntaxMode, overlay, true, "example.com/m")
			})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-packages +source:\n%s", diff)
			}
			if len(want) < 2 {
				t.Errorf("only %v", want)
			}
			if want["example.com/m [example.com/m.test]"] != "well" {
				return // the source of what does not compile is read
			}
			for path := range l.srcs {
				if !strings.HasPrefix(path, root) && !strings.HasSuffix(path, "-d") { // but for the main function
					t.Errorf("%s is parsed", path)
				}
			}
		})
	}
}

// fileOf returns a file of an archive.
func fileOf(archive, name string) string {
	_, text, _ := strings.Cut(archive, "-- "+name+" --\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	return text + "\n"
}
