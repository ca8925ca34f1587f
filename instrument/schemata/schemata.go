// Package schemata rewrites one package so that it holds all its mutants at once,
// each behind a run-time switch ("mutant schemata", Untch, Offutt and Harrold).
//
// Every function that has mutants gets two bodies in one frame:
//
//	func F(a int) int { if !fuzzmutS[3] { /*line*/ fast }; /*line*/ mutable /*line*/ }
//
// The fast body is the user's, with coverage counters and fuel. The mutable body is
// a copy in which every mutable site is a call into the runtime core (package
// fuzzmutrt), which returns the original's value, or the mutant's if that mutant is
// active. One frame means that recover, runtime.Caller and results that are captured
// by deferred functions stay what they were.
//
// The compiler names function literals, the bodies of loops over functions, and what
// it wraps around deferred calls by their number in the text of their function
// (F.func1, F-range1, F.deferwrap1). In the fast body, which comes first, they are
// called as without fuzzmut, as far as names do not tell what was inlined: a function
// with two bodies is too large for that. In the mutable body they have the numbers
// after those. What declares a type is not doubled: see localTypes.
//
// Soundness rests on a few rules:
//
//   - Source is only edited at positions, never printed. An edit contains as many
//     line breaks as what it replaces, mostly none, so lines stay the user's; a
//     copied body starts with a line directive (package source).
//   - Operands are evaluated once and in the original order; a helper gets values
//     (package effects says where that is not possible, helper writes the calls).
//     No variable's address is taken, which would move it to the heap for the fast
//     body too.
//   - The original text stays in the program next to each alternative, so nothing
//     becomes unused and no constant expression stops being one. Where a plain edit
//     drops the last use of something, package plain keeps one.
//   - What only one of original and mutant evaluates may panic: a mutant is recorded
//     as infected before, until the original has evaluated it and it made no
//     difference. A plain edit drops an operand only where the copied body does not
//     evaluate it either, or where that can't panic (package effects).
//   - A type is written out only where its name means that type at that place
//     (package typename).
//   - What fits none of the rules is left as it is, and listed in Output.Skips
//     (package mutants).
//
// The walk over the code is here. It asks the kinds of sites, which are in packages
// expressions and statements, one file for each: a kind finds its sites, and has their
// plain edits and the code of the copied bodies. What they need to know of the code
// around is in site.Context.
//
// Apart from its schemata each mutant carries a plain edit of the source
// (Mutant.Offset, End, Replacement) that does the same and compiles by itself.
package schemata

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/arid"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/directive"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/doubt"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/mutants"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/overflow"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/site"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/typing"
)

// Input is one package to rewrite.
type Input struct {
	Fset *token.FileSet
	Pkg  *types.Package
	// Info needs Types, Defs, Uses, Selections, Implicits, Scopes and Instances;
	// FileVersions is used if it is there.
	Info            *types.Info
	ImportPath, Dir string
	GoVersion       string // language version, where Pkg does not know it
	Files           []File // the package's own non-test Go files, parsed with comments
	Mutate          bool   // false: coverage counters and fuel only
	Generated       bool   // also mutate generated files
	Race            bool   // the binary is built with -race
	Overflow        bool   // what operations on integers lose is watched, where it sizes or bounds something
	Operators       []*operator.Operator
	// Loggers are functions that do nothing but log, apart from those that are known, as
	// "pkg.Func" or "pkg.Type.Method".
	Loggers []string
	// Everything has mutants of uninteresting code, too: see package arid.
	Everything bool
	// Changed holds for the functions that alone are to be mutated, and that show their
	// results, by their file and their first and last line; nil: see overlay.Config.
	Changed func(file string, first, last int) bool
	// The next free global numbers. Mutants count from 1.
	FirstMutant, FirstCounter, FirstFunc, FirstSite, FirstComparison int
	// DropFuncs names functions to leave unmutated, as "(*T).Method" or
	// "file:line" of the declaration, with the reason: the way out when the
	// compiler refuses a rewritten function.
	DropFuncs map[string]string
}

