package stlc

import "github.com/fuzzmut/fuzzmut/testdata/hunt"

// steps bounds those of a test.
const steps = 20

// Check tests preservation: reduction leaves the type of a closed expression as it is.
func (c Calculus) Check(e *Expr) hunt.Outcome {
	t, ok := TypeOf(nil, e)
	if !ok {
		return hunt.Discarded
	}
	for range steps {
		next, ok := c.Step(e)
		if !ok {
			break
		}
		if e = next; size(e) > 10000 {
			break
		}
		if u, ok := TypeOf(nil, e); !ok || !same(t, u) {
			return hunt.Failed
		}
	}
	return hunt.Passed
}

func size(e *Expr) int {
	if e == nil {
		return 0
	}
	return 1 + size(e.L) + size(e.R)
}
