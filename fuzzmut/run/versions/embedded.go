package versions

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// embedded knows which files the Go files of some trees embed.
type embedded struct {
	roots    []string            // of the trees
	patterns map[string][]string // by directory, with slashes; of those that were read
	known    map[string][]string // of files that are in none of the trees
}

func newEmbedded(roots ...string) *embedded {
	return &embedded{roots: roots, patterns: make(map[string][]string), known: make(map[string][]string)}
}

// add adds a Go file that is in none of the trees.
func (e *embedded) add(name string, text []byte) {
	dir := path.Dir(name)
	e.known[dir] = append(e.known[dir], embedPatterns(text)...)
}

// has says whether a file that is no Go file is embedded.
func (e *embedded) has(name string) bool {
	if !builds(name) {
		return false
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		rel := name
		if dir != "." {
			rel = strings.TrimPrefix(name, dir+"/")
		}
		for _, pattern := range append(e.in(dir), e.known[dir]...) {
			if embeds(pattern, rel) {
				return true
			}
		}
		if dir == "." {
			return false
		}
	}
}

// embeds says whether a pattern of a directory matches a file below it, or a directory
// that the file is in.
func embeds(pattern, rel string) bool {
	for ; rel != "."; rel = path.Dir(rel) {
		if ok, _ := path.Match(strings.TrimPrefix(pattern, "all:"), rel); ok {
			return true
		}
	}
	return pattern == "." || pattern == "all:."
}

// in returns the patterns of the Go files of a directory.
func (e *embedded) in(dir string) []string {
	list, ok := e.patterns[dir]
	if ok {
		return list
	}
	for _, root := range e.roots {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			continue // only a pattern can be malformed
		}
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				list = append(list, embedPatterns(text)...)
			}
		}
	}
	e.patterns[dir] = list
	return list
}

// embedPatterns returns the patterns of the go:embed directives in a file.
func embedPatterns(text []byte) (patterns []string) {
	const directive = "//go:embed "
	if !bytes.Contains(text, []byte(directive)) {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		list, ok := strings.CutPrefix(strings.TrimSpace(line), directive)
		for list = strings.TrimSpace(list); ok && list != ""; list = strings.TrimSpace(list) {
			pattern, rest, _ := strings.Cut(list, " ")
			if quoted, err := strconv.QuotedPrefix(list); err == nil {
				rest = list[len(quoted):]
				if pattern, err = strconv.Unquote(quoted); err != nil {
					break
				}
			}
			patterns, list = append(patterns, pattern), rest
		}
	}
	return patterns
}
