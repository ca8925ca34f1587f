package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	return os.CopyFS(to, os.DirFS(info.Dir)) // which makes files that can be written to
}
