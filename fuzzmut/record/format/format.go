// Package format has the formats in which results are written into files, a file of this
// package or a package below it each. Text for people is package text, below it, and pages are
// package markdown.
package format

import (
	"io"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/annotations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/codequality"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/junit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/lines"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/markdown"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/sarif"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/stryker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/text"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A Writer writes results in one format.
type Writer interface {
	Write(w io.Writer, r report.Result) error
}

// A File is a format in which the result is written into a file, if a flag asks for it.
type File struct {
	Flag  string // its name
	Usage string // of the flag, as package flag has it
	Writer
	// In is there in place of Writer where files are named as they are in a repository: it
	// returns the writer for a module at a path in it, with slashes; "" is the root.
	In func(root string) Writer
}

// Files lists the formats for files that every result has.
var Files = []File{JSON}

// Mutants lists the further formats that results of fuzz tests and of tests have.
var Mutants = []File{Stryker, JUnit, Badge}

// Golden lists the further formats that results of golden values have.
var Golden = []File{JUnit, Badge}

// JUnit is for services of continuous integration.
var JUnit = File{Flag: "junit", Usage: "write the result as JUnit XML to `file`", Writer: junit.Format{}}

// Markdown is for the page of a pull request.
var Markdown = File{Flag: "markdown", Usage: "write the result as Markdown to `file`", Writer: page{}}

// mostOfPage is what GitHub takes as one comment, in bytes.
const mostOfPage = 1 << 16

// page is a result as Markdown: that of diff has a page, of others there is the text.
type page struct{}

func (page) Write(w io.Writer, r report.Result) error { return Summary(w, r, mostOfPage) }

// Summary writes a result as Markdown, in most bytes at most: 16 KiB at least, and 64 are enough
// for a result of diff.
func Summary(w io.Writer, r report.Result, most int) error {
	var plain strings.Builder
	if err := (text.Format{}).Write(&plain, r); err != nil {
		return err
	}
	return markdown.Summary(w, r, plain.String(), most)
}

// Notices lists the formats of what has a place in the code.
var Notices = []File{SARIF, CodeQuality, Markdown}

// SARIF is for dashboards of hosting services.
var SARIF = File{Flag: "sarif", Usage: "write the result as SARIF 2.1.0 to `file`", In: func(root string) Writer { return sarif.Format{Root: root} }}

// CodeQuality is for merge requests of GitLab.
var CodeQuality = File{
	Flag: "codequality", Usage: "write the result as a code quality report of GitLab to `file`",
	In: func(root string) Writer { return codequality.Format{Root: root} },
}

// Annotations are for lines of text, by the name of the service that reads them.
var Annotations = map[string]func(root string) Writer{
	"github": func(root string) Writer { return annotations.Format{Root: root} },
}

// Lines is for editors, which jump to the places. root is the way to the module.
func Lines(root string) Writer { return lines.Format{Root: root} }

// Stryker is for pages and dashboards of mutation testing.
var Stryker = File{Flag: "stryker", Usage: "write what became of the mutants to `file`, in Stryker's schema", Writer: stryker.Format{}}
