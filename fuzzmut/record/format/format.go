// Package format has the formats in which results are written into files: a file of this
// package or a package below it each, and a row of the list All. Text for people is package
// text, below it.
package format

import (
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/annotations"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/codequality"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/junit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/lines"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/page"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/sarif"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/format/stryker"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// A Writer writes results in one format.
type Writer interface {
	Write(w io.Writer, r report.Result) error
}

// A Kind is what a result is about.
type Kind uint8

// The kinds of results. A format is for some of them.
const (
	Mutants  Kind = 1 << iota // what became of mutants, by fuzz tests or tests
	Failing                   // failing inputs, by the bugs that they show
	Golden                    // golden values
	Changes                   // what a change does
	Mistakes                  // in directives and fuzz tests
	Other                     // anything else

	// Placed are the results with notices, which have a place in the code.
	Placed = Mutants | Failing | Golden | Changes | Mistakes
)

// A File is a format in which the result is written into a file, if a flag asks for it.
type File struct {
	Flag  string // its name
	Usage string // of the flag, as package flag has it
	For   Kind   // kinds of results that have it
	Writer
	// In is there in place of Writer where files are named as they are in a repository: it
	// returns the writer for a module at a path in it, with slashes; "" is the root.
	In func(root string) Writer
}

// All lists the formats for files.
var All = []File{
	JSON,
	{Flag: "html", Usage: "write the result as an HTML page to `file`", For: Placed &^ Mistakes, Writer: page.Format{}},
	{Flag: "markdown", Usage: "write the result as Markdown to `file`", For: Placed, Writer: comment{}},
	{Flag: "stryker", Usage: "write what became of the mutants to `file`, in Stryker's schema", For: Mutants, Writer: stryker.Format{}},
	{Flag: "junit", Usage: "write the result as JUnit XML to `file`", For: Placed &^ Mistakes, Writer: junit.Format{}},
	{Flag: "badge", Usage: "write the score to `file`, for a badge of shields.io", For: Mutants | Golden, Writer: asBadge{}},
	{
		Flag: "sarif", Usage: "write the result as SARIF 2.1.0 to `file`", For: Placed,
		In: func(root string) Writer { return sarif.Format{Root: root} },
	},
	{
		Flag: "codequality", Usage: "write the result as a code quality report of GitLab to `file`", For: Placed,
		In: func(root string) Writer { return codequality.Format{Root: root} },
	},
}

// Of returns the formats for results of a kind.
func Of(k Kind) (list []File) {
	for _, f := range All {
		if f.For&k != 0 {
			list = append(list, f)
		}
	}
	return list
}

// Annotations are for lines of text, by the name of the service that reads them.
var Annotations = map[string]func(root string) Writer{
	"github": func(root string) Writer { return annotations.Format{Root: root} },
}

// Lines is for editors, which jump to the places. root is the way to the module.
func Lines(root string) Writer { return lines.Format{Root: root} }
