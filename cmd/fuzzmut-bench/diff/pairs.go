package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// tableName is the file that lists the pairs.
const tableName = "pairs.json"

// Kinds of pairs.
const (
	change      = "change"      // results differ
	refactoring = "refactoring" // no result that the package can see differs
)

// A pair is two releases of a module, and a package that uses it. The README of
// testdata/pairs has the meaning of each field.
type pair struct {
	Name   string // of the package, a directory
	Module string
	Old    string
	New    string

	Kind      string
	Causes    int      // their number; 0 if it is not known
	Shows     []string // kinds of differences, as the command names them
	Fuzz      string   // "test", "target" or "derived"
	Derivable bool     // a function with arguments that can be derived reaches the change

	Functions []string // that the release changes
	What      string
	Sources   []string
	With      []string // other modules that the package needs, as path@version
	Apart     bool     // nothing was tuned on it: the summary has it apart
}

// readPairs reads the table of a directory, in its order: the named pairs, or all.
func readPairs(dir string, names []string) ([]pair, error) {
	path := filepath.Join(dir, tableName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("run from the repository's root: %w", err)
	}
	var all []pair
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(names) == 0 {
		return all, nil
	}
	var list []pair
	for _, name := range names {
		i := slices.IndexFunc(all, func(p pair) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no pair %q", path, name)
		}
		list = append(list, all[i])
	}
	return list, nil
}
