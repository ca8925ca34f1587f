package sequence

// Bounds on the inputs that take apart what functions return.
const (
	routesMost   = 48
	routeLongest = 4 // calls up to a value
)

// routed are inputs that get a value out of what a function returns, over fields, and call a method on it: of a kind
// that no function makes at once. Each begins with other texts of the tests.
func (s *Sequence) routed() (list []seed) {
	routes := s.routes()
	for i, c := range s.calls {
		if c.receiver < 0 || c.field || c.setting || routes[c.receiver] == "" || len(list) == routesMost {
			continue
		}
		in := seed{ops: routes[c.receiver] + s.record(i)}
		for k := range in.texts {
			if n := len(s.texts); n > 0 {
				in.texts[k] = s.texts[(len(list)*len(in.texts)+k)%n]
			}
		}
		list = append(list, in)
	}
	return list
}

// routes are calls that lead to a value, by kind: the fewest, from a function on; "" for what a function makes at
// once, and where nothing leads.
func (s *Sequence) routes() []string {
	routes, there := make([]string, len(s.kinds)), make([]bool, len(s.kinds))
	last := make([]string, len(s.kinds)) // of all kinds
	for i, c := range s.calls {
		if c.fn != nil && !c.field && c.receiver < 0 && !c.takesKept() {
			for _, k := range c.leads() {
				if !there[k] {
					there[k], last[k] = true, s.record(i)
				}
			}
		}
	}
	for range routeLongest - 1 {
		next := make(map[int]string)
		for i, c := range s.calls {
			if !c.field || !there[c.receiver] {
				continue
			}
			for _, k := range c.leads() {
				if !there[k] && next[k] == "" {
					next[k] = last[c.receiver] + s.record(i)
				}
			}
		}
		for k, ops := range next {
			there[k], last[k], routes[k] = true, ops, ops
		}
	}
	return routes
}

// leads lists the kinds of the values that a call makes as a rule.
func (c *call) leads() (kinds []int) {
	for _, r := range c.results {
		switch {
		case r.form != kept:
		case r.kind != noKind:
			kinds = append(kinds, r.kind)
		case len(r.holds) == 1:
			kinds = append(kinds, r.holds[0])
		}
	}
	return kinds
}
