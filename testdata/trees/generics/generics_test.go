package generics

import (
	"slices"
	"strings"
	"testing"
)

func FuzzFold(f *testing.F) {
	f.Add([]byte("go 1.26\tis fine"))
	f.Add([]byte("\x00\x00abgogo##go"))
	f.Add([]byte("zyxwvutsrq\xf8\xf1"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Fold(data)
		if err != nil && !strings.HasPrefix(err.Error(), "generics: ") {
			t.Fatal(err)
		}
		if m, again := Fold(data); m != n || (again == nil) != (err == nil) {
			t.Errorf("%d, %v; again %d, %v", n, err, m, again)
		}
	})
}

func FuzzTree(f *testing.F) {
	f.Add("the quick brown fox")
	f.Fuzz(func(t *testing.T, text string) {
		var tree Tree[string, int]
		for i, w := range strings.Fields(text) {
			tree.Put(w, i)
		}
		var keys []string
		for k := range tree.All() {
			keys = append(keys, k)
		}
		if !slices.IsSorted(keys) || len(keys) != tree.size {
			t.Errorf("keys %q, size %d", keys, tree.size)
		}
	})
}
