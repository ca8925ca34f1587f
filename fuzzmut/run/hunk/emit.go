package hunk

// unit makes the hunks of a unit.
func (d *differ) unit(a, b list, u unit) {
	if a.kind == declarations || a.kind == specs {
		outer := d.decl
		d.decls++
		d.decl = d.decls
		defer func() { d.decl = outer }()
	}
	switch u.role {
	case pair:
		d.pair(&a.items[u.i], &b.items[u.j])
	case wrap:
		d.wrap(a, b, u)
	case unwrap:
		d.unwrap(a, b, u)
	case prepend, behead:
		d.tail(&a.items[u.i], &b.items[u.j], u.role)
	default:
		d.run(a, b, u)
	}
}

// pair compares two items with each other: their lists, and as one hunk what is around the
// lists.
func (d *differ) pair(x, y *item) {
	if !sameShape(x, y) {
		d.add(d.open(), swap{from: y.from, to: y.to, oldFrom: x.from, oldTo: x.to})
		return
	}
	hunk := -1
	around := func(from, to, oldFrom, oldTo int) {
		if d.old.key(oldFrom, oldTo) == d.new.key(from, to) {
			return
		}
		if hunk < 0 {
			hunk = d.open()
		}
		d.add(hunk, swap{from: from, to: to, oldFrom: oldFrom, oldTo: oldTo})
	}
	from, oldFrom := y.from, x.from
	for k := range y.lists {
		a, b := x.lists[k], y.lists[k]
		around(from, b.from, oldFrom, a.from)
		d.list(a, b)
		from, oldFrom = b.to, a.to
	}
	// A clause ends before the place where its list does.
	around(from, max(from, y.to), oldFrom, max(oldFrom, x.to))
}

// wrap takes a block from around code.
func (d *differ) wrap(a, b list, u unit) {
	hunk := d.open()
	y := &b.items[u.j]
	inner := y.lists[0]
	old := list{kind: statements, from: a.items[u.i].from, to: a.items[u.iEnd-1].to, items: a.items[u.i:u.iEnd]}
	from, to := d.new.widen(y.from, inner.from)
	at := d.old.place(a, u.i)
	d.add(hunk, swap{from: from, to: to, oldFrom: at, oldTo: at})
	d.list(old, inner)
	from, to = d.new.widen(inner.to, y.to)
	d.add(hunk, swap{from: from, to: to, oldFrom: old.to, oldTo: old.to})
}

// unwrap puts a block around code again.
func (d *differ) unwrap(a, b list, u unit) {
	hunk := d.open()
	x := &a.items[u.i]
	inner := x.lists[0]
	new := list{kind: statements, from: b.items[u.j].from, to: b.items[u.jEnd-1].to, items: b.items[u.j:u.jEnd]}
	e := d.insertion(b, u.j, x.from, inner.from)
	d.add(hunk, e)
	d.list(inner, new)
	d.add(hunk, swap{from: new.to, to: new.to, oldFrom: inner.to, oldTo: x.to, before: "\n"})
}

// tail makes a hunk of the conditions before an if statement that only one side has.
func (d *differ) tail(x, y *item, r role) {
	hunk := d.open()
	if r == prepend {
		t, _ := d.new.tail(y, x)
		d.add(hunk, swap{from: y.from, to: t.from, oldFrom: x.from, oldTo: x.from})
		d.pair(x, &t)
		return
	}
	t, _ := d.old.tail(x, y)
	d.add(hunk, swap{from: y.from, to: y.from, oldFrom: x.from, oldTo: t.from})
	d.pair(&t, y)
}

// maxPacked is how many elements of one run are looked at one by one, where some are on one
// line: more are mostly data that a program wrote.
const maxPacked = 12

// run makes hunks of items about which nothing is known but the place. Only statements,
// see merge, and fields that take the place of others, appear and disappear together.
func (d *differ) run(a, b list, u unit) {
	n, m := u.iEnd-u.i, u.jEnd-u.j
	if a.kind == choices {
		d.choices(a, b, u)
		return
	}
	together := a.kind == statements || a.kind == arms || a.kind == fields && n > 0 && m > 0 ||
		(a.packed || b.packed) && max(n, m) > maxPacked
	switch {
	case together:
		d.replace(a, b, u)
	case n == m && (n == 1 || a.kind == elements):
		for k := range n {
			d.replace(a, b, unit{i: u.i + k, iEnd: u.i + k + 1, j: u.j + k, jEnd: u.j + k + 1})
		}
	default:
		for i := u.i; i < u.iEnd; i++ {
			d.replace(a, b, unit{i: i, iEnd: i + 1, j: u.j, jEnd: u.j})
		}
		for j := u.j; j < u.jEnd; j++ {
			d.replace(a, b, unit{i: u.iEnd, iEnd: u.iEnd, j: j, jEnd: j + 1})
		}
	}
}

