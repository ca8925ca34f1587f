package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNotServed is of modules that the module proxy does not serve.
var ErrNotServed = errors.New("can't be had")

// CopyModule copies a module from the module cache, where it is fetched to if need
// be, to a directory that can be written to. The go command is run in work, which
// is in no module.
func CopyModule(work, module, to string) error {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = work
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &info); err != nil || jerr != nil {
		return fmt.Errorf("%s %w: %w: %s", module, ErrNotServed, errors.Join(err, jerr), info.Error)
	}
	if err := os.CopyFS(to, os.DirFS(info.Dir)); err != nil { // which makes files that can be written to
		return err
	}
	path, _, _ := strings.Cut(module, "@")
	return withGoMod(to, path)
}

// withGoMod gives a module of before there were modules the go.mod that the go command takes
// it to have.
func withGoMod(dir, path string) error {
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(mod, []byte("module "+path+"\n\ngo 1.16\n"), 0o666)
}
