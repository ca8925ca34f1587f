package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// target is a package with a corpus of fuzzmut's, or golden values, in the index. Paths are relative to
// the root of the work tree, with slashes; "." is the root.
type target struct {
	dir    string
	module string   // directory of its module
	tests  []string // fuzz tests with such a corpus, in order
}

// pattern names the package from the directory of its module.
func (t target) pattern() string {
	rel, err := filepath.Rel(t.module, t.dir)
	if err != nil || rel == "." {
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// golden lists the fuzz tests of the target whose golden files are among files.
func (t target) golden(files []string) []string {
	var list []string
	for _, name := range files {
		if dir, test, ok := golden.Split(name); ok && dir == t.dir && !slices.Contains(list, test) {
			list = append(list, test)
		}
	}
	return list
}

// regexp matches the names of the fuzz tests.
func (t target) regexp() string {
	return gotool.Exactly(t.tests)
}

// plan finds the packages that what is staged concerns.
func (j *job) plan(ctx context.Context) ([]target, error) {
	staged, err := j.repo.List(ctx, "diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules", "-z")
	if err != nil {
		return nil, interrupted(ctx, exit.Errorf(exit.Usage, "the staged changes can't be listed: %w", err))
	}
	staged = slices.DeleteFunc(staged, func(name string) bool { return !mayConcern(name) })
	if len(staged) == 0 {
		return nil, nil
	}
	j.staged = staged
	all, err := j.targets(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	concerned := make([]bool, len(all))
	unclear := make(map[string][]int) // by module
	for i, t := range all {
		if concerned[i] = slices.ContainsFunc(staged, t.obviously); !concerned[i] {
			unclear[t.module] = append(unclear[t.module], i)
		}
	}
	var code []string // directories
	for _, name := range staged {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			code = append(code, path.Dir(name))
		}
	}
	for module, list := range unclear {
		if len(code) == 0 {
			break
		}
		needs := j.dependencies(ctx, module, all, list)
		for _, i := range list {
			concerned[i] = needs == nil || slices.ContainsFunc(code, func(dir string) bool { return needs[i][dir] })
		}
	}
	var targets []target
	for i, t := range all {
		if concerned[i] {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

// goFiles are files that say what code is built, and are no source.
var goFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// mayConcern says whether a corpus may depend on a file.
func mayConcern(name string) bool {
	_, _, kept := cutTestdata(name)
	return kept || strings.HasSuffix(name, ".go") || slices.Contains(goFiles, path.Base(name))
}

// cutTestdata splits the name of a file that belongs to a corpus, or holds golden
// values: the directory of the package, and the fuzz test.
func cutTestdata(name string) (dir, test string, ok bool) {
	if dir, test, ok := golden.Split(name); ok {
		return dir, test, true
	}
	parts := strings.Split(name, "/")
	n := len(parts)
	if n < 4 || parts[n-4] != "testdata" || parts[n-3] != "fuzz" {
		return "", "", false
	}
	return path.Join(append([]string{"."}, parts[:n-4]...)...), parts[n-2], true
}

// isManaged says whether a file of a corpus is one that fuzzmut may write and remove.
func isManaged(name string) bool {
	_, _, kept := golden.Split(name)
	return kept || corpus.IsManagedName(path.Base(name))
}

// targets lists the packages that have a corpus of fuzzmut's, or golden values, in
// the index.
func (j *job) targets(ctx context.Context) ([]target, error) {
	names, err := j.repo.List(ctx, "ls-files", "-z", "--", ":(glob)**/testdata/fuzz/*/*", ":(glob)**/testdata/fuzz-golden/**", ":(glob)**/go.mod")
	if err != nil {
		return nil, interrupted(ctx, exit.Errorf(exit.Usage, "the files of the index can't be listed: %w", err))
	}
	modules := make(map[string]bool)
	for _, name := range names {
		if path.Base(name) == "go.mod" {
			modules[path.Dir(name)] = true
		}
	}
	var list []target
	index := make(map[string]int)
	for _, name := range names {
		dir, test, ok := cutTestdata(name)
		if !ok || !isManaged(name) {
			continue
		}
		i, have := index[dir]
		if !have {
			i = len(list)
			index[dir] = i
			list = append(list, target{dir: dir, module: moduleOf(dir, modules)})
		}
		if !slices.Contains(list[i].tests, test) {
			list[i].tests = append(list[i].tests, test)
		}
	}
	return slices.DeleteFunc(list, func(t target) bool { return t.module == "" }), nil
}

// moduleOf returns the directory of the module that a directory is in, "" if it is
// in none that the index holds: that of an enclosing work tree is not ours.
func moduleOf(dir string, modules map[string]bool) string {
	for ; ; dir = path.Dir(dir) {
		if modules[dir] {
			return dir
		}
		if dir == "." {
			return ""
		}
	}
}

// obviously says whether a file concerns a target by its place alone.
func (t target) obviously(name string) bool {
	if dir, _, ok := cutTestdata(name); ok {
		return dir == t.dir
	}
	dir := path.Dir(name)
	switch path.Base(name) {
	case "go.mod", "go.sum":
		return dir == t.module
	case "go.work", "go.work.sum":
		return true
	}
	return dir == t.dir
}

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Dir        string
	Deps       []string
}

// dependencies finds the directories, as target.dir, of what some targets of a
// module are built of. It asks in the user's work tree, since that takes no time:
// what is not staged there has to differ in imports to matter. nil means that
// nothing can be said.
func (j *job) dependencies(ctx context.Context, module string, all []target, which []int) map[int]map[string]bool {
	args := append([]string{"list"}, j.opts.BuildFlags...)
	args = append(args, "-deps", "-test", "-json=ImportPath,Dir,Deps")
	for _, i := range which {
		args = append(args, all[i].pattern())
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = filepath.Join(j.repo.Root, module), j.opts.Env
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	packages := make(map[string]listed)
	tests := make(map[string]listed) // test binaries, by directory
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if dec.Decode(&p) != nil {
			return nil
		}
		packages[p.ImportPath] = p
		if strings.HasSuffix(p.ImportPath, ".test") {
			tests[p.Dir] = p
		}
	}
	needs := make(map[int]map[string]bool)
	for _, i := range which {
		needs[i] = make(map[string]bool)
		for _, dep := range tests[filepath.Join(j.repo.Root, all[i].dir)].Deps {
			if rel, err := filepath.Rel(j.repo.Root, packages[dep].Dir); err == nil && filepath.IsLocal(rel) {
				needs[i][filepath.ToSlash(rel)] = true
			}
		}
	}
	return needs
}
