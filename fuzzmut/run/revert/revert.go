// Package revert builds new code with parts of a change as they were before. A part without
// which new code does what old code did is the cause of a difference.
package revert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// A Part is some hunks that are reverted together.
type Part []versions.Ref

func (p Part) key() string { return fmt.Sprint(p.sorted()) }

// sorted is p in the order of the files, whatever the order in which it was put together.
func (p Part) sorted() Part {
	return slices.SortedFunc(slices.Values(p), func(a, b versions.Ref) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Hunk, b.Hunk))
	})
}

// Has reports whether all of some hunks are in p.
func (p Part) Has(hunks ...versions.Ref) bool {
	return !slices.ContainsFunc(hunks, func(h versions.Ref) bool { return !slices.Contains(p, h) })
}

// Equal reports whether two parts have the same hunks, whatever the order in which they were put together.
func (p Part) Equal(o Part) bool { return len(o) == len(p) && o.Has(p...) }

// Shares reports whether some hunk is in both parts.
func (p Part) Shares(o Part) bool {
	return slices.ContainsFunc(o, func(h versions.Ref) bool { return slices.Contains(p, h) })
}

// Contains reports whether o is a smaller part of p.
func (p Part) Contains(o Part) bool { return len(o) > 0 && len(o) < len(p) && p.Has(o...) }

// Join returns parts as one: each hunk once, in the order of the files.
func Join(parts ...Part) Part {
	return slices.Compact(Part(slices.Concat(parts...)).sorted())
}

// A Builder builds new code of one package with parts of the change as they were before.
// Each part is built once.
type Builder struct {
	Project *project.Project
	Pair    *versions.Pair
	Whole   *project.Package // new code
	Load    load.Config      // how it was loaded
	// Takes says which files count.
	Takes func(f *versions.File) bool
	// Functions lists the functions that a part touches; nil: nobody knows.
	Functions func(p Part) []string
	// Reached says whether some input may have reached a hunk; nil: all may be.
	Reached func(h versions.Ref) bool
	// Metered has parts built so that they burn fuel. That takes longer.
	Metered bool
	// Warn reports a part that could not be built for another reason than that it does not
	// compile; nil: nothing does. Such a part counts as no repair.
	Warn func(format string, args ...any)
	// Make builds new code without a part, in files that have the name; nil: from Load.
	Make func(ctx context.Context, p Part, name string) (*project.Package, error)

	built  map[string]*project.Package // nil: it does not compile
	parts  map[*project.Package]Part   // what is reverted in each
	made   int                         // parts that were built, or do not compile
	groups [][]versions.Ref            // those of the pair, once they are needed
	shared [][]versions.Ref            // likewise: hunks that are one

	burning map[string]bool // parts that are built so that they burn fuel, by key

	fitting  map[string]bool // parts that were type-checked: whether they fit
	checkers []*checker      // of the packages of the new code, once they are needed
}

// key is that of a part in built.
func (b *Builder) key(p Part) string { return fmt.Sprint(b.meters(p)) + " " + p.key() }

// meters says whether a part is built so that it burns fuel.
func (b *Builder) meters(p Part) bool { return b.Metered || b.burning[p.key()] }

// Burning returns new code without a part again, built so that it burns fuel: a loop that
// has no end without the part ends then. From now on Build returns that, too. Code that is
// built so already is returned as it is; nil: it does not compile.
func (b *Builder) Burning(ctx context.Context, without *project.Package) (*project.Package, error) {
	p, ok := b.parts[without]
	if !ok || b.meters(p) {
		return without, nil
	}
	if b.burning == nil {
		b.burning = make(map[string]bool)
	}
	b.burning[p.key()] = true
	return b.Build(ctx, p)
}

// touches says whether a part touches one of some functions.
func (b *Builder) touches(p Part, names ...string) bool {
	return b.Functions != nil && slices.ContainsFunc(b.Functions(p), func(f string) bool { return slices.Contains(names, f) })
}

// Parts lists the runs of hunks, those of the functions given first, and then all of each
// of these functions together. What no input reaches comes last.
func (b *Builder) Parts(first []string) (list []Part) {
	var later, last []Part
	for i := range b.Pair.Files {
		if !b.Takes(&b.Pair.Files[i]) {
			continue
		}
		for _, run := range b.Pair.Files[i].Runs() {
			var p Part
			for _, k := range run {
				p = append(p, versions.Ref{File: i, Hunk: k})
			}
			p = b.entire(p)
			switch {
			case len(b.reached(p)) == 0:
				last = append(last, p)
			case b.touches(p, first...):
				list = append(list, p)
			default:
				later = append(later, p)
			}
		}
	}
	list = append(list, later...)
	runs := len(list)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(first))) {
		var all Part
		some := 0
		for _, p := range list[:runs] {
			if b.touches(p, name) && !all.Has(p...) {
				all = append(all, p...)
				some++
			}
		}
		if some > 1 {
			list = append(list, Join(all))
		}
	}
	return append(list, last...)
}

// entire returns a part with all that is one with its hunks.
func (b *Builder) entire(p Part) Part {
	for _, set := range b.allShared() {
		if p.Shares(set) {
			p = Join(p, set)
		}
	}
	return p
}

