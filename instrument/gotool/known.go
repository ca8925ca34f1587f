package gotool

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// Known has the toolchains that one run of a command has asked for. To ask starts a process, and
// takes as long as to parse a small package. A run that builds a package in many versions, in the same
// directory, would ask dozens of times.
type Known struct {
	mu    sync.Mutex
	tools map[string]*Toolchain
}

// Toolchain is NewToolchain for what was not asked before; a nil Known keeps nothing. What is
// wrong is not kept.
func (k *Known) Toolchain(ctx context.Context, dir string, env, buildFlags []string) (*Toolchain, error) {
	if k == nil {
		return NewToolchain(ctx, dir, env, buildFlags)
	}
	key := question(dir, env, buildFlags)
	if t := k.find(key); t != nil {
		return t, nil
	}
	t, err := NewToolchain(ctx, dir, env, buildFlags)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.tools == nil {
		k.tools = make(map[string]*Toolchain)
	}
	k.tools[key] = t.copied()
	return t, nil
}

// find returns a toolchain that was asked for, nil for none.
func (k *Known) find(key string) *Toolchain {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t := k.tools[key]; t != nil {
		return t.copied()
	}
	return nil
}

// copied is the toolchain for another user, who may change it.
func (t *Toolchain) copied() *Toolchain {
	c := *t
	c.Env, c.Flags, c.defaults = slices.Clone(t.Env), slices.Clone(t.Flags), slices.Clone(t.defaults)
	return &c
}

// question tells apart what the answer depends on. No environment is not an empty one.
func question(dir string, env, buildFlags []string) string {
	parts := append([]string{dir}, buildFlags...)
	if env != nil {
		parts = append(append(parts, ""), env...)
	}
	return strings.Join(parts, "\x00")
}
