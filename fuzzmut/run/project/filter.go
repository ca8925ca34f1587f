package project

import (
	"fmt"
	"strconv"
	"strings"
)

// A Filter decides which of the live mutants that an input infects are run
// with it.
type Filter struct {
	Name string // of one of the filters that ParseFilter knows
	K    int    // mutants for each input, of filters that take a number
}

// FilterNone runs no mutants: coverage alone guides the search.
const FilterNone = "none"

// FilterEager runs nearly all mutants on each input: for a search in few of them, where an input costs
// little.
const FilterEager = "eager"

// defaultFilter is what the zero value of Options.Filter stands for.
const defaultFilter = "adaptive"

// filters lists the filters, in the order in which messages name them.
var filters = []struct {
	name   string
	number bool // it takes a number of mutants for each input
}{
	{defaultFilter, false},
	{"all", false},
	{FilterEager, false},
	{"random", true},
	{"least-executed", true},
	{"split", false},
	{FilterNone, false},
}

// ParseFilter reads the name of a filter, followed by ":K", K from 1 up, if the
// filter takes a number: "adaptive", "random:10"; "" is "adaptive".
func ParseFilter(s string) (Filter, error) {
	if s == "" {
		return Filter{Name: defaultFilter}, nil
	}
	name, arg, hasArg := strings.Cut(s, ":")
	for _, f := range filters {
		switch {
		case f.name != name:
		case !f.number && hasArg:
			return Filter{}, fmt.Errorf("filter %q takes no number; write %s", name, name)
		case !f.number:
			return Filter{Name: name}, nil
		default:
			k, err := strconv.ParseUint(arg, 10, 31)
			if err != nil || k == 0 {
				return Filter{}, fmt.Errorf("filter %q needs a number of mutants per input; write %s:10", name, name)
			}
			return Filter{Name: name, K: int(k)}, nil
		}
	}
	return Filter{}, fmt.Errorf("unknown filter %q; there are %s", s, filterNames())
}

// FilterNames returns what ParseFilter reads for each filter, with 10 for a number.
func FilterNames() []string {
	var names []string
	for _, f := range filters {
		if f.number {
			f.name += ":10"
		}
		names = append(names, f.name)
	}
	return names
}

// filterNames lists the filters for a message.
func filterNames() string {
	var names []string
	for _, f := range filters {
		if f.number {
			f.name += ":K"
		}
		names = append(names, f.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// RunsMutants says whether inputs are run with mutants at all.
func (f Filter) RunsMutants() bool { return f.Name != FilterNone }

// String returns what ParseFilter reads.
func (f Filter) String() string {
	if f.K > 0 {
		return f.Name + ":" + strconv.Itoa(f.K)
	}
	return f.Name
}
