// Package cost measures whether fuzzmut finds the inputs that cost too much of known reports,
// and whether it is silent about the versions after the fix.
package cost

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// RunCost runs the bench.
func RunCost(args []string) error {
	set := flag.NewFlagSet("cost", flag.ContinueOnError)
	budget := set.Duration("time", time.Minute, "of fuzzing each version")
	seed := set.Int("seed", 1, "of the search")
	targets := set.Bool("targets", false, "fuzz packages without a report instead")
	pairs := set.Int("price", 0, "`pairs` of runs that measure what the search costs the rest, on the same packages, instead")
	equal := set.Bool("equal", false, "with -price, no run has the search: how much equal runs differ")
	oracle := set.String("oracle", "", "the known reports of what this `oracle` finds instead, with -targets packages without one: overflow, race")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	work, err := os.MkdirTemp("", "fuzzmut-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	command, err := arena.BuildFuzzmut(work)
	if err != nil {
		return err
	}
	b := &bench{work: work, command: command, budget: *budget, seed: *seed, out: os.Stdout}
	switch {
	case *oracle != "":
		return b.oracle(ctx, *oracle, *targets, set.Args())
	case *pairs > 0:
		return b.price(ctx, set.Args(), *pairs, *equal)
	case *targets:
		return b.silent(ctx, set.Args())
	}
	return b.all(ctx, set.Args())
}

// bench runs fuzzmut on the versions of reports.
type bench struct {
	work, command string
	budget        time.Duration
	seed          int
	side          string // tells two runs apart that go at the same time
	out           io.Writer
}

// all measures the reports of those names, or all of them, and prints a row for each version.
func (b *bench) all(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "%s; %v for each version, seed %d\n\n", arena.Machine(), b.budget, b.seed)
	fmt.Fprintln(b.out, "| report | package | version | costly inputs | found after | exponent | line | inputs that hang | what was found before the fix takes, before it and after it |\n|---|---|---|---|---|---|---|---|---|")
	list, err := chosen(reports, names)
	if err != nil {
		return err
	}
	for _, k := range list {
		var found []replayed
		for _, version := range []string{k.Before, k.After} {
			t, err := b.fuzz(ctx, k, version, b.seed, "2%")
			if err != nil {
				return fmt.Errorf("%s %s: %w", k.Name, version, err)
			}
			proof := ""
			if version == k.Before {
				found, err = findsOf(t, b.dir(k, version))
			} else {
				proof, err = b.proof(ctx, k, found)
			}
			if err != nil {
				return fmt.Errorf("%s %s: %w", k.Name, version, err)
			}
			fmt.Fprintf(b.out, "%s %s |\n", row(k, version, t), proof)
		}
	}
	return nil
}

// row says what was found in one version.
func row(k *known, version string, t *report.FuzzTest) string {
	costs := t.Costs
	found, exponents, lines := "", []string{}, []string{}
	for i := range costs {
		c := &costs[i]
		exponents = append(exponents, fmt.Sprintf("%.2f", c.Exponent))
		if len(c.Frames) > 0 {
			lines = append(lines, place(c.Frames[0]))
		}
		if s := fmt.Sprintf("%.0f s", c.FoundSeconds); found == "" {
			found = s
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %s | %s | %s | %s |",
		k.Report, k.Package, version, len(costs), found, strings.Join(exponents, ", "), strings.Join(lines, ", "), strings.Join(hangs(t), ", "))
}

// hangs are the places of inputs that do not end: what grows so fast that a short one takes for ever, or is an
// endless loop.
func hangs(t *report.FuzzTest) (places []string) {
	for i := range t.Crashes {
		c := &t.Crashes[i]
		if c.Kind != "hang" {
			continue
		}
		for _, frame := range c.Frames[:min(len(c.Frames), 1)] {
			places = append(places, place(frame))
		}
	}
	return places
}

// place is the file and line of a frame, without directories.
func place(frame string) string {
	_, pos, _ := strings.Cut(frame, " ")
	return filepath.Base(strings.TrimSpace(pos))
}

// costs fuzzes one version, and returns the costly inputs.
func (b *bench) costs(ctx context.Context, k *known, version string) ([]report.Cost, error) {
	t, err := b.fuzz(ctx, k, version, b.seed, "2%")
	if err != nil {
		return nil, err
	}
	return t.Costs, nil
}

// fuzz fuzzes one version with a share of the work for costly inputs.
func (b *bench) fuzz(ctx context.Context, k *known, version string, seed int, share string, flags ...string) (*report.FuzzTest, error) {
	dir := b.dir(k, version)
	if err := k.write(ctx, dir, b.module(), version); err != nil {
		return nil, err
	}
	result := filepath.Join(dir, "result.json")
	args := append([]string{"-q", "-cost", share, "-json", result, "-fuzztime", b.budget.String(), "-seed", fmt.Sprint(seed), "-mutate", k.mutate(b.module())}, flags...)
	cmd := exec.CommandContext(ctx, b.command, args...)
	cmd.Dir = dir
	cmd.Env = k.environ(version)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // failing inputs are no matter here
		return nil, fmt.Errorf("%w\n%s", err, arena.Tail(out))
	}
	data, err := os.ReadFile(result)
	if err != nil {
		return nil, err
	}
	var r report.Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, err
	}
	if len(r.Tests) != 1 {
		return nil, fmt.Errorf("a result of %d fuzz tests", len(r.Tests))
	}
	return &r.Tests[0], nil
}

