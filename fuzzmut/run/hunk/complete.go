package hunk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
)

// complete adds to a reverted text what it needs to compile, on lines that are there: no
// line gets another number.
func complete(text, old, new []byte, names map[string]string) []byte {
	c := &completion{source: resolve(text)}
	was, is := resolve(old), resolve(new)
	if c.source == nil || was == nil || is == nil {
		return text
	}
	c.imports(was, is, names)
	c.locals()
	c.labels()
	return c.edits.Render(text, 0, len(text))
}

// completion is what a text needs to compile.
type completion struct {
	*source
	edits edit.List
}

// resolve parses a text with the declarations of its identifiers.
func resolve(text []byte) *source {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, 0)
	if err != nil {
		return nil
	}
	return &source{text: text, at: fset.File(file.FileStart), file: file}
}

// qualifiers are the names before a dot that nothing in the file declares.
func (s *source) qualifiers() map[string]bool {
	free := make(map[*ast.Ident]bool)
	for _, id := range s.file.Unresolved {
		free[id] = true
	}
	names := make(map[string]bool)
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && free[id] {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// imports makes imports blank that only code uses which is gone, and adds those of the old
// text that are used again.
func (c *completion) imports(was, is *source, known map[string]string) {
	used, usedThen, usedNow := c.qualifiers(), was.qualifiers(), is.qualifiers()
	in := func(names map[string]bool, i *imported) bool {
		return slices.ContainsFunc(i.names(known), func(name string) bool { return names[name] })
	}
	have := make(map[string]bool)
	for _, i := range c.imported() {
		for _, name := range i.names(known) {
			have[name] = true
		}
		if i.name != "_" && i.name != "." && i.path != "C" && in(usedNow, &i) && !in(used, &i) {
			c.edits.Replace(i.spec, i.literal+1, "_ "+string(c.text[i.literal]))
		}
	}
	for _, i := range was.imported() {
		if i.name != "_" && i.name != "." && in(usedThen, &i) && in(used, &i) && !in(have, &i) {
			c.edits.Insert(c.offset(c.file.Name.End()), "; import "+i.code())
		}
	}
}

// local is a variable of a function.
type local struct {
	name  string
	place int // where a statement can use it, in its block or before it
	begin bool
	used  bool
}

// locals uses the variables that nothing uses, and makes assignments of definitions that
// define nothing.
func (c *completion) locals() {
	vars := c.variables()
	assigned := make(map[*ast.Ident]bool)
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok {
						assigned[id] = true
					}
				}
			}
			if n.Tok == token.DEFINE && !definesAny(n) {
				c.edits.Replace(c.offset(n.TokPos), c.offset(n.TokPos)+2, " =")
			}
		case *ast.Ident:
			if n.Obj != nil && !assigned[n] && n.Obj.Pos() != n.Pos() {
				if v := vars[n.Obj.Pos()]; v != nil {
					v.used = true
				}
			}
		}
		return true
	})
	c.use(vars)
}

// labels takes away the labels that nothing uses.
func (c *completion) labels() {
	used := make(map[token.Pos]bool)
	ast.Inspect(c.file, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && b.Label.Obj != nil {
			used[b.Label.Obj.Pos()] = true
		}
		return true
	})
	ast.Inspect(c.file, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && !used[l.Label.Pos()] {
			c.edits.Replace(c.offset(l.Label.Pos()), c.offset(l.Label.End()), "")
			c.edits.Replace(c.offset(l.Colon), c.offset(l.Colon)+1, "")
		}
		return true
	})
}

// definesAny says whether a definition has a variable that is new.
func definesAny(n *ast.AssignStmt) bool {
	for _, x := range n.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok || id.Name != "_" && (id.Obj == nil || id.Obj.Pos() == id.Pos()) {
			return true
		}
	}
	return false
}

// use adds a statement for each variable that nothing uses.
func (c *completion) use(vars map[token.Pos]*local) {
	var unused []*local
	var at []token.Pos
	for pos, v := range vars {
		if !v.used {
			at = append(at, pos)
		}
	}
	slices.Sort(at)
	for _, pos := range at {
		unused = append(unused, vars[pos])
	}
	for _, v := range unused {
		if v.begin {
			c.edits.Insert(v.place, " _ = "+v.name+";")
		} else {
			c.edits.Insert(v.place, "; _ = "+v.name)
		}
	}
}

// variables finds the variables that statements declare, by where they do.
func (c *completion) variables() map[token.Pos]*local {
	vars := make(map[token.Pos]*local)
	add := func(x ast.Expr, place token.Pos, begin bool) {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && id.Obj != nil && id.Obj.Pos() == id.Pos() {
			vars[id.Pos()] = &local{name: id.Name, place: c.offset(place), begin: begin}
		}
	}
	declare := func(s ast.Stmt, place token.Pos, begin bool) {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, x := range s.Lhs {
				if s.Tok == token.DEFINE {
					add(x, place, begin)
				}
			}
		case *ast.DeclStmt:
			g, ok := s.Decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				return
			}
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					add(id, place, begin)
				}
			}
		}
	}
	within := func(list []ast.Stmt) {
		for _, s := range list {
			declare(s, s.End(), false)
		}
	}
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			within(n.List)
		case *ast.CaseClause:
			within(n.Body)
		case *ast.CommClause:
			declare(n.Comm, n.Colon+1, true)
			within(n.Body)
		case *ast.IfStmt:
			declare(n.Init, n.Body.Lbrace+1, true)
		case *ast.ForStmt:
			declare(n.Init, n.Body.Lbrace+1, true)
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Body.Lbrace+1, true)
				add(n.Value, n.Body.Lbrace+1, true)
			}
		case *ast.SwitchStmt:
			if at, ok := firstClause(n.Body); ok {
				declare(n.Init, at, true)
			}
		case *ast.TypeSwitchStmt:
			if at, ok := firstClause(n.Body); ok {
				declare(n.Init, at, true)
				declare(n.Assign, at, true)
			}
		}
		return true
	})
	return vars
}

// firstClause returns where the first clause of a switch begins.
func firstClause(b *ast.BlockStmt) (token.Pos, bool) {
	if len(b.List) == 0 {
		return 0, false
	}
	return b.List[0].(*ast.CaseClause).Colon + 1, true
}
