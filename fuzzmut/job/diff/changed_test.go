package diff

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// What counts as changed because of what it uses: constants whose values follow from those
// before them among it.
func TestFunctionsThatUseWhatIsChanged(t *testing.T) {
	const same = "func Same() int { return 1 }\n"
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{
			"a constant that is counted, after a new one", "const (\n\tA = iota\n\tB\n\tC\n)\n\nfunc UsesA() int { return A }\n\nfunc UsesC() int { return C }\n",
			"const (\n\tA = iota\n\tNew\n\tB\n\tC\n)\n\nfunc UsesA() int { return A }\n\nfunc UsesC() int { return C }\n",
			[]string{"UsesC"},
		},
		{
			"constants that repeat a value", "const (\n\tA = 1\n\tB\n\tD = 4\n)\n\nfunc UsesB() int { return B }\n\nfunc UsesD() int { return D }\n",
			"const (\n\tA = 2\n\tB\n\tD = 4\n)\n\nfunc UsesB() int { return B }\n\nfunc UsesD() int { return D }\n",
			[]string{"UsesB"},
		},
		{
			"a constant of a group", "const (\n\tA = 1\n\tB = 2\n)\n\nfunc UsesA() int { return A }\n\nfunc UsesB() int { return B }\n",
			"const (\n\tA = 1\n\tB = 3\n)\n\nfunc UsesA() int { return A }\n\nfunc UsesB() int { return B }\n",
			[]string{"UsesB"},
		},
		{
			"a table", "var table = []int{\n\t1,\n\t2,\n}\n\nfunc Uses() int { return table[0] }\n", "var table = []int{\n\t1,\n\t3,\n}\n\nfunc Uses() int { return table[0] }\n",
			[]string{"Uses"},
		},
		{
			"a field", "type T struct {\n\tA int\n\tB int\n}\n\nfunc UsesA(t T) int { return t.A }\n\nfunc UsesB(t T) int { return t.B }\n",
			"type T struct {\n\tA int\n\tB int8\n}\n\nfunc UsesA(t T) int { return t.A }\n\nfunc UsesB(t T) int { return int(t.B) }\n",
			[]string{"UsesB"},
		},
		{
			"a type without members", "type T int\n\nfunc (T) M() int { return 1 }\n\nfunc Uses() uint64 { return uint64(T(1)) }\n",
			"type T uint\n\nfunc (T) M() int { return 1 }\n\nfunc Uses() uint64 { return uint64(T(1)) }\n",
			[]string{"T.M", "Uses"},
		},
		{
			"a type with a new field", "type T struct {\n\tA int\n}\n\nfunc UsesA(t T) int { return t.A }\n", "type T struct {\n\tA int\n\tB int\n}\n\nfunc UsesA(t T) int { return t.A }\n",
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			before, oldPath := loadText(t, c.old+"\n"+same)
			after, newPath := loadText(t, c.new+"\n"+same)
			f := versions.File{Path: newPath, OldPath: oldPath, Old: before.Packages[0].Files[0].Src, New: after.Packages[0].Files[0].Src}
			f.Hunks = hunk.Diff(f.Old, f.New)
			want := make(map[string]bool)
			for _, name := range c.want {
				want["example.com/p."+name] = true
			}
			got := newChanged(&versions.Pair{Files: []versions.File{f}}, [2]*load.Result{before, after})
			if diff := cmp.Diff(want, got.names); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			way := ""
			if len(c.want) > 0 {
				way = ", which is in " + strings.Join(c.want, ", ") + ": add a seed that does, a fuzz test that calls it, or the line //fuzzmut:target fuzz above it"
			}
			if got := got.wayThere(); got != way {
				t.Errorf("%q, want %q", got, way)
			}
		})
	}
}
