package html

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"<p>Links:</p><ul><li><a href=\"foo\">Foo</a><li><a href='/bar/baz'>BarBaz</a></ul>",
		"<!DOCTYPE html><html><head><title>T</title></head><body class=a id=b>x &amp; y<br/></body></html>",
		"<table><tr><td>1<td>2<tr><th>3</table>",
		"<svg><path d=\"M0 0\"/></svg><math><mi>x</mi></math>",
		"<script>var a = '<b>';</script><!-- c --><style>p{}</style>",
		"<b>1<i>2</b>3</i><select><option>a<option>b</select><template><td>x</template>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := html.Parse(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := html.Render(&out, doc); err != nil {
			return
		}
		if _, err := html.Parse(&out); err != nil {
			t.Fatal(err)
		}
	})
}
