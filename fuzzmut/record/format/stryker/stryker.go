// Package stryker writes what became of mutants as a report of Stryker's mutation testing
// schema, version 2 (https://github.com/stryker-mutator/mutation-testing-elements), which
// pages, dashboards and editors read.
package stryker

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/source"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// home is where fuzzmut comes from.
const home = "https://github.com/fuzzmut/fuzzmut"

// The scores, as percentages, from which on readers show a result as good, and below which
// as bad: those of Stryker.
const (
	high = 80
	low  = 60
)

// Format writes reports of the schema.
type Format struct {
	Version string // of fuzzmut; "": as this binary was built
}

// Write writes what became of the mutants of a result.
func (f Format) Write(w io.Writer, r report.Result) error {
	var fates []fate
	tests := newCatalogue()
	switch r := r.(type) {
	case *report.Report:
		fates = ofInputs(r, tests)
	case *report.TestReport:
		fates = ofTests(r, tests)
	default:
		return fmt.Errorf("write Stryker's report: there is none for a %T", r)
	}
	distinguish(fates)
	mutants := make([]*report.Mutant, len(fates))
	for i := range fates {
		mutants[i] = &fates[i].Mutant
	}
	sources := source.Of(mutants)
	doc := document{
		SchemaVersion: "2", Thresholds: thresholds{High: high, Low: low}, ProjectRoot: sources.Root(),
		Files: make(map[string]*file), TestFiles: tests.files(),
		Framework: framework{Name: "fuzzmut", Version: cmp.Or(f.Version, version()), Branding: branding{HomepageURL: home}},
	}
	for i := range fates {
		if err := doc.add(&fates[i], sources); err != nil {
			return fmt.Errorf("write Stryker's report: %w", err)
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&doc); err != nil {
		return fmt.Errorf("write Stryker's report: %w", err)
	}
	return nil
}

// version is that of the module that this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	return cmp.Or(info.Main.Version, "(devel)")
}

// A document is a report.
type document struct {
	SchemaVersion string               `json:"schemaVersion"`
	Thresholds    thresholds           `json:"thresholds"`
	ProjectRoot   string               `json:"projectRoot,omitempty"`
	Framework     framework            `json:"framework"`
	Files         map[string]*file     `json:"files"`
	TestFiles     map[string]*testFile `json:"testFiles,omitempty"`
}

type thresholds struct {
	High int `json:"high"`
	Low  int `json:"low"`
}

type framework struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Branding branding `json:"branding"`
}

type branding struct {
	HomepageURL string `json:"homepageUrl"`
}

type file struct {
	Language string   `json:"language"`
	Source   string   `json:"source"`
	Mutants  []mutant `json:"mutants"`
}

type mutant struct {
	ID           string   `json:"id"`
	MutatorName  string   `json:"mutatorName"`
	Description  string   `json:"description"`
	Replacement  string   `json:"replacement"` // also "": readers show the name of the operator without one
	Location     location `json:"location"`
	Status       string   `json:"status"`
	StatusReason string   `json:"statusReason,omitempty"`
	Static       bool     `json:"static,omitempty"`
	CoveredBy    []string `json:"coveredBy,omitempty"`
	KilledBy     []string `json:"killedBy,omitempty"`
}

// A location has its start in it, and its end not.
type location struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// A position has columns in units of UTF-16: the scripts that show a report count so.
type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type testFile struct {
	Tests []test `json:"tests"`
}

type test struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// add enters a mutant. The fates come in the order of the source.
func (d *document) add(f *fate, s *source.Files) error {
	src, err := s.Read(&f.Mutant)
	if err != nil {
		return err
	}
	at, err := locate(src, &f.Mutant)
	if err != nil {
		return err
	}
	name := s.Name(&f.Mutant)
	if d.Files[name] == nil {
		d.Files[name] = &file{Language: "go", Source: src.Text}
	}
	status, reason := f.status()
	d.Files[name].Mutants = append(d.Files[name].Mutants, mutant{
		ID: f.id, MutatorName: f.Operator, Description: f.Description, Replacement: f.Replacement, Location: at,
		Status: status, StatusReason: reason, Static: f.Status == report.Static || f.Start.Reached,
		CoveredBy: f.coveredBy, KilledBy: f.killedBy,
	})
	return nil
}
