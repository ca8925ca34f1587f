package observe

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const twoFiles = `//go:build !windows

package p

import (
	str "strings"
	"testing"
)

func FuzzOne(f *testing.F) {
	f.Add(str.Repeat("a", 3))
	check(f)
}

func check(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		t.Parallel()
		if One() > len(s) {
			t.Skip()
		}
	})
}

func helper() int { return One() }

func TestOne(t *testing.T) { helper() }
-- q_test.go --
//go:build linux || !linux

package p

import (
	. "strings"
	"testing"
)

func FuzzTwo(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { Two(&T{n: len(ToUpper(s))}) })
}
`

func every(string) bool { return true }

// Fuzz tests and the functions that only they call are copied, with what they refer to:
// names, imports and build constraints.
func TestCopies(t *testing.T) {
	t.Parallel()
	r, _ := loadText(t, pkg+"-- p_test.go --\n"+twoFiles)
	copies, err := Copies(r, "x", every)
	if err != nil || len(copies) != 1 {
		t.Fatalf("%d copies, %v", len(copies), err)
	}
	c := copies[0]
	if c.Package != "p" || c.External || c.Partial {
		t.Errorf("got %+v", c)
	}
	if diff := cmp.Diff([]string{"FuzzOne", "FuzzTwo"}, c.Tests); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Import{{Name: "str", Path: "strings"}, {Name: ".", Path: "strings"}, {Path: "testing"}}, c.Imports, cmp.Transformer("sorted", sortedImports)); diff != "" {
		t.Error(diff)
	}
	constraint, err := Constraint(r.Tests[0], nil, c)
	if want := "!windows && (linux || !linux)"; constraint.String() != want || err != nil {
		t.Errorf("constraint %q, %v, want %q", constraint.String(), err, want)
	}
	copies, err = Copies(r, "x", func(name string) bool { return name == "FuzzTwo" })
	if err != nil || len(copies) != 1 || !slices.Equal(copies[0].Tests, []string{"FuzzTwo"}) {
		t.Errorf("of FuzzTwo alone: %d copies, %v", len(copies), err)
	}
	var sites []string
	for _, s := range c.Sites {
		sites = append(sites, s.Name)
	}
	if diff := cmp.Diff([]string{"p.One", "p.Two"}, sites); diff != "" {
		t.Error(diff)
	}
	text := string(c.Text)
	for want, is := range map[string]bool{
		"func xCopy_FuzzOne(f *xCopiedF) {": true, "xCopy_check(f)": true, "func xCopy_check(f *xCopiedF) {": true, "func xCopy_FuzzTwo(": true,
		"t.Helper()": true, "t.Parallel()": false, "xObs1[[0]xByte](One())": true, "len(ToUpper(s))": true, "helper": false, "TestOne": false,
	} {
		if strings.Contains(text, want) != is {
			t.Errorf("%q is there: %v\n%s", want, !is, text)
		}
	}
}

func sortedImports(list []Import) map[Import]bool {
	set := make(map[Import]bool)
	for _, i := range list {
		set[i] = true
	}
	return set
}

func TestWhatCantBeCopied(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ test, want string }{
		"a function without a copy that gets f": {
			"package p\n\nimport \"testing\"\n\nvar run = func(f *testing.F) {}\n\nfunc FuzzOne(f *testing.F) {\n\trun(f)\n\tf.Fuzz(func(t *testing.T, n int) { One() })\n}\n",
			"p_test.go:8: run takes the *testing.F and can't be copied",
		},
		"two imports of one name": {
			"package p\n\nimport (\n\t\"testing\"\n\n\t\"text/template\"\n)\n\nfunc FuzzOne(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) { template.HTMLEscapeString(s); One() })\n}\n" +
				"-- q_test.go --\npackage p\n\nimport (\n\t\"html/template\"\n\t\"testing\"\n)\n\nfunc FuzzTwo(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, s string) { template.HTMLEscapeString(s); One() })\n}\n",
			"html/template is imported as template here, and text/template in another file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := loadText(t, pkg+"-- p_test.go --\n"+c.test)
			if copies, err := Copies(r, "x", every); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d copies, %v; want %s", len(copies), err, c.want)
			}
		})
	}
}
