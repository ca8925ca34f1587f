package hunk

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

// unit is a run of items on each side that are compared with each other.
type unit struct {
	i, iEnd, j, jEnd int
	role             role
	cut              int // the run that it is cut from, from 1; 0: none
}

type role int

const (
	run     role = iota // nothing is known but the place
	pair                // one item that has changed
	wrap                // the new item has the old ones in its first list
	unwrap              // the old item has the new ones in its first list
	prepend             // the new if statement has the old one after its else
	behead              // the old if statement has the new one after its else
)

// list compares two lists.
func (d *differ) list(a, b list) {
	d.opened++
	d.lists = append(d.lists, d.opened)
	all := unit{iEnd: len(a.items), jEnd: len(b.items)}
	between(all, align(a.items, b.items, func(it *item) string { return it.key }), func(g unit) {
		for _, u := range d.merge(a, b, d.units(a, b, g, 0)) {
			d.unit(a, b, u)
		}
	}, nil)
	d.lists = d.lists[:len(d.lists)-1]
}

// align returns the indices of items with the same key. Those without one are like no other.
func align(a, b []item, key func(*item) string) [][2]int {
	keys := func(side string, items []item) []string {
		list := make([]string, len(items))
		for i := range items {
			if list[i] = key(&items[i]); list[i] == "" {
				list[i] = side + strconv.Itoa(i)
			}
		}
		return list
	}
	return difference.Align(keys("\x00old", a), keys("\x00new", b))
}

// between calls gap for the runs between pairs, and each for the pairs, in their order.
func between(u unit, pairs [][2]int, gap func(unit), each func(i, j int)) {
	i, j := u.i, u.j
	for _, at := range pairs {
		if i < at[0] || j < at[1] {
			gap(unit{i: i, iEnd: at[0], j: j, jEnd: at[1]})
		}
		if each != nil {
			each(at[0], at[1])
		}
		i, j = at[0]+1, at[1]+1
	}
	if i < u.iEnd || j < u.jEnd {
		gap(unit{i: i, iEnd: u.iEnd, j: j, jEnd: u.jEnd})
	}
}

// Stages of units.
const (
	byHead  = iota // items with the same head
	byParts        // an item that has others within it
	byClass        // items of the same class that have much in common
	stages
)

