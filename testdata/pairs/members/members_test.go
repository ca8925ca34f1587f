package members

import "testing"

func FuzzFind(f *testing.F) {
	f.Add(`{"a": [{"b": 1}, {"b": 2}], "c.d": "e"}`, "a.#.b")
	f.Add(`{"a": [{"b": 1}, {"b": 2}], "c.d": "e"}`, `c\.d|@reverse`)
	f.Fuzz(func(t *testing.T, json, path string) { Find(json, path) })
}
