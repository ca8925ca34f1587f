package xpath

import "testing"

func FuzzSelect(f *testing.F) {
	f.Add("//book[price > 10]/title")
	f.Add("(//book)[1]/@id")
	f.Add("//title[last()]")
	f.Add("//price/ancestor::book[2]")
	f.Fuzz(func(t *testing.T, expr string) {
		if _, err := Select(expr); err != nil {
			t.Skip(err)
		}
	})
}
