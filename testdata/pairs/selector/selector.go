// Package selector finds elements with github.com/andybalholm/cascadia.
package selector

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

const page = `<html><head><title>t</title></head><body><div id="a"><p class="--x">1</p><p>2</p><ul><li>3</li><li>4</li></ul></div></body></html>`

// Find returns the names of the elements that a selector finds on a page.
func Find(selector string) ([]string, error) {
	group, err := cascadia.ParseGroup(selector)
	if err != nil {
		return nil, err
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, node := range cascadia.QueryAll(root, group) {
		names = append(names, node.Data)
	}
	return names, nil
}
