// Package page writes results as one HTML file that needs no network: the summary, what failed,
// the survivors, and the source with the mutants in it. All of it can be read without scripts;
// a script adds filters. The source is in noscript elements, which are only text where scripts
// run: the script makes elements of a file when it is opened, so that a large page opens soon.
//
// What fuzzing and tests produce is not to be trusted. Everything goes through html/template,
// then through package visible, and the page's security policy allows its own style and script
// by their hashes, and nothing else.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/behavior"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/visible"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

var (
	//go:embed page.tmpl
	layout string
	//go:embed page.css
	style string
	//go:embed page.js
	script string
)

var layoutOf = template.Must(template.New("page").Parse(layout))

// Format writes pages.
type Format struct{}

// Write writes a result.
func (Format) Write(w io.Writer, r report.Result) error {
	v := &view{Style: template.CSS(style), Script: template.JS(script), Policy: policy()}
	if err := v.fill(r); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	v.list()
	var out bytes.Buffer
	if err := layoutOf.Execute(&out, v); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	_, err := io.WriteString(w, visible.Text(out.String()))
	return err
}

// policy lets a page use its own style and script, and nothing else.
func policy() string {
	return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

// hash is a source of a security policy: the content of an element.
func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A view is what a page shows.
type view struct {
	Title, Subtitle string
	Policy          string
	Style           template.CSS
	Script          template.JS
	Parts           []part

	Verdict []string
	Tiles   []tile
	Bar     *bar
	Charts  []chart
	Tables  []table
	Notes   []string
	Next    []string
	Again   string // a command that gives the same result

	Bugs      []bug
	Findings  []finding
	Corpora   []listed
	Causes    []cause
	Files     []file
	Statuses  []status
	Operators []string
	Functions []string

	costly  int              // of Bugs
	entries int              // shown so far
	shown   map[string]entry // those of the corpora, by fuzz test and name
	profile report.Profile
}

// By says what covers the code.
func (v *view) By() string {
	if len(v.Corpora) > 0 {
		return "the resulting corpus covers"
	}
	return "the tests cover"
}

// Profiled says that the page shows what is covered.
func (v *view) Profiled() bool { return len(v.profile) > 0 }

// FailingTitle is the heading of inputs that fail or cost too much.
func (v *view) FailingTitle() string {
	switch {
	case v.costly == 0:
		return "Failing inputs"
	case v.costly == len(v.Bugs):
		return "Costly inputs"
	}
	return "Failing and costly inputs"
}

// A part is a section that can be jumped to.
type part struct {
	ID, Name string
	Count    string
}

// A tile is a figure of the summary.
type tile struct{ Class, Value, Label, Link string }

// A table is one of figures.
type table struct {
	Caption string
	Head    []string
	Rows    [][]string
	Figures bool // the last column has figures, too
}

// A bar shows shares of a whole.
type bar struct {
	Text   string
	Shares []share
}

// A share is a part of a bar, in thousandths.
type share struct {
	Class       string
	From, Width int
}

// fill enters a result.
func (v *view) fill(r report.Result) error {
	switch r := r.(type) {
	case *report.Report:
		return v.fuzzed(r)
	case *report.TestReport:
		return v.tested(r)
	case *report.TriageReport:
		v.sorted(r)
		return nil
	case *report.Verification:
		v.verified(r)
		return nil
	case *behavior.Report:
		v.compared(r)
		return nil
	}
	return fmt.Errorf("there is none for a %T", r)
}

// list fills in the parts that can be jumped to.
func (v *view) list() {
	v.Parts = []part{{ID: "summary", Name: "Summary"}}
	add := func(id, name string, n int) {
		if n > 0 {
			v.Parts = append(v.Parts, part{ID: id, Name: name, Count: report.Group(int64(n))})
		}
	}
	add("failing", v.FailingTitle(), len(v.Bugs))
	add("differences", "Differences", len(v.Causes))
	add("survivors", "Survivors", len(v.Findings))
	add("source", "Source", len(v.Files))
	add("corpus", "Corpus", v.entries)
}

// tile adds a figure to the summary unless it is 0.
func (v *view) tile(class string, n int, one, many, link string) {
	if n > 0 {
		v.Tiles = append(v.Tiles, tile{Class: class, Value: number(n), Label: report.Verb(n, one, many), Link: link})
	}
}
