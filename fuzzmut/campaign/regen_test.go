package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// declared makes sources of one file with functions of these texts.
func declared(texts ...string) *sources {
	file := new(sourceFile)
	for i, text := range texts {
		file.decls = append(file.decls, declaration{text: []byte(text), first: 10 * i, last: 10*i + 5})
	}
	return &sources{files: map[string]*sourceFile{"/m/a.go": file}}
}

// changed lists the functions that a generation has not searched.
func (g *generation) changed(code *sources, test string) []string {
	list := []string{}
	for _, d := range code.files["/m/a.go"].decls {
		if g.Test != test || !g.searched[declarationKey("/m/a.go", &d)] {
			list = append(list, string(d.text))
		}
	}
	return list
}

func TestAGenerationKnowsWhatWasSearched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "FuzzX.json")
	all := func(string, *declaration) bool { return true }
	only := func(text string) func(string, *declaration) bool {
		return func(_ string, d *declaration) bool { return string(d.text) == text }
	}
	for _, step := range []struct {
		name     string
		code     *sources
		test     string
		changed  []string // at the beginning
		searched func(string, *declaration) bool
	}{
		{"of nothing all is new", declared("f", "g"), "t1", []string{"f", "g"}, all},
		{"then nothing is", declared("f", "g"), "t1", []string{}, only("")},
		{"order does not matter", declared("h", "g", "f"), "t1", []string{"h"}, only("f")},
		{"what was not searched stays new", declared("f", "h"), "t1", []string{"h"}, only("")},
		{"until it is searched", declared("f", "h"), "t1", []string{"h"}, all},
		{"another fuzz test kills other mutants", declared("f", "h"), "t2", []string{"f", "h"}, only("f")},
		{"of all functions", declared("f", "h"), "t2", []string{"h"}, all},
		{"and then it is searched", declared("f", "h"), "t2", []string{}, all},
	} {
		g := readGeneration(path)
		if diff := cmp.Diff(step.changed, g.changed(step.code, step.test)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if err := g.next(step.code, step.test, step.searched, nil).write(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(`{"format":"x"`), 0o666); err != nil {
		t.Fatal(err)
	}
	if g := readGeneration(path); len(g.searched) != 0 || g.Test != "" {
		t.Errorf("%+v", g)
	}
}

func TestLostAreThoseThatLiveAgain(t *testing.T) {
	ms := []report.Mutant{
		{Package: "p", ID: "a", Status: report.Killed},
		{Package: "p", ID: "b", Status: report.Survived},
		{Package: "p", ID: "c", Status: report.NotCovered},
		{Package: "p", ID: "d", Status: report.Skipped},
	}
	before := []string{"p a", "p c", "p d", "p gone", "q b"}
	if diff := cmp.Diff([]string{"c"}, lost(before, killedNames(ms), ms)); diff != "" {
		t.Error(diff)
	}
}
