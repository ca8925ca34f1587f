package versions

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// module is one of those that packages are built from, as go list prints it.
type module struct {
	Path, Version string
	Main          bool
	Replace       *module
	Dir, GoMod    string
	Error         *struct{ Err string }
}

// String is what people know a version by.
func (m *module) String() string {
	s := strings.TrimSpace(m.Path + " " + m.Version)
	if m.Replace != nil {
		s += " => " + m.Replace.String()
	}
	return s
}

// dependencies answers a question for versions of dependencies.
func (f *finder) dependencies(ctx context.Context) (*Pair, error) {
	if f.tool.Work != "" {
		return nil, exit.Errorf(exit.Usage, "-with: versions of modules can't be compared in a workspace, which %s makes: run with GOWORK=off", f.tool.Work)
	}
	old, err := f.private(ctx, f.tool, "old", nil)
	if err != nil {
		return nil, err
	}
	new, err := f.private(ctx, f.tool, "new", nil)
	if err != nil {
		return nil, err
	}
	var asked []string // paths
	for _, with := range f.With {
		m, err := f.required(ctx, old, with)
		if err != nil {
			return nil, err
		}
		asked = append(asked, m.Path)
	}
	if err := f.get(ctx, new); err != nil {
		return nil, err
	}
	return f.compareModules(ctx, old, new, asked)
}

// private returns a toolchain that works on a separate go.mod, and may change that.
func (f *finder) private(ctx context.Context, tool *gotool.Toolchain, name string, replace []gotool.Replacement) (*gotool.Toolchain, error) {
	t := *tool
	if !slices.Contains(t.Flags, "-mod=mod") {
		t.Flags = append(slices.Clip(t.Flags), "-mod=mod")
	}
	return t.Private(ctx, filepath.Join(f.WorkDir, "with-"+name), replace)
}

// required finds the module that is to have another version.
func (f *finder) required(ctx context.Context, tool *gotool.Toolchain, with string) (*module, error) {
	path, version, ok := strings.Cut(with, "@")
	if !ok || path == "" || version == "" || version == "none" {
		return nil, exit.Errorf(exit.Usage, "-with %s: name a module and a version, as in -with golang.org/x/net@latest", with)
	}
	args := append([]string{"list", "-m", "-e", "-json"}, tool.Flags...)
	out, err := tool.Go(ctx, append(args, "--", path)...)
	if err != nil {
		return nil, err
	}
	var m module
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, exit.Errorf(exit.Usage, "-with %s: go list -m: %w", with, err)
	}
	switch {
	case m.Main:
		return nil, exit.Errorf(exit.Usage, "-with %s: that is the main module: compare with one of its revisions, as in fuzzmut diff %s", with, version)
	case m.Replace != nil && m.Replace.Version == "":
		return nil, exit.Errorf(exit.Usage, "-with %s: %s has directory %s in its place: compare with another one: fuzzmut diff -old DIR there", with, f.tool.Mod, m.Replace.Path)
	case m.Replace != nil:
		return nil, exit.Errorf(exit.Usage, "-with %s: %s replaces it by %s %s: take the replace directive out", with, f.tool.Mod, m.Replace.Path, m.Replace.Version)
	case m.Version == "" || m.Error != nil && m.Dir == "":
		return nil, exit.Errorf(exit.Usage, "-with %s: %s does not need module %s: name one of those that go list -m all lists", with, f.tool.Mod, path)
	}
	return &m, nil
}

// get has a go.mod need the versions that are asked for.
func (f *finder) get(ctx context.Context, tool *gotool.Toolchain) error {
	isMod := func(flag string) bool { return strings.HasPrefix(flag, "-mod=") } // go get has none
	args := append([]string{"get"}, slices.DeleteFunc(slices.Clone(tool.Flags), isMod)...)
	cmd := gotool.GoCommand(ctx, tool.Command, append(append(args, "--"), f.With...)...)
	cmd.Dir, cmd.Env = tool.Dir, tool.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &ended):
		return exit.Errorf(exit.Usage, "-with %s: %s", strings.Join(f.With, " "), complaint(stderr.String()))
	}
	return err
}

