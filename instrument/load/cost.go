package load

import (
	"go/ast"
	"strconv"
	"strings"
)

// A CostBound is what a //fuzzmut:cost directive says of a function: that what it costs may
// grow with the length of an input to a power.
type CostBound struct {
	File      string // absolute
	Line, End int    // of the function
	Name      string
	Exponent  float64 // above which growth is too fast; Any for any growth
}

// Any is the exponent of what may cost anything.
const Any = 1e9

const costDirective = "cost"

// costSlack is by how much a cost that is said to be a power may grow faster, as fitted.
const costSlack = 0.5

// logSlack is that of a cost with a logarithm, which grows faster than the power alone.
const logSlack = 0.25

// ParseCost reads what follows //fuzzmut:cost: n, n log n, n^2, n^1.5 log n, or any. It
// returns the exponent of the length above which growth is too fast.
func ParseCost(s string) (exponent float64, ok bool) {
	words := strings.Fields(s)
	if len(words) == 1 && words[0] == "any" {
		return Any, true
	}
	power, slack := 1.0, costSlack
	if len(words) == 3 && words[1] == "log" && words[2] == "n" {
		words, slack = words[:1], costSlack+logSlack
	}
	if len(words) != 1 {
		return 0, false
	}
	if digits, is := strings.CutPrefix(words[0], "n^"); is {
		p, err := strconv.ParseFloat(digits, 64)
		if err != nil || !(p >= 1 && p <= 100) {
			return 0, false
		}
		power = p
	} else if words[0] != "n" {
		return 0, false
	}
	return power + slack, true
}

// checkCost says what is wrong with a //fuzzmut:cost directive.
func checkCost(c *ast.Comment, rest string, fd *ast.FuncDecl) *Wrong {
	if fd == nil {
		return wrongf(c.Pos(), "//fuzzmut:cost belongs in the comment directly above a function")
	}
	if _, ok := ParseCost(rest); !ok {
		return wrongf(c.Pos(), "//fuzzmut:cost %s: write n log n, n^2 or the like, for how the cost may grow with the length of an input, or any", strings.TrimSpace(rest))
	}
	return nil
}

// CostBounds returns the //fuzzmut:cost directives of the code to rewrite and of the tests.
func (r *Result) CostBounds() (list []CostBound) {
	for _, p := range r.Packages {
		list = append(list, r.costBounds(p.Files)...)
	}
	for _, t := range r.Tests {
		list = append(list, r.costBounds(t.Files)...)
	}
	return list
}

func (r *Result) costBounds(files []File) (list []CostBound) {
	for _, f := range files {
		for _, d := range f.Syntax.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Doc == nil {
				continue
			}
			for _, c := range fd.Doc.List {
				rest, is := strings.CutPrefix(c.Text, directivePrefix+costDirective+" ")
				if !is {
					continue
				}
				if e, ok := ParseCost(rest); ok {
					list = append(list, CostBound{
						File: f.Path, Name: fd.Name.Name, Exponent: e,
						Line: r.Fset.PositionFor(fd.Pos(), false).Line, End: r.Fset.PositionFor(fd.End(), false).Line,
					})
				}
			}
		}
	}
	return list
}
