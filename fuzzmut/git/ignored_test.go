package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestIgnoredAndItsRemedy(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not in PATH")
	}
	for name, c := range map[string]struct {
		files map[string]string // of patterns
		by    string            // pattern and place; "" if nothing is ignored
		file  string            // that the remedy changes
		lines []string
	}{
		"nothing":        {map[string]string{".gitignore": "*.o\n"}, "", "", nil},
		"the directory":  {map[string]string{".gitignore": "a\ntestdata/fuzz\npkg/testdata/fuzz\n"}, `"pkg/testdata/fuzz" in .gitignore:3`, ".gitignore", []string{"!/pkg/testdata/fuzz/"}},
		"one above":      {map[string]string{".gitignore": "testdata/\n"}, `"testdata/" in .gitignore:1`, ".gitignore", []string{"!/pkg/testdata/"}},
		"below":          {map[string]string{"pkg/.gitignore": "/testdata\n"}, `"/testdata" in pkg/.gitignore:1`, "pkg/.gitignore", []string{"!/testdata/"}},
		"files by name":  {map[string]string{".gitignore": "fuzzmut-*\n"}, `"fuzzmut-*" in .gitignore:1`, ".gitignore", []string{"!/pkg/testdata/fuzz/**"}},
		"directories":    {map[string]string{".gitignore": "test*\n"}, `"test*" in .gitignore:1`, ".gitignore", []string{"!/pkg/testdata/", "!/pkg/testdata/fuzz/", "!/pkg/testdata/fuzz/**"}},
		"everything":     {map[string]string{"pkg/.gitignore": "*\n"}, `"*" in pkg/.gitignore:1`, "pkg/.gitignore", []string{"!/testdata/", "!/testdata/fuzz/", "!/testdata/fuzz/**"}},
		"taken back":     {map[string]string{".gitignore": "fuzz*\n!/pkg/testdata/fuzz/\n!fuzzmut-*\n"}, "", "", nil},
		"not in a tree":  {map[string]string{".git/info/exclude": "fuzz\n"}, `"fuzz" in .git/info/exclude:1`, ".gitignore", []string{"!/pkg/testdata/fuzz/"}},
		"with wildcards": {map[string]string{".git/info/exclude": "**/fuzz/**\n"}, `"**/fuzz/**" in .git/info/exclude:1`, ".gitignore", []string{"!/pkg/testdata/fuzz/", "!/pkg/testdata/fuzz/**"}},
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		r := &Repository{Root: root}
		if _, err := r.Run(t.Context(), "init", "-q", "--template="); err != nil {
			t.Fatal(err)
		}
		write := func(name, text string) {
			t.Helper()
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(text); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range c.files {
			write(name, text)
		}
		dir := filepath.Join(root, "pkg", "testdata", "fuzz")
		path := filepath.Join(dir, "FuzzX", "fuzzmut-0123456789abcdef")
		i, err := r.Ignored(t.Context(), filepath.Join(root, "go.mod"), path)
		if err != nil {
			t.Fatal(err)
		}
		if i == nil {
			if c.by != "" {
				t.Errorf("%s: nothing is ignored", name)
			}
			continue
		}
		if i.String() != c.by || i.Path != path {
			t.Errorf("%s: %s is ignored by %s, want %s", name, i.Path, i, c.by)
		}
		file, lines := i.Remedy(dir)
		if file != c.file || !slices.Equal(lines, c.lines) {
			t.Errorf("%s: the remedy is %q in %s", name, lines, file)
		}
		write(file, strings.Join(lines, "\n")+"\n")
		if i, err := r.Ignored(t.Context(), path); i != nil || err != nil {
			t.Errorf("%s: with %q in %s: %v, %v", name, lines, file, i, err)
		}
	}
}
