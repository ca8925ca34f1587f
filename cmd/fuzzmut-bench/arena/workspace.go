package arena

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/fuzzmut/fuzzmut/corpus"
)

// Binaries are a target's test binaries as the go command builds them.
type Binaries struct {
	Plain, Cover, Fuzz string
}

// buildBinaries builds a target's binaries into dir.
func buildBinaries(ctx context.Context, core int, t Target, dir string) (*Binaries, error) {
	bin := &Binaries{filepath.Join(dir, "plain.test"), filepath.Join(dir, "cover.test"), filepath.Join(dir, "fuzz.test")}
	for _, flags := range [][]string{
		{"-o", bin.Plain},
		{"-o", bin.Cover, "-cover", "-covermode=set", "-coverpkg=" + strings.Join(t.Mutate, ",")},
		{"-o", bin.Fuzz, "-fuzz=^" + t.Fuzz + "$"},
	} {
		args := slices.Concat([]string{"go", "test", "-c", "-vet=off"}, flags, []string{"."})
		if _, err := Run(ctx, core, t.Dir, args...); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return bin, nil
}

// Binaries builds the binaries of a target, once.
func (b *Bench) Binaries(ctx context.Context, core int, t Target) (*Binaries, error) {
	b.mu.Lock()
	if b.built == nil {
		b.built = make(map[string]func() (*Binaries, error))
	}
	build := b.built[t.ID()]
	if build == nil {
		build = sync.OnceValues(func() (*Binaries, error) {
			dir := filepath.Join(b.Work, "binaries", t.ID())
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, err
			}
			return buildBinaries(ctx, core, t, dir)
		})
		b.built[t.ID()] = build
	}
	b.mu.Unlock()
	return build()
}

// Workspace copies a target into its own module, under a path that nobody has
// used: Go's fuzz cache goes by it.
func (b *Bench) Workspace(t Target) (Target, error) {
	b.mu.Lock()
	b.runs++
	name := fmt.Sprintf("%s-run%d", filepath.Base(b.Work), b.runs)
	b.mu.Unlock()
	root := filepath.Join(b.Work, name)
	dir := filepath.Join(root, t.Name)
	if err := os.CopyFS(dir, os.DirFS(t.Dir)); err != nil {
		return Target{}, err
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(t.Dir), file))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, file), data, 0o666)
		}
		if err != nil {
			return Target{}, err
		}
	}
	t.Dir = dir
	return t, RenameModule(root, "example.com/"+name)
}

// Discard removes a workspace, and what runs in it have left in Go's
// fuzz cache.
func (b *Bench) Discard(t Target) {
	if t.Dir == "" {
		return
	}
	root := filepath.Dir(t.Dir)
	os.RemoveAll(root)
	if dir, err := corpus.CacheDir(b.GoCache, "example.com/"+filepath.Base(root), t.Fuzz); err == nil {
		os.RemoveAll(filepath.Dir(dir))
	}
}

// ID names a target in tables.
func (t Target) ID() string { return t.Name + "." + t.Fuzz }
