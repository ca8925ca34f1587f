package gotool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Overlayable returns a toolchain whose GOROOT accepts an overlay. One that the
// go command has downloaded is in the module cache, which does not; it is then
// reached through a shadow of it below Go's fuzz cache, with a stable path.
//
// Whatever go command is started with its environment, the one in the shadow does the
// work, and takes the shadow for GOROOT: packages.Load can't be told which one to start.
func (t *Toolchain) Overlayable() (*Toolchain, error) {
	if !t.InModCache(t.Root) {
		return t, nil
	}
	name, _, _ := strings.Cut(t.Version, " ") // what follows are experiments
	dir := filepath.Join(t.Cache, "fuzz", "fuzzmut-goroots", filepath.Base(t.Root))
	if err := shadow(dir, t.Root, name); err != nil {
		return nil, fmt.Errorf("linking GOROOT: %w", err)
	}
	p := *t
	bin := filepath.Join(dir, "bin")
	p.Root, p.Command = dir, filepath.Join(bin, "go"+exeSuffix())
	path := bin + string(filepath.ListSeparator) + t.lookupEnv("PATH")
	p.Env = append(slices.Clip(t.Env), "GOROOT="+dir, "GOTOOLCHAIN="+name, "PATH="+path)
	return &p, nil
}

// lookupEnv returns the value of a variable of the go command.
func (t *Toolchain) lookupEnv(name string) string { return lookupEnv(t.Env, name) }

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// shadow makes dir a directory of links to what is in root, unless it is there. The go
// command is its own file, since it finds GOROOT by where it lies; it is there by
// the name of its version, too, by which other go commands find it in PATH.
func shadow(dir, root, version string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	links := slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "bin" })
	commands := []string{"go" + exeSuffix(), version + exeSuffix()}
	whole := func() bool { return isShadow(dir, root, links, commands) }
	if whole() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "goroot")
	if err := os.MkdirAll(filepath.Join(made, "bin"), 0o777); err != nil {
		return err
	}
	for _, e := range links {
		if err := os.Symlink(filepath.Join(root, e.Name()), filepath.Join(made, e.Name())); err != nil {
			return err
		}
	}
	for _, name := range commands {
		if err := linkOrCopy(filepath.Join(made, "bin", name), goCommand(root)); err != nil {
			return err
		}
	}
	// What is there is of a toolchain that has been elsewhere, or not whole.
	if err := os.Rename(dir, filepath.Join(tmp, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(made, dir); err != nil && !whole() { // another process may have been faster
		return err
	}
	return nil
}

func goCommand(root string) string { return filepath.Join(root, "bin", "go"+exeSuffix()) }

// isShadow says whether dir is a shadow of root, and whole. It appears whole, but it is in a cache: what deletes
// files there by their age leaves the rest.
func isShadow(dir, root string, links []fs.DirEntry, commands []string) bool {
	for _, e := range links {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err != nil || to != filepath.Join(root, e.Name()) {
			return false
		}
	}
	original, err := os.Stat(goCommand(root))
	if err != nil {
		return false
	}
	for _, name := range commands {
		if is, err := os.Stat(filepath.Join(dir, "bin", name)); err != nil || is.Size() != original.Size() {
			return false
		}
	}
	return true
}

// linkOrCopy makes to the same file as from, or one like it on another file system.
func linkOrCopy(to, from string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	return CopyFile(to, from, 0o777)
}
