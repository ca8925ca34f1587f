// Package codequality writes results as a code quality report of GitLab, which merge requests
// show.
package codequality

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/notice"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// Format writes notices that have a place: the report has no others.
type Format struct {
	Root string // as of sarif.Format
}

type (
	issue struct {
		Description string   `json:"description"`
		CheckName   string   `json:"check_name"`
		Fingerprint string   `json:"fingerprint"`
		Severity    string   `json:"severity"`
		Location    location `json:"location"`
	}
	location struct {
		Path  string `json:"path"`
		Lines lines  `json:"lines"`
	}
	lines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	}
)

var severities = map[notice.Level]string{notice.Error: "critical", notice.Warning: "major", notice.Note: "minor"}

// Write writes a result.
func (f Format) Write(w io.Writer, r report.Result) error {
	issues := []issue{}
	for _, n := range notice.Of(r) {
		n = n.Placed()
		issues = append(issues, issue{
			Description: n.Text, CheckName: n.Rule.ID, Fingerprint: n.ID, Severity: severities[n.Level],
			Location: location{Path: n.FileIn(f.Root), Lines: lines{n.Line, max(n.Line, n.EndLine)}},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(issues); err != nil {
		return fmt.Errorf("write a code quality report: %w", err)
	}
	return nil
}
