package hook

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/fuzzmut/fuzzmut/fuzzmut/git"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/shell"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// Self is the program that installs the hook.
type Self struct {
	Path    string // of the executable file, as the system names it
	Package string // import path of the command
	Version string // of its module; "" or "(devel)" if it was not built from a version
}

// A Program is how the hook calls fuzzmut: by words that mean the same tomorrow.
type Program struct {
	Words []string // the command, run at the root of the work tree
	// Elsewhere has the hook tell the program where the root is: the command runs it in
	// another directory.
	Elsewhere bool
	// Local says that the command is a path of this machine.
	Local bool
	// Fix says what helps if the command can't be run.
	Fix string
}

// FindProgram finds out how a hook can call fuzzmut in the repository that dir is in: as
// the tool of the module there, as the installed program, or as a version of the module
// proxy. The first of these that exists is taken.
func FindProgram(ctx context.Context, dir string, env []string, self Self) (*Program, error) {
	repo, err := find(ctx, dir, env)
	if err != nil {
		return nil, err
	}
	cmd := gotool.GoCommand(ctx, "go", "env", "GOMOD", "GOCACHE")
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		return nil, interrupted(ctx, exit.Errorf(exit.Usage, "go env GOMOD: %w: is the go command in PATH?", err))
	}
	mod, cache, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if p := toolOf(mod, repo, self.Package); p != nil {
		return p, nil
	}
	install := "go install " + self.Package + "@latest"
	if path := stablePath(self.Path, cache); path != "" {
		return &Program{Words: []string{path}, Local: true, Fix: "install it again: " + install}, nil
	}
	if !isRelease(self.Version) {
		return nil, exit.Errorf(exit.Usage, "a hook needs a fuzzmut that is still there tomorrow, and this is a temporary build without a version: "+
			"%s, or go install ./cmd/fuzzmut in its source; then run fuzzmut hook install", install)
	}
	return &Program{
		Words: []string{"go", "run", self.Package + "@" + self.Version},
		Fix:   "see that the module proxy can be reached, or " + install + " and fuzzmut hook install",
	}, nil
}

// toolOf returns the program as the tool of the module whose go.mod is given, nil if the
// module has no such tool or lies outside the repository.
func toolOf(mod string, repo *git.Repository, pkg string) *Program {
	data, err := os.ReadFile(mod)
	if err != nil {
		return nil // there is no module, or none that the go command could use
	}
	file, err := modfile.Parse(mod, data, nil)
	if err != nil || !slices.ContainsFunc(file.Tool, func(t *modfile.Tool) bool { return t.Path == pkg }) {
		return nil
	}
	dir, err := relative(repo.Root, filepath.Dir(mod))
	if err != nil || !filepath.IsLocal(dir) {
		return nil
	}
	p := &Program{Words: []string{"go"}, Elsewhere: dir != ".", Fix: "have it in go.mod: go get -tool " + pkg}
	if p.Elsewhere {
		p.Words = append(p.Words, "-C", filepath.ToSlash(dir))
	}
	p.Words = append(p.Words, "tool", filepath.Base(pkg))
	return p
}

// relative is filepath.Rel for directories that exist, whatever links lead to them.
func relative(base, dir string) (string, error) {
	base, err := filepath.EvalSymlinks(base)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", err
	}
	return filepath.Rel(base, dir)
}

// stablePath returns a path of the program that stays, "" if it is one that the go command
// has built to run it once. What PATH holds may be a link that an update leaves in its
// place.
func stablePath(path, cache string) string {
	paths := []string{path}
	if found, err := exec.LookPath(filepath.Base(path)); err == nil && sameFile(found, path) {
		if found, err = filepath.Abs(found); err == nil {
			paths = []string{found, path}
		}
	}
	for _, p := range paths {
		if !isTemporary(p, cache) {
			return p
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// workDir matches the directories in which the go command builds what it runs once.
var workDir = regexp.MustCompile(`^go-build\d+$`)

// isTemporary reports whether a program lies where go run and go tool put what they build.
func isTemporary(path, cache string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return cache != "" && within(path, cache) || slices.ContainsFunc(parts, workDir.MatchString)
}

// isRelease reports whether the module proxy may serve a version: it is no build of a work
// tree.
func isRelease(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "+dirty")
}

// call is the body of the hook's function that calls the program.
func (p *Program) call() string {
	var words []string
	for _, w := range p.Words {
		words = append(words, shell.Quote(w))
	}
	line := strings.Join(words, " ")
	if p.Local {
		// An update may have moved it.
		return `if [ -x ` + line + ` ]; then ` + line + ` "$@"; else command ` + shell.Quote(filepath.Base(p.Words[0])) + ` "$@"; fi`
	}
	return line + ` "$@"`
}
