package versions

import (
	"cmp"
	"slices"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/hunk"
)

// maxGroups bounds the groups of a pair.
const maxGroups = 200

// A Ref is one hunk of a pair.
type Ref struct{ File, Hunk int }

// Groups returns sets of hunks that may be reverted together where one does not compile
// alone, small ones first, each once, at most 200: those of a block, of a declaration and
// of the file; hunks that declare a name which only one side has, with the hunks that
// use it; and changed declarations with the hunks that use them. Names are not resolved, so
// a set may be too large.
func (p *Pair) Groups() [][]Ref {
	l := newLinks(p)
	var groups [][]Ref
	for i := range p.Files {
		for _, g := range p.Files[i].Groups() {
			groups = append(groups, refsOf(i, g))
		}
	}
	for _, ref := range l.refs {
		groups = append(groups, l.closure(ref), l.closure(append(l.changed(ref), ref)...))
	}
	groups = slices.DeleteFunc(groups, func(g []Ref) bool { return len(g) < 2 })
	slices.SortFunc(groups, func(a, b []Ref) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, Ref.compare))
	})
	groups = slices.CompactFunc(groups, slices.Equal)
	return groups[:min(len(groups), maxGroups)]
}

// Shared returns sets of hunks that are one, since values go between them in variables that
// only one side has: see hunk.Shared.
func (p *Pair) Shared() (sets [][]Ref) {
	for i := range p.Files {
		f := &p.Files[i]
		for _, set := range hunk.Shared(f.Old, f.New, f.Hunks) {
			sets = append(sets, refsOf(i, set))
		}
	}
	return sets
}

// refsOf are hunks of the i-th file.
func refsOf(i int, hunks []int) []Ref {
	refs := make([]Ref, len(hunks))
	for n, k := range hunks {
		refs[n] = Ref{i, k}
	}
	return refs
}

// Groups returns sets of hunks of the file: those of a block, of a declaration, and all.
func (f *File) Groups() [][]int { return hunk.Groups(f.Hunks) }

// Runs returns all hunks of the file, in order: those that are likely to be one change together.
func (f *File) Runs() [][]int { return hunk.Runs(f.Hunks) }

func (r Ref) compare(s Ref) int {
	return cmp.Or(cmp.Compare(r.File, s.File), cmp.Compare(r.Hunk, s.Hunk))
}

// links are which hunks have which names.
type links struct {
	refs     []Ref
	words    map[Ref]*hunk.Words
	old, new map[string][]Ref // hunks by the identifiers in them
	gone     map[string][]Ref // hunks by names that they declare on the old side only
}

func newLinks(p *Pair) *links {
	l := &links{words: make(map[Ref]*hunk.Words), old: make(map[string][]Ref), new: make(map[string][]Ref), gone: make(map[string][]Ref)}
	for i := range p.Files {
		f := &p.Files[i]
		words := hunk.WordsOf(f.Old, f.New, f.Hunks)
		for k := range words {
			ref, w := Ref{i, k}, &words[k]
			l.refs = append(l.refs, ref)
			l.words[ref] = w
			for name := range w.Old {
				l.old[name] = append(l.old[name], ref)
			}
			for name := range w.New {
				l.new[name] = append(l.new[name], ref)
			}
			for _, n := range w.Gone {
				l.gone[n.Name] = append(l.gone[n.Name], ref)
			}
		}
	}
	return l
}

// sees says whether a hunk can use a name that another one declares.
func (l *links) sees(user, declares Ref, n hunk.Name) bool {
	return !n.Local || user.File == declares.File && l.words[user].Decl == l.words[declares].Decl
}

// needs lists the hunks that have to be reverted with one: those that use what it has
// added, and those that took away what it used.
func (l *links) needs(ref Ref) (list []Ref) {
	w := l.words[ref]
	for _, n := range w.Added {
		for _, user := range l.new[n.Name] {
			if l.sees(user, ref, n) {
				list = append(list, user)
			}
		}
	}
	for name := range w.Old {
		for _, other := range l.gone[name] {
			for _, n := range l.words[other].Gone {
				if n.Name == name && l.sees(ref, other, n) {
					list = append(list, other)
				}
			}
		}
	}
	return list
}

// changed lists the hunks that use what a hunk declares in another way than before.
func (l *links) changed(ref Ref) (list []Ref) {
	for _, n := range l.words[ref].Changed {
		if !n.Local {
			list = append(list, l.old[n.Name]...)
			list = append(list, l.new[n.Name]...)
		}
	}
	return list
}

// closure returns hunks with all that they need, in order.
func (l *links) closure(refs ...Ref) []Ref {
	in := make(map[Ref]bool)
	var list []Ref
	add := func(refs []Ref) {
		for _, r := range refs {
			if !in[r] {
				in[r] = true
				list = append(list, r)
			}
		}
	}
	add(refs)
	for i := 0; i < len(list); i++ {
		add(l.needs(list[i]))
	}
	slices.SortFunc(list, Ref.compare)
	return list
}
