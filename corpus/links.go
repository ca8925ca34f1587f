package corpus

import (
	"os"
	"path/filepath"
)

// LeadsOut says whether a symbolic link in path, below the directory root, leads out
// of root, or to nothing, and where to. A path that does not exist yet leads to where
// the existing part of it leads.
func LeadsOut(root, path string) (target string, out bool) {
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", false
	}
	for at := path; at != root && at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(at)
		if err != nil {
			to, lerr := os.Readlink(at)
			return to, lerr == nil
		}
		rel, err := filepath.Rel(realRoot, real)
		return real, err != nil || !filepath.IsLocal(rel)
	}
	return "", false
}
