package schemata

import (
	"testing"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

// TestUninterestingCode: which mutants of a condition around one call can be run.
func TestUninterestingCode(t *testing.T) {
	const head = "package p; import \"log\"; var top int; func note(n int) { top = n }; var _ = log.Print; func f(n int) { if n > 3 { "
	c := checker{imports: stdTypes(t)}
	for _, tc := range []struct {
		about, call string
		loggers     []string
		everything  bool
		live        bool
	}{
		{"a log", "log.Print(n)", nil, false, false},
		{"for triage", "log.Print(n)", nil, true, true},
		{"something else", "note(n)", nil, false, true},
		{"a function of the user's", "note(n)", []string{"p.note"}, false, false},
	} {
		in, errs := c.check("p", map[string][]byte{"/p/a.go": []byte(head + tc.call + " } }\n")})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		in.Operators, in.Loggers, in.Everything = operator.All(), tc.loggers, tc.everything
		out := mustRewrite(t, in)
		found := 0
		for _, m := range out.Mutants {
			if m.Original != ">" {
				continue
			}
			found++
			if live := m.Status == instrument.StatusLive; live != tc.live || m.Uninteresting() == tc.live {
				t.Errorf("%s: %s is %q, %s", tc.about, m.Description, m.Status, m.Reason)
			}
		}
		if found == 0 {
			t.Errorf("%s: no mutants", tc.about)
		}
		noise := out.Census.Noise["in uninteresting code: it only logs, measures, traces or reserves space"]
		if (noise > 0) == tc.live {
			t.Errorf("%s: %d sites are suppressed: %v", tc.about, noise, out.Census.Noise)
		}
	}
}
