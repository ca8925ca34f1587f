package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// others says how many survivors other tests notice, if they were asked.
func (t *text) others(survivors []*report.Mutant) {
	unnoticed, noticed := 0, 0
	left := make(map[string]int)
	var reasons []string
	for _, m := range survivors {
		switch o := &m.OtherTests; {
		case o.Unnoticed():
			unnoticed++
		case o.Status == report.Killed:
			noticed++
		case o.Status == report.Pending:
			if left[o.Reason]++; left[o.Reason] == 1 {
				reasons = append(reasons, o.Reason)
			}
		}
	}
	var parts []string
	if unnoticed > 0 {
		parts = append(parts, fmt.Sprintf("no other test notices %s of them, which come first", report.Group(int64(unnoticed))))
	}
	if noticed > 0 {
		parts = append(parts, "other tests notice "+report.Group(int64(noticed)))
	}
	if len(parts) > 0 {
		t.linef("    %s", strings.Join(parts, "; "))
	}
	slices.Sort(reasons)
	for _, why := range reasons {
		t.linef("    other tests were not tried on %s: %s", report.Group(int64(left[why])), why)
	}
}

// byOthers says whether other tests notice a survivor; "" if they were not asked.
func byOthers(o *report.Others) string {
	switch {
	case o.Unnoticed():
		return "no other test notices it"
	case o.Status == report.Killed && o.KilledBy == "":
		return "the unit tests notice it"
	case o.Status == report.Killed:
		return o.KilledBy + " notices it"
	case o.Status == report.Pending:
		return "other tests not tried"
	}
	return ""
}