func (b *Builder) allShared() [][]versions.Ref {
	if b.shared == nil {
		b.shared = append([][]versions.Ref{}, b.Pair.Shared()...)
	}
	return b.shared
}

// units cuts a part into what may be left out of it: single hunks, and those of it that are
// one.
func (b *Builder) units(p Part) (list []Part) {
	first := make(map[int]int) // by set, the unit
	for _, h := range p.sorted() {
		set := slices.IndexFunc(b.allShared(), func(o []versions.Ref) bool { return slices.Contains(o, h) })
		if at, ok := first[set]; ok && set >= 0 {
			list[at] = append(list[at], h)
			continue
		}
		first[set] = len(list)
		list = append(list, Part{h})
	}
	return list
}

// reached returns the hunks of a part that some input may have reached.
func (b *Builder) reached(p Part) Part {
	if b.Reached == nil {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), func(h versions.Ref) bool { return !b.Reached(h) })
}

// AllParts lists the whole change, as far as its files count: what inputs have reached of it,
// and all.
func (b *Builder) AllParts() (list []Part) {
	all := b.Everything()
	if some := b.reached(all); len(some) < len(all) {
		return []Part{some, all}
	}
	return []Part{all}
}

// Everything is the whole change, as far as its files count.
func (b *Builder) Everything() (all Part) {
	for i := range b.Pair.Files {
		if b.Takes(&b.Pair.Files[i]) {
			for k := range b.Pair.Files[i].Hunks {
				all = append(all, versions.Ref{File: i, Hunk: k})
			}
		}
	}
	return all
}

// wider returns the parts that may be reverted where one does not compile alone, the small
// ones first.
func (b *Builder) wider(p Part) (list []Part) {
	for _, g := range b.allGroups() {
		if len(g) > len(p) && Part(g).Has(p...) {
			list = append(list, b.entire(g))
		}
	}
	return list
}

func (b *Builder) allGroups() [][]versions.Ref {
	if b.groups == nil {
		b.groups = b.Pair.Groups()
	}
	return b.groups
}

// Made is how many parts were built, or do not compile.
func (b *Builder) Made() int { return b.made }

// Build builds new code with a part as it was; nil: it does not compile.
func (b *Builder) Build(ctx context.Context, p Part) (*project.Package, error) {
	built, err := b.all(ctx, []Part{p})
	if err != nil {
		return nil, err
	}
	return built[0], nil
}

// Built returns what Build has made of a part, nil if that does not compile; false: it was not built.
func (b *Builder) Built(p Part) (without *project.Package, ok bool) {
	without, ok = b.built[b.key(p)]
	return without, ok
}

// all is Build for several parts at the same time.
func (b *Builder) all(ctx context.Context, parts []Part) ([]*project.Package, error) {
	if b.built == nil {
		b.built = make(map[string]*project.Package)
	}
	if b.parts == nil {
		b.parts = make(map[*project.Package]Part)
	}
	build := b.Make
	if build == nil {
		build = b.fromSource
	}
	list, failed := make([]*project.Package, len(parts)), make([]error, len(parts))
	g, gctx := panics.NewGroup(ctx)
	for i, p := range parts {
		if have, ok := b.built[b.key(p)]; ok {
			list[i] = have
			continue
		}
		if !b.fits(p) {
			continue
		}
		name := fmt.Sprintf("without%d", b.made)
		b.made++
		g.Go(func() error {
			var refused *problem.Error
			if list[i], failed[i] = build(gctx, p, name); errors.As(failed[i], &refused) {
				failed[i] = nil // it does not compile
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, p := range parts {
		if b.built[b.key(p)] = list[i]; list[i] != nil {
			b.parts[list[i]] = p
		}
		if failed[i] != nil && b.Warn != nil {
			b.Warn("new code without %s could not be built: %v", b.describe(p), failed[i])
		}
	}
	return list, nil
}

// describe names the first place of a part.
func (b *Builder) describe(p Part) string {
	f := &b.Pair.Files[p.sorted()[0].File]
	text := fmt.Sprintf("%s:%d", f.Name, f.Hunks[p.sorted()[0].Hunk].NewLine)
	if len(p) > 1 {
		text += fmt.Sprintf(" and %d more", len(p)-1)
	}
	return text
}

func (b *Builder) fromSource(ctx context.Context, p Part, name string) (*project.Package, error) {
	cfg := b.Load
	cfg.Note = nil
	cfg.TestOnly = !b.meters(p)
	cfg.Overlay = maps.Clone(cfg.Overlay)
	if cfg.Overlay == nil {
		cfg.Overlay = make(map[string][]byte)
	}
	maps.Copy(cfg.Overlay, b.texts(p))
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	whole := b.Whole.Loaded
	loaded.Observe, loaded.Golden, loaded.Test.Fuzz, loaded.Views = whole.Observe, whole.Golden, whole.Test.Fuzz, whole.Views
	pkg := &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}
	if err := pkg.RegisterDerived(); err != nil {
		return nil, err
	}
	config, err := b.Project.OverlayConfigIn(pkg, name)
	if err != nil {
		return nil, err
	}
	config.Observe = !b.meters(p)
	config.Changed = func(string, int, int) bool { return false } // no mutants
	if pkg.Program, err = overlay.Build(ctx, config); err != nil {
		return nil, err
	}
	pkg.Binary, pkg.Overlay = config.Output, config
	return pkg, nil
}
