package surrogate

import "testing"

func FuzzName(f *testing.F) {
	f.Add(`{"id": 1, "name": "a\ud83d\ude00\n"}`)
	f.Fuzz(func(t *testing.T, json string) { Name(json) })
}
