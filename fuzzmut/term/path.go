package term

// A Path is where a part of a term is: the kids to follow from the top.
type Path []int

// Paths lists the paths of x and of all its parts, those of a level before those
// below it, from left to right.
func Paths(x *Term) []Path {
	type open struct {
		at Path
		x  *Term
	}
	level := []open{{nil, x}}
	var all []Path
	for i := 0; i < len(level); i++ {
		o := level[i]
		all = append(all, o.at)
		for k, kid := range o.x.Kids {
			level = append(level, open{append(o.at[:len(o.at):len(o.at)], k), kid})
		}
	}
	return all
}

// At returns the part of x at a path, nil if there is none.
func (x *Term) At(p Path) *Term {
	for _, k := range p {
		if k >= len(x.Kids) {
			return nil
		}
		x = x.Kids[k]
	}
	return x
}

// Put returns x with another part at a path. Parts that do not hold the path are
// shared with x. Sets that hold it are sorted again.
func (x *Term) Put(p Path, part *Term) *Term {
	if len(p) == 0 {
		return part
	}
	kids := make([]*Term, len(x.Kids))
	copy(kids, x.Kids)
	kids[p[0]] = kids[p[0]].Put(p[1:], part)
	if x.Type.Set {
		return NewList(x.Type, kids)
	}
	return x.With(kids)
}
