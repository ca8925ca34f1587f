// Package xpath asks a small document with github.com/antchfx/xpath.
package xpath

import (
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

const library = `<library><book id="1" lang="en"><title>A</title><price>10</price></book>` +
	`<book id="2"><title>B</title><price>20</price></book><shelf><book id="3"><title>C</title></book></shelf></library>`

// most is the number of nodes that Select returns at most.
const most = 50

// Select returns the texts of the nodes that an expression selects.
func Select(expr string) ([]string, error) {
	compiled, err := xpath.Compile(expr)
	if err != nil {
		return nil, err
	}
	doc, err := xmlquery.Parse(strings.NewReader(library))
	if err != nil {
		return nil, err
	}
	var texts []string
	nodes := compiled.Select(xmlquery.CreateXPathNavigator(doc))
	for len(texts) < most && nodes.MoveNext() {
		texts = append(texts, nodes.Current().Value())
	}
	return texts, nil
}