// news begin the lines by which go get says what it does.
var news = []string{"downloading", "upgraded", "downgraded", "added", "removed", "finding", "found", "trying", "using"}

// complaint is the line by which the go command says what is wrong.
func complaint(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		first, _, _ := strings.Cut(line, " ")
		if line != "" && !slices.Contains(news, first) {
			return line
		}
	}
	return "go get fails without a reason"
}

// used lists the modules that the module's packages and their tests are built from, by
// path.
func used(ctx context.Context, tool *gotool.Toolchain) (map[string]*module, error) {
	t := *tool
	t.Dir = filepath.Dir(tool.Mod)
	t.Env = append(slices.Clip(tool.Env), "PWD="+t.Dir)
	args := append([]string{"list", "-e", "-deps", "-test", "-json=Module"}, tool.Flags...)
	out, err := t.Go(ctx, append(args, "./...")...)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*module)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Module *module }
		if err := dec.Decode(&p); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, exit.Errorf(exit.Usage, "go list: %w", err)
		}
		if p.Module != nil {
			found[p.Module.Path] = p.Module
		}
	}
}

// moved is a module that both sides have, in different versions.
type moved struct{ old, new *module }

// String is what people know two versions by.
func (m moved) String() string {
	if m.old.Replace == nil && m.new.Replace == nil {
		return m.new.String() + " in place of " + m.old.Version
	}
	return m.new.String() + " in place of " + m.old.String()
}

// compareModules compares what both sides are built from.
func (f *finder) compareModules(ctx context.Context, old, new *gotool.Toolchain, asked []string) (*Pair, error) {
	was, err := used(ctx, old)
	if err != nil {
		return nil, err
	}
	is, err := used(ctx, new)
	if err != nil {
		return nil, err
	}
	for i, path := range asked {
		switch {
		case was[path] == nil:
			return nil, exit.Errorf(exit.Usage, "-with %s: no package below %s needs a package of module %s, so nothing can behave differently", f.With[i], filepath.Dir(f.tool.Mod), path)
		case is[path] != nil && is[path].String() == was[path].String():
			return nil, exit.Errorf(exit.Usage, "-with %s: %s needs that version: name another one", f.With[i], f.tool.Mod)
		}
	}
	pair := &Pair{Old: Side{Env: f.Env, Dir: f.Dir}, New: Side{Env: f.Env, Dir: f.Dir}}
	list := differing(was, is)
	pair.Old.Name, pair.New.Name = sideName(was, asked, list), sideName(is, asked, list)
	several := len(list) > 1
	list = slices.DeleteFunc(list, func(m moved) bool { return m.old == nil || m.new == nil })
	return pair, f.addModules(ctx, pair, old, new, list, several)
}

// addModules adds the files in which modules differ that both sides have. The sides are
// built from copies of these.
func (f *finder) addModules(ctx context.Context, pair *Pair, old, new *gotool.Toolchain, list []moved, named bool) (err error) {
	var from, to []gotool.Replacement
	for _, m := range list {
		a, err := place(f.tool, m.old)
		if err != nil {
			return err
		}
		b, err := place(f.tool, m.new)
		if err != nil {
			return err
		}
		if err := addModule(pair, m, a.Dir, b.Dir, named); err != nil {
			return err
		}
		from, to = append(from, a), append(to, b)
	}
	sortPair(pair)
	if pair.Old.BuildFlags, err = f.flags(ctx, old, "old-copies", from); err != nil {
		return err
	}
	pair.New.BuildFlags, err = f.flags(ctx, new, "new-copies", to)
	return err
}

