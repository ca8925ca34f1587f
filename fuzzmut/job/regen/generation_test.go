package regen

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// declared makes sources of one file with functions of these names.
func declared(t *testing.T, names ...string) *change.Sources {
	t.Helper()
	src := "package a\n"
	for _, name := range names {
		src += "\nfunc " + name + "() {}\n"
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "/m/a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return change.NewSources(&load.Result{Fset: fset, Packages: []*load.Package{
		{Mutated: true, Files: []load.File{{Path: "/m/a.go", Src: []byte(src), Syntax: file}}},
	}})
}

// nameOf returns the name of a function of declared.
func nameOf(d *change.Declaration) string {
	_, rest, _ := strings.Cut(string(d.Text), " ")
	name, _, _ := strings.Cut(rest, "(")
	return name
}

// changed lists the functions that a generation has not searched.
func (g *generation) changed(code *change.Sources, test string) []string {
	list := []string{}
	code.Any(func(path string, d *change.Declaration) bool {
		if g.Test != test || !g.searched[declarationKey(path, d)] {
			list = append(list, nameOf(d))
		}
		return false
	})
	return list
}

func TestAGenerationKnowsWhatWasSearched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "FuzzX.json")
	all := func(string, *change.Declaration) bool { return true }
	only := func(text string) func(string, *change.Declaration) bool {
		return func(_ string, d *change.Declaration) bool { return nameOf(d) == text }
	}
	for _, step := range []struct {
		name     string
		code     *change.Sources
		run      string
		changed  []string // at the beginning
		searched func(string, *change.Declaration) bool
	}{
		{"of nothing all is new", declared(t, "f", "g"), "t1", []string{"f", "g"}, all},
		{"then nothing is", declared(t, "f", "g"), "t1", []string{}, only("")},
		{"order does not matter", declared(t, "h", "g", "f"), "t1", []string{"h"}, only("f")},
		{"what was not searched stays new", declared(t, "f", "h"), "t1", []string{"h"}, only("")},
		{"until it is searched", declared(t, "f", "h"), "t1", []string{"h"}, all},
		{"another fuzz test kills other mutants", declared(t, "f", "h"), "t2", []string{"f", "h"}, only("f")},
		{"of all functions", declared(t, "f", "h"), "t2", []string{"h"}, all},
		{"and then it is searched", declared(t, "f", "h"), "t2", []string{}, all},
	} {
		g := readGeneration(path)
		if diff := cmp.Diff(step.changed, g.changed(step.code, step.run)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		if err := g.next(step.code, step.run, step.searched, nil).write(path); err != nil {
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
