package overlay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
)

// markMachinery marks the packages of the standard library that the injected loop
// is made of. With a mutant of one of these active from the start, the loop itself
// may fail before anything is tested, which says nothing of the tests: mutants that
// can't be switched are not run there.
func (b *builder) markMachinery(ctx context.Context, p *instrument.Program) error {
	root := func(pkg instrument.Package) bool { return b.cfg.Loaded.Toolchain.InRoot(pkg.Dir) }
	if !slices.ContainsFunc(p.Packages, root) {
		return nil
	}
	text, err := b.goCommand(ctx, b.tool, append([]string{"list", "-deps", "-overlay=" + overlayFile(b.cfg.WorkDir)},
		append(slices.Clone(b.tool.Flags), "fuzzmutrt/loop")...)...)
	if err != nil {
		return fmt.Errorf("listing what the test binary needs: %w: %s", err, firstLine(text))
	}
	needed := strings.Fields(text)
	machinery := make(map[string]bool)
	for i := range p.Packages {
		pkg := &p.Packages[i]
		pkg.Machinery = root(*pkg) && slices.Contains(needed, pkg.ImportPath)
		machinery[pkg.ImportPath] = pkg.Machinery
	}
	for i := range p.Mutants {
		if m := &p.Mutants[i]; machinery[m.Package] && m.Status == instrument.StatusStatic {
			m.Status, m.Reason = instrument.StatusSkipped, "runs in package initialization, and the test binary itself needs the package"
		}
	}
	return nil
}
