package diff

import (
	"context"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/revert"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
)

// dependenciesMost bounds the dependencies that are reverted as a whole.
const dependenciesMost = 8

// A dependency that has another version is a part of the change.
type dependency struct {
	name string // with both versions
	part revert.Part
}

// buildDependencies builds new code without each dependency that may be a cause, and without the
// rest of the change, while there is time: nameDependencies needs them.
func (r *attempts) buildDependencies(ctx context.Context) error {
	if !r.open() {
		return nil
	}
	r.findDependencies()
	if len(r.dependencies) == 0 {
		return nil
	}
	for _, d := range append([]dependency{{part: r.own}}, r.dependencies...) {
		if len(d.part) == 0 || r.usedUp() {
			continue
		}
		if _, err := r.repairs.Build(ctx, d.part); err != nil {
			return err
		}
	}
	return nil
}

// findDependencies sorts the change by the modules that it is in.
func (r *attempts) findDependencies() {
	for _, h := range r.repairs.Everything() {
		name := r.pair.Files[h.File].Dependency
		if name == "" {
			r.own = append(r.own, h)
			continue
		}
		at := slices.IndexFunc(r.dependencies, func(d dependency) bool { return d.name == name })
		if at < 0 {
			at = len(r.dependencies)
			r.dependencies = append(r.dependencies, dependency{name: name})
		}
		r.dependencies[at].part = append(r.dependencies[at].part, h)
	}
	r.dependencies = slices.DeleteFunc(r.dependencies, func(d dependency) bool {
		return !slices.ContainsFunc(d.part, func(h versions.Ref) bool { return r.mayMatter(r.sides, h) })
	})
	r.dependencies = r.dependencies[:min(len(r.dependencies), dependenciesMost)]
}

// isDependency says whether a part is the whole of a dependency. Less than that may be enough.
func (r *attempts) isDependency(number int) bool {
	if number < 0 || len(r.tried[number]) == 1 || r.least[number] {
		return false
	}
	p := r.tried[number]
	return slices.ContainsFunc(r.dependencies, func(d dependency) bool { return d.part.Equal(p) })
}

// nameDependencies names the dependencies that are causes.
func (r *attempts) nameDependencies(ctx context.Context, all []explained) error {
	for _, e := range all {
		name, err := r.dependencyOf(ctx, e)
		if err != nil {
			return err
		}
		e.cause.Dependency = name
	}
	return nil
}

// dependencyOf is the dependency that is a cause: the input that is shown is as before if all of that
// is reverted, and not if another one is, or the rest of the change; "" if there is none, or if there was no
// time to build one of these.
func (r *attempts) dependencyOf(ctx context.Context, e explained) (string, error) {
	holds := func(d dependency) bool { return e.part < 0 || d.part.Has(r.tried[e.part]...) }
	if !slices.ContainsFunc(r.dependencies, holds) {
		return "", nil
	}
	var found []dependency
	for _, d := range append(slices.Clip(r.dependencies), dependency{part: r.own}) {
		if len(d.part) == 0 {
			continue
		}
		without, known := r.repairs.Built(d.part)
		if !known {
			return "", nil
		}
		repairs, err := r.takesBack(ctx, without, e.seen)
		if err != nil {
			return "", err
		}
		if repairs {
			found = append(found, d)
		}
	}
	if len(found) != 1 || !holds(found[0]) {
		return "", nil
	}
	return found[0].name, nil
}

// takesBack says whether new code without a part compiles, and does on one input what old code did.
func (r *attempts) takesBack(ctx context.Context, without *project.Package, d *difference) (bool, error) {
	if without == nil {
		return false, nil
	}
	return r.isRepairedBy(ctx, d, without)
}
