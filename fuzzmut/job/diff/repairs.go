package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/values"
)

// A part is some hunks of one file that are reverted together.
type part struct {
	file  int // of the pair
	hunks []int
}

func (p part) key() string { return fmt.Sprint(p.file, p.hunks) }

// repairs builds new code with parts of the change as they were before. Each part is
// built once for a package.
type repairs struct {
	j     *job
	sides *sides
	pkg   string
	built map[string]*project.Package // nil: it does not compile
}

// parts lists the hunks, each alone, those of the changed functions given first.
func (r *repairs) parts(first []string) (list []part) {
	var later []part
	for i := range r.j.pair.Files {
		for k := range r.j.pair.Files[i].Hunks {
			p := part{i, []int{k}}
			if slices.ContainsFunc(r.functions(p), func(f string) bool { return slices.Contains(first, f) }) {
				list = append(list, p)
			} else {
				later = append(later, p)
			}
		}
	}
	return append(list, later...)
}

// functions lists the functions of the new code that a part touches, as inner sites call
// them.
func (r *repairs) functions(p part) (names []string) {
	f := &r.j.pair.Files[p.file]
	prog := r.sides.pkgs[after].Program
	for i := range prog.Funcs {
		fn := &prog.Funcs[i]
		for _, k := range p.hunks {
			h := f.Hunks[k]
			if fn.File == f.Path && (span{h.NewLine, h.NewCount}).touches(fn.Line, fn.EndLine) {
				names = append(names, siteName(prog, fn))
			}
		}
	}
	return names
}

// wider returns the parts that may be reverted where one does not compile alone: all
// hunks of the declarations that it touches, and all of the file.
func (r *repairs) wider(p part) (list []part) {
	f := &r.j.pair.Files[p.file]
	all := make([]int, len(f.Hunks))
	for i := range all {
		all[i] = i
	}
	names := r.functions(p)
	var same []int
	for _, k := range all {
		if slices.ContainsFunc(r.functions(part{p.file, []int{k}}), func(n string) bool { return slices.Contains(names, n) }) {
			same = append(same, k)
		}
	}
	if len(same) > len(p.hunks) && len(same) < len(all) {
		list = append(list, part{p.file, same})
	}
	if len(all) > len(p.hunks) {
		list = append(list, part{p.file, all})
	}
	return list
}

// build builds new code with a part as it was; nil: it does not compile.
func (r *repairs) build(ctx context.Context, p part) (*project.Package, error) {
	if b, ok := r.built[p.key()]; ok {
		return b, nil
	}
	b, err := r.make(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		b = nil // whatever the reason, it is no repair
	}
	if r.built == nil {
		r.built = make(map[string]*project.Package)
	}
	r.built[p.key()] = b
	return b, nil
}

func (r *repairs) make(ctx context.Context, p part) (*project.Package, error) {
	f := &r.j.pair.Files[p.file]
	cfg := r.j.loadConfig(after, r.pkg)
	cfg.Note = nil
	cfg.TestOnly = true
	cfg.Overlay = maps.Clone(cfg.Overlay)
	if cfg.Overlay == nil {
		cfg.Overlay = make(map[string][]byte)
	}
	cfg.Overlay[f.Path] = reverted(f, p.hunks)
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
	config, err := r.j.overlayConfig(b, fmt.Sprintf("without%d", len(r.built)))
	if err != nil {
		return nil, err
	}
	config.Observe = true
	if b.Program, err = overlay.Build(ctx, config); err != nil {
		return nil, err
	}
	b.Binary, b.Overlay = config.Output, config
	return b, nil
}

// reverted is the text of a file with some hunks as they were. A file that is new is
// taken out as a whole, and one that is gone comes back.
func reverted(f *versions.File, hunks []int) []byte {
	if f.New == nil {
		return f.Old
	}
	return f.Revert(hunks...)
}
