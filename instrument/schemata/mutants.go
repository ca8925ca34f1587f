package schemata

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
	"github.com/fuzzmut/fuzzmut/instrument/schemata/internal/equivalence"
)

// plain is the source edit that a mutant stands for.
type plain struct {
	lo, hi token.Pos
	text   string
	desc   string
}

// editor returns the plain edit of a change, or why there can't be one.
type editor func(operator.Change) (plain, string)

// offer asks all operators for changes at a site and makes a mutant of each. It
// returns the number of the first and the changes that need schemata, whose
// mutants have consecutive numbers: those of static mutants, too.
func (w *walker) offer(s *operator.Site, node ast.Node, edit editor) (base int, live []operator.Change) {
	if !w.r.Mutate {
		return 0, nil
	}
	status, reason := w.status(node.Pos())
	base = w.r.FirstMutant + len(w.r.out.Mutants)
	seen := map[string]bool{}
	left := ""
	for _, op := range w.r.Operators {
		for _, c := range op.Inspect(s) {
			if key := equivalence.Key(s, c); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			p, why := plain{}, equivalence.Reason(s, c)
			if why == "" {
				p, why = edit(c)
				left = cmp.Or(left, leftOut(why, w.quiet))
			}
			switch {
			case w.quiet != "":
			case why != "":
				w.r.skip(node.Pos(), op.Name, "%s", why)
			case w.add(op, node, equivalence.Name(s, c), p, status, reason) && status != instrument.StatusSkipped:
				live = append(live, c)
			}
		}
	}
	w.r.out.Census.Count(w.r.FirstMutant+len(w.r.out.Mutants) > base, left, noise[left])
	if len(live) > 0 {
		w.u.live = append(w.u.live, node.Pos())
	}
	return base, live
}

// leftOut returns why there is no mutant of a change that could be one: the
// reason for its place, or for itself. A change that would not compile is none,
// nor is one that makes no difference.
func leftOut(why, quiet string) string {
	switch {
	case strings.HasPrefix(why, noCompile), strings.HasPrefix(why, noChange):
		return ""
	case quiet != "":
		return quiet
	}
	return why
}

// Reasons for which places that could be mutated are not: nobody would want to
// read of such a mutant.
const (
	generatedFile   = "generated file"
	unreachableCode = "unreachable code"
	loggingCall     = "logging call"
	packageTable    = "table of a package-level variable"
	halfOfPair      = "one half of Lock and Unlock: without it the other panics or blocks"
	bigTable        = "table of more than 32 elements"
	constantHint    = "how much room to reserve"
)

var noise = map[string]bool{generatedFile: true, unreachableCode: true, loggingCall: true, packageTable: true, bigTable: true, halfOfPair: true, constantHint: true}

// noCompile begins the reason for a change that would not compile, noChange that
// for one that gives the same program, or the same as another mutant.
const (
	noCompile = "does not compile"
	noChange  = "the same"
)

func (w *walker) status(pos token.Pos) (instrument.Status, string) {
	if reason := w.f.ignored.At(pos); reason != "" {
		return instrument.StatusSkipped, reason
	}
	if w.u.static != "" {
		return instrument.StatusStatic, w.u.static
	}
	return instrument.StatusLive, ""
}

// add lists a mutant, unless the same edit was made from another site before.
func (w *walker) add(op *operator.Operator, node ast.Node, change string, p plain, status instrument.Status, reason string) bool {
	lo, hi := w.f.Off(p.lo), w.f.Off(p.hi)
	key := editKey(lo, hi, p.text)
	if w.f.edits[key] || string(w.f.Src[lo:hi]) == p.text {
		return false
	}
	w.f.edits[key] = true
	pos := w.r.Fset.PositionFor(p.lo, false)
	m := instrument.Mutant{
		Index:    w.r.FirstMutant + len(w.r.out.Mutants),
		Operator: op.Name, Package: w.r.ImportPath, FuncIndex: -1, Func: w.u.name,
		File: w.f.Path, Line: pos.Line, Column: pos.Column, Offset: lo, End: hi,
		Original: string(w.f.Src[lo:hi]), Replacement: p.text, Description: p.desc,
		Status: status, Reason: reason,
	}
	if w.u.index >= 0 {
		m.FuncIndex = w.r.FirstFunc + w.u.index
	}
	m.ID = w.id(op.Name, w.f.Node(node), change)
	w.r.out.Mutants = append(w.r.out.Mutants, m)
	return true
}

func editKey(lo, hi int, text string) string { return fmt.Sprintf("%d:%d:%s", lo, hi, text) }

// edited says whether a mutant puts text in the place of a node.
func (f *file) edited(n ast.Node, text string) bool {
	return f.edits[editKey(f.Off(n.Pos()), f.Off(n.End()), text)]
}

// id names a mutant by what it does in which function, so that edits elsewhere in
// the file leave it alone. Its plain edit would not do: that also mends what the
// change alone would break, an import left unused for one. Equal changes in one
// function are told apart by order.
func (w *walker) id(op, original, change string) string {
	key := strings.Join([]string{w.r.ImportPath, w.u.scope, op, original, change}, "\x00")
	ordinal := w.u.ordinals[key]
	w.u.ordinals[key]++
	for n := 0; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", key, ordinal, n))
		id := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:8])[:12])
		if !w.r.ids[id] {
			w.r.ids[id] = true
			return id
		}
	}
}
