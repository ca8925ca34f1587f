package html

import "testing"

func FuzzNormalize(f *testing.F) {
	f.Add(`<p class="a" id="b">one <b>two</b></p>`)
	f.Fuzz(func(t *testing.T, doc string) {
		if _, err := Normalize(doc); err != nil {
			t.Skip(err)
		}
	})
}
