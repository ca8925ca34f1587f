package report

import (
	"bufio"
	"io"
)

// Export is the result of writing corpora for other fuzzers.
type Export struct {
	Version int        `json:"version"` // of this format: 1
	Tests   []Exported `json:"tests"`
}

// Exported is the corpus of one fuzz test as it was written.
type Exported struct {
	Package    string `json:"package"`
	Name       string `json:"name"`
	Dir        string `json:"dir"`        // of the raw files
	Files      int    `json:"files"`      // written or there already
	Dictionary string `json:"dictionary"` // path
	Tokens     int    `json:"tokens"`     // in the dictionary
	Reason     string `json:"reason,omitempty"`
}

// WriteJSON writes e, indented.
func (e *Export) WriteJSON(w io.Writer) error {
	return encode(w, &Export{Version: FormatVersion, Tests: present(e.Tests)})
}

// WriteText writes e for people.
func (e *Export) WriteText(w io.Writer, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	files := 0
	for i := range e.Tests {
		x := &e.Tests[i]
		files += x.Files
		switch {
		case o.Quiet:
		case x.Reason != "":
			t.linef("%s  %s: left out: %s", x.Name, x.Package, x.Reason)
		default:
			t.linef("%s  %s: %s in %s, %s in %s", x.Name, x.Package,
				Plural(x.Files, "file"), x.Dir, Plural(x.Tokens, "token"), x.Dictionary)
		}
	}
	t.linef("%s exported", Plural(files, "file"))
	return t.w.Flush()
}
