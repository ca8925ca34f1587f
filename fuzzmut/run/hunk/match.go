package hunk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/difference"
)

// unit is a run of items on each side that are compared with each other.
type unit struct {
	i, iEnd, j, jEnd int
	role             role
}

type role int

const (
	run    role = iota // nothing is known but the place
	pair               // one item that has changed
	wrap               // the new item has the old ones in its first list
	unwrap             // the old item has the new ones in its first list
)

// list compares two lists.
func (d *differ) list(a, b list) {
	d.opened++
	d.lists = append(d.lists, d.opened)
	all := unit{0, len(a.items), 0, len(b.items), run}
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
			gap(unit{i, at[0], j, at[1], run})
		}
		if each != nil {
			each(at[0], at[1])
		}
		i, j = at[0]+1, at[1]+1
	}
	if i < u.iEnd || j < u.jEnd {
		gap(unit{i, u.iEnd, j, u.jEnd, run})
	}
}

// units finds the items of two runs that have changed: those with the same head, then those
// of the same class that have much in common, then code that got or lost a block around it.
func (d *differ) units(a, b list, g unit, stage int) (units []unit) {
	if g.i == g.iEnd || g.j == g.jEnd || stage == 2 {
		return append(units, d.wraps(a, b, g)...)
	}
	named := a.kind == declarations || a.kind == specs || a.kind == fields
	var pairs [][2]int
	for _, at := range align(a.items[g.i:g.iEnd], b.items[g.j:g.jEnd], func(it *item) string {
		switch {
		case stage == 1:
			return it.class
		case it.head == "":
			return ""
		}
		return it.class + "\x00" + it.head
	}) {
		i, j := g.i+at[0], g.j+at[1]
		least := 3 - stage // a third has to be the same, or half
		if stage == 0 && (named || len(a.items[i].lists) == 0) || similar(a.items[i].key, b.items[j].key, least) {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	between(g, pairs, func(rest unit) {
		units = append(units, d.units(a, b, rest, stage+1)...)
	}, func(i, j int) {
		units = append(units, unit{i, i + 1, j, j + 1, pair})
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

// wraps finds an item whose first list has items of the other side.
func (d *differ) wraps(a, b list, g unit) []unit {
	if a.kind != statements || g.i == g.iEnd || g.j == g.jEnd {
		return []unit{g}
	}
	for j := g.j; j < g.jEnd; j++ {
		if i, iEnd, ok := inside(&b.items[j], a.items[g.i:g.iEnd]); ok {
			return d.around(a, b, g, unit{g.i + i, g.i + iEnd, j, j + 1, wrap})
		}
	}
	for i := g.i; i < g.iEnd; i++ {
		if j, jEnd, ok := inside(&a.items[i], b.items[g.j:g.jEnd]); ok {
			return d.around(a, b, g, unit{i, i + 1, g.j + j, g.j + jEnd, unwrap})
		}
	}
	return []unit{g}
}

// around returns a unit with those before and after it.
func (d *differ) around(a, b list, g, u unit) (units []unit) {
	if g.i < u.i || g.j < u.j {
		units = append(units, d.wraps(a, b, unit{g.i, u.i, g.j, u.j, run})...)
	}
	units = append(units, u)
	if u.iEnd < g.iEnd || u.jEnd < g.jEnd {
		units = append(units, d.wraps(a, b, unit{u.iEnd, g.iEnd, u.jEnd, g.jEnd, run})...)
	}
	return units
}

// inside returns which items are in the first list of an item, if they are most of it.
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
	return pairs[0][0], pairs[len(pairs)-1][0] + 1, 2*same >= whole
}

// merge makes one unit of neighbors if one declares what the other uses, and cuts large
// runs of statements that only a side has.
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
			u = unit{u.i, small[last].iEnd, u.j, small[last].jEnd, run}
		}
		merged = append(merged, u)
		i = last
	}
	return merged
}

// single cuts a run of many lines that only a side has into its items.
func (d *differ) single(a, b list, u unit) (units []unit) {
	if u.role != run || u.i < u.iEnd && u.j < u.jEnd {
		return []unit{u}
	}
	_, old := d.old.span(a.items[u.i:u.iEnd])
	_, new := d.new.span(b.items[u.j:u.jEnd])
	if old <= maxLines && new <= maxLines {
		return []unit{u}
	}
	for i := u.i; i < u.iEnd; i++ {
		units = append(units, unit{i, i + 1, u.j, u.j, run})
	}
	for j := u.j; j < u.jEnd; j++ {
		units = append(units, unit{u.iEnd, u.iEnd, j, j + 1, run})
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
