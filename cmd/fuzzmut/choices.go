package main

import (
	"maps"
	"slices"

	"github.com/fuzzmut/fuzzmut/corpus/layout"
	"github.com/fuzzmut/fuzzmut/fuzzmut/job/diff"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/plot"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/change"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// choices returns the values of a flag that takes one of a few names, by the name of the
// flag. nil: it takes something else.
func choices(name string) []string {
	switch name {
	case "operators":
		return operatorNames()
	case "filter":
		return project.FilterNames()
	case "engine":
		return []string{project.EngineGuided, project.EngineNative}
	case "inputs":
		return project.InputNames()
	case "format":
		return []string{"text", "line"}
	case "annotations":
		return slices.Sorted(maps.Keys(format.Annotations))
	case "layout":
		return layout.Names()
	case "by":
		return []string{"kills,coverage", "kills", "coverage"}
	case "keep":
		return []string{diff.KeepNew, diff.KeepOld}
	case "diff-by":
		return []string{string(change.ByLine), string(change.ByFunction)}
	case "x":
		return []string{string(plot.Time), string(plot.Executions)}
	}
	return nil
}

// operatorNames returns the groups of operators and the operators.
func operatorNames() []string {
	names := []string{"default", "strong", "all", "guards"}
	for _, op := range operator.All() {
		names = append(names, op.Name)
	}
	return names
}
