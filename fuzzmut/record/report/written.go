package report

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

// Canonical returns a copy of r for programs.
func (r *Written) Canonical() any {
	return &Written{Version: FormatVersion, Tests: present(r.Tests)}
}
