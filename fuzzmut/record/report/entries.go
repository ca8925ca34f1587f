package report

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
	// Source is the input as Go source then, if it stands for a value or a sequence of calls.
	Source string `json:"source,omitempty"`
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

// Canonical returns a copy of l for programs. Lists without elements are written as [].
func (l *EntryList) Canonical() any {
	out := EntryList{Version: FormatVersion, Tests: present(l.Tests)}
	for i := range out.Tests {
		t := &out.Tests[i]
		t.Entries = present(t.Entries)
		for j := range t.Entries {
			e := &t.Entries[j]
			e.Alone, e.Values = present(e.Alone), present(e.Values)
		}
	}
	return &out
}
