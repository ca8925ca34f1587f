package corpus

import (
	"fmt"
	"path/filepath"
)

// TestdataDir is the directory that go test reads the entries of a fuzz test
// from and that go test -fuzz writes failing inputs to. pkgDir is the directory
// of the package.
func TestdataDir(pkgDir, fuzzName string) string {
	return filepath.Join(pkgDir, "testdata", "fuzz", fuzzName)
}

// CacheDir is the directory in which go test -fuzz keeps the inputs that it
// found interesting for a fuzz test. gocache is the absolute path that go env
// GOCACHE prints; importPath is that of the package under test, also for a fuzz
// test in its external test package.
func CacheDir(gocache, importPath, fuzzName string) (string, error) {
	if !filepath.IsAbs(gocache) {
		return "", fmt.Errorf("GOCACHE is %q, where no fuzz cache can be; set it to an absolute path", gocache)
	}
	below := filepath.Join(filepath.FromSlash(importPath), fuzzName)
	if importPath == "" || fuzzName == "" || !filepath.IsLocal(below) {
		return "", fmt.Errorf("no fuzz cache for %s in package %q; run fuzzmut on a package within a module", fuzzName, importPath)
	}
	return filepath.Join(gocache, "fuzz", below), nil
}

// DerivedDir is the directory that has the testdata directory of fuzz tests which stand in
// no file: their entries, and their golden values. It is in Go's fuzz cache, under a
// name that is no import path's of a package with fuzz tests.
func DerivedDir(gocache, importPath string) (string, error) {
	dir, err := CacheDir(gocache, importPath, "x")
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(filepath.Join(gocache, "fuzz"), filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	return filepath.Join(gocache, "fuzz", "fuzzmut-derived", rel), nil
}

// FlakyDir is the directory for inputs that fail in one run and pass in another, beside
// [CacheDir] too. Nothing reads it but people.
func FlakyDir(gocache, importPath, fuzzName string) (string, error) {
	dir, err := CacheDir(gocache, importPath, fuzzName)
	if err != nil {
		return "", err
	}
	return dir + ".flaky", nil
}

// CrashersDir is the directory for failing inputs that are not written to the
// user's tree, because another one stands for their bucket. It lies beside
// [CacheDir], so that go clean -fuzzcache removes it with the rest, under
// a name that go test -fuzz never reads: a fuzz test's name holds no dot.
func CrashersDir(gocache, importPath, fuzzName string) (string, error) {
	dir, err := CacheDir(gocache, importPath, fuzzName)
	if err != nil {
		return "", err
	}
	return dir + ".crashers", nil
}
