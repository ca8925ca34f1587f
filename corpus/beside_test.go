package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// What fuzzmut keeps beside Go's fuzz cache is below the directory that go clean -fuzzcache
// removes, and no two fuzz tests share a directory.
func TestDirectoriesBesideTheCache(t *testing.T) {
	cache := t.TempDir()
	kinds := map[string]func(path, name string) (string, error){
		"cache":    func(path, name string) (string, error) { return corpus.CacheDir(cache, path, name) },
		"crashers": func(path, name string) (string, error) { return corpus.CrashersDir(cache, path, name) },
		"flaky":    func(path, name string) (string, error) { return corpus.FlakyDir(cache, path, name) },
		"derived": func(path, name string) (string, error) {
			dir, err := corpus.DerivedDir(cache, path)
			return corpus.TestdataDir(dir, name), err
		},
	}
	owner := make(map[string]string)
	for kind, dirOf := range kinds {
		for _, path := range []string{"example.com/p", "example.com/p/q", "example.com/pq"} {
			for _, name := range []string{"FuzzA", "FuzzB"} {
				dir, err := dirOf(path, name)
				if err != nil {
					t.Fatalf("%s of %s in %s: %v", kind, name, path, err)
				}
				if rel, err := filepath.Rel(filepath.Join(cache, "fuzz"), dir); err != nil || !filepath.IsLocal(rel) {
					t.Errorf("%s of %s in %s is %s, outside of the fuzz cache", kind, name, path, dir)
				}
				who := kind + " of " + name + " in " + path
				if other := owner[dir]; other != "" {
					t.Errorf("%s has the directory of the %s", who, other)
				}
				owner[dir] = who
			}
		}
		for _, path := range []string{"", "../p", "/p"} {
			if dir, err := dirOf(path, "FuzzA"); err == nil {
				t.Errorf("%s in package %q is %s", kind, path, dir)
			}
		}
	}
	for name, dirOf := range map[string]func(string) (string, error){
		"cache":    func(cache string) (string, error) { return corpus.CacheDir(cache, "p", "FuzzA") },
		"crashers": func(cache string) (string, error) { return corpus.CrashersDir(cache, "p", "FuzzA") },
		"flaky":    func(cache string) (string, error) { return corpus.FlakyDir(cache, "p", "FuzzA") },
		"derived":  func(cache string) (string, error) { return corpus.DerivedDir(cache, "p") },
	} {
		for _, cache := range []string{"", "off", "cache"} {
			if dir, err := dirOf(cache); err == nil || !strings.Contains(err.Error(), "GOCACHE") {
				t.Errorf("%s with GOCACHE=%s: %s, %v", name, cache, dir, err)
			}
		}
	}
}

func TestReplaceFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, text := range []string{"first", "", "a longer one, in place of the second"} {
		if err := corpus.ReplaceFile(dir, "note", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "note")); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("temporary files are left: %v, %v", files, err)
	}
	for _, name := range []string{"", ".", "..", "a/b", "../note", ".fuzzmut-tmp-1"} {
		if err := corpus.ReplaceFile(dir, name, []byte("x")); err == nil {
			t.Errorf("a file named %q is written", name)
		}
	}
	// The directory is a file.
	path := filepath.Join(dir, "note")
	if err := corpus.ReplaceFile(path, "x", []byte("x")); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the error does not name %s: %v", path, err)
	}
}

// The order of inputs is total: corpora must not depend on the order in which inputs came.
func TestInputsAreOrdered(t *testing.T) {
	list := []*corpus.Input{
		corpus.Of(""), corpus.Of("a"), corpus.Of("b"), corpus.Of("aa"), corpus.Of([]byte("a")), corpus.Of([]byte{}),
		corpus.Of(0), corpus.Of(1), corpus.Of(-1), corpus.Of(int8(1)), corpus.Of(uint64(1)), corpus.Of(true), corpus.Of(false),
		corpus.Of("a", "b"), corpus.Of("ab", ""), corpus.Of("", "ab"), corpus.Of(1.5), corpus.Of(float32(1.5)),
	}
	sign := func(n int) int { return min(1, max(-1, n)) }
	for _, a := range list {
		for _, b := range list {
			if (a.Compare(b) == 0) != a.Equal(b) {
				t.Errorf("%v and %v: compare %d, equal %v", a.Values(), b.Values(), a.Compare(b), a.Equal(b))
			}
			if sign(a.Compare(b)) != -sign(b.Compare(a)) {
				t.Errorf("%v and %v: %d and %d", a.Values(), b.Values(), a.Compare(b), b.Compare(a))
			}
			for _, c := range list {
				if a.Compare(b) < 0 && b.Compare(c) < 0 && a.Compare(c) >= 0 {
					t.Errorf("%v < %v < %v, and not the first and the last", a.Values(), b.Values(), c.Values())
				}
			}
		}
	}
}
