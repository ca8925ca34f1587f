package report

// Vetting is the result of vet.
type Vetting struct {
	Version  int          `json:"version"`
	Packages int          `json:"packages"` // that were checked
	Findings []VetFinding `json:"findings"`
}

// VetFinding is a mistake in what is written for fuzzmut.
type VetFinding struct {
	Package string `json:"package"`
	Check   string `json:"check"`
	File    string `json:"file"` // relative to its module
	Line    int    `json:"line"`
	Column  int    `json:"column"` // in bytes, from 1
	Text    string `json:"text"`
}

// Canonical returns a copy for programs.
func (r *Vetting) Canonical() any {
	c := *r
	c.Version = FormatVersion
	c.Findings = append([]VetFinding{}, r.Findings...)
	return &c
}
