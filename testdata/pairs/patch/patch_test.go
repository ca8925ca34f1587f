package patch

import "testing"

func FuzzApply(f *testing.F) {
	f.Add(`{"a": {"b": [1, null]}}`, `[{"op": "add", "path": "/a/b/0", "value": 2}, {"op": "move", "from": "/a", "path": "/c"}]`)
	f.Add(`{"a": 1}`, `[{"op": "test", "path": "/a", "value": 1}, {"op": "remove", "path": "/a"}]`)
	f.Fuzz(func(t *testing.T, doc, patch string) {
		if _, err := Apply(doc, patch); err != nil {
			t.Skip(err)
		}
	})
}
