package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/load"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
)

// subject is a unit that was loaded and rewritten.
type subject struct {
	*unit
	dir     string // for builds
	pkgDir  string // of the package: where its tests run
	loaded  *load.Result
	tool    *gotool.Toolchain // for builds without fuzzmut; accepts an overlay of GOROOT
	root    string            // GOROOT as it was loaded
	cfg     overlay.Config
	program *instrument.Program
	sources map[string][]byte // of the packages to mutate, by path
	lines   int
	log     bytes.Buffer // of the build: code that does not compile after rewriting
}

// prepare loads a unit and builds its rewritten test binary.
func (p *prover) prepare(ctx context.Context, u *unit) (*subject, error) {
	root, err := p.fetch(ctx, u)
	if err != nil {
		return nil, err
	}
	s := &subject{unit: u, sources: make(map[string][]byte)}
	s.dir = filepath.Join(p.work, "build", fileName(u.name()))
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	s.loaded, err = load.Load(ctx, load.Config{Dir: root, Pattern: u.pkg, Mutate: u.mutate, AnyTests: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.name(), err)
	}
	if s.tool, err = s.loaded.Toolchain.Overlayable(); err != nil {
		return nil, err
	}
	s.root, s.pkgDir = s.loaded.Toolchain.Root, s.loaded.Test.Dir
	for _, pkg := range s.loaded.Packages {
		if !pkg.Mutated {
			continue
		}
		for _, f := range pkg.Files {
			s.sources[f.Path] = f.Src
			s.lines += bytes.Count(f.Src, []byte("\n"))
		}
	}
	s.cfg = overlay.Config{
		Loaded: s.loaded, Operators: p.operators, Tests: true,
		WorkDir: filepath.Join(s.dir, "overlay"), Output: filepath.Join(s.dir, "rewritten.test"), Log: &s.log,
	}
	if s.program, err = overlay.Build(ctx, s.cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", u.name(), err)
	}
	return s, nil
}

// cost is what a build took.
type cost struct {
	cpu  time.Duration // of the go command, the compilers and the linker
	rss  int64         // of the largest of them, in bytes
	size int64         // of the binary
}

// rebuild compiles the mutated packages once more, which a comment at the end of
// each file makes necessary, and links; all else comes from the build cache.
func (s *subject) rebuild(ctx context.Context, rewritten bool, output string) (cost, error) {
	replace := make(map[string]string)
	for path := range s.sources {
		replace[s.compiled(path)] = path
	}
	args := []string{"test", "-c", "-vet=off", "-o", output}
	cmd, err := measured(ctx, s.rssFile(), s.tool.Command)
	if err != nil {
		return cost{}, err
	}
	cmd.Dir, cmd.Env = s.tool.Dir, s.tool.Env
	if rewritten {
		argv, env, dir, err := overlay.TestArgs(ctx, s.cfg, "-c", "-o", output)
		if err != nil {
			return cost{}, err
		}
		args, cmd.Env, cmd.Dir = argv, env, dir
		if replace, err = readOverlay(filepath.Join(s.cfg.WorkDir, "overlay.json")); err != nil {
			return cost{}, err
		}
	} else {
		args = append(args, s.tool.Flags...)
		args = append(args, s.loaded.Test.ImportPath)
	}
	fresh, err := s.fresh(replace)
	if err != nil {
		return cost{}, err
	}
	// The last -overlay is in force.
	cmd.Args = append(cmd.Args, slices.Insert(args, len(args)-1, "-overlay="+fresh)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	info, err := os.Stat(output)
	if err != nil {
		return cost{}, err
	}
	rss, err := readRSS(s.rssFile())
	return cost{cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), rss: rss, size: info.Size()}, err
}

// compiled is where builds read a file: one of GOROOT may be in a copy of it.
func (s *subject) compiled(path string) string {
	if !gotool.Within(s.root, path) {
		return path
	}
	return s.tool.Root + strings.TrimPrefix(path, s.root)
}

func (s *subject) rssFile() string { return filepath.Join(s.dir, "rss") }

// fresh writes an overlay in which the files of the mutated packages differ by a
// comment from all that was ever compiled.
func (s *subject) fresh(replace map[string]string) (string, error) {
	dir, err := os.MkdirTemp(s.dir, "fresh-")
	if err != nil {
		return "", err
	}
	replace = maps.Clone(replace)
	for i, path := range slices.Sorted(maps.Keys(s.sources)) {
		at := s.compiled(path)
		from := replace[at]
		if from == "" {
			continue // no functions: not rewritten
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		text = fmt.Appendf(text, "\n// %s\n", dir)
		to := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(path)))
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return "", err
		}
		replace[at] = to
	}
	return writeOverlay(filepath.Join(dir, "overlay.json"), replace)
}

func readOverlay(file string) (map[string]string, error) {
	var o struct{ Replace map[string]string }
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return o.Replace, json.Unmarshal(text, &o)
}

func writeOverlay(file string, replace map[string]string) (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(file, text, 0o666)
}
