package schemata

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The table of helpers for one type is kept by hand in the core and here.
func TestConcreteHelpersAreThoseOfTheCore(t *testing.T) {
	core, err := coreTypes()
	if err != nil {
		t.Fatal(err)
	}
	for name := range concrete {
		if _, ok := core.Scope().Lookup(name).(*types.Func); !ok {
			t.Errorf("the core has no function %s", name)
		}
	}
	for _, name := range core.Scope().Names() {
		for _, suffix := range append(slices.Collect(maps.Values(suffixes)), errorSuffix) {
			helper, ok := strings.CutSuffix(name, suffix)
			if ok && core.Scope().Lookup(helper) != nil && !concrete[name] {
				t.Errorf("%s of the core is not used", name)
			}
		}
	}
}
