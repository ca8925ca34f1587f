package diff

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// A workspace is a module with the package of one pair.
type workspace struct {
	dir  string
	pair pair
}

// newWorkspace copies the package of a pair into its own module below work, which
// requires the old version. Its path is new, since Go's fuzz cache goes by it.
func newWorkspace(ctx context.Context, data, work string, p pair) (*workspace, error) {
	dir, err := os.MkdirTemp(work, p.Name+"-")
	if err != nil {
		return nil, err
	}
	w := &workspace{dir: dir, pair: p}
	if err := os.CopyFS(filepath.Join(dir, p.Name), os.DirFS(filepath.Join(data, p.Name))); err != nil {
		return nil, err
	}
	path := "example.com/" + filepath.Base(work) + "/" + filepath.Base(dir)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+path+"\n\ngo 1.26.0\n"), 0o666); err != nil {
		return nil, err
	}
	return w, w.require(ctx, p.Old, p.With...)
}

// require sets the version of the pair's module, and those of others.
func (w *workspace) require(ctx context.Context, version string, with ...string) error {
	args := slices.Concat([]string{"go", "get", "-t", w.pair.Module + "@" + version}, with)
	if _, err := arena.Run(ctx, arena.AnyCore, w.dir, args...); err != nil {
		return err
	}
	// What those need in turn is added, which may raise them.
	if _, err := arena.Run(ctx, arena.AnyCore, w.dir, "go", "get", "-t", w.pattern()); err != nil {
		return err
	}
	p, err := arena.Run(ctx, arena.AnyCore, w.dir, "go", "list", "-m", "-f", "{{.Version}}", w.pair.Module)
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(string(p.Stdout)); got != version {
		return fmt.Errorf("%s is %s, since another module raises it, not %s", w.pair.Module, got, version)
	}
	return nil
}

// pattern names the package for commands that are run in the workspace.
func (w *workspace) pattern() string { return "./" + w.pair.Name }

// packages lists what a search for differences has to observe: the package, and those of
// the pair's module that it needs.
func (w *workspace) packages(ctx context.Context) ([]string, error) {
	p, err := arena.Run(ctx, arena.AnyCore, w.dir, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}} {{.ImportPath}}", w.pattern())
	if err != nil {
		return nil, err
	}
	list := []string{w.pattern()}
	for line := range strings.Lines(string(p.Stdout)) {
		if module, path, _ := strings.Cut(strings.TrimSpace(line), " "); module == w.pair.Module {
			list = append(list, path)
		}
	}
	return list, nil
}
