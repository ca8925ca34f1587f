package budget

// A Rate is what something brings for what it costs, of late.
type Rate struct {
	n, window  int
	gain, cost float64
}

// NewRate returns a rate that goes by about that number of notes.
func NewRate(window int) Rate { return Rate{window: window} }

// Note adds one gain, and what it cost.
func (r *Rate) Note(gain, cost float64) {
	if r.n == r.window {
		r.n, r.gain, r.cost = r.n/2, r.gain/2, r.cost/2
	}
	r.n++
	r.gain += gain
	r.cost += cost
}

// doubt is the part of a gain that may just have been missed.
const doubt = 0.5

// Value is the gain for a unit of cost.
func (r *Rate) Value() float64 {
	if r.cost == 0 {
		return 0
	}
	return (r.gain + doubt) / r.cost
}
