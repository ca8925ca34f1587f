package etree

import (
	"testing"

	"github.com/beevik/etree"
)

func FuzzReadWrite(f *testing.F) {
	for _, s := range []string{
		`<a/>`,
		`<a b="c">d</a>`,
		`<?xml version="1.0" encoding="UTF-8"?><r><x>1</x><x>2</x></r>`,
		`<r xmlns:p="urn:p"><p:x p:y="1"/></r>`,
		`<!DOCTYPE html><html><body>&lt;&amp;&gt;</body></html>`,
		`<a><!-- comment --><b/></a>`,
		`<a><![CDATA[<raw>&]]></a>`,
		`<a>` + "\n\t<b>\n\t\t<c/>\n\t</b>\n" + `</a>`,
		`<a b='1' c="&quot;2&quot;" b="3"/>`,
		`<bookstore><book lang="en"><title>T</title><price>29.99</price></book><book/></bookstore>`,
		`<a>&#65;&#x42;&apos;</a>`,
		`<?php echo ?><a/>`,
		`<é>ü</é>`,
		`<a><b></a></b>`,
		`text only`,
		`<a b>`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		doc := etree.NewDocument()
		doc.ReadSettings.PreserveCData = len(b)%2 == 0
		if err := doc.ReadFromBytes(b); err != nil {
			t.Skip(err)
		}
		out, err := doc.WriteToString()
		if err != nil {
			t.Fatalf("WriteToString: %v", err)
		}
		twin := doc.Copy()
		if again, err := twin.WriteToString(); err != nil || again != out {
			t.Errorf("the copy prints as %q, %v; the original as %q", again, err, out)
		}
		all := doc.FindElements("//*")
		if found := twin.FindElements("//*"); len(found) != len(all) {
			t.Errorf("%d elements, %d in the copy", len(all), len(found))
		}
		for _, e := range all {
			if e.Parent() == nil {
				t.Errorf("<%s> has no parent", e.FullTag())
			}
			_, _ = e.Text(), e.NamespaceURI()
		}
		doc.Indent(2)
		if _, err := doc.WriteToBytes(); err != nil {
			t.Errorf("after Indent: %v", err)
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{
		"//book", "./bookstore/book", "/bookstore/book[1]/title", "//book[@lang='en']/title",
		"//book[@lang]", "//title[text()='T']", "//*", "..", ".//book/..", "/bookstore/*[2]",
		"//book[price='29.99']", "//book[-1]", "//p:x", "book[title]/@lang", "//[", "",
		"//book[not(@lang)]", "//book[@lang][1]", "///",
	} {
		f.Add(s)
	}
	const xml = `<bookstore xmlns:p="urn:p"><book lang="en"><title>T</title><price>29.99</price></book><book/><p:x/></bookstore>`
	f.Fuzz(func(t *testing.T, s string) {
		path, err := etree.CompilePath(s)
		if err != nil {
			t.Skip(err)
		}
		doc := etree.NewDocument()
		if err := doc.ReadFromString(xml); err != nil {
			t.Fatal(err)
		}
		found := doc.FindElementsPath(path)
		first := doc.FindElementPath(path)
		if (first == nil) != (len(found) == 0) {
			t.Errorf("%d elements, the first of them %v", len(found), first)
		}
		for _, e := range found {
			_ = e.GetPath()
		}
	})
}
