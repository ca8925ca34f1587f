package report

// Export is the result of writing corpora for other fuzzers.
type Export struct {
	Version int        `json:"version"` // of this format: 1
	Tests   []Exported `json:"tests"`
}

// Exported is the corpus of one fuzz test as it was written.
type Exported struct {
	Package    string `json:"package"`
	Name       string `json:"name"`
	Dir        string `json:"dir"` // of the raw files; "" if they are in an archive
	Archive    string `json:"archive,omitempty"`
	Layout     string `json:"layout,omitempty"` // of the files in the archive
	Files      int    `json:"files"`            // written or there already
	Left       int    `json:"left,omitempty"`   // entries that the layout has no bytes for
	Dictionary string `json:"dictionary"`       // path
	Tokens     int    `json:"tokens"`           // in the dictionary
	Reason     string `json:"reason,omitempty"`
}

// Canonical returns a copy of e for programs.
func (e *Export) Canonical() any {
	return &Export{Version: FormatVersion, Tests: present(e.Tests)}
}
