package load

import (
	"context"
	"path/filepath"
	"slices"
)

// Users are the packages of a module with tests that may run code of a package, as patterns: those that import it, or, if
// none of these has tests, those that depend on it otherwise. cfg.Pattern and cfg.Mutate are not used.
func Users(ctx context.Context, cfg Config, pkg, modulePath, moduleDir string) ([]string, error) {
	l, done, err := newLoader(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer done()
	all, err := l.match(modulePath + "/...")
	if err != nil {
		return nil, err
	}
	var direct, indirect []string
	for _, p := range all {
		rel, err := filepath.Rel(moduleDir, p.Dir)
		if err != nil || !filepath.IsLocal(rel) || p.ImportPath == pkg || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		switch {
		case slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), pkg):
			direct = append(direct, l.pattern(p))
		case slices.Contains(p.Deps, pkg):
			indirect = append(indirect, l.pattern(p))
		}
	}
	if len(direct) == 0 {
		return indirect, nil
	}
	return direct, nil
}

// pattern stands for a package where patterns are resolved.
func (l *loader) pattern(p listed) string {
	rel, err := filepath.Rel(l.tool.Dir, p.Dir)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return p.ImportPath
	case rel == ".":
		return rel
	}
	return "./" + filepath.ToSlash(rel)
}