// File is one source file.
type File struct {
	Path   string // absolute
	Src    []byte
	Syntax *ast.File
}

// Output is the rewritten package.
type Output struct {
	Files   map[string][]byte // rewritten source by original path; untouched files are missing
	GenName string            // base name of the file to add
	Gen     []byte

	Mutants []instrument.Mutant
	Funcs   []instrument.Func
	Blocks  []instrument.Block
	Sites   []instrument.Site
	Skips   []instrument.Skip
	Census  instrument.Census
	// Comparisons is the number of comparisons whose operands are recorded.
	Comparisons int
	// Unused are the places of //fuzzmut:ignore directives that leave no mutant out, file by
	// file.
	Unused []token.Pos
}

// runtimePath is the import path of the core, in the test binary.
const runtimePath = "fuzzmutrt"

// rewriter is the state of one Rewrite.
type rewriter struct {
	Input
	pkg   *site.Package
	out   *Output
	files []*file
	types map[string]bool // whose exported methods are targets
	wraps *overflow.Flow  // nil: nobody asks
}

// Rewrite rewrites a package. The result depends on the input alone. The syntax
// trees are not changed. An error is a mistake in the input: a file whose syntax
// does not belong to its source.
func Rewrite(in Input) (*Output, error) {
	r := newRewriter(in)
	for i := range in.Files {
		f, err := r.newFile(&in.Files[i])
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, f)
		directive.TargetTypes(in.Files[i].Syntax, r.types)
	}
	for _, f := range r.files {
		f.rewrite()
		if f.touched() {
			r.out.Files[f.Path] = f.render()
		}
		r.out.Unused = append(r.out.Unused, f.Mutants.Unused()...)
	}
	r.out.GenName = r.genName()
	r.out.Gen = r.generate()
	list := r.pkg.Mutants
	r.out.Mutants, r.out.Skips, r.out.Census = list.Mutants, list.Skips, list.Census
	r.out.Comparisons = r.pkg.Comparisons.N
	return r.out, nil
}

func newRewriter(in Input) *rewriter {
	var syntax []*ast.File
	for _, f := range in.Files {
		syntax = append(syntax, f.Syntax)
	}
	info := &typing.Info{Info: in.Info, Pkg: in.Pkg}
	info.FindIndexes(syntax)
	info.FindResults(syntax)
	info.FindZeros(syntax)
	list := &mutants.List{
		Fset: in.Fset, ImportPath: in.ImportPath, First: in.FirstMutant, Operators: in.Operators, Doubt: doubt.Results(info, syntax),
	}
	pkg := site.NewPackage(info, syntax, list, in.Loggers)
	if in.Mutate && !in.Everything {
		pkg.Arid = arid.Find(info, syntax, pkg.Logs)
		list.Uninteresting = pkg.Arid.In
	}
	pkg.Race, pkg.Comparisons.First = in.Race, in.FirstComparison
	r := &rewriter{Input: in, pkg: pkg, out: &Output{Files: map[string][]byte{}}, types: make(map[string]bool)}
	if in.Overflow {
		r.wraps = overflow.Find(info, syntax)
	}
	return r
}

// newFunc numbers a function.
func (r *rewriter) newFunc(name string, node ast.Node) int {
	pos := r.Fset.PositionFor(node.Pos(), false)
	r.out.Funcs = append(r.out.Funcs, instrument.Func{
		Package: r.ImportPath, Name: name, File: pos.Filename, Line: pos.Line,
		EndLine: r.Fset.PositionFor(node.End(), false).Line,
	})
	return len(r.out.Funcs) - 1
}

// newBlock numbers a coverage counter for the code in [pos, end).
func (r *rewriter) newBlock(fn int, pos, end token.Pos) int {
	p := r.Fset.PositionFor(pos, false)
	r.out.Blocks = append(r.out.Blocks, instrument.Block{
		Package: r.ImportPath, File: p.Filename, Line: p.Line,
		EndLine: r.Fset.PositionFor(end, false).Line, Func: r.FirstFunc + fn,
	})
	return len(r.out.Blocks) - 1
}
