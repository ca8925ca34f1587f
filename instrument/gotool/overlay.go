package gotool

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// OverlayFlag writes files to a directory, and returns the flag by which the go command finds
// them in their places. Of a file that is in several sets the last one counts.
func OverlayFlag(dir string, sets ...map[string][]byte) (string, error) {
	files := make(map[string][]byte)
	for _, set := range sets {
		maps.Copy(files, set)
	}
	replace := make(map[string]string)
	for path, text := range files {
		name := filepath.Join(dir, strconv.Itoa(len(replace))+filepath.Ext(path))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return "", err
		}
		replace[path] = name
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return "-overlay=" + path, os.WriteFile(path, text, 0o666)
}

// InPlace is what the go command has said with the overlay in dir, with the places of files for
// the paths of those that stand for them: go vet names these.
func InPlace(dir string, out []byte) []byte {
	text, err := os.ReadFile(filepath.Join(dir, "overlay.json"))
	var overlay struct{ Replace map[string]string }
	if err != nil || json.Unmarshal(text, &overlay) != nil {
		return out
	}
	for path, name := range overlay.Replace {
		// The go command shortens paths, if they are shorter from where it runs.
		stands := regexp.QuoteMeta(filepath.Base(dir)) + `[/\\]` + regexp.QuoteMeta(filepath.Base(name))
		out = regexp.MustCompile(`(?:\b[A-Za-z]:)?[^\s:]*\b`+stands+`\b`).ReplaceAllLiteral(out, []byte(path))
	}
	return out
}
