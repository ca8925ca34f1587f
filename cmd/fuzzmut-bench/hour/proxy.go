package hour

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// modulePath is that of this module.
const modulePath = "github.com/fuzzmut/fuzzmut"

// serve makes the directory root a module proxy that has the last commit of this module, and
// returns its URL and the version.
func serve(ctx context.Context, root string) (url, version string, err error) {
	out, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct %H").Output()
	if err != nil {
		return "", "", fmt.Errorf("git log: %w", err)
	}
	var seconds int64
	var hash string
	if _, err := fmt.Sscan(string(out), &seconds, &hash); err != nil {
		return "", "", fmt.Errorf("git log says %q: %w", out, err)
	}
	at := time.Unix(seconds, 0).UTC()
	version = module.PseudoVersion("v0", "", at, hash[:12])
	dir := filepath.Join(root, filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", "", err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, at})
	if err != nil {
		return "", "", err
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return "", "", err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return "", "", err
		}
	}
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		return "", "", err
	}
	// A clone, since package zip does not know the work trees of git.
	source := filepath.Join(root, "source")
	if out, err := exec.CommandContext(ctx, "git", "clone", "-q", ".", source).CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("git clone: %w: %s", err, out)
	}
	if err := zip.CreateFromVCS(f, module.Version{Path: modulePath, Version: version}, source, hash, ""); err != nil {
		return "", "", fmt.Errorf("the module as a zip file: %w", err)
	}
	if err := f.Close(); err != nil {
		return "", "", err
	}
	return "file://" + filepath.ToSlash(root), version, nil
}
