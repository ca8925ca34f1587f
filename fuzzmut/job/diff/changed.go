package diff

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/versions"
	"github.com/fuzzmut/fuzzmut/instrument/load"
)

// span is a run of lines. One without lines is between two: before its first.
type span struct{ first, n int }

func (s span) touches(first, last int) bool {
	if s.n == 0 {
		return first < s.first && s.first <= last
	}
	return s.first <= last && first < s.first+s.n
}

// changed are the functions that a change is about: those that it touches, and those
// that use a constant, a variable or a field which it touches. What is changed on one
// side counts as changed on both.
type changed struct {
	spans [2]map[string][]span         // by file
	at    [2]map[string]map[int]string // functions by file and first line
	names map[string]bool
	short map[string]string // the names without their packages
}

func newChanged(pair *versions.Pair, loaded [2]*load.Result) *changed {
	c := &changed{names: make(map[string]bool), short: make(map[string]string)}
	for i, l := range loaded {
		c.spans[i], c.at[i] = make(map[string][]span), make(map[string]map[int]string)
		for k := range pair.Files {
			f := &pair.Files[k]
			for _, h := range f.Hunks {
				if i == before {
					c.spans[i][f.OldPath] = append(c.spans[i][f.OldPath], span{h.OldLine, h.OldCount})
				} else {
					c.spans[i][f.Path] = append(c.spans[i][f.Path], span{h.NewLine, h.NewCount})
				}
			}
		}
		for _, p := range l.Packages {
			if p.Mutated {
				c.pkg(i, l, p)
			}
		}
	}
	return c
}

// has says whether a side has a function.
func (c *changed) has(side int, name string) bool {
	for _, lines := range c.at[side] {
		for _, n := range lines {
			if n == name {
				return true
			}
		}
	}
	return false
}

// file says whether a file is one of the packages that are rewritten, on either side.
func (c *changed) file(f *versions.File) bool {
	return c.at[before][f.OldPath] != nil || c.at[after][f.Path] != nil
}

// pkg finds the functions of one package on one side.
func (c *changed) pkg(side int, l *load.Result, p *load.Package) {
	objects := make(map[types.Object]bool)
	for _, f := range p.Files {
		for _, d := range f.Syntax.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				c.declared(side, l, p, g, f.Path, objects)
			}
		}
	}
	for _, f := range p.Files {
		c.at[side][f.Path] = make(map[int]string)
		for _, d := range f.Syntax.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			first, last := l.Position(fd.Pos()).Line, l.Position(fd.End()).Line
			name := p.ImportPath + "." + functionName(fd)
			c.at[side][f.Path][first] = name
			if c.touches(side, f.Path, first, last) || usesAny(fd, p.Info, objects) {
				c.names[name], c.short[name] = true, functionName(fd)
			}
		}
	}
}

// declared gathers the constants, variables and fields that changed lines declare.
func (c *changed) declared(side int, l *load.Result, p *load.Package, g *ast.GenDecl, path string, objects map[types.Object]bool) {
	ast.Inspect(g, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := p.Info.Defs[id]
		if obj == nil || hasMembers(obj) {
			return true
		}
		first, last := l.Position(id.Pos()).Line, l.Position(id.Pos()).Line
		if spec := specOf(g, id); spec != nil {
			first, last = l.Position(spec.Pos()).Line, l.Position(spec.End()).Line
			if g.Tok == token.CONST && g.Lparen.IsValid() && follows(spec) {
				first = l.Position(g.Lparen).Line
			}
		}
		if c.touches(side, path, first, last) {
			objects[obj] = true
		}
		return true
	})
}

// hasMembers says whether an object is a type that is known by its members: who uses one of
// these, uses it.
func hasMembers(obj types.Object) bool {
	if _, isType := obj.(*types.TypeName); !isType {
		return false
	}
	switch obj.Type().Underlying().(type) {
	case *types.Struct, *types.Interface:
		return true
	}
	return false
}

// follows says whether the value of a constant follows from those before it in its group: it
// repeats one, or is counted.
func follows(spec *ast.ValueSpec) bool {
	found := len(spec.Values) == 0
	for _, value := range spec.Values {
		ast.Inspect(value, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == "iota"
			return !found
		})
	}
	return found
}

// specOf returns the declaration of a constant or variable with its value.
func specOf(g *ast.GenDecl, id *ast.Ident) *ast.ValueSpec {
	for _, s := range g.Specs {
		if v, ok := s.(*ast.ValueSpec); ok && v.Pos() <= id.Pos() && id.Pos() < v.End() {
			return v
		}
	}
	return nil
}

func usesAny(fd *ast.FuncDecl, info *types.Info, objects map[types.Object]bool) (uses bool) {
	if len(objects) == 0 {
		return false
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && objects[info.Uses[id]] {
			uses = true
		}
		return !uses
	})
	return uses
}

// functionName is "F", or "T.M".
func functionName(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	if recv := load.ReceiverName(fd.Recv.List[0].Type); recv != "" {
		return recv + "." + fd.Name.Name
	}
	return fd.Name.Name
}

func (c *changed) touches(side int, file string, first, last int) bool {
	for _, s := range c.spans[side][file] {
		if s.touches(first, last) {
			return true
		}
	}
	return false
}

// holds is the set for overlay.Config.Changed.
func (c *changed) holds(side int) func(file string, first, last int) bool {
	return func(file string, first, last int) bool {
		return c.names[c.at[side][file][first]] || c.touches(side, file, first, last)
	}
}

// wayThere says what a user can do where no input reaches the changed functions.
func (c *changed) wayThere() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.names)) {
		names = append(names, c.short[name])
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(", which is in %s: add a seed that does, a fuzz test that calls it, or the line //fuzzmut:target fuzz above it", strings.Join(first(names, 3), ", "))
}

func describeFunctions(c *changed) string {
	return report.Plural(len(c.names), "changed function")
}
