package diff

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const data = "../../../testdata/pairs"

// The kinds of differences that "fuzzmut diff" knows.
var kinds = []string{"value", "to error", "to success", "panic", "no panic", "outcome", "order", "work"}

func TestEachPairHasItsPackageVersionsAndSource(t *testing.T) {
	pairs, err := readPairs(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names, modules []string
	count, apart := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		count[p.Kind]++
		if p.Apart {
			apart[p.Kind]++
		}
		if p.Kind == change && !slices.Contains(modules, p.Module) {
			modules = append(modules, p.Module)
		}
		names = append(names, p.Name)
		t.Run(p.Name, func(t *testing.T) { checkPair(t, p) })
	}
	if count[change] < 25 || count[refactoring] < 8 || len(modules) < 12 {
		t.Errorf("%d changes of %d modules and %d refactorings are too few", count[change], len(modules), count[refactoring])
	}
	if apart[change] < 7 || apart[refactoring] < 4 {
		t.Errorf("of %d changes and %d refactorings it is known that nothing was tuned on them", apart[change], apart[refactoring])
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) != len(names) {
		t.Errorf("a name stands twice in %s", names)
	}
	dirs, err := filepath.Glob(filepath.Join(data, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range dirs {
		if name := filepath.Base(filepath.Dir(file)); !slices.Contains(names, name) {
			t.Errorf("package %s is in no pair", name)
		}
	}
}

func checkPair(t *testing.T, p pair) {
	for _, version := range []string{p.Old, p.New} {
		if err := module.Check(p.Module, version); err != nil {
			t.Error(err)
		}
	}
	if semver.Compare(p.Old, p.New) >= 0 {
		t.Errorf("%s is not before %s", p.Old, p.New)
	}
	for _, with := range p.With {
		path, version, _ := strings.Cut(with, "@")
		if err := module.Check(path, version); err != nil {
			t.Error(err)
		}
	}
	for _, kind := range p.Shows {
		if !slices.Contains(kinds, kind) {
			t.Errorf("%q is no kind of difference", kind)
		}
	}
	switch p.Kind {
	case change:
		if len(p.Shows) == 0 || len(p.Functions) == 0 {
			t.Error("a change that shows nothing, or is in no function")
		}
	case refactoring:
		if len(p.Shows) != 0 || p.Causes != 0 {
			t.Error("a refactoring that shows something")
		}
	default:
		t.Errorf("%q is no kind of pair", p.Kind)
	}
	if p.What == "" || len(p.Sources) == 0 {
		t.Error("it does not say what changes, or where that is known from")
	}
	for _, source := range p.Sources {
		if u, err := url.Parse(source); err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "" {
			t.Errorf("%q is no source", source)
		}
	}
	if got := fuzzOf(t, p.Name); got != p.Fuzz {
		t.Errorf("inputs come from %q, not from %q", got, p.Fuzz)
	}
}

var fuzzTest = regexp.MustCompile(`(?m)^func Fuzz\w+\(f \*testing\.F\)`)

// fuzzOf says where the inputs of a package come from.
func fuzzOf(t *testing.T, name string) string {
	source, err := os.ReadFile(filepath.Join(data, name, name+".go"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), "\npackage "+name+"\n") {
		t.Errorf("%s.go is of another package", name)
	}
	tests, err := os.ReadFile(filepath.Join(data, name, name+"_test.go"))
	switch {
	case err == nil && fuzzTest.Match(tests):
		return "test"
	case strings.Contains(string(source), "\n//fuzzmut:target\n"):
		return "target"
	}
	return "derived"
}

func TestUnknownPairsAndFieldsAreRefused(t *testing.T) {
	if _, err := readPairs(data, []string{"html", "nothing"}); err == nil || !strings.Contains(err.Error(), `no pair "nothing"`) {
		t.Errorf("an unknown pair: %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, tableName), []byte(`[{"name": "a", "module": "b", "version": "v1"}]`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readPairs(dir, nil); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("an unknown field: %v", err)
	}
}
