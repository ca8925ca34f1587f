package report

import (
	"bufio"
	"io"
)

// Written is the result of writing derived fuzz tests.
type Written struct {
	Version int           `json:"version"` // of this format: 1
	Tests   []WrittenTest `json:"tests"`
}

// WrittenTest is one derived fuzz test that was written.
type WrittenTest struct {
	Package  string `json:"package"`
	Name     string `json:"name"`
	Function string `json:"function"` // that it is for
	Path     string `json:"path"`     // of its file, relative to the module
	Entries  int    `json:"entries"`  // of its corpus that were copied with it
	Golden   int    `json:"golden"`   // entries whose golden values were copied
	// GoGet is the module that has to be required for the fuzz test to compile, with
	// go get -t; "" if nothing is missing.
	GoGet string `json:"go_get,omitempty"`
}

// WriteJSON writes r, indented.
func (r *Written) WriteJSON(w io.Writer) error {
	return encode(w, &Written{Version: FormatVersion, Tests: present(r.Tests)})
}

// WriteText writes r for people.
func (r *Written) WriteText(w io.Writer, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	get := ""
	for _, x := range r.Tests {
		if !o.Quiet {
			t.linef("%s  %s: %s, for %s, with %s of its corpus and golden values of %d", x.Name, x.Package, x.Path, x.Function,
				Plural(x.Entries, "entry"), x.Golden)
		}
		if x.GoGet != "" {
			get = x.GoGet
		}
	}
	if get != "" {
		t.linef("go get -t %s is needed so that go test can compile its imports", get)
	}
	t.linef("%s written", Plural(len(r.Tests), "fuzz test"))
	return t.w.Flush()
}
