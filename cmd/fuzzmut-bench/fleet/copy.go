package fleet

import (
	"io/fs"
	"os"
	"path/filepath"
)

// copyNew copies files to a directory, but for those that are there.
func copyNew(files fs.FS, to string) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path := filepath.Join(to, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, data, 0o666)
	})
}
