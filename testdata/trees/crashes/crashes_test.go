package crashes

import "testing"

// checkCounts fails t from a helper, as users' tests do.
func checkCounts(t *testing.T, s *Stock) {
	t.Helper()
	for _, it := range s.Items {
		if it.Count < 0 {
			t.Fatalf("item %q has count %d", it.Name, it.Count)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add("+a5;-a2;@0")
	f.Add("+a5;=ab;#ax;!0")
	f.Add("+a1;#ax;+b2;>ab")
	f.Add("+a1;#ax;=ac;>aa")
	f.Fuzz(func(t *testing.T, script string) {
		s, _ := Run(script)
		checkCounts(t, s)
	})
}
