package hunk

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"
)

// A Name is what a hunk declares.
type Name struct {
	Name  string
	Local bool // in a function
}

// Words are the identifiers of a hunk.
type Words struct {
	Old, New map[string]bool // all, on each side
	// Gone are declared on the old side only, Added on the new one, and Changed on both.
	Gone, Added, Changed []Name
	Decl                 int // the declaration that local names are of
}

// WordsOf returns the words of each hunk, or nil if a side does not parse. A text that is
// nil is a file that is not there.
func WordsOf(old, new []byte, hunks []Hunk) []Words {
	none := []byte("package none\n")
	was, is := parse(old), parse(new)
	if old == nil {
		was = parse(none)
	}
	if new == nil {
		is = parse(none)
	}
	if was == nil || is == nil {
		return nil
	}
	wasDeclared, isDeclared := was.declared(), is.declared()
	words := make([]Words, len(hunks))
	for i := range hunks {
		w := &words[i]
		*w = Words{Old: make(map[string]bool), New: make(map[string]bool), Decl: hunks[i].decl}
		var before, after []Name
		for _, e := range hunks[i].swapsOf(old, new) {
			was.words(e.oldFrom, e.oldTo, w.Old)
			is.words(e.from, e.to, w.New)
			before = append(before, within(wasDeclared, e.oldFrom, e.oldTo)...)
			after = append(after, within(isDeclared, e.from, e.to)...)
		}
		for _, n := range before {
			if slices.Contains(after, n) {
				w.Changed = append(w.Changed, n)
			} else {
				w.Gone = append(w.Gone, n)
			}
		}
		for _, n := range after {
			if !slices.Contains(before, n) {
				w.Added = append(w.Added, n)
			}
		}
	}
	return words
}

// words adds the identifiers of a part of the text.
func (s *source) words(from, to int, set map[string]bool) {
	for i := sort.SearchInts(s.tokens.at, from); i < len(s.tokens.at) && s.tokens.at[i] < to; i++ {
		if token.IsIdentifier(s.tokens.text[i]) {
			set[s.tokens.text[i]] = true
		}
	}
}

// declared is a name that a file declares, at an offset.
type declared struct {
	Name
	at int
}

func within(list []declared, from, to int) (names []Name) {
	for _, d := range list {
		if from <= d.at && d.at < to && !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// declared lists the names that a file declares. Fields and methods count as those of the
// package.
func (s *source) declared() (list []declared) {
	add := func(x ast.Expr, local bool) {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
			list = append(list, declared{Name{id.Name, local}, s.offset(id.Pos())})
		}
	}
	fields := func(f *ast.FieldList, local bool) {
		if f == nil {
			return
		}
		for _, field := range f.List {
			for _, id := range field.Names {
				add(id, local)
			}
		}
	}
	locals := make(map[ast.Decl]bool)
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name, false)
			fields(n.Recv, true)
		case *ast.FuncType:
			fields(n.Params, true)
			fields(n.Results, true)
		case *ast.StructType:
			fields(n.Fields, false)
		case *ast.InterfaceType:
			fields(n.Methods, false)
		case *ast.DeclStmt:
			locals[n.Decl] = true
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				s.specNames(spec, func(id *ast.Ident) { add(id, locals[n]) })
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if n.Tok == token.DEFINE {
					add(x, true)
				}
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, true)
				add(n.Value, true)
			}
		}
		return true
	})
	return list
}

func (s *source) specNames(spec ast.Spec, add func(*ast.Ident)) {
	switch n := spec.(type) {
	case *ast.TypeSpec:
		add(n.Name)
	case *ast.ValueSpec:
		for _, id := range n.Names {
			add(id)
		}
	}
}

// Runs returns all hunks of a file, in order: those that were cut from one short run of
// statements together, and each of the others alone. What is written together is mostly
// one change, so that it is enough to look into the few runs that matter.
func Runs(hunks []Hunk) (runs [][]int) {
	for i := range hunks {
		if i > 0 && hunks[i].run > 0 && hunks[i].run == hunks[i-1].run {
			runs[len(runs)-1] = append(runs[len(runs)-1], i)
			continue
		}
		runs = append(runs, []int{i})
	}
	return runs
}

// Groups returns sets of hunks of a file that may be reverted together, each once: those of
// a block, of a declaration, and of the file. Sets of a single hunk are left out.
func Groups(hunks []Hunk) [][]int {
	type place struct{ list, decl int }
	in := make(map[place][]int)
	var places []place
	add := func(p place, i int) {
		if in[p] == nil {
			places = append(places, p)
		}
		in[p] = append(in[p], i)
	}
	for i := range hunks {
		for _, l := range hunks[i].lists {
			add(place{list: l}, i)
		}
		if hunks[i].decl > 0 {
			add(place{decl: hunks[i].decl}, i)
		}
		add(place{}, i)
	}
	var groups [][]int
	for _, p := range places {
		g := in[p]
		if len(g) > 1 && !slices.ContainsFunc(groups, func(o []int) bool { return slices.Equal(o, g) }) {
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return len(a) - len(b) })
	return groups
}
