package alone

import "testing"

func TestAlwaysIsEveryRun(t *testing.T) {
	for _, a := range []struct {
		Runs
		want bool
	}{{Runs{}, false}, {Runs{Runs: 5}, false}, {Runs{Failed: 4, Runs: 5}, false}, {Runs{Failed: 5, Runs: 5}, true}} {
		if a.Always() != a.want {
			t.Errorf("%d of %d: %v", a.Failed, a.Runs.Runs, a.Always())
		}
	}
}
