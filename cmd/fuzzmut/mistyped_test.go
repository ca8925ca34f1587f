package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
)

func TestMistypedWords(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "score2/x.go", "tset/x.go"} {
		write(t, filepath.Join(dir, name), "module score2\n\ngo 1.26\n")
	}
	write(t, filepath.Join(dir, "x.go"), "package score2\n")
	t.Chdir(dir)
	for line, want := range map[string]string{
		"tset ./x":                      `unknown command "tset"; did you mean "test", or the package ./tset?`,
		"tset -C .. ./x":                `unknown command "tset"; did you mean "test"?`,
		"tset -C=..":                    `unknown command "tset"; did you mean "test"?`,
		"verify ./...":                  `unknown command "verify"; did you mean "corpus verify"?`,
		"corpus verfy":                  `fuzzmut corpus has no command "verfy"; did you mean "verify"?`,
		"help golden-value":             `no help on "golden-value"; did you mean "fuzzmut help golden-values"?`,
		"help nonsense":                 `no help on "nonsense"; "fuzzmut help usage" lists the commands and the topics`,
		"-fuztme 3s":                    `unknown flag -fuztme; did you mean -fuzztime?`,
		"test --shrad=1/2":              `unknown flag -shrad; did you mean -shard?`,
		"score -fuzztime 3s":            `unknown flag -fuzztime; fuzzmut score does not take it, these commands do: fuzz, `,
		"test -fuztime 3s":              `unknown flag -fuztime; did you mean -fuzztime? fuzzmut test does not take it, these commands do: fuzz, `,
		"corpus merge -package . ../in": `unknown flag -package; packages stand without a flag: fuzzmut corpus merge -from other `,
		"plot -nonsense":                `unknown flag -nonsense; "fuzzmut help plot" lists the flags`,
		"-operators maht,all":           `unknown operator "maht"; did you mean "math"?`,
	} {
		f := newFake(result(nil))
		f.check(t, exit.Usage, strings.Fields(line)...)
		if got := f.errs.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	// Packages, and what the go command has the better word for.
	for _, word := range []string{"score2", "strings", "./tset", "nonsense"} {
		f := newFake(func(_ context.Context, o project.Options) (*report.Report, error) {
			if !slices.Equal(o.Packages, []string{word}) {
				t.Errorf("%s: packages %q", word, o.Packages)
			}
			return nil, nil
		})
		f.check(t, exit.OK, word)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWithoutAPackageThereIsHelp(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	f := newFake(result(nil))
	f.check(t, exit.Usage)
	got, ok := strings.CutPrefix(f.errs.String(), "Fuzzmut fuzzes Go packages")
	if !ok || !strings.HasSuffix(got, "\n\nfuzzmut: no Go files in this directory; name a package, as in fuzzmut ./parser\n") || f.out.Len() > 0 {
		t.Errorf("stderr %q, stdout %q", &f.errs, &f.out)
	}
	const text = "package x\n\nimport \"testing\"\n\nfunc FuzzX(f *testing.F) {}\n"
	for _, name := range []string{"b/x_test.go", "a/c/x_test.go", "testdata/x_test.go", "vendor/v/x_test.go", ".x/x_test.go", "_x/x_test.go", "m/x_test.go"} {
		write(t, filepath.Join(dir, name), text)
	}
	write(t, filepath.Join(dir, "m/go.mod"), "module m\n")
	write(t, filepath.Join(dir, "a/x_test.go"), "package x\n\nfunc Fuzzy() {}\n")
	f = newFake(result(nil))
	f.check(t, exit.Usage)
	if !strings.HasSuffix(f.errs.String(), "\nfuzzmut: no Go files in this directory; there are fuzz tests in ./a/c ./b\n") {
		t.Errorf("stderr %q", &f.errs)
	}
	f = newFake(result(nil))
	f.check(t, exit.OK, "-q") // with arguments the go command says what is missing
}
