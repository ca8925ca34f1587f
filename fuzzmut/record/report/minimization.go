package report

// Minimization is the result of minimizing committed corpora.
type Minimization struct {
	Version int      `json:"version"` // of this format: 1
	By      string   `json:"by"`      // what had to be kept: "kills,coverage", "kills" or "coverage"
	DryRun  bool     `json:"dry_run,omitempty"`
	Tests   []Shrunk `json:"tests"`
	// Stale are entries that no fuzz test can read.
	Stale []StaleEntry `json:"stale"`
}

// Shrunk is what became of the corpus of one fuzz test.
type Shrunk struct {
	Package string `json:"package"`
	Name    string `json:"name"`
	Dir     string `json:"dir"`

	Seeds   int        `json:"seeds"` // f.Add calls, which count for kills and coverage
	Before  CorpusSize `json:"before"`
	After   CorpusSize `json:"after"` // in a dry run: as it would be
	Mutants int        `json:"mutants"`
	Blocks  int        `json:"blocks"`

	Own     int      `json:"own"`               // files that fuzzmut does not manage, which stay
	Failing []string `json:"failing,omitempty"` // files on which the fuzz test fails, which stay
	Removed []string `json:"removed"`           // base names; in a dry run: of files to be removed

	WallSeconds float64  `json:"wall_seconds"`
	Warnings    []string `json:"warnings,omitempty"`
}

// CorpusSize is how large a corpus is, and what it reaches.
type CorpusSize struct {
	Files   int `json:"files"`
	Bytes   int `json:"bytes"`   // of the files
	Killed  int `json:"killed"`  // mutants; 0 by coverage alone
	Covered int `json:"covered"` // blocks
}

// StaleEntry is a file that is no entry of any fuzz test of its package any more.
type StaleEntry struct {
	Path    string `json:"path"` // of the file
	Reason  string `json:"reason"`
	Fix     string `json:"fix"`
	Managed bool   `json:"managed"` // written by fuzzmut and not changed since
	Removed bool   `json:"removed"`
}

// Canonical returns a copy of m for programs. Lists without elements are written as [].
func (m *Minimization) Canonical() any {
	out := *m
	out.Version = FormatVersion
	out.Stale = present(m.Stale)
	out.Tests = present(m.Tests)
	for i := range out.Tests {
		out.Tests[i].Removed = present(out.Tests[i].Removed)
	}
	return &out
}
