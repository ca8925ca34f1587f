package remove

import "testing"

func FuzzMember(f *testing.F) {
	f.Add(`{"a": 1, "b": {"c": [2, 3]}, "d": null}`, "b")
	f.Fuzz(func(t *testing.T, object, name string) { Member(object, name) })
}

func FuzzNumber(f *testing.F) {
	f.Add(`{"a": 1, "b": -20, "d": null}`, "b")
	f.Fuzz(func(t *testing.T, object, name string) { Number(object, name) })
}
