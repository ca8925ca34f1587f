package recovers

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("(a (b 12) c)")
	f.Add("(1 (2 3) ((4)))")
	f.Add("((((")
	f.Add("12x")
	f.Fuzz(func(t *testing.T, src string) {
		n, err := Parse(src)
		if err != nil {
			t.Skip(err)
		}
		Sum(n)
		if len(n.List) > 0 && (n.Atom != "" || n.Number != 0) {
			t.Errorf("%+v is more than a list", n)
		}
	})
}
