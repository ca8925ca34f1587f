package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Where an entry comes from.
const (
	OriginSeed    = "seed"    // an f.Add call
	OriginUser    = "user"    // a file that fuzzmut does not manage
	OriginFuzzmut = "fuzzmut" // a file that fuzzmut wrote, and may remove
)

// An EntryList lists the entries of corpora. Paths are relative to the module.
type EntryList struct {
	Version int          `json:"version"` // of this format: 1
	Tests   []ListedTest `json:"tests"`
}

// A ListedTest is the corpus of one fuzz test.
type ListedTest struct {
	Package  string        `json:"package"`
	Name     string        `json:"name"`
	Dir      string        `json:"dir"`
	Killed   int           `json:"killed"`  // mutants that the entries kill together
	Covered  int           `json:"covered"` // blocks, likewise
	Entries  []ListedEntry `json:"entries"`
	Warnings []string      `json:"warnings,omitempty"`
}

// A ListedEntry is a seed or an entry, with what it is kept for. Mutants that loop or
// end the process count for the first entry that kills them.
type ListedEntry struct {
	Name   string `json:"name"`           // of its file, or "seed#0"
	Path   string `json:"path,omitempty"` // of its file
	Origin string `json:"origin"`         // OriginSeed, OriginUser or OriginFuzzmut
	Input  string `json:"input"`          // its values in one line, cut if they are long

	Kills       int            `json:"kills"`        // mutants
	Alone       []ListedMutant `json:"alone"`        // those that no other entry kills
	Blocks      int            `json:"blocks"`       // that it covers
	AloneBlocks int            `json:"alone_blocks"` // that no other entry covers
	Values      []ListedValue  `json:"values"`       // golden values
	// Failure is what the fuzz target says if it fails: then the rest is not known.
	Failure string `json:"failure,omitempty"`
}

// A ListedMutant is a mutant that an entry is needed for.
type ListedMutant struct {
	ID       string `json:"id"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Operator string `json:"operator"`
}

// A ListedValue is a golden value.
type ListedValue struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// WriteJSON writes l, indented. Lists without elements are written as [].
func (l *EntryList) WriteJSON(w io.Writer) error {
	out := EntryList{Version: FormatVersion, Tests: present(l.Tests)}
	for i := range out.Tests {
		t := &out.Tests[i]
		t.Entries = present(t.Entries)
		for j := range t.Entries {
			e := &t.Entries[j]
			e.Alone, e.Values = present(e.Alone), present(e.Values)
		}
	}
	return encode(w, &out)
}

// aloneShown bounds the mutants named with an entry, in a text that is not verbose.
const aloneShown = 3

// WriteText writes l for people; with Verbose all mutants, and the golden values.
func (l *EntryList) WriteText(w io.Writer, o TextOptions) error {
	t := &text{w: bufio.NewWriter(w), o: o}
	for i := range l.Tests {
		test := &l.Tests[i]
		t.linef("%s  %s  %s, which kill %s and cover %s", test.Name, test.Package,
			Plural(len(test.Entries), "entry"), Plural(test.Killed, "mutant"), Plural(test.Covered, "block"))
		if o.Quiet {
			continue
		}
		for j := range test.Entries {
			t.listed(&test.Entries[j])
		}
		for _, warning := range test.Warnings {
			t.linef("  warning: %s", warning)
		}
	}
	return t.w.Flush()
}

// listed writes an entry.
func (t *text) listed(e *ListedEntry) {
	t.linef("  %s  %s", e.Name, e.Input)
	t.linef("      %s", e.reason())
	shown := e.Alone
	if !t.o.Verbose && len(shown) > aloneShown+1 {
		shown = shown[:aloneShown]
	}
	var mutants []string
	for _, m := range shown {
		mutants = append(mutants, fmt.Sprintf("%s at %s:%d", m.ID, m.File, m.Line))
	}
	if n := len(e.Alone) - len(shown); n > 0 {
		mutants = append(mutants, fmt.Sprintf("%d more; -v shows them", n))
	}
	if len(mutants) > 0 {
		t.linef("      alone: %s", strings.Join(mutants, ", "))
	}
	if !t.o.Verbose {
		return
	}
	for _, v := range e.Values {
		t.linef("      %s", v.Name)
		t.linef("        %s", strings.ReplaceAll(v.Text, "\n", "\n        "))
	}
}

// reason says what an entry is kept for.
func (e *ListedEntry) reason() string {
	if e.Failure != "" {
		return "the fuzz target fails: " + e.Failure
	}
	parts := []string{"kills " + Plural(e.Kills, "mutant")}
	if n := len(e.Alone); n > 0 {
		parts[0] += fmt.Sprintf(", %d alone", n)
	}
	blocks := "covers " + Plural(e.Blocks, "block")
	if e.AloneBlocks > 0 {
		blocks += fmt.Sprintf(", %d alone", e.AloneBlocks)
	}
	parts = append(parts, blocks)
	if n := len(e.Values); n > 0 {
		parts = append(parts, Plural(n, "golden value"))
	} else {
		parts = append(parts, "no golden values")
	}
	switch {
	case e.Origin == OriginSeed:
		parts = append(parts, "a seed of f.Add")
	case e.Origin == OriginUser:
		parts = append(parts, "yours")
	case len(e.Alone) == 0 && e.AloneBlocks == 0:
		parts = append(parts, "needed for nothing alone")
	}
	return strings.Join(parts, "; ")
}
