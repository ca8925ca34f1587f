package schemata

import (
	"go/ast"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
)

// editor returns the plain edit of a change, or why there can't be one.
type editor func(operator.Change) (plain.Edit, string)

// offered is a site whose schemata are written by who offers it.
type offered struct {
	site *operator.Site
	node ast.Node
	edit editor
	live []operator.Change
}

func (o *offered) Describe() (*operator.Site, ast.Node)         { return o.site, o.node }
func (o *offered) Plain(c operator.Change) (plain.Edit, string) { return o.edit(c) }
func (o *offered) Schemata(_ int, live []operator.Change)       { o.live = live }

func (w *walker) offer(s *operator.Site, node ast.Node, edit editor) (base int, live []operator.Change) {
	o := &offered{site: s, node: node, edit: edit}
	base = w.Offer(o)
	return base, o.live
}
