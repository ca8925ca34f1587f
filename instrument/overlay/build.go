package overlay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/problem"
)

// builder is the state of one Build.
type builder struct {
	cfg    Config
	tool   *gotool.Toolchain // works on private copies of go.mod
	places *places
	drops  drops
	// rewrite is rewriteAll; tests put in one that makes mistakes.
	rewrite func(ctx context.Context, cfg Config, d drops) (*rewritten, error)
	dropped []string // keys of drops.funcs noted in the round in progress
	refused []instrument.Refused
	// origin gives the path in the user's tree that an overlay file stands for:
	// the compiler knows only the latter.
	origin   map[string]string
	replaced map[string]string // the reverse, by the path that the go command knows
	hooks    hookState
	chance   chanceState
}

// build rewrites and compiles, and leaves out what does not compile, until it
// does. Each round leaves out at least one more piece of code.
func (b *builder) build(ctx context.Context) (*instrument.Program, error) {
	loaded := b.cfg.Loaded
	if err := b.checkNative(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(b.cfg.WorkDir, 0o777); err != nil {
		return nil, fmt.Errorf("work directory: %w", err)
	}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	for range maxRounds {
		b.dropped = nil
		rw, err := b.rewrite(ctx, b.cfg, b.drops)
		if err != nil {
			return nil, err
		}
		if err := b.write(rw); err != nil {
			return nil, err
		}
		if err := b.markMachinery(ctx, rw.program); err != nil {
			return nil, err
		}
		b.cfg.Compiling(rw.program)
		text, err := b.compile(ctx)
		switch {
		case err == nil:
			rw.program.Code = b.identity(ctx)
			rw.program.Refused, rw.program.NoSeeds = b.refused, b.noSeeds()
			rw.program.Warnings = slices.Concat(b.lost(), b.chance.warnings, refusedWarnings(b.refused))
			return rw.program, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		if b.leaveChance(text) {
			continue
		}
		if progress, err := b.leaveOut(text); err != nil {
			return nil, err
		} else if progress {
			continue
		}
		if !b.dropFailed(rw, text) {
			return nil, b.explain(ctx, text, err)
		}
	}
	return nil, fmt.Errorf("package %s does not compile after rewriting, in %d attempts; please report it: %s", loaded.Test.ImportPath, maxRounds, instrument.IssuePage)
}

// checkNative says why the stock engine can't fuzz the package.
func (b *builder) checkNative() error {
	loaded := b.cfg.Loaded
	switch {
	case !b.cfg.Native:
		return nil
	case !loaded.Main:
		return &problem.Error{Kind: problem.KindUsage, Msg: fmt.Sprintf(
			"package %s is outside the main module, where go test -fuzz does not work: use -engine guided", loaded.Test.ImportPath)}
	}
	return nil
}

// prepare copies what can't be overlaid in place.
func (b *builder) prepare(ctx context.Context) (err error) {
	if b.places, err = newPlaces(b.cfg.Loaded); err != nil {
		return err
	}
	tool, err := b.cfg.Loaded.Toolchain.Overlayable()
	if err != nil {
		return err
	}
	if from := b.cfg.Loaded.Toolchain.Root; from != tool.Root {
		b.places.dirs[from] = tool.Root
	}
	b.tool, err = tool.Private(ctx, filepath.Join(b.cfg.WorkDir, "mod"), b.places.copies)
	return err
}

// flags are those of every go test command of this build.
func (b *builder) flags() []string {
	return append([]string{"-overlay=" + overlayFile(b.cfg.WorkDir), "-vet=off"}, b.tool.Flags...)
}

// write writes the rewritten and injected files and the overlay.
func (b *builder) write(rw *rewritten) error {
	in, err := inject(b.tool.Root, b.cfg.Native, len(rw.program.Mutants), b.hooks.left)
	if err != nil {
		return err
	}
	if err := b.checkParts(in.lost); err != nil {
		return err
	}
	common, own := in.files, make(map[string][]byte, len(rw.files))
	for path, text := range rw.files {
		own[b.places.of(path)] = text
	}
	if b.cfg.Native {
		common, own = nil, merged(common, own) // the kill counters are of this package
	} else {
		common = maps.Clone(common)
		b.order(common, own)
	}
	maps.DeleteFunc(common, func(path string, _ []byte) bool { return own[path] != nil })
	replace, err := b.lay(filepath.Join(b.cfg.WorkDir, "src"), common, own)
	if err != nil {
		return err
	}
	b.origin, b.replaced = make(map[string]string, len(replace)), replace
	b.hooks.begin(in)
	for path, to := range replace {
		b.origin[to] = b.places.back(path)
		b.hooks.add(in, path, to)
		b.chance.add(path, to)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(overlayFile(b.cfg.WorkDir), text, 0o666)
}

// compile builds the test binary and returns what the go command says.
func (b *builder) compile(ctx context.Context) (string, error) {
	args := append([]string{"test", "-c", "-o", b.cfg.Output}, b.flags()...)
	switch {
	case b.cfg.Native:
		// The pattern does not matter here, only that the flag is given. When the stock
		// engine builds the package, it then finds all but the link in the cache.
		args = append(args, "-fuzz=.")
	case !b.tool.Given("ldflags"):
		args = append(args, "-ldflags=-s -w") // a third of the time it takes to link is for debuggers
	}
	k := b.keeper()
	restored := k.restore(b.cfg.Output)
	text, err := b.goCommand(ctx, b.tool, append(args, b.cfg.Loaded.Test.ImportPath)...)
	if err == nil {
		k.keep(b.cfg.Output, restored)
	}
	return text, err
}

func (b *builder) goCommand(ctx context.Context, tool *gotool.Toolchain, args ...string) (string, error) {
	cmd := gotool.GoCommand(ctx, tool.Command, args...)
	cmd.Dir, cmd.Env = tool.Dir, tool.Env
	// The go command leaves files if it is interrupted early.
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+b.cfg.WorkDir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// An errorLine is what the compiler says at a place in the user's source.
type errorLine struct {
	file string // absolute
	line int
	msg  string
}

var errorPattern = regexp.MustCompile(`^(.+\.go):(\d+)(?::\d+)?: (.*)$`)

// errorLines finds the compiler's errors in the go command's output.
func errorLines(dir, text string) []errorLine {
	var list []errorLine
	for line := range strings.Lines(text) {
		m := errorPattern.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		list = append(list, errorLine{file: file, line: n, msg: m[3]})
	}
	return list
}

// dropFailed notes what has errors in text, to be left as it is in the next
// round: a test file, a function's mutants, or a file whose function did not
// compile without them either. It reports whether it found anything new.
func (b *builder) dropFailed(rw *rewritten, text string) bool {
	progress := false
	for _, e := range errorLines(b.tool.Dir, text) {
		if from, ok := b.origin[e.file]; ok {
			e.file = from
		}
		if _, ok := rw.files[e.file]; ok && b.dropAt(rw.program, e) {
			progress = true
		}
	}
	return progress
}

func (b *builder) dropAt(p *instrument.Program, e errorLine) bool {
	const why = "the rewritten code did not compile, which is a bug in fuzzmut: "
	if strings.HasSuffix(e.file, "_test.go") {
		if b.drops.tests[e.file] {
			return false
		}
		b.drops.tests[e.file] = true
		b.refuse(instrument.RefusedTestFile, "", e)
		b.warn("%s:%d: calls are not observed: %s%s", e.file, e.line, why, e.msg)
		return true
	}
	if name, line := unitAt(p, e.file, e.line); name != "" {
		key := e.file + ":" + strconv.Itoa(line)
		if _, ok := b.drops.funcs[key]; !ok {
			b.drops.funcs[key] = why + e.msg
			b.dropped = append(b.dropped, key)
			what := instrument.RefusedFunction
			if name == initialiser {
				what = instrument.RefusedInitialiser
			}
			b.refuse(what, name, e)
			b.warn("%s:%d: %s is not mutated: %s%s", e.file, e.line, name, why, e.msg)
			return true
		}
		if slices.Contains(b.dropped, key) {
			return false // noted in this very round
		}
	}
	if _, ok := b.drops.files[e.file]; ok {
		return false
	}
	b.drops.files[e.file] = why + e.msg
	b.refuse(instrument.RefusedFile, "", e)
	b.warn("%s:%d: the file is neither mutated nor covered: %s%s", e.file, e.line, why, e.msg)
	return true
}

func (b *builder) warn(format string, args ...any) {
	fmt.Fprintf(b.cfg.Log, "warning: "+format+"\n", args...)
}

// initialiser is how unitAt calls the initializers of a declaration.
const initialiser = "the initializer"

// unitAt returns what has the line and can be left without mutants, and the line
// that it is known by: a function, or the initializers of a declaration.
func unitAt(p *instrument.Program, file string, line int) (name string, at int) {
	for i := range p.Funcs {
		if f := &p.Funcs[i]; f.File == file && f.Line <= line && line <= f.EndLine {
			return f.Name, f.Line
		}
	}
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.FuncIndex < 0 && m.File == file && m.Line == line {
			return initialiser, line
		}
	}
	return "", 0
}

// back returns the path in the user's tree of a file of a copied module.
func (p *places) back(path string) string {
	for dir, to := range p.dirs {
		if rest, ok := strings.CutPrefix(path, to+string(filepath.Separator)); ok {
			return filepath.Join(dir, rest)
		}
	}
	return path
}

// explain tells a package that can't be built at all from one that only can't be
// built after rewriting.
func (b *builder) explain(ctx context.Context, text string, buildErr error) error {
	path := b.cfg.Loaded.Test.ImportPath
	args := append([]string{"test", "-c", "-vet=off", "-o", os.DevNull}, b.cfg.Loaded.Toolchain.Flags...)
	plain, err := b.goCommand(ctx, b.tool, append(args, path)...)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && errors.As(err, &exit):
		return &problem.Error{Kind: problem.KindBroken, Msg: fmt.Sprintf("package %s can't be built: %s", path, firstLine(plain))}
	case err != nil:
		return fmt.Errorf("building package %s: %w", path, err)
	}
	if line := b.hookLine(text); line != "" {
		return b.unsupported("the code that fuzzmut adds to it does not build: " + line)
	}
	for overlay, from := range b.origin {
		if strings.Contains(text, filepath.Base(overlay)) {
			text = strings.ReplaceAll(text, b.relative(overlay), from)
		}
	}
	return fmt.Errorf("package %s can't be built after rewriting: %s (%w); please report it: %s", path, firstLine(text), buildErr, instrument.IssuePage)
}

// relative returns path as the go command writes it in errors.
func (b *builder) relative(path string) string {
	if rel, err := filepath.Rel(b.tool.Dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// firstLine returns the first line that is neither a heading nor a message of
// the go command about its progress.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "go: found ") && !strings.HasPrefix(line, "go: downloading ") {
			return line
		}
	}
	return "no reason given"
}
