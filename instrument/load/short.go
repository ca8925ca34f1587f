package load

import (
	"path/filepath"
)

// short returns path relative to dir if it lies below it.
func short(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