// choices makes hunks of the values of a case. The comma goes with the value that it
// separates from the rest, so that each may be there without the others.
func (d *differ) choices(a, b list, u unit) {
	n, m := u.iEnd-u.i, u.jEnd-u.j
	last := u.jEnd == len(b.items)
	switch {
	case n > 0 && n == m:
		for k := range n {
			d.replace(a, b, unit{i: u.i + k, iEnd: u.i + k + 1, j: u.j + k, jEnd: u.j + k + 1})
		}
	case n > 0 && m > 0:
		d.replace(a, b, u)
	case n > 0:
		at, before, after := b.to, ", ", ""
		if !last {
			at, before, after = b.items[u.j].from, "", ", "
		}
		for _, it := range a.items[u.i:u.iEnd] {
			d.add(d.open(), swap{from: at, to: at, oldFrom: it.from, oldTo: it.to, before: before, after: after})
		}
	default:
		old := a.to
		if u.i < len(a.items) {
			old = a.items[u.i].from
		}
		for j := u.j; j < u.jEnd; j++ {
			e := swap{from: b.items[j].from, oldFrom: old, oldTo: old}
			if last {
				e.from, e.to = b.items[j-1].to, b.items[j].to
			} else {
				e.to = b.items[j+1].from
			}
			d.add(d.open(), e)
		}
	}
}

// replace makes a hunk of a run.
func (d *differ) replace(a, b list, u unit) {
	var e swap
	switch {
	case u.j == u.jEnd:
		e = d.insertion(b, u.j, a.items[u.i].from, a.items[u.iEnd-1].to)
	case u.i == u.iEnd:
		e.oldFrom = d.old.place(a, u.i)
		e.oldTo = e.oldFrom
		e.from, e.to = d.new.removal(b.kind, b.items[u.j].from, b.items[u.jEnd-1].to)
	default:
		e.from, e.to = b.items[u.j].from, b.items[u.jEnd-1].to
		e.oldFrom, e.oldTo = a.items[u.i].from, a.items[u.iEnd-1].to
	}
	hunk := d.open()
	d.hunks[hunk].run = u.cut
	d.add(hunk, e)
}

// place returns where an item can be put before another one, or at the end of a list.
func (s *source) place(l list, i int) int {
	switch {
	case l.kind == arms && i > 0:
		return l.items[i-1].to
	case l.kind == arms:
		return l.from
	}
	at := l.to
	if i < len(l.items) {
		at = l.items[i].from
	}
	if line, ok := s.begin(at); ok {
		return line
	}
	return at
}

// insertion returns a swap that puts old text before an item, or at the end of a list.
func (d *differ) insertion(l list, i, oldFrom, oldTo int) swap {
	at := d.new.place(l, i)
	_, first := d.new.begin(at)
	if begin, ok := d.old.begin(oldFrom); ok && first && l.kind != arms {
		oldFrom = begin // with the indentation
	}
	e := swap{from: at, to: at, oldFrom: oldFrom, oldTo: oldTo}
	switch {
	case l.kind == arms:
	case l.kind == elements:
		e.after = ", "
		if last := len(l.items) - 1; i > last && last >= 0 && d.new.text[d.new.skip(l.items[last].to)] != ',' {
			e.from, e.to = l.items[last].to, l.items[last].to
			e.before, e.after = ",", ""
		} else if first {
			e.after = ",\n"
		}
	case first && at < len(d.new.text):
		e.after = "\n"
	default:
		e.before, e.after = "\n", "\n"
	}
	return e
}

// removal returns the text of items with what separates them from the next one.
func (s *source) removal(k kind, from, to int) (int, int) {
	separator := byte(';')
	switch k {
	case arms:
		return from, to
	case elements:
		separator = ','
	}
	if at := s.skip(to); at < len(s.text) && s.text[at] == separator {
		to = at + 1
	}
	if next := s.skip(to); k == elements && next < len(s.text) && s.text[next] != '\n' {
		to = next
	}
	return s.widen(from, to)
}
