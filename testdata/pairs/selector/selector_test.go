package selector

import "testing"

func FuzzFind(f *testing.F) {
	f.Add("div > p:nth-child(2n+1), #a li:last-child")
	f.Add("p.x:first-of-type, ul:only-child")
	f.Fuzz(func(t *testing.T, selector string) {
		if _, err := Find(selector); err != nil {
			t.Skip(err)
		}
	})
}
