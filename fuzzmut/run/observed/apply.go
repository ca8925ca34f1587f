package observed

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	store "github.com/fuzzmut/fuzzmut/corpus/golden"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/filelock"
)

// Apply changes the golden file at path. Processes that change the same file do so one after
// the other, so that none undoes what another has written. The lock is a file beside Go's
// fuzz cache in gocache; where there can be none, the change is made without it.
func Apply(gocache, path string, c store.Change) error {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(path))
	dir := filepath.Join(gocache, "fuzz", "fuzzmut-locks")
	if filepath.IsAbs(gocache) && os.MkdirAll(dir, 0o777) == nil {
		if unlock, err := filelock.Own(filepath.Join(dir, hex.EncodeToString(sum[:8]))); err == nil {
			defer unlock()
		}
	}
	return store.Apply(path, c)
}
