package goldmark

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

func FuzzConvert(f *testing.F) {
	for _, s := range []string{
		"# Title\n\nText *emphasised*, **strong** and `code`.\n",
		"Setext\n======\n\nSecond\n------\n",
		"* a\n* b\n  * c\n\n    d\n",
		"1. one\n2) two\n10. ten\n",
		"> quote\ncontinued\n\n> > nested\n",
		"```go\nfunc main() {}\n```\n",
		"    indented code\n\ttab\n",
		"[text](https://example.org \"title\") ![alt](<a b.png>)\n",
		"[ref][1] and [1]\n\n[1]: /url 'title'\n",
		"<https://example.org> www.example.org a@b.org\n",
		"| a | b |\n|:--|--:|\n| 1 | `x|y` |\n",
		"~~gone~~ ~one~\n\n- [x] done\n- [ ] open\n",
		"note[^1] again[^1]\n\n[^1]: The *note*.\n    More.\n",
		"Term\n: Definition\n: Another\n",
		"\"Quotes\" -- 'single' --- it's... <<x>>\n",
		"<div>\n<script>alert(1)</script>\n</div>\n\ntext <b>inline</b> <!-- c -->\n",
		"&amp; &copy; &#35; &#x22; &bogus; \\* \\\\\n",
		"***a** b*  \nhard\\\nbreak\n\n***\n___\n",
		"# A {#id}\n## A\n## A\n",
		"[a](javascript:alert(1)) ![](data:text/html,x)\n",
		"*a **b* c**_d_e_\u00a0f_\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		md := goldmark.New(
			goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, extension.Typographer),
			goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		)
		var out, again bytes.Buffer
		if err := md.Convert(src, &out); err != nil {
			t.Fatal(err)
		}
		if err := md.Convert(src, &again); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("a second run gives %q, %v; the first %q", again.Bytes(), err, out.Bytes())
		}
		if open, closed := bytes.Count(out.Bytes(), []byte("<p>")), bytes.Count(out.Bytes(), []byte("</p>")); open != closed {
			t.Errorf("%d paragraphs opened, %d closed: %q", open, closed, out.Bytes())
		}
		if bytes.Contains(bytes.ToLower(out.Bytes()), []byte("<script")) {
			t.Errorf("raw script in %q", out.Bytes())
		}
	})
}
