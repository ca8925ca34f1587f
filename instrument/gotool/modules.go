package gotool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// A Replacement puts a directory in a module's place.
type Replacement struct {
	Path, Version string
	Dir           string
}

// Private returns a toolchain that does the same but works on copies of go.mod
// and go.sum, or of go.work, in dir, so that nothing the go command does can
// reach the user's files. The copies replace the modules as told; relative paths
// in them keep their meaning.
//
// Without replacements, and unless -mod=mod would let the go command edit
// go.mod, the receiver is returned and nothing is written.
func (t *Toolchain) Private(ctx context.Context, dir string, replace []Replacement) (*Toolchain, error) {
	mode, _ := t.setting("mod")
	if len(replace) == 0 && mode != "mod" {
		return t, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	switch {
	case t.Work != "":
		return t.privateWork(ctx, dir, replace)
	case t.Mod != "":
		return t.privateMod(ctx, dir, replace)
	case len(replace) > 0:
		return nil, problem.Errorf(problem.KindNothingToMutate, "module %s can't be replaced outside a module: run fuzzmut in a directory with a go.mod that requires it", replace[0].Path)
	}
	return t, nil
}

func (t *Toolchain) privateMod(ctx context.Context, dir string, replace []Replacement) (*Toolchain, error) {
	from := t.Mod
	if name, ok := t.setting("modfile"); ok {
		from = absolute(t.Dir, name)
	}
	mod := filepath.Join(dir, "go.mod")
	if err := CopyFile(mod, from, 0o666); err != nil {
		return nil, fmt.Errorf("copying go.mod: %w", err)
	}
	sum := strings.TrimSuffix(from, ".mod") + ".sum"
	if err := CopyFile(filepath.Join(dir, "go.sum"), sum, 0o666); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("copying go.sum: %w", err)
	}
	if len(replace) > 0 {
		args := []string{"mod", "edit"}
		for _, r := range replace {
			args = append(args, "-replace="+r.Path+"@"+r.Version+"="+r.Dir)
		}
		if _, err := t.Go(ctx, append(args, mod)...); err != nil {
			return nil, err
		}
	}
	p := *t
	p.Flags = append(without(t.Flags, "modfile"), "-modfile="+mod)
	return &p, nil
}

// workFile is what `go work edit -json` prints.
type workFile struct {
	Go, Toolchain string
	Godebug       []struct{ Key, Value string }
	Use           []struct{ DiskPath string }
	Replace       []struct {
		Old, New struct{ Path, Version string }
	}
}

func (t *Toolchain) readWork(ctx context.Context) (w workFile, err error) {
	out, err := t.Go(ctx, "work", "edit", "-json", t.Work)
	if err != nil {
		return w, err
	}
	if err := json.Unmarshal(out, &w); err != nil {
		return w, fmt.Errorf("reading %s: %w", t.Work, err)
	}
	return w, nil
}

// WorkDirs returns the directories of the modules that the go.work uses. There must be one.
func (t *Toolchain) WorkDirs(ctx context.Context) (dirs []string, err error) {
	w, err := t.readWork(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range w.Use {
		dirs = append(dirs, absolute(filepath.Dir(t.Work), u.DiskPath))
	}
	return dirs, nil
}

// absolute is a path that is relative to base, if it is not absolute.
func absolute(base, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return path
}

func (t *Toolchain) privateWork(ctx context.Context, dir string, replace []Replacement) (*Toolchain, error) {
	w, err := t.readWork(ctx)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(dir, "go.work")
	if err := os.WriteFile(to, []byte(w.text(filepath.Dir(t.Work), replace)), 0o666); err != nil {
		return nil, err
	}
	if err := CopyFile(to+".sum", t.Work+".sum", 0o666); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("copying go.work.sum: %w", err)
	}
	p := *t
	p.Env = append(t.Env[:len(t.Env):len(t.Env)], "GOWORK="+to)
	return &p, nil
}

// text renders w for a place elsewhere: paths relative to base become absolute.
func (w *workFile) text(base string, replace []Replacement) string {
	var b strings.Builder
	abs := func(path string) string { return absolute(base, path) }
	if w.Go != "" {
		fmt.Fprintf(&b, "go %s\n", w.Go)
	}
	if w.Toolchain != "" {
		fmt.Fprintf(&b, "toolchain %s\n", w.Toolchain)
	}
	for _, g := range w.Godebug {
		fmt.Fprintf(&b, "godebug %s=%s\n", g.Key, g.Value)
	}
	for _, u := range w.Use {
		fmt.Fprintf(&b, "use %q\n", abs(u.DiskPath))
	}
	replaced := make(map[string]bool)
	for _, r := range replace {
		replaced[r.Path+" "+r.Version] = true
		fmt.Fprintf(&b, "replace %q %s => %q\n", r.Path, r.Version, r.Dir)
	}
	for _, r := range w.Replace {
		if replaced[r.Old.Path+" "+r.Old.Version] {
			continue
		}
		to := r.New.Path
		if r.New.Version == "" {
			to = abs(to)
		}
		fmt.Fprintf(&b, "replace %q %s => %q %s\n", r.Old.Path, r.Old.Version, to, r.New.Version)
	}
	return b.String()
}
