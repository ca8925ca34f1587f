package roundtrip

import (
	"reflect"
	"strings"
	"testing"
)

func FuzzRoundTrip(f *testing.F) {
	f.Add("a", 1, 2)
	f.Fuzz(func(t *testing.T, name string, a, b int) {
		r := Record{Name: name, N: []int{a, b}}
		got, ok := Read(Write(r))
		if !ok || !reflect.DeepEqual(got, r) {
			t.Errorf("%v became %v, %v", r, got, ok)
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add("a\n")
	f.Fuzz(func(t *testing.T, s string) {
		n, longest := Lines(s)
		want := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
		most := 0
		for _, w := range want {
			most = max(most, len(w))
		}
		if s == "" {
			want = nil
		}
		if n != len(want) || longest != most {
			t.Fatalf("Lines of %s: %d, %d; the lines are %s", s, n, longest, want)
		}
	})
}
