package overlay

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

const identityModule = `
-- go.mod --
module example.com/m

go 1.26

require (
	example.com/dep v1.0.0
	github.com/google/go-cmp v0.7.0
)

replace example.com/dep => ./dep
-- go.sum --
github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8=
github.com/google/go-cmp v0.7.0/go.mod h1:pXiqmnSA92OHEEa9HXL2W4E7lf9JzCmGVUdgjX3N/iU=
-- dep/go.mod --
module example.com/dep

go 1.26
-- dep/dep.go --
package dep

const N = 1
-- m.go --
package m

import _ "embed"

//go:embed data/text.txt
var text string

func Len(s string) int { return len(s) + len(text) }
-- data/text.txt --
text
-- unused.txt --
-- m_test.go --
package m_test

import (
	"testing"

	"example.com/dep"
	"example.com/m"
	"github.com/google/go-cmp/cmp"
)

func FuzzLen(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {
		if !cmp.Equal(s, s) || m.Len(s) < dep.N {
			t.Error(s)
		}
	})
}
-- in_test.go --
package m

import "testing"

func TestLen(t *testing.T) { Len("") }
-- tagged.go --
//go:build tagged

package m

func init() { text += "s" }
`

// identity returns the identity of what would be built.
func (m *module) identity(t *testing.T, change func(*Config)) (string, error) {
	t.Helper()
	cfg := m.config(t, m.load(t))
	if change != nil {
		change(&cfg)
	}
	b := &builder{cfg: cfg, drops: newDrops(), rewrite: rewriteAll}
	if err := b.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	rw, err := b.rewrite(t.Context(), b.cfg, b.drops)
	if err == nil {
		err = b.write(rw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.identify(t.Context())
}

// withFile puts another file in place of one of the module.
func withFile(name, text string) func(*module, *txtar.Archive) {
	return func(_ *module, ar *txtar.Archive) {
		if i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == name }); i >= 0 {
			ar.Files = slices.Delete(ar.Files, i, i+1)
		}
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(text)})
	}
}

// withText replaces text in a file of the module.
func withText(name, from, to string) func(*module, *txtar.Archive) {
	return func(m *module, ar *txtar.Archive) {
		i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == name })
		withFile(name, strings.Replace(string(ar.Files[i].Data), from, to, 1))(m, ar)
	}
}

func TestIdentity(t *testing.T) {
	of := func(t *testing.T, flags []string, edit func(*module, *txtar.Archive), change func(*Config)) (string, error) {
		t.Helper()
		ar := txtar.Parse([]byte(identityModule))
		if edit != nil {
			edit(nil, ar)
		}
		m := unpack(t, ar)
		m.mutate, m.flags = []string{"example.com/...", "github.com/google/go-cmp/..."}, flags
		return m.identity(t, change)
	}
	plain, err := of(t, nil, nil, nil)
	if err != nil || len(plain) != 64 {
		t.Fatalf("%q, %v", plain, err)
	}
	for name, c := range map[string]struct {
		edit   func(*module, *txtar.Archive)
		flags  []string
		change func(*Config)
		same   bool
	}{
		"another path":     {same: true},
		"another cache":    {change: func(c *Config) { c.Loaded.Toolchain.Cache = t.TempDir() }, same: true},
		"what is not used": {edit: withFile("unused.txt", "x"), same: true},
		"how it is built":  {flags: []string{"-p=1"}, same: true},
		"code":             {edit: withText("m.go", "len(s) +", "len(s) -")},
		"a comment":        {edit: withText("m.go", "func Len", "// Len is the length.\nfunc Len")},
		"the fuzz test":    {edit: withText("m_test.go", "t.Error(s)", "t.Fatal(s)")},
		"a unit test":      {edit: withText("in_test.go", `Len("")`, `Len("x")`)},
		"a dependency":     {edit: withText("dep/dep.go", "N = 1", "N = 2")},
		"a version":        {edit: withText("go.mod", "dep v1.0.0", "dep v1.0.1")},
		"the language":     {edit: withText("go.mod", "go 1.26", "go 1.26.1")},
		"a setting":        {edit: withText("m_test.go", "package m_test", "//go:debug panicnil=1\npackage m_test")},
		"an embedded file": {edit: withFile("data/text.txt", "other")},
		"another file":     {edit: withFile("more.go", "package m\n")},
		"the name of one": {edit: func(_ *module, ar *txtar.Archive) {
			ar.Files[slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "m.go" })].Name = "n.go"
		}},
		"tags":           {flags: []string{"-tags=tagged"}},
		"a flag alone":   {flags: []string{"-gcflags=-N"}},
		"operators":      {change: func(c *Config) { c.Operators = only(t, "negate-conditionals") }},
		"for unit tests": {change: func(c *Config) { c.Tests = true }},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := of(t, c.flags, c.edit, c.change)
			if err != nil || (got == plain) != c.same {
				t.Errorf("the same: %v, want %v (%v)", got == plain, c.same, err)
			}
		})
	}
}

// The system, the processor and the version of Go are a part of it.
func TestIdentityOfSettings(t *testing.T) {
	r := unpackText(t, countModule).load(t)
	of := func(env ...string) string {
		tool := *r.Toolchain
		tool.Env = append(slices.Clone(tool.Env), env...)
		h := sha256.New()
		if err := (&builder{tool: &tool}).hashSettings(t.Context(), h); err != nil {
			t.Fatal(err)
		}
		return string(h.Sum(nil))
	}
	plain := of("GOCACHE=" + t.TempDir())
	if of() != plain {
		t.Error("the cache matters")
	}
	for _, env := range []string{"GOOS=freebsd", "GOARCH=386", "GOAMD64=v3", "GOEXPERIMENT=nojsonv2", "CGO_ENABLED=0", "CGO_CFLAGS=-O0"} {
		if env != "CGO_ENABLED="+os.Getenv("CGO_ENABLED") && of(env) == plain {
			t.Errorf("%s does not matter", env)
		}
	}
}

func only(t *testing.T, names string) []*operator.Operator {
	t.Helper()
	ops, err := operator.ByNames(names)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// Where source does not say all, there is no identity, and the binary is hashed.
func TestNoIdentity(t *testing.T) {
	for name, c := range map[string]struct{ flag, file, text string }{
		"a program of the user's": {flag: "-toolexec=" + filepath.Join(t.TempDir(), "tool")},
		"a profile":               {flag: "-pgo=x.pgo"},
		"another compiler":        {file: "c.go", text: "package count\n\nimport \"C\"\n"},
		"objects":                 {file: "o_linux.syso", text: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			m := unpackText(t, countModule)
			if c.file != "" {
				if err := os.WriteFile(filepath.Join(m.root, c.file), []byte(c.text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			got, err := m.identity(t, func(cfg *Config) {
				if c.flag != "" {
					cfg.Loaded.Toolchain.Flags = append(cfg.Loaded.Toolchain.Flags, c.flag)
				}
			})
			if !errors.Is(err, errNoIdentity) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}
