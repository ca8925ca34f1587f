package site

import (
	"go/ast"
	"slices"

	"github.com/fuzzmut/fuzzmut/instrument/edit"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/arid"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/chance"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/control"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/effects"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/enum"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/helper"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logic"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/logs"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/names"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/nilness"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/plain"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/recursion"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/source"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/stored"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typename"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/uses"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/value"
)

// Package is what is known of a package that is rewritten.
type Package struct {
	Info        *typing.Info
	Uses        *uses.Uses
	Enums       enum.Enums
	Logs        *logs.Loggers
	Arid        *arid.Code
	Chance      *chance.Values
	Errors      *value.ErrorVars
	Names       *names.Names
	Types       *typename.Namer
	Mutants     *mutants.List
	Comparisons *Comparisons
	Race        bool // the binary is built with -race

	// Recursive are the functions that may call themselves, where an operator asks for them.
	Recursive map[*ast.FuncDecl]bool
}

// NewPackage returns what is known of a package's files. Its mutants are added to a list.
// The functions in loggers, as "pkg.Func" or "pkg.Type.Method", are known to do nothing but
// log.
func NewPackage(info *typing.Info, files []*ast.File, list *mutants.List, loggers []string) *Package {
	names := names.Fresh(info.Pkg, files)
	var recursive map[*ast.FuncDecl]bool
	if slices.ContainsFunc(list.Operators, func(op *operator.Operator) bool { return op.Name == operator.DepthGuard }) {
		recursive = recursion.Find(info.Info, files)
	}
	return &Package{
		Info: info, Uses: uses.Count(list.Fset, info.Info, files), Enums: enum.Find(info.Info, files),
		Logs: logs.Find(info, files, loggers), Arid: new(arid.Code), Chance: chance.Find(info, files), Errors: value.NewErrorVars(info, files),
		Names: names, Types: typename.New(info.Pkg, names.RT), Mutants: list, Comparisons: &Comparisons{},
		Recursive: recursive,
	}
}

// File is a source file of the package.
type File struct {
	*source.File
	Mutants *mutants.File
	Slow    edit.List // the edits of the copied bodies

	pkg     *Package
	effects *effects.Effects
	nils    *nilness.Facts
	stored  *stored.Facts
}

// NewFile returns a file in which nothing is edited yet.
func (p *Package) NewFile(src *source.File) *File {
	facts := stored.Find(p.Info.Info, src.Syntax)
	return &File{
		File: src, Mutants: mutants.NewFile(p.Mutants, src, facts), pkg: p, stored: facts,
		effects: effects.New(p.Info, src), nils: nilness.New(p.Info, src.Syntax),
	}
}

// Context returns what the sites of a unit of the file are given.
func (f *File) Context(unit *mutants.Unit) *Context {
	p := f.pkg
	return &Context{
		Src: f.File, Info: p.Info, Effects: f.effects, Nils: f.nils, Stored: f.stored,
		Logic: logic.New(p.Info, f.stored, f.effects, p.Mutants.Operators), Flow: control.New(p.Info),
		Logs: p.Logs, Arid: p.Arid, Chance: p.Chance, Uses: p.Uses, Enums: p.Enums, Operators: p.Mutants.Operators, Race: p.Race,
		Names: p.Names, Types: p.Types,
		Calls:  &helper.Writer{Src: f.File, Types: p.Types, RT: p.Names.RT, List: &f.Slow},
		Plain:  &plain.Writer{Src: f.File, Info: p.Info, Types: p.Types, Uses: p.Uses},
		Values: &value.Writer{Src: f.File, Info: p.Info, Types: p.Types, Effects: f.effects, Errors: p.Errors},
		Slow:   &f.Slow, File: f.Mutants, Unit: unit, Comparisons: p.Comparisons,
		Recursive: p.Recursive, Taken: map[*ast.CallExpr][]operator.Action{}, Deleted: map[*ast.CallExpr]bool{},
	}
}
