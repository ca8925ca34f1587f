// Package insert moves elements with github.com/beevik/etree.
package insert

import "github.com/beevik/etree"

// Move moves an element among others, and returns the document.
func Move(from, to uint8) (string, error) {
	doc := etree.NewDocument()
	root := doc.CreateElement("r")
	for _, tag := range []string{"a", "b", "c", "d", "e"} {
		root.CreateElement(tag)
	}
	root.InsertChildAt(int(to)%6, root.Child[int(from)%5])
	return doc.WriteToString()
}
