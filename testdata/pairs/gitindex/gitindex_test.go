package gitindex

import (
	"slices"
	"testing"
)

func FuzzEncode(f *testing.F) {
	f.Add("dir/one", "dir/two", "three")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if _, err := Encode(a, b, c); err != nil {
			t.Skip(err)
		}
	})
}

func FuzzNames(f *testing.F) {
	data, err := Encode("dir/one", "dir/two", "three")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		names, err := Names(data)
		if err != nil {
			t.Skip(err)
		}
		slices.Sort(names)
	})
}