// dir is where the module of a version is written.
func (b *bench) dir(k *known, version string) string {
	return filepath.Join(b.work, k.Name+"-"+version+b.side)
}

// environ is the environment that a version is built in.
func (k *known) environ(version string) []string {
	env := append(os.Environ(), "GOFLAGS=-mod=mod")
	if k.InPlace {
		env = append(env, "GOTOOLCHAIN="+version)
	}
	return env
}

// module is the path of the modules that are written. It is new in each run, since Go's fuzz cache goes
// by it, and must not hold finds of earlier runs.
func (b *bench) module() string { return "example.com/" + filepath.Base(b.work) + b.side }

// path is the import path of the package in a module: of the standard library it is a copy there.
func (k *known) path(module string) string {
	if k.isCopied() {
		return module + "/copied"
	}
	return k.Package
}

// isCopied reports whether the package is fuzzed as a copy in the module.
func (k *known) isCopied() bool { return k.Module == "" && !k.InPlace }

func (k *known) mutate(module string) string {
	return strings.Join(append([]string{k.path(module)}, k.Mutate...), ",")
}

// write writes a module with a fuzz test of one version.
func (k *known) write(ctx context.Context, dir, module, version string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if k.isCopied() {
		if err := k.copyStd(ctx, filepath.Join(dir, "copied"), version); err != nil {
			return err
		}
	}
	for name, text := range k.files(module, version) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
	tidy.Dir = dir
	if out, err := tidy.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy: %w\n%s", err, out)
	}
	return nil
}

// files returns the files of the module, but for a copied package, by name.
func (k *known) files(module, version string) map[string]string {
	require := ""
	if k.Module != "" {
		require = "\nrequire " + k.Module + " " + version + "\n"
	}
	if k.With != "" {
		require += "\nrequire " + k.With + "\n"
	}
	imports := fmt.Sprintf("\tp %q\n", k.path(module))
	for _, path := range k.Imports {
		imports += fmt.Sprintf("\t%q\n", path)
	}
	return map[string]string{
		"go.mod": "module " + module + "\n\ngo 1.26\n" + require,
		"b.go":   "package bench\n\nimport (\n" + imports + ")\n\nfunc use(s string) { " + k.Call + " }\n",
		"b_test.go": "package bench\n\nimport \"testing\"\n\nfunc FuzzUse(f *testing.F) {\n\tf.Add(" + k.Seed +
			")\n\tf.Fuzz(func(_ *testing.T, s string) { use(s) })\n}\n",
	}
}

// copyStd copies the package's files, but for tests, out of a toolchain.
func (k *known) copyStd(ctx context.Context, dir, toolchain string) error {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+toolchain)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the toolchain %s: %w", toolchain, err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "src", filepath.FromSlash(k.Package), "*.go"))
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	for _, file := range files {
		if err != nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		var data []byte
		if data, err = os.ReadFile(file); err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), data, 0o666)
		}
	}
	return err
}
