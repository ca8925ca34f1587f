package sequence

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/named"
)

// named is an argument that is a number by the constants of its type, or as a character; "": it has
// none.
func (s *Sequence) named(t types.Type, n int64) string {
	if t == nil {
		return ""
	}
	if c, ok := named.Character(t, n); ok {
		return c
	}
	return join(named.Constants(t, constant.MakeInt64(n), s.within), "")
}

// within says whether a test can name a constant of the package.
func (s *Sequence) within(c *types.Const) bool {
	return c.Pkg().Path() == s.pkg.Path() && !slices.Contains([]string{"t", "got", "err"}, c.Name())
}

func join(list []*types.Const, qualifier string) string {
	var names []string
	for _, c := range list {
		names = append(names, qualifier+c.Name())
	}
	return strings.Join(names, "|")
}

// constants are what a result was by the constants of its type, of this package or of another one
// that the file imports for them; "": there are none.
func (w *caseWriter) constants(r result, seen string) string {
	var v constant.Value
	if s, err := strconv.Unquote(seen); err == nil && r.basic == textForm {
		v = constant.MakeString(s)
	} else if n, err := strconv.ParseInt(seen, 10, 64); err == nil && (r.basic == signedForm || r.basic == unsignedForm) {
		v = constant.MakeInt64(n)
	}
	if v == nil || r.of == nil {
		return ""
	}
	if own := join(named.Constants(r.of, v, w.within), ""); own != "" {
		return own
	}
	list := named.Constants(r.of, v, w.outside)
	if len(list) == 0 {
		return ""
	}
	p := list[0].Pkg()
	w.imports[p.Path()] = true
	w.names[p.Name()] = max(w.names[p.Name()], 1) // no variable hides it
	return join(list, p.Name()+".")
}

// outside says whether a test can import what declares a constant: one of the packages of other modules that
// files may import, or one whose path is its name, as no two have it, if nothing else is called so.
func (w *caseWriter) outside(c *types.Const) bool {
	path, name := c.Pkg().Path(), c.Pkg().Name()
	free := w.imports[path] || w.names[name] == 0 && w.pkg.Scope().Lookup(name) == nil
	return c.Exported() && (path == name || w.Sequence.outside[path] == name) && path != w.pkg.Path() && free
}