// addRaised adds the modules that two trees need in different versions.
func (f *finder) addRaised(ctx context.Context, pair *Pair) error {
	if f.tool.Work != "" || !slices.ContainsFunc(pair.Other, func(name string) bool { return filepath.Base(name) == "go.mod" }) ||
		slices.Equal(pair.Old.BuildFlags, pair.New.BuildFlags) {
		return nil
	}
	var tools [2]*gotool.Toolchain
	var modules [2]map[string]*module
	for i, side := range []*Side{&pair.Old, &pair.New} {
		tool := *f.tool
		tool.Flags = side.BuildFlags
		var err error
		if tools[i], err = f.private(ctx, &tool, []string{"old", "new"}[i], nil); err != nil {
			return err
		}
		if modules[i], err = used(ctx, tools[i]); err != nil {
			return err
		}
	}
	list := slices.DeleteFunc(differing(modules[0], modules[1]), func(m moved) bool {
		return m.old == nil || m.new == nil || !f.tool.InModCache(m.old.Dir) || !f.tool.InModCache(m.new.Dir)
	})
	if len(list) == 0 {
		return nil
	}
	return f.addModules(ctx, pair, tools[0], tools[1], list, true)
}

// flags returns the build flags with which copies take the places of modules.
func (f *finder) flags(ctx context.Context, tool *gotool.Toolchain, name string, replace []gotool.Replacement) ([]string, error) {
	t, err := f.private(ctx, tool, name, replace)
	if err != nil {
		return nil, err
	}
	return t.Flags, nil
}

// differing lists modules in other versions, by path; those that only one side has, too.
func differing(was, is map[string]*module) []moved {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(paths)
	var list []moved
	for _, path := range slices.Compact(paths) {
		m := moved{was[path], is[path]}
		if m.old == nil || m.new == nil || m.old.String() != m.new.String() {
			list = append(list, m)
		}
	}
	return list
}

// sideName names the modules that were asked for, and the others that differ.
func sideName(side map[string]*module, asked []string, list []moved) string {
	var names, others []string
	for _, path := range asked {
		if m := side[path]; m != nil {
			names = append(names, m.String())
		}
	}
	for _, m := range list {
		if m := side[cmp.Or(m.old, m.new).Path]; m != nil && !slices.Contains(asked, m.Path) {
			others = append(others, m.String())
		}
	}
	if len(others) > 0 {
		return strings.Join(names, ", ") + " with " + strings.Join(others, ", ")
	}
	return strings.Join(names, ", ")
}

// place copies a module to where an overlay may change it. A directory that stands for a
// module is such a place.
func place(tool *gotool.Toolchain, m *module) (gotool.Replacement, error) {
	at := cmp.Or(m.Replace, m)
	r := gotool.Replacement{Path: m.Path, Version: m.Version, Dir: m.Dir}
	if !tool.InModCache(m.Dir) {
		return r, nil
	}
	var err error
	r.Dir, err = tool.CopyModule(m.Dir, cmp.Or(m.GoMod, at.GoMod))
	return r, err
}

// addModule adds the files in which two versions of a module differ.
func addModule(pair *Pair, m moved, old, new string, several bool) error {
	embedded := newEmbedded(old, new)
	was, err := moduleFiles(old, embedded)
	if err != nil {
		return err
	}
	is, err := moduleFiles(new, embedded)
	if err != nil {
		return err
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		shown := name
		if several {
			shown = m.new.Path + "/" + name
		}
		if filepath.Ext(name) != ".go" {
			if !bytes.Equal(was[name], is[name]) {
				pair.Other = append(pair.Other, shown)
			}
			continue
		}
		f := File{Name: shown, Old: was[name], New: is[name]}
		if several {
			f.Dependency = m.String()
		}
		f.Path, f.OldPath = filepath.Join(new, filepath.FromSlash(name)), filepath.Join(old, filepath.FromSlash(name))
		if f.diff() {
			pair.Files = append(pair.Files, f)
		}
	}
	return nil
}

// moduleFiles reads the files of a module that a build may read and that are no tests.
func moduleFiles(dir string, embedded *embedded) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir() && !builds(name):
			return fs.SkipDir
		case !d.Type().IsRegular() || !isSource(name) && !embedded.has(name) || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	return files, err
}
