// Package gotool runs the go command, with the settings and the flags of the user.
package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/instrument/problem"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// Toolchain is the go command as it presents itself in one directory, with the
// build flags of the user.
type Toolchain struct {
	Command string   // the go command
	Dir     string   // where it runs
	Env     []string // of the go command
	Flags   []string // the user's build flags, as -name=value

	Root     string // GOROOT
	Version  string // GOVERSION, as "go1.26.8"
	ModCache string // GOMODCACHE
	Cache    string // GOCACHE
	Mod      string // go.mod of the main module; "" if there is none
	Work     string // go.work in use; "" if there is none
	Arch     string // GOARCH

	defaults []string // GOFLAGS
}

// NewToolchain asks the go command for its settings. A nil env means the
// process's own.
func NewToolchain(ctx context.Context, dir string, env, buildFlags []string) (*Toolchain, error) {
	flags, err := normalize(buildFlags)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	if env == nil {
		env = os.Environ()
	}
	// A packages driver would not know of the overlay; PWD makes the go command
	// report paths through symbolic links as the user wrote them.
	t := &Toolchain{Command: "go", Dir: dir, Flags: flags, Env: append(slices.Clip(env), "GOPACKAGESDRIVER=off", "PWD="+dir)}
	out, err := t.Go(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOMODCACHE", "GOCACHE", "GOMOD", "GOWORK", "GOFLAGS", "GOARCH")
	if err != nil {
		return nil, err
	}
	var vars map[string]string
	if err := json.Unmarshal(out, &vars); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	t.Root, t.Version, t.ModCache, t.Cache = vars["GOROOT"], vars["GOVERSION"], vars["GOMODCACHE"], vars["GOCACHE"]
	t.Mod, t.Work, t.defaults = vars["GOMOD"], vars["GOWORK"], splitFlags(vars["GOFLAGS"])
	t.Arch = vars["GOARCH"]
	if t.Mod == os.DevNull {
		t.Mod = ""
	}
	if t.Work == "off" {
		t.Work = ""
	}
	if err := CheckCache("GOCACHE", "build cache", t.Cache, env); err != nil {
		return nil, err
	}
	if err := CheckCache("GOMODCACHE", "module cache", t.ModCache, env); err != nil {
		return nil, err
	}
	if minor := MinorOf(t.Version); minor > 0 && minor < minMinor {
		return nil, problem.Errorf(problem.KindToolchain, "%s is too old: fuzzmut needs Go 1.%d or later: run with GOTOOLCHAIN=%s", t.Version, minMinor, tested)
	}
	return t, nil
}

// CheckCache returns an error, for the user, if the go command has no directory for one
// of its caches. dir is what go env prints for the variable of that name; what is the
// cache in words. A nil env means the process's own.
func CheckCache(name, what, dir string, env []string) error {
	if filepath.IsAbs(dir) {
		return nil
	}
	if env == nil {
		env = os.Environ()
	}
	home := "HOME"
	if runtime.GOOS == "windows" {
		home = "LocalAppData"
	}
	if lookupEnv(env, name) == "" && lookupEnv(env, home) == "" {
		return problem.Errorf(problem.KindToolchain, "%s is not set, so the go command has no %s: set %s, or set %s to an absolute path", home, what, home, name)
	}
	return problem.Errorf(problem.KindToolchain, "the go command has no %s: set %s to an absolute path, or unset it", what, name)
}

// lookupEnv returns the value of a variable; the last one counts.
func lookupEnv(env []string, name string) (value string) {
	for _, v := range env {
		if text, found := strings.CutPrefix(v, name+"="); found {
			value = text
		}
	}
	return value
}

// listingGrowth is the GOGC of a go command that lists packages. By the default it takes half as
// much processor time again, for 8 MB less of memory in 33.
const listingGrowth = "300"

// Listing is the environment for a go command that lists packages: its heap may grow by more
// than usual, unless the user has set a bound. A command that runs the user's tests is not for
// it, since they would inherit that. A nil env means the process's own.
func Listing(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	if lookupEnv(env, "GOGC") != "" || lookupEnv(env, "GOMEMLIMIT") != "" {
		return env
	}
	return append(slices.Clip(env), "GOGC="+listingGrowth)
}

// Sizes are those of types as they are compiled.
func (t *Toolchain) Sizes() types.Sizes {
	compiler, ok := t.setting("compiler")
	if !ok {
		compiler = "gc"
	}
	return types.SizesFor(compiler, t.Arch)
}

// Given says whether a build flag is given, by the user or in GOFLAGS.
func (t *Toolchain) Given(name string) bool {
	_, ok := t.setting(name)
	return ok
}

// stopGrace is how long the go command may take to clean up.
const stopGrace = 5 * time.Second

// GoCommand returns a command that runs the go command of that name, in a group of its
// own with the compilers that it starts. When ctx is done, or this process ends, they are
// interrupted, and not killed, since the go command has temporary files to remove; it is
// killed if it does not end then.
func GoCommand(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	system.NewTool(cmd)
	cmd.WaitDelay = stopGrace
	return cmd
}

// Go runs the go command and returns its standard output. The error of a
// command that fails quotes the first line it wrote.
func (t *Toolchain) Go(ctx context.Context, args ...string) ([]byte, error) {
	cmd := GoCommand(ctx, t.Command, args...)
	cmd.Dir, cmd.Env = t.Dir, Listing(t.Env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, problem.Errorf(problem.KindToolchain, "the go command is not in PATH")
	case errors.Is(err, os.ErrNotExist):
		return nil, problem.Errorf(problem.KindNotFound, "directory %s does not exist", t.Dir)
	}
	if text := problem.FirstLine(stderr.String()); text != "" {
		return nil, problem.Errorf(problem.KindToolchain, "go %s: %s", args[0], text)
	}
	return nil, fmt.Errorf("go %s: %w", args[0], err)
}

// setting returns the value of a build flag from the command line or GOFLAGS.
func (t *Toolchain) setting(name string) (string, bool) {
	if v, ok := lookup(t.Flags, name); ok {
		return v, true
	}
	return lookup(t.defaults, name)
}

// Race says whether the race detector is on.
func (t *Toolchain) Race() bool {
	v, _ := t.setting("race")
	on, _ := strconv.ParseBool(v) // the go command refuses what is no bool
	return on
}

// InModCache says whether path is in the module cache, where the go command
// accepts no overlay.
func (t *Toolchain) InModCache(path string) bool {
	return t.ModCache != "" && Within(t.ModCache, path)
}

// InRoot says whether path is in GOROOT.
func (t *Toolchain) InRoot(path string) bool { return Within(t.Root, path) }

// Within says whether a path is a directory or is in it.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
