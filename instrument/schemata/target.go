package schemata

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/reasons"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// target makes a //fuzzmut:target function show its results whenever it returns.
// A function deferred before everything else runs last and sees the results as
// the caller will; unnamed results get names for it. Of a function that returns
// nothing, or only whether it failed, what its receiver and parameters lead to is shown.
func (f *file) target(d *ast.FuncDecl, name string, inner bool) {
	var vars, values []string
	if res := d.Type.Results; res != nil && len(res.List) > 0 {
		vars, values = f.nameResults(res)
	}
	if target.OnlyFails(f.r.pkg.Info.Defs[d.Name].(*types.Func).Signature()) {
		more, what := f.pointers(d)
		vars, values = append(vars, more...), append(values, what...)
	}
	if len(vars) == 0 {
		if !inner {
			f.r.pkg.Mutants.Skip(d.Pos(), name, reasons.NothingToObserve)
		}
		return
	}
	pos := f.r.Fset.PositionFor(d.Pos(), false)
	site := f.r.FirstSite + len(f.r.out.Sites)
	f.r.out.Sites = append(f.r.out.Sites, instrument.Site{
		Name: f.r.Pkg.Name() + "." + name, File: pos.Filename, Line: pos.Line, Values: values, Target: true, Inner: inner,
	})
	f.fast.Insert(f.Off(d.Body.Lbrace)+1, " "+f.r.showLast(site, vars))
}

// mostLast is the largest N of the core's LastN.
const mostLast = 7

// showLast defers a call that shows variables.
func (r *rewriter) showLast(site int, vars []string) string {
	if len(vars) > mostLast {
		return fmt.Sprintf("defer func() { if %[1]s.Observing { %[1]s.ObsArgs(%[2]d, %[3]s) } }(); ", r.pkg.Names.RT, site, strings.Join(vars, ", "))
	}
	return fmt.Sprintf("defer %s.Last%d(%d, &%s); ", r.pkg.Names.RT, len(vars), site, strings.Join(vars, ", &"))
}

// nameResults gives every result a name and returns names and descriptions.
func (f *file) nameResults(res *ast.FieldList) (vars, values []string) {
	if !res.Opening.IsValid() {
		f.fast.Wrap(f.Off(res.Pos()), f.Off(res.End()), "(", ")")
	}
	for _, field := range res.List {
		n := max(1, len(field.Names))
		for i := range n {
			name := fmt.Sprintf("%s%d", f.r.pkg.Names.Result, len(vars))
			switch {
			case len(field.Names) == 0:
				f.fast.Wrap(f.Off(field.Type.Pos()), f.Off(field.Type.End()), name+" ", "")
			case field.Names[i].Name == "_":
				f.fast.Replace(f.Off(field.Names[i].Pos()), f.Off(field.Names[i].End()), name)
			default:
				name = field.Names[i].Name
			}
			values = append(values, fmt.Sprintf("result %d (%s)", len(vars), f.Short(field.Type)))
			vars = append(vars, name)
		}
	}
	return vars, values
}

// pointers returns the named receiver and parameters that a function can change something
// through which its caller sees.
func (f *file) pointers(d *ast.FuncDecl) (vars, values []string) {
	var fields []*ast.Field
	what := "receiver"
	if d.Recv != nil {
		fields = append(fields, d.Recv.List...)
	}
	fields = append(fields, d.Type.Params.List...)
	for i, field := range fields {
		if i > 0 || d.Recv == nil {
			what = "argument"
		}
		if !target.RefersToMemory(f.r.pkg.Info.TypeOf(field.Type)) {
			continue
		}
		for _, id := range field.Names {
			if id.Name != "_" {
				vars = append(vars, id.Name)
				values = append(values, what+" "+id.Name)
			}
		}
	}
	return vars, values
}
