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
	Dir        string `json:"dir"`        // of the raw files
	Files      int    `json:"files"`      // written or there already
	Dictionary string `json:"dictionary"` // path
	Tokens     int    `json:"tokens"`     // in the dictionary
	Reason     string `json:"reason,omitempty"`
}

// Canonical returns a copy of e for programs.
func (e *Export) Canonical() any {
	return &Export{Version: FormatVersion, Tests: present(e.Tests)}
}
