// Package digest hashes lists of values.
package digest

import (
	"fmt"
	"io"
)

// Add hashes a value so that it can't run into the next.
func Add(h io.Writer, v any) {
	text := fmt.Sprint(v)
	fmt.Fprintf(h, "%d:%s", len(text), text)
}
