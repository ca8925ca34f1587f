// Package fate says in words what became of mutants.
package fate

import (
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// Kill says how a mutant was killed: by inputs, or by tests.
func Kill(m *report.Mutant, byInput bool) string {
	kind, _ := oracle.Parse(m.KillKind)
	how := kind.ByTest()
	if byInput || how == "" {
		how = kind.ByInput()
	}
	text := m.KillKind
	for _, more := range []string{how, m.Detail} {
		if more != "" {
			text += ": " + more
		}
	}
	if m.KilledBy == "" {
		text += "; before the first input or test"
	}
	if m.Unconfirmed {
		text += "; it was not run once more"
	}
	return text
}

// classes says how far inputs and tests came with a survivor.
var classes = map[string]string{
	report.NotInfected: "no different value was computed",
	report.NotSeen:     "a different value was computed, and nothing noticed",
}

// LeftOut says what kills a mutant that lives in the corpus; "" if nothing is known to.
func LeftOut(m *report.Mutant) string {
	if m.KilledByLeftOut == "" {
		return ""
	}
	return "killed by an input that -corpus-size leaves no room for: " + m.KilledByLeftOut
}

// Survival says what is known of a survivor.
func Survival(m *report.Mutant) string {
	if text := LeftOut(m); text != "" {
		return text
	}
	var parts []string
	if m.Baseline == report.Accepted {
		parts = append(parts, "accepted")
	}
	if m.Reason != "" {
		parts = append(parts, m.Reason)
	} else if text := classes[m.Class]; text != "" {
		parts = append(parts, text)
	}
	if m.Seen != nil {
		text := m.Seen.Call + " in " + m.Seen.Test + " returns something else"
		if m.Seen.Text != "" {
			text += ": " + m.Seen.Text
		}
		parts = append(parts, text)
	}
	if m.OtherTests.Status == report.Killed {
		text := "another test notices it"
		if m.OtherTests.KilledBy != "" {
			text += ": " + m.OtherTests.KilledBy
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
