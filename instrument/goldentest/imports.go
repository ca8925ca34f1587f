package goldentest

import (
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/goldentest/literals"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay/observe"
)

// byOwnNames has a call take packages by their own names, as literals do, where a fuzz test imports them by
// others: there a parameter may have the name of the package, which is a field here.
func byOwnNames(d *observe.Direct, t *load.TestFiles, lit *literals.Literals) {
	names := make(map[string]string)
	for n, i := range d.Imports {
		at := slices.IndexFunc(t.Types.Imports(), func(p *types.Package) bool { return p.Path() == i.Path })
		if i.Name == "" || at < 0 {
			continue
		}
		p := t.Types.Imports()[at]
		own, ok := lit.Import(p)
		if !ok || p.Name() == i.Name || slices.Contains(d.Locals, p.Name()) {
			continue
		}
		names[i.Name], d.Imports[n] = p.Name(), own
	}
	if len(names) == 0 {
		return
	}
	d.Before, d.Call, d.Shown = rename(d.Before, names), rename(d.Call, names), rename(d.Shown, names)
	for n := range d.Params {
		d.Params[n].Type = rename(d.Params[n].Type, names)
	}
}
