package report

// Shared says what a fuzz test took from a shared directory, with -share, and what it left there.
type Shared struct {
	Place  string       `json:"place"`  // the directory
	Binary string       `json:"binary"` // the name by which it knows the test binary
	Taken  SharedAmount `json:"taken"`
	Left   SharedAmount `json:"left"`
	// Refused is what was not taken, or not left, by reason.
	Refused []SharedRefusal `json:"refused"`
}

// SharedAmount counts what goes through a shared directory.
type SharedAmount struct {
	Inputs  int `json:"inputs"`  // that are entries
	Failing int `json:"failing"` // that have failed
	Kills   int `json:"kills"`   // mutants; of those taken, those that were confirmed
}

// SharedRefusal is why something did not go through a shared directory.
type SharedRefusal struct {
	What   string `json:"what"` // "input" or "kill"
	Number int    `json:"number"`
	Reason string `json:"reason"`
}
