package overlay

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	fuzzmutrt "github.com/fuzzmut/fuzzmut/instrument/rt"
)

// hostPrefix is the runtime's import path in this repository, injectedPrefix the
// one in a test binary; both with the opening quote.
const (
	hostPrefix     = `"github.com/fuzzmut/fuzzmut/instrument/rt`
	injectedPrefix = `"fuzzmutrt`
)

// hooks maps the files of rt/hook that fit any Go to where they are injected, below
// GOROOT/src. Those of package testing belong to parts.
var hooks = map[string]string{
	"hook/log.go.txt":   "testing/fuzzmut_log.go",
	"hook/start.go.txt": "fuzzmutrt/fuzzmut_start.go",
}

// nativeHooks are those for the stock engine only.
var nativeHooks = map[string]string{
	"hook/native.go.txt": "fuzzmutrt/loop/fuzzmut_native.go",
}

// nativeCoverage gives the loop the stock engine's counters.
const nativeCoverage = `package fuzz

// FuzzmutCoverage returns the coverage counters that the engine watches.
func FuzzmutCoverage() []byte { return coverage() }
`

// An injection is what is put into GOROOT/src.
type injection struct {
	files map[string][]byte // by path
	// parts are the names of the parts that files belong to, by path, and those that
	// stand in a line of package testing.
	parts map[string]string
	at    map[place]string
	lost  map[string]string // the parts left out, and why
}

// inject returns what is put into GOROOT/src, but for the parts left out. Its
// contents depend on fuzzmut and the toolchain only, but for the kill counters, so the
// build cache has it after the first run.
func inject(goroot string, native bool, mutants int, left map[string]string) (*injection, error) {
	src := filepath.Join(goroot, "src")
	testing, err := hookTesting(filepath.Join(src, "testing"), left)
	if err != nil {
		return nil, err
	}
	in := &injection{files: testing.files, at: testing.at, lost: testing.lost, parts: make(map[string]string)}
	to := maps.Clone(hooks)
	if native {
		maps.Copy(to, nativeHooks)
	}
	for _, p := range parts {
		if in.lost[p.name] != "" {
			continue
		}
		for from, name := range p.files {
			to[from] = name
			in.parts[filepath.Join(src, filepath.FromSlash(name))] = p.name
		}
	}
	put := func(name string, text []byte) { in.files[filepath.Join(src, filepath.FromSlash(name))] = text }
	err = fs.WalkDir(fuzzmutrt.Source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") || name == "embed_host.go" {
			return err
		}
		at := "fuzzmutrt/" + name
		if path.Dir(name) == "hook" {
			if at = to[name]; at == "" {
				return nil
			}
		}
		text, err := fs.ReadFile(fuzzmutrt.Source, name)
		put(at, bytes.ReplaceAll(text, []byte(hostPrefix), []byte(injectedPrefix)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the embedded runtime: %w", err)
	}
	if native {
		put("internal/fuzz/fuzzmut_coverage.go", []byte(nativeCoverage))
		put("fuzzmutrt/kills/kills.go", killCounters(mutants))
		put("fuzzmutrt/loop/fuzzmut_kills.go", []byte("package loop\n\nimport _ \"fuzzmutrt/kills\"\n"))
	}
	return in, nil
}

// killCounters returns package kills: a function with a piece of code per mutant,
// which the stock engine's instrumentation gives a counter each.
func killCounters(mutants int) []byte {
	var b bytes.Buffer
	b.WriteString("// Package kills turns kills into coverage for the stock engine.\npackage kills\n\nimport \"fuzzmutrt\"\n\n")
	b.WriteString("func init() { fuzzmutrt.KillHook = Kill }\n\n")
	b.WriteString("var last int\n\n")
	b.WriteString("// Kill runs the piece of code that belongs to mutant i.\nfunc Kill(i int) {\n\tswitch i {\n")
	for i := 1; i <= mutants; i++ {
		n := strconv.Itoa(i)
		b.WriteString("\tcase " + n + ":\n\t\tlast = " + n + "\n")
	}
	b.WriteString("\t}\n}\n")
	return b.Bytes()
}