// units finds the items of two runs that have changed: those with the same head, then code
// that got or lost a block or a condition around it, then those of the same class that have
// much in common.
func (d *differ) units(a, b list, g unit, stage int) (units []unit) {
	if g.i == g.iEnd || g.j == g.jEnd || stage == stages {
		return []unit{g}
	}
	if stage == byParts {
		return d.arounds(a, b, g)
	}
	named := a.kind == declarations || a.kind == specs || a.kind == fields
	var pairs [][2]int
	for _, at := range align(a.items[g.i:g.iEnd], b.items[g.j:g.jEnd], func(it *item) string {
		switch {
		case stage == byClass:
			return it.class
		case it.head == "":
			return ""
		}
		return it.class + "\x00" + it.head
	}) {
		i, j := g.i+at[0], g.j+at[1]
		least := 3 // a third has to be the same, or half
		if stage == byClass {
			least = 2
		}
		if stage == byHead && (named || len(a.items[i].lists) == 0) || similar(a.items[i].key, b.items[j].key, least) {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	between(g, pairs, func(rest unit) {
		units = append(units, d.units(a, b, rest, stage+1)...)
	}, func(i, j int) {
		units = append(units, unit{i: i, iEnd: i + 1, j: j, jEnd: j + 1, role: pair})
	})
	return units
}

// similar says whether at least one part in n of the tokens of two texts is the same.
func similar(a, b string, n int) bool {
	x, y := strings.Split(a, "\x00"), strings.Split(b, "\x00")
	count := make(map[string]int)
	for _, t := range x {
		count[t]++
	}
	same := 0
	for _, t := range y {
		if count[t] > 0 {
			count[t]--
			same++
		}
	}
	return 2*same*n >= len(x)+len(y)
}

// arounds finds an item that has items of the other side within it.
func (d *differ) arounds(a, b list, g unit) (units []unit) {
	u, ok := unit{}, false
	if a.kind == statements && g.i < g.iEnd && g.j < g.jEnd {
		if u, ok = d.tails(a, b, g); !ok {
			u, ok = d.wraps(a, b, g)
		}
	}
	if !ok {
		return d.units(a, b, g, byClass)
	}
	if g.i < u.i || g.j < u.j {
		units = append(units, d.arounds(a, b, unit{i: g.i, iEnd: u.i, j: g.j, jEnd: u.j})...)
	}
	units = append(units, u)
	if u.iEnd < g.iEnd || u.jEnd < g.jEnd {
		units = append(units, d.arounds(a, b, unit{i: u.iEnd, iEnd: g.iEnd, j: u.jEnd, jEnd: g.jEnd})...)
	}
	return units
}

// wraps finds an item whose first list has items of the other side.
func (d *differ) wraps(a, b list, g unit) (unit, bool) {
	for j := g.j; j < g.jEnd; j++ {
		if i, iEnd, ok := inside(&b.items[j], a.items[g.i:g.iEnd]); ok {
			return unit{i: g.i + i, iEnd: g.i + iEnd, j: j, jEnd: j + 1, role: wrap}, true
		}
	}
	for i := g.i; i < g.iEnd; i++ {
		if j, jEnd, ok := inside(&a.items[i], b.items[g.j:g.jEnd]); ok {
			return unit{i: i, iEnd: i + 1, j: g.j + j, jEnd: g.j + jEnd, role: unwrap}, true
		}
	}
	return unit{}, false
}

// tails finds an if statement that is after an else on the other side: other conditions
// come before it there, or no longer do.
func (d *differ) tails(a, b list, g unit) (unit, bool) {
	for i := g.i; i < g.iEnd; i++ {
		for j := g.j; j < g.jEnd; j++ {
			u := unit{i: i, iEnd: i + 1, j: j, jEnd: j + 1}
			if _, ok := d.new.tail(&b.items[j], &a.items[i]); ok {
				u.role = prepend
				return u, true
			}
			if _, ok := d.old.tail(&a.items[i], &b.items[j]); ok {
				u.role = behead
				return u, true
			}
		}
	}
	return unit{}, false
}

// tail returns what follows an else in an if statement and is like another if statement.
func (s *source) tail(it, other *item) (item, bool) {
	if it.chain == nil || other.chain == nil || it.head == other.head {
		return item{}, false
	}
	for n, _ := it.chain.Else.(*ast.IfStmt); n != nil; n, _ = n.Else.(*ast.IfStmt) {
		if t := s.stmt(n); t.head == other.head && similar(t.key, other.key, 3) {
			return t, true
		}
	}
	return item{}, false
}

// inside returns which items are in the first list of an item, if they are a third of it.
func inside(it *item, items []item) (from, to int, ok bool) {
	if len(it.lists) == 0 || it.lists[0].kind != statements {
		return 0, 0, false
	}
	body := it.lists[0].items
	pairs := align(items, body, func(it *item) string { return it.key })
	if len(pairs) == 0 {
		return 0, 0, false
	}
	whole, same := 0, 0
	for _, b := range body {
		whole += len(b.key)
	}
	for _, at := range pairs {
		same += len(items[at[0]].key)
	}
	return pairs[0][0], pairs[len(pairs)-1][0] + 1, 3*same >= whole
}

// merge cuts runs of statements that only a side has, and makes one unit of neighbors if
// one declares what the other uses.
func (d *differ) merge(a, b list, units []unit) (merged []unit) {
	if a.kind != statements {
		return units
	}
	var small []unit
	for _, u := range units {
		small = append(small, d.single(a, b, u)...)
	}
	for i := 0; i < len(small); i++ {
		u := small[i]
		last := i
		for k := i; k <= last; k++ { // what is joined declares names, too
			for n := k + 1; n < len(small) && d.whole(a, b, small[k]) && d.whole(a, b, small[n]); n++ {
				if links(a.items, small[k].i, small[k].iEnd, small[n].i, small[n].iEnd, declares(b.items[small[k].j:small[k].jEnd])) ||
					links(b.items, small[k].j, small[k].jEnd, small[n].j, small[n].jEnd, declares(a.items[small[k].i:small[k].iEnd])) {
					last = max(last, n)
				}
			}
		}
		if last > i {
			cut := u.cut
			if slices.ContainsFunc(small[i:last+1], func(o unit) bool { return o.cut != cut }) {
				cut = 0
			}
			u = unit{i: u.i, iEnd: small[last].iEnd, j: u.j, jEnd: small[last].jEnd, cut: cut}
		}
		merged = append(merged, u)
		i = last
	}
	return merged
}

// single cuts a run that only a side has into its items.
func (d *differ) single(a, b list, u unit) (units []unit) {
	if u.role != run || u.i < u.iEnd && u.j < u.jEnd {
		return []unit{u}
	}
	_, old := d.old.span(a.items[u.i:u.iEnd])
	_, new := d.new.span(b.items[u.j:u.jEnd])
	cut := 0
	if old <= maxLines && new <= maxLines {
		d.runs++
		cut = d.runs
	}
	for i := u.i; i < u.iEnd; i++ {
		units = append(units, unit{i: i, iEnd: i + 1, j: u.j, jEnd: u.j, cut: cut})
	}
	for j := u.j; j < u.jEnd; j++ {
		units = append(units, unit{i: u.iEnd, iEnd: u.iEnd, j: j, jEnd: j + 1, cut: cut})
	}
	return units
}

// span returns the lines of some items.
func (s *source) span(items []item) (first, count int) {
	if len(items) == 0 {
		return 0, 0
	}
	return s.lines(items[0].from, items[len(items)-1].to)
}

// whole says whether a unit may be one with others: it is small, or makes no hunks within
// lists.
func (d *differ) whole(a, b list, u unit) bool {
	switch {
	case u.role == run:
		return true
	case u.role != pair || !sameShape(&a.items[u.i], &b.items[u.j]):
		return u.role == pair
	}
	_, old := d.old.span(a.items[u.i:u.iEnd])
	_, new := d.new.span(b.items[u.j:u.jEnd])
	if old <= maxLines && new <= maxLines {
		return true
	}
	x, y := a.items[u.i].lists, b.items[u.j].lists
	for k := range x {
		if d.old.key(x[k].from, x[k].to) != d.new.key(y[k].from, y[k].to) {
			return false
		}
	}
	return true
}

func declares(items []item) (names []string) {
	for _, it := range items {
		names = append(names, it.names...)
	}
	return names
}

// links says whether a run of items uses what another one declares. What the other side
// declares as well is not missed there.
func links(items []item, from, to, next, end int, both []string) bool {
	for _, name := range declares(items[from:to]) {
		if slices.Contains(both, name) {
			continue
		}
		for _, it := range items[next:end] {
			if slices.Contains(strings.Split(it.key, "\x00"), name) {
				return true
			}
		}
	}
	return false
}

// sameShape says whether two items have lists of the same kinds, so that one's items can
// stand in the other's.
func sameShape(x, y *item) bool {
	return x.class == y.class && len(x.lists) > 0 &&
		slices.EqualFunc(x.lists, y.lists, func(a, b list) bool { return a.kind == b.kind })
}
