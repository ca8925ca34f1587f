package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// unit is one package whose tests are run, with the packages to mutate.
type unit struct {
	module, version string // "std", "-" for the Go tree
	pkg             string // pattern
	mutate          []string
	skip            string // tests that schemata and verdicts leave out, as -skip of go test takes it
}

func (u *unit) name() string {
	if u.module == "std" {
		return u.pkg
	}
	return path.Join(u.module, u.pkg)
}

// skipped begins the last word of a line that leaves tests out.
const skipped = "skip="

// readList reads the list of modules, or those units of it whose names contain
// one of names.
func readList(file string, names []string) ([]*unit, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("run from the repository's root: %w", err)
	}
	var units []*unit
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		skip, skips := strings.CutPrefix(words[len(words)-1], skipped)
		if skips {
			words = words[:len(words)-1]
		} else {
			skip = ""
		}
		if len(words) < 3 {
			return nil, fmt.Errorf("%s:%d: want module, version and packages", file, n)
		}
		for _, w := range words[2:] {
			pkg, mutate, several := strings.Cut(w, "=")
			u := &unit{module: words[0], version: words[1], pkg: pkg, skip: skip}
			if several {
				u.mutate = strings.Split(mutate, ",")
			}
			if selected(u.name(), names) {
				units = append(units, u)
			}
		}
	}
	if len(units) == 0 {
		return nil, fmt.Errorf("%s has no package with such a name: %s", file, strings.Join(names, ", "))
	}
	return units, nil
}

func selected(name string, names []string) bool {
	for _, n := range names {
		if strings.Contains(name, n) {
			return true
		}
	}
	return len(names) == 0
}

// fileName is the name of a package or module as that of a file.
func fileName(name string) string { return strings.NewReplacer("/", "_", ".", "_").Replace(name) }

// fetch returns the directory of a copy of the unit's module that can be written
// to, as a main module.
func (p *prover) fetch(ctx context.Context, u *unit) (string, error) {
	dir, ok := p.fetched[u.module]
	if ok {
		return dir, nil
	}
	dir = filepath.Join(p.work, "modules", fileName(u.module))
	p.fetched[u.module] = dir
	if _, err := os.Stat(dir); err == nil && p.keep {
		return dir, nil
	}
	half := dir + ".half" // until it is whole
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(half)); err != nil {
		return "", err
	}
	if err := u.copy(ctx, half); err != nil {
		return "", err
	}
	return dir, os.Rename(half, dir)
}

// copy makes a copy of the unit's module in dir.
func (u *unit) copy(ctx context.Context, dir string) error {
	if u.module == "std" {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module std.example\n\ngo 1.26\n"), 0o666)
	}
	var m struct{ Dir, GoMod, Error string }
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", u.module+"@"+u.version)
	cmd.Dir = os.TempDir() // outside of any module
	out, err := cmd.Output()
	if jerr := json.Unmarshal(out, &m); jerr != nil || m.Error != "" {
		return fmt.Errorf("go mod download %s@%s: %w", u.module, u.version, errors.Join(err, jerr, errors.New(m.Error)))
	}
	if err := os.CopyFS(dir, os.DirFS(m.Dir)); err != nil { // which makes files that can be written to
		return err
	}
	goMod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(goMod); errors.Is(err, fs.ErrNotExist) {
		text, err := os.ReadFile(m.GoMod)
		if err != nil {
			return err
		}
		if err := os.WriteFile(goMod, text, 0o666); err != nil {
			return err
		}
	}
	// What the tests need may be missing from go.sum.
	get := exec.CommandContext(ctx, "go", "mod", "tidy")
	get.Dir = dir
	if out, err := get.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy in a copy of %s: %w\n%s", u.module, err, out)
	}
	return nil
}
