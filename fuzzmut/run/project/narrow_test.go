package project

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

func TestNarrow(t *testing.T) {
	for name, c := range map[string]struct {
		opts   Options
		mutate []string
		want   bool
	}{
		"the default":                    {Options{}, []string{"m"}, false},
		"of the project":                 {Options{Mutate: []string{"./lib"}, Operators: "statement-deletion"}, []string{"m/lib"}, false},
		"another package in addition":    {Options{MutateOnce: true}, []string{"m", "m/lib"}, false},
		"another package":                {Options{MutateOnce: true}, []string{"m/lib"}, true},
		"more operators":                 {Options{OperatorsOnce: true, Operators: "strong"}, []string{"m"}, false},
		"one operator":                   {Options{OperatorsOnce: true, Operators: "statement-deletion"}, []string{"m"}, true},
		"default operators and one more": {Options{OperatorsOnce: true, Operators: "default,guards"}, []string{"m"}, false},
	} {
		if got := c.opts.Narrow(&load.Result{Test: instrument.TestPackage{ImportPath: "m"}, Mutate: c.mutate}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
