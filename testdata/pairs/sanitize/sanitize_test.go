package sanitize

import "testing"

func FuzzClean(f *testing.F) {
	f.Add(`<p style="color: #abc">a <a href="https://example.com/" title="b">c</a></p><img src="https://example.com/d.png" crossorigin="anonymous">`)
	f.Fuzz(func(t *testing.T, text string) { Clean(text) })
}
