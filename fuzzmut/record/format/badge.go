package format

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// asBadge is for the endpoint badges of shields.io: https://shields.io/badges/endpoint-badge.
type asBadge struct{}

// A badge is what shields.io reads at an endpoint.
type badge struct {
	SchemaVersion int    `json:"schemaVersion"` // 1
	Label         string `json:"label"`
	Message       string `json:"message"`
	Color         string `json:"color"`
	IsError       bool   `json:"isError,omitempty"` // users can't give it another color
}

// Colors of badges.
const (
	colorBad  = "red"
	colorGood = "brightgreen"
	colorNone = "lightgrey"
)

// Scores from which on a badge has a color.
var scoreColors = []struct {
	least float64
	color string
}{{0.9, colorGood}, {0.8, "green"}, {0.7, "yellowgreen"}, {0.6, "yellow"}, {0, "orange"}}

// Write writes the badge of a result of fuzz tests, of tests, or of golden values.
func (asBadge) Write(w io.Writer, r report.Result) error {
	var b badge
	switch r := r.(type) {
	case *report.Report:
		b = scoreBadge(report.Total(r.Tests), r.MinScore)
		b.failing(r.Tests)
	case *report.TestReport:
		b = scoreBadge(r.Score, r.MinScore)
	case *report.Verification:
		b = goldenBadge(r)
	default:
		return fmt.Errorf("write a badge: there is none for a %T", r)
	}
	b.SchemaVersion = 1
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&b); err != nil {
		return fmt.Errorf("write a badge: %w", err)
	}
	return nil
}

// scoreBadge shows a score, which is bad if it is below the one that was asked for. It is
// rounded down: only all mutants are 100 %.
func scoreBadge(s report.Score, least float64) badge {
	b := badge{Label: "mutation score", Message: "no mutants", Color: colorNone}
	if s.Mutants == 0 {
		if s.Pending > 0 {
			b.Message = "not measured"
		}
		return b
	}
	b.Message = fmt.Sprintf("%.1f %%", math.Floor(float64(s.Killed)*1000/float64(s.Mutants))/10)
	for _, c := range scoreColors {
		if s.Score >= c.least {
			b.Color = c.color
			break
		}
	}
	if s.Score < least {
		b.Color, b.IsError = colorBad, true
	}
	return b
}

// failing has the badge show failing inputs that are not known.
func (b *badge) failing(tests []report.FuzzTest) {
	found := 0
	for i := range tests {
		found += len(tests[i].Crashes) - report.KnownCrashes(&tests[i])
	}
	if found > 0 {
		b.Message += ", " + report.Plural(found, "failure")
		b.Color, b.IsError = colorBad, true
	}
}

// goldenBadge shows whether golden values are what they were, and whether there still are
// some: an entry on which the fuzz target fails has none.
func goldenBadge(r *report.Verification) badge {
	values, changed, failing := 0, 0, 0
	for i := range r.Tests {
		t := &r.Tests[i]
		values += t.Values
		if !t.Updated {
			changed += t.Changed + len(t.Files)
		}
		for j := range t.Changes {
			if t.Changes[j].Failure != "" {
				failing++
			}
		}
	}
	b := badge{Label: "golden values", Message: "none", Color: colorNone}
	var bad []string
	if changed > 0 {
		bad = append(bad, report.Group(int64(changed))+" changed")
	}
	if failing > 0 {
		bad = append(bad, report.Plural(failing, "entry")+report.Verb(failing, " fails", " fail"))
	}
	switch {
	case len(bad) > 0:
		b.Message, b.Color, b.IsError = strings.Join(bad, ", "), colorBad, true
	case values > 0:
		b.Message, b.Color = report.Group(int64(values))+" unchanged", colorGood
	}
	return b
}
