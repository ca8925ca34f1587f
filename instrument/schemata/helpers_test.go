package schemata

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/overflow"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
)

func TestCoreDeclaresWhatTheRewriterNames(t *testing.T) {
	core, err := coreTypes()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Concat(slices.Collect(maps.Values(typename.CoreNames)), slices.Collect(maps.Values(helper.Exits)), slices.Collect(maps.Values(helper.CostlyCalls)))
	names = slices.Concat(names, overflow.CoreNames())
	for n := 1; n <= mostLast; n++ {
		names = append(names, fmt.Sprintf("Last%d", n))
	}
	for _, name := range names {
		if core.Scope().Lookup(name) == nil {
			t.Errorf("the core has no %s", name)
		}
	}
	if core.Scope().Lookup(fmt.Sprintf("Last%d", mostLast+1)) != nil {
		t.Errorf("the core shows more than %d results at a function's return", mostLast)
	}
}
