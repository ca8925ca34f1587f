package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/target"
)

// sequenced is a type that is marked //fuzzmut:target sequence.
type sequenced struct {
	spec  *ast.TypeSpec
	name  *types.TypeName
	mark  *mark
	wrong error // words of the directive
	model string
}

// sequences are the types of a declaration that are marked, in their order.
func sequences(d *ast.GenDecl, info *types.Info) (list []sequenced) {
	if d.Tok != token.TYPE {
		return nil
	}
	docs := typesOf(d)
	for _, s := range d.Specs {
		ts, ok := s.(*ast.TypeSpec)
		if !ok || docs[ts] == nil {
			continue
		}
		m, err := targetMark(docs[ts])
		tn, isType := info.Defs[ts.Name].(*types.TypeName)
		if m != nil && isType && (err != nil || m.words[wordSequence]) {
			list = append(list, sequenced{ts, tn, m, err, modelName(docs[ts])})
		}
	}
	return list
}

// sequence says how the fuzz test of sequences of a type is written.
func (b bodies) sequence(s sequenced, pkg *types.Package, r *Result, taken map[string]bool) target.Options {
	return target.Options{
		Package: pkg, OldGo: r.OldGo(), Taken: taken, Changes: b.changes, Touches: b.touches, Double: r.inTests,
		Panics: s.mark.panics, Without: s.mark.without, Model: s.model, Concurrent: s.mark.words[wordConcurrent],
	}
}

// sequences derives fuzz tests for the marked types of a declaration, if there are none of
// their names.
func (d *deriver) sequences(decl *ast.GenDecl, info *types.Info, pkg *types.Package) error {
	for _, s := range sequences(decl, info) {
		if s.wrong != nil {
			return wrongf(s.spec.Pos(), "%v", s.wrong).error(d.r.shortPosition)
		}
		if name := target.SequenceName(s.name); d.names[name] {
			d.had = append(d.had, Tested{"the type " + s.name.Name(), name, d.r.shortPosition(s.spec.Pos())})
			continue
		}
		t, err := target.WriteSequence(s.name, d.bodies.sequence(s, pkg, d.r, d.names))
		if err := d.take(t, err, s.spec.Pos()); err != nil {
			return err
		}
	}
	return nil
}

// sequenceOf derives the fuzz test of sequences of a type that is asked for.
func (d *deriver) sequenceOf(t *Target) error {
	pkg := d.r.Packages[0].Types
	tn, ok := pkg.Scope().Lookup(t.Function).(*types.TypeName)
	if !ok {
		return problem.Errorf(problem.KindNotFound, "no fuzz test can be derived for %s: package %s has no such type", t.Function, d.r.Test.ImportPath)
	}
	test, err := target.WriteSequence(tn, t.Options(d.r, d.names))
	return d.take(test, err, tn.Pos())
}

// Options say how the fuzz test of sequences is written. taken are the names of other fuzz tests.
func (t *Target) Options(r *Result, taken map[string]bool) target.Options {
	return target.Options{
		Package: r.Packages[0].Types, OldGo: r.OldGo(), Taken: taken, Double: r.inTests, Zero: true,
		Touches: func(fn *types.Func) bool { return !slices.Contains(t.Among, FunctionKey(fn)) },
	}
}
