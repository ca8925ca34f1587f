package format

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// JSON is for programs. Names of members are a contract.
var JSON = File{Flag: "json", Usage: "write the result to `file`", For: Placed | Other, Writer: asJSON{}}

type asJSON struct{}

// Write writes a result as JSON, indented.
func (asJSON) Write(w io.Writer, r report.Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // operators are full of < and &
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Canonical()); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
