// Package hour plays the first hour of a user with a module that others wrote: the
// command is installed through a module proxy, and then a session is played, command by
// command, as a person would type it. What it leaves is a transcript to be read.
package hour

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// dir holds the sessions and their transcripts.
const dir = "testdata/hour"

// RunHour plays the sessions named, by default all, and prints their transcripts.
// It returns an error if a command does not end as its session says.
func RunHour(args []string) error {
	set := flag.NewFlagSet("hour", flag.ContinueOnError)
	write := set.Bool("write", false, "write the transcripts beside the sessions")
	if err := set.Parse(args); err != nil {
		return err
	}
	paths, err := sessions(set.Args())
	if err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	work, err := os.MkdirTemp("", "fuzzmut-hour-")
	if err != nil {
		return err
	}
	defer removeAll(work)
	proxy, version, err := serve(ctx, filepath.Join(work, "proxy"))
	if err != nil {
		return err
	}
	var failed []error
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s, err := parse(path, text)
		if err != nil {
			return err
		}
		var transcript strings.Builder
		p := &player{
			out: io.MultiWriter(&transcript, os.Stdout), home: filepath.Join(work, s.name),
			proxy: proxy, version: version,
		}
		err = p.play(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, err)
		if *write && err == nil {
			to := strings.TrimSuffix(path, ".txtar") + ".transcript"
			if err := os.WriteFile(to, []byte(transcript.String()), 0o666); err != nil {
				return err
			}
		}
	}
	return errors.Join(failed...)
}

// sessions returns the files of the sessions of these names.
func sessions(names []string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("no session in %s", dir)
	case len(names) == 0:
		return all, nil
	}
	var paths []string
	for _, name := range names {
		path := filepath.Join(dir, name+".txtar")
		if !slices.Contains(all, path) {
			return nil, fmt.Errorf("no session %s", path)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// removeAll removes a directory that may hold a module cache, where nothing can be
// written to.
func removeAll(dir string) {
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error { //nolint:errcheck // what is left is in TMPDIR
		if err == nil && d.IsDir() {
			os.Chmod(path, 0o777) //nolint:errcheck // likewise
		}
		return nil
	})
	os.RemoveAll(dir)
}

// A player plays one session for a user who has Go and git, and an empty home directory:
// no build cache, no module.
type player struct {
	out  io.Writer
	home string
	// The module proxy that serves this module, and the version that it serves.
	proxy, version string
}

func (p *player) play(ctx context.Context, s *session) error {
	module := filepath.Join(p.home, s.name)
	if err := os.MkdirAll(p.home, 0o777); err != nil {
		return err
	}
	if err := arena.CopyModule(p.home, s.module, module); err != nil {
		return err
	}
	for name, text := range s.files {
		path := filepath.Join(p.home, "files", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	env, err := p.environment(ctx)
	if err != nil {
		return err
	}
	toolchain, err := p.toolchain(ctx, env)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s; %s%s\n", s.module, arena.Machine(), toolchain)
	for _, step := range s.steps {
		if step.text != "" {
			fmt.Fprintf(p.out, "\n# %s\n", strings.ReplaceAll(step.text, "\n", "\n# "))
			continue
		}
		if err := p.step(ctx, module, env, step); err != nil {
			fmt.Fprintf(p.out, "FAILED: %v\n", err)
			return fmt.Errorf("%s:%d: %w", s.path, step.line, err)
		}
	}
	return nil
}

// toolchain names the Go of the session, if GOTOOLCHAIN asks for another one than that of the bench.
func (p *player) toolchain(ctx context.Context, env []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir, cmd.Env = p.home, env
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	version := strings.TrimSpace(string(out))
	if version == runtime.Version() {
		return "", nil
	}
	return "; the session runs " + version, nil
}

// environment is what a user's shell has set.
func (p *player) environment(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	modules, upstream, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	temp := filepath.Join(p.home, "tmp")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return nil, err
	}
	bin := filepath.Join(p.home, "go", "bin")
	return append(os.Environ(),
		"HOME="+p.home, "GOPATH="+filepath.Join(p.home, "go"), "GOMODCACHE="+filepath.Join(p.home, "go", "pkg", "mod"),
		"GOCACHE="+filepath.Join(p.home, ".cache", "go-build"), "TMPDIR="+temp,
		// What this machine has downloaded before is taken from there.
		"GOPROXY="+strings.Join([]string{p.proxy, "file://" + filepath.ToSlash(modules) + "/cache/download", cmp.Or(upstream, "off")}, ","),
		"GONOSUMDB="+modulePath, "GOFLAGS=", "GOENV=off",
		"PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"),
		"VERSION="+p.version, "FILES="+filepath.Join(p.home, "files"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=user", "GIT_AUTHOR_EMAIL=user@example.com",
		"GIT_COMMITTER_NAME=user", "GIT_COMMITTER_EMAIL=user@example.com",
	), nil
}

// step runs one command of a session, and holds what came of it against what the
// session expects.
func (p *player) step(ctx context.Context, module string, env []string, s step) error {
	fmt.Fprintf(p.out, "\n$ %s\n", s.command)
	cmd := exec.CommandContext(ctx, "sh", "-c", s.command)
	cmd.Dir, cmd.Env = module, append(env, "PWD="+module)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	text := strings.ReplaceAll(string(out), p.home, "~")
	fmt.Fprint(p.out, text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(p.out)
	}
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		return err
	}
	if code != 0 || took >= time.Second {
		fmt.Fprintf(p.out, "[exit code %d, %.1f s]\n", code, took.Seconds())
	}
	return s.check(code, text)
}
