package main

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

// binaries are a target's test binaries as the go command builds them.
type binaries struct {
	plain, cover, fuzz string
}

// buildBinaries builds a target's binaries into dir.
func buildBinaries(ctx context.Context, core int, t target, dir string) (*binaries, error) {
	bin := &binaries{filepath.Join(dir, "plain.test"), filepath.Join(dir, "cover.test"), filepath.Join(dir, "fuzz.test")}
	for _, flags := range [][]string{
		{"-o", bin.plain},
		{"-o", bin.cover, "-cover", "-covermode=set", "-coverpkg=" + strings.Join(t.mutate, ",")},
		{"-o", bin.fuzz, "-fuzz=^" + t.fuzz + "$"},
	} {
		args := slices.Concat([]string{"go", "test", "-c", "-vet=off"}, flags, []string{"."})
		if _, err := on(ctx, core, t.dir, args...); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return bin, nil
}

// binaries builds the binaries of a target, once.
func (b *bench) binaries(ctx context.Context, core int, t target) (*binaries, error) {
	b.mu.Lock()
	if b.built == nil {
		b.built = make(map[string]func() (*binaries, error))
	}
	build := b.built[t.id()]
	if build == nil {
		build = sync.OnceValues(func() (*binaries, error) {
			dir := filepath.Join(b.work, "binaries", t.id())
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, err
			}
			return buildBinaries(ctx, core, t, dir)
		})
		b.built[t.id()] = build
	}
	b.mu.Unlock()
	return build()
}

// workspace copies a target into a module of its own, under a path that nobody has
// used: Go's fuzz cache goes by it.
func (b *bench) workspace(t target) (target, error) {
	b.mu.Lock()
	b.runs++
	name := fmt.Sprintf("%s-run%d", filepath.Base(b.work), b.runs)
	b.mu.Unlock()
	root := filepath.Join(b.work, name)
	dir := filepath.Join(root, t.name)
	if err := os.CopyFS(dir, os.DirFS(t.dir)); err != nil {
		return target{}, err
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(t.dir), file))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, file), data, 0o666)
		}
		if err != nil {
			return target{}, err
		}
	}
	t.dir = dir
	return t, renameModule(root, "example.com/"+name)
}

// discard removes a workspace, and what runs in it have left in Go's
// fuzz cache.
func (b *bench) discard(t target) {
	if t.dir == "" {
		return
	}
	root := filepath.Dir(t.dir)
	os.RemoveAll(root)
	if dir, err := corpus.CacheDir(b.gocache, "example.com/"+filepath.Base(root), t.fuzz); err == nil {
		os.RemoveAll(filepath.Dir(dir))
	}
}

// id names a target in tables.
func (t target) id() string { return t.name + "." + t.fuzz }
