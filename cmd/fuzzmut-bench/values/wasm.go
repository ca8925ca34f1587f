package values

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// RunWasm measures how soon the strategies for structured inputs find faults that are
// put into wazero.
func RunWasm(args []string) error {
	fs := flag.NewFlagSet("wasm", flag.ContinueOnError)
	h := &faultHunt{machine: "wasm"}
	h.build = func(work string) (string, error) { return buildWasm(".", work, wasmParts{faults: true, trace: true}) }
	h.flags(fs, "derived,bytes,fuzzchick,mutagen,default")
	modules := fs.Int("check", 0, "only check, on this number of modules, that wazero does the same with and without the faults put in, while none is on")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *modules > 0 {
		return checkWasm(*modules)
	}
	return h.run()
}

// checkWasm compares what the validator says of modules with that of wazero as it is
// served, and has all properties hold where no fault is on.
func checkWasm(modules int) error {
	var said [2][]byte
	for i, parts := range []wasmParts{{}, {faults: true, trace: true}} {
		work, err := os.MkdirTemp("", "fuzzmut-wasm")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		binary, err := buildWasm(".", work, parts)
		if err != nil {
			return err
		}
		if said[i], err = exec.Command(binary, "verdicts", fmt.Sprint(modules)).Output(); err != nil {
			return err
		}
		if !parts.faults {
			continue
		}
		out, err := exec.Command(binary, "-machine", "wasm", "-fault", "-1", "-tests", fmt.Sprint(modules), "-reps", "1").Output()
		if err != nil {
			return err
		}
		if runs, err := parseHunt(out); err != nil || len(runs) != 1 || runs[0].Found {
			return fmt.Errorf("without a fault, something is found: %s %w", out, err)
		}
	}
	if !bytes.Equal(said[0], said[1]) {
		return fmt.Errorf("wazero as it is: %s, with faults, none of them on: %s", said[0], said[1])
	}
	fmt.Printf("%d drawn modules: %sthe same as wazero as it is served; nothing found without a fault in as many tests\n", modules, said[0])
	return nil
}

// wazeroModule is the module into which faults are put.
const wazeroModule = "github.com/tetratelabs/wazero"

// wasmTraced are the files that are traced, apart from files without code that runs:
// those of the validator and the interpreter.
var wasmTraced = []string{
	sectionFile, moduleFile, funcValidation, irCompiler, interpreterGo,
}

// wasmBuild is a program built in a module that exists in the go command's overlay
// only: the files of wazero as the module cache has them, but for those with faults,
// and the program's own.
type wasmBuild struct {
	root    string // of the repository
	from    string // wazero in the module cache
	work    string
	module  string            // directory that the go command takes for wazero's
	replace map[string]string // of the overlay
}

// wasmParts are what is put into wazero: its faults with the interpreter's fuel, and
// the trace.
type wasmParts struct{ faults, trace bool }

// buildWasm builds testdata/wasm/probe against wazero. The repository is at root.
func buildWasm(root, work string, parts wasmParts) (binary string, err error) {
	b := &wasmBuild{work: work, module: filepath.Join(work, "wazero"), replace: make(map[string]string)}
	if b.root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	if err := b.download(); err != nil {
		return "", err
	}
	if err := b.addFiles(); err != nil {
		return "", err
	}
	if parts.faults {
		if err := b.addFaults(); err != nil {
			return "", err
		}
	}
	if parts.trace {
		if err := b.addTrace(); err != nil {
			return "", err
		}
	}
	return b.build()
}

// download finds wazero in the module cache, in the version of testdata/targets.
func (b *wasmBuild) download() error {
	cmd := exec.Command("go", "mod", "download", "-json", wazeroModule)
	cmd.Dir = filepath.Join(b.root, "testdata", "targets")
	out, err := cmd.Output()
	var info struct{ Dir, Error string }
	if jerr := json.Unmarshal(out, &info); err != nil || jerr != nil {
		return fmt.Errorf("%s can't be had: %w: %s", wazeroModule, errors.Join(err, jerr), info.Error)
	}
	b.from = info.Dir
	return nil
}

// addFiles has the overlay show wazero's files, and the program's in it.
func (b *wasmBuild) addFiles() error {
	err := filepath.WalkDir(b.from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(b.from, path)
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && name == "testdata":
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".s"):
			b.replace[filepath.Join(b.module, rel)] = path
		}
		return nil
	})
	if err != nil {
		return err
	}
	probe := filepath.Join(b.root, "testdata", "wasm", "probe")
	files, err := filepath.Glob(filepath.Join(probe, "*.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		b.replace[filepath.Join(b.module, "internal", "probe", filepath.Base(f))] = f
	}
	return nil
}

// addFaults puts the faults into copies of the files.
func (b *wasmBuild) addFaults() error {
	changed := make(map[string]string) // sources by path in the module
	for i := range wasmPatches {
		p := &wasmPatches[i]
		if changed[p.file] == "" {
			source, err := os.ReadFile(filepath.Join(b.from, p.file))
			if err != nil {
				return err
			}
			changed[p.file] = addImport(string(source), "github.com/fuzzmut/fuzzmut/testdata/wasm/fault")
		}
		var err error
		if changed[p.file], err = p.apply(changed[p.file]); err != nil {
			return err
		}
	}
	for file, source := range changed {
		if err := b.put(file, source); err != nil {
			return err
		}
	}
	return nil
}

// put has the overlay show another text in place of a file of the module's.
func (b *wasmBuild) put(file, source string) error {
	to := filepath.Join(b.work, strings.ReplaceAll(file, "/", "_"))
	b.replace[filepath.Join(b.module, file)] = to
	return os.WriteFile(to, []byte(source), 0o666)
}

// addTrace puts calls of package trace at the start of each block.
func (b *wasmBuild) addTrace() error {
	block := 0
	for _, file := range wasmTraced {
		to := filepath.Join(b.work, "traced_"+strings.ReplaceAll(file, "/", "_"))
		n, err := traceFile(b.replace[filepath.Join(b.module, file)], to, block)
		if err != nil {
			return err
		}
		block += n
		b.replace[filepath.Join(b.module, file)] = to
	}
	return nil
}

// build runs the go command in the module.
func (b *wasmBuild) build() (binary string, err error) {
	overlay := filepath.Join(b.work, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": b.replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", err
	}
	if err := b.writeModule(); err != nil {
		return "", err
	}
	binary = filepath.Join(b.work, "probe")
	cmd := exec.Command("go", "build", "-trimpath", "-mod=mod", "-overlay", overlay, "-o", binary, "./internal/probe")
	cmd.Dir = b.module
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building wazero with faults: %w\n%s", err, out)
	}
	return binary, nil
}

// writeModule makes a go.mod that is wazero's and finds this repository.
func (b *wasmBuild) writeModule() error {
	if err := os.MkdirAll(b.module, 0o777); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(b.from, "go.mod"))
	if err != nil {
		return err
	}
	mod = fmt.Appendf(mod, "\nrequire github.com/fuzzmut/fuzzmut v0.0.0\nreplace github.com/fuzzmut/fuzzmut => %s\n", b.root)
	if err := os.WriteFile(filepath.Join(b.module, "go.mod"), mod, 0o666); err != nil {
		return err
	}
	var sum []byte
	for _, from := range []string{b.from, b.root, filepath.Join(b.root, "testdata", "targets")} {
		text, err := os.ReadFile(filepath.Join(from, "go.sum"))
		if err != nil {
			return err
		}
		sum = append(sum, text...)
	}
	return os.WriteFile(filepath.Join(b.module, "go.sum"), sum, 0o666)
}
