package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// A part is some hunks that are reverted together.
type part []versions.Ref

func (p part) key() string { return fmt.Sprint(p) }

// repairs builds new code with parts of the change as they were before. Each part is
// built once for a package.
type repairs struct {
	j     *job
	sides *sides
	pkg   string
	built map[string]*project.Package // nil: it does not compile
	made  int                         // parts that were built, or do not compile
	// metered has parts built so that they burn fuel. That takes longer.
	metered bool
	// groups are those of the pair, once they are needed.
	groups [][]versions.Ref
}

// key is that of a part in built.
func (r *repairs) key(p part) string { return fmt.Sprint(r.metered, p) }

// parts lists the hunks, each alone, those of the functions given first, and then all of
// each of these functions together.
func (r *repairs) parts(first []string) (list []part) {
	var later []part
	for i := range r.j.pair.Files {
		if !r.sides.changed.file(&r.j.pair.Files[i]) {
			continue
		}
		for k := range r.j.pair.Files[i].Hunks {
			p := part{{File: i, Hunk: k}}
			if slices.ContainsFunc(r.functions(p), func(f string) bool { return slices.Contains(first, f) }) {
				list = append(list, p)
			} else {
				later = append(later, p)
			}
		}
	}
	list = append(list, later...)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(first))) {
		var all part
		for _, p := range list {
			if len(p) == 1 && slices.Contains(r.functions(p), name) {
				all = append(all, p...)
			}
		}
		if len(all) > 1 {
			list = append(list, all)
		}
	}
	return list
}

// functions lists the functions of the new code that a part touches, as inner sites call
// them.
func (r *repairs) functions(p part) (names []string) {
	prog := r.sides.pkgs[after].Program
	inner := prog.Inner()
	for i := range prog.Funcs {
		fn := &prog.Funcs[i]
		for _, ref := range p {
			f := &r.j.pair.Files[ref.File]
			h := f.Hunks[ref.Hunk]
			if fn.File == f.Path && (span{h.NewLine, h.NewCount}).touches(fn.Line, fn.EndLine) {
				names = append(names, inner[i])
			}
		}
	}
	return names
}

// wider returns the parts that may be reverted where one does not compile alone, the small
// ones first.
func (r *repairs) wider(p part) (list []part) {
	if r.groups == nil {
		r.groups = r.j.pair.Groups()
	}
	for _, g := range r.groups {
		if len(g) > len(p) && !slices.ContainsFunc(p, func(ref versions.Ref) bool { return !slices.Contains(g, ref) }) {
			list = append(list, g)
		}
	}
	return list
}

// build builds new code with a part as it was; nil: it does not compile.
func (r *repairs) build(ctx context.Context, p part) (*project.Package, error) {
	built, err := r.buildAll(ctx, []part{p})
	if err != nil {
		return nil, err
	}
	return built[0], nil
}

// buildAll is build for several parts at the same time.
func (r *repairs) buildAll(ctx context.Context, parts []part) ([]*project.Package, error) {
	if r.built == nil {
		r.built = make(map[string]*project.Package)
	}
	list := make([]*project.Package, len(parts))
	g, gctx := panics.NewGroup(ctx)
	for i, p := range parts {
		if b, ok := r.built[r.key(p)]; ok {
			list[i] = b
			continue
		}
		name := fmt.Sprintf("without%d", r.made)
		r.made++
		g.Go(func() error {
			b, err := r.make(gctx, p, name)
			if err == nil { // else it is no repair, whatever the reason
				list[i] = b
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
		r.built[r.key(p)] = list[i]
	}
	return list, nil
}

func (r *repairs) make(ctx context.Context, p part, name string) (*project.Package, error) {
	cfg := r.j.loadConfig(after, r.pkg)
	cfg.Note = nil
	cfg.TestOnly = !r.metered
	cfg.Overlay = maps.Clone(cfg.Overlay)
	if cfg.Overlay == nil {
		cfg.Overlay = make(map[string][]byte)
	}
	hunks := make(map[int][]int)
	for _, ref := range p {
		hunks[ref.File] = append(hunks[ref.File], ref.Hunk)
	}
	for i, list := range hunks {
		f := &r.j.pair.Files[i]
		cfg.Overlay[f.Path] = f.Revert(list...)
	}
	loaded, err := load.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	whole := r.sides.pkgs[after].Loaded
	loaded.Observe, loaded.Golden, loaded.Test.Fuzz, loaded.Views = whole.Observe, nil, whole.Test.Fuzz, whole.Views
	b := &project.Package{Loaded: loaded, UsesContext: loaded.UsesContext, ValueTypes: values.Find(loaded)}
	if err := b.RegisterDerived(); err != nil {
		return nil, err
	}
	config, err := r.j.overlayConfig(b, name)
	if err != nil {
		return nil, err
	}
	config.Observe = !r.metered
	config.Changed = func(string, int, int) bool { return false } // no mutants
	if b.Program, err = overlay.Build(ctx, config); err != nil {
		return nil, err
	}
	b.Binary, b.Overlay = config.Output, config
	return b, nil
}
