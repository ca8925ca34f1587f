//go:build unix

package diff

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A dependency is a cause if all of it repairs the difference, and nothing else does.
func TestDependenciesThatAreCauses(t *testing.T) {
	for _, c := range []struct {
		name, hunks string
		broken      []string
		most        int
		inputs      []string
		want        []string // dependency, hunks and how the cause was found
	}{
		{"lines of it are known", "ab|cde", nil, 0, []string{"d:v1"}, []string{"dep1 d repair"}},
		{"so are several", "ab|cde", nil, 0, []string{"c:v1 d:v2"}, []string{"dep1 cd repair"}},
		{"there is no time for its lines", "ab|cde", nil, 2, []string{"c:v1 d:v2"}, []string{"dep1  value"}},
		{"there is time for single lines", "ab|cde", nil, 7, []string{"c:v1 d:v2"}, []string{"dep1  value"}},
		{"there is time for lines of own code", "abg|cde", nil, 10, []string{"a:v1 b:v2", "c:v1 d:v2 f8", "c:v1 d:v2 e:fail f8"}, []string{" ab repair", "dep1  value", "dep1  value"}},
		{"nothing else has changed", "|cde", nil, 1, []string{"c:v1 d:v2"}, []string{"dep1  value"}},
		{"another one is none", "a|bc|de", nil, 3, []string{"d:v1 e:v2"}, []string{"dep2  value"}},
		{"there is no time for it", "a|bc|de", nil, 2, []string{"d:v1 e:v2"}, []string{"  value"}},
		{"there is no time for another one", "a|bc|de", nil, 2, []string{"b:v1 c:v2"}, []string{"  value"}},
		{"own code is", "ab|cd", nil, 0, []string{"a:v1"}, []string{" a repair"}},
		{"there is no time for lines of own code", "ab|cd", nil, 2, []string{"a:v1 b:v2"}, []string{"  value"}},
		{"each is a cause", "ab|cd", nil, 0, []string{"a:v1", "c:v2"}, []string{" a repair", "dep1 c repair"}},
		{"it is not without own code", "ab|cd", nil, 0, []string{"a:c:v1"}, []string{" a repair"}},
		{"nor without another one", "|a|b", nil, 0, []string{"a:b:v1"}, []string{" a repair"}},
		{"own code would do as well", "ab|cd", nil, 2, []string{"a:c:v1 b:d:v2"}, []string{"  value"}},
		{"both have to be reverted", "ab|cd", nil, 0, []string{"a:v1 c:v2"}, []string{" ac repair"}},
		{"nothing repairs it", "ab|cd", nil, 0, []string{"new:v1"}, []string{"  value"}},
		{"without all of it nothing compiles", "ab|cd", []string{"cd"}, 0, []string{"c:v1"}, []string{" c repair"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := changing(t, c.hunks, c.broken, c.inputs...)
			r.most = c.most
			if err := r.find(t.Context()); err != nil {
				t.Fatal(err)
			}
			all, err := r.causesOf(t.Context(), r.list)
			if err != nil {
				t.Fatal(err)
			}
			made := r.repairs.Made()
			if err := r.nameDependencies(t.Context(), all); err != nil {
				t.Fatal(err)
			}
			if more := r.repairs.Made() - made; more != 0 {
				t.Errorf("%d parts were built to name dependencies", more)
			}
			var got []string
			for _, e := range all {
				var hunks string
				for _, h := range e.cause.Hunks {
					hunks += h.Was
				}
				got = append(got, fmt.Sprintf("%s %s %s", e.cause.Dependency, hunks, e.cause.Attributed))
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
