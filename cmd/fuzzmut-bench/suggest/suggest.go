// Package suggest measures what "fuzzmut suggest" closes of the mutants that the unit tests
// of public modules miss, and checks by plain go test that its tests kill what it says.
package suggest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/suggestion"
	"github.com/fuzzmut/fuzzmut/instrument/gotool"
	"github.com/fuzzmut/fuzzmut/instrument/rt/oracle"
)

// packages are packages of public modules, as "module@version directory".
var packages = []string{
	"github.com/Masterminds/semver/v3@v3.4.0 .",
	"github.com/beevik/etree@v1.6.0 .",
	"github.com/google/uuid@v1.6.0 .",
	"github.com/tidwall/gjson@v1.18.0 .",
	"golang.org/x/net@v0.46.0 dns/dnsmessage",
	"github.com/hashicorp/hcl/v2@v2.24.0 hclsyntax",
	"github.com/yuin/goldmark@v1.7.13 text",
	"go.starlark.net@v0.0.0-20250906160240-bf296ed553ea syntax",
}

// bench are the flags.
type bench struct {
	time    string
	seed    uint64
	check   int
	work    string
	command string
	oracles bool
	out     io.Writer
}

// RunSuggest prints a row for each package.
func RunSuggest(args []string) error {
	set := flag.NewFlagSet("suggest", flag.ContinueOnError)
	b := &bench{out: os.Stdout}
	set.StringVar(&b.time, "time", "60s", "-fuzztime of each package")
	set.Uint64Var(&b.seed, "seed", 1, "of the searches, and of the samples")
	set.IntVar(&b.check, "check", 30, "closed mutants of each package that are applied as plain edits, beside all that are killed by fuel; 0: none")
	set.BoolVar(&b.oracles, "oracles", false, "measure properties in place of cases")
	if err := set.Parse(args); err != nil {
		return err
	}
	list := named(set.Args())
	if len(list) == 0 {
		return fmt.Errorf("no package has one of %q in its name", set.Args())
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	var err error
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.command, err = arena.BuildFuzzmut(b.work); err != nil {
		return err
	}
	return b.run(ctx, list)
}

// named lists the packages that have one of some names in theirs, and the packages in the root of modules
// that are named with a version. Without names it is all packages.
func named(names []string) (list []string) {
	if len(names) == 0 {
		return packages
	}
	for _, p := range packages {
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(p, name) }) {
			list = append(list, p)
		}
	}
	for _, name := range names {
		if module := name + " ."; strings.Contains(name, "@") && !slices.Contains(list, module) {
			list = append(list, module)
		}
	}
	return list
}

const format = "%-52s %8v %7v %10v %7v %6v %6v %10v %6v %12v %8v\n"

// run measures one package after the other.
func (b *bench) run(ctx context.Context, list []string) error {
	fmt.Fprintf(b.out, "%s; -fuzztime %s, -seed %d\n\n", arena.Machine(), b.time, b.seed)
	one, write := b.one, (*row).write
	if b.oracles {
		one, write = b.oneOracles, (*row).writeOracles
		headOracles(b.out)
	} else {
		head(b.out)
	}
	return b.rows(ctx, list, one, write)
}

// head writes the head of the table of cases.
func head(w io.Writer) {
	fmt.Fprintf(w, format, "package", "mutants", "killed", "survivors", "closed", "share", "cases", "mutants/case", "lines", "plain edits", "seconds")
}

// rows measures and writes a row for each package, and one for all.
func (b *bench) rows(ctx context.Context, list []string, one func(context.Context, string, string) (row, error), write func(*row, io.Writer, string)) error {
	var failed []error
	var all row
	for i, name := range list {
		r, err := one(ctx, name, filepath.Join(b.work, fmt.Sprint("m", i)))
		if ctx.Err() != nil {
			fmt.Fprintln(b.out, "interrupted")
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		write(&r, b.out, name)
		all.add(r)
	}
	write(&all, b.out, "in all")
	return errors.Join(failed...)
}

// row is what was found for a package.
type row struct {
	suggestion.Package
	lines           int // of tests that were written
	gaps            int // survivors that fuzz tests without an assertion tell from the original
	checked, killed int // mutants applied as plain edits, and those that the written tests killed
}

func (r *row) add(o row) {
	r.Mutants += o.Mutants
	r.Killed += o.Killed
	r.Survivors += o.Survivors
	r.Closed += o.Closed
	r.Cases = append(r.Cases, o.Cases...)
	r.Seconds += o.Seconds
	r.lines += o.lines
	r.gaps += o.gaps
	if o.Oracles != nil {
		r.Oracles = (&suggestion.Report{Packages: []suggestion.Package{r.Package, o.Package}}).Totals().Oracles
	}
	r.checked += o.checked
	r.killed += o.killed
}

func (r *row) write(w io.Writer, name string) {
	share, each := "-", "-"
	if r.Survivors > 0 {
		share = fmt.Sprintf("%.0f %%", 100*float64(r.Closed)/float64(r.Survivors))
	}
	if len(r.Cases) > 0 {
		each = fmt.Sprintf("%.1f", float64(r.Closed)/float64(len(r.Cases)))
	}
	fmt.Fprintf(w, format, name, r.Mutants, r.Killed, r.Survivors, r.Closed, share, len(r.Cases), each, r.lines,
		fmt.Sprintf("%d of %d", r.killed, r.checked), fmt.Sprintf("%.0f", r.Seconds))
}

// one measures one package.
func (b *bench) one(ctx context.Context, name, root string) (row, error) {
	module, dir, _ := strings.Cut(name, " ")
	if err := arena.CopyModule(b.work, module, root); err != nil {
		return row{}, err
	}
	dir = filepath.Join(root, dir)
	before, err := testLines(dir)
	if err != nil {
		return row{}, err
	}
	p, err := b.suggest(ctx, dir, "-write-test")
	if err != nil {
		return row{}, err
	}
	r := row{Package: p}
	if r.lines, err = testLines(dir); err != nil {
		return row{}, err
	}
	r.lines -= before
	return r, b.checkEdits(ctx, dir, &r)
}

// testLines counts the lines of the tests in a directory: written files and tables that are
// extended add to them.
func testLines(dir string) (n int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		n += bytes.Count(text, []byte("\n"))
	}
	return n, err
}

// fuzzmut runs the command.
func (b *bench) fuzzmut(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, b.command, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("fuzzmut %s: %w: %s", args[0], err, arena.Tail(out))
	}
	return nil
}

func readJSON(file string, to any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// checkEdits applies a sample of the closed mutants to the source, one at a time, and counts those with which go test
// fails. All that are killed by fuel are in it: go test has another measure of these.
func (b *bench) checkEdits(ctx context.Context, dir string, r *row) error {
	sample := b.sample(closed(r.Cases))
	if len(sample) == 0 {
		return nil
	}
	file := filepath.Join(b.work, "mutants.json")
	if err := b.fuzzmut(ctx, dir, "mutants", "-q", "-json", file, "."); err != nil {
		return err
	}
	var listing report.Listing
	if err := readJSON(file, &listing); err != nil {
		return err
	}
	by := make(map[string]report.Mutant)
	for _, m := range listing.Mutants {
		by[m.ID] = m
	}
	for _, c := range sample {
		m, ok := by[c.ID]
		if !ok {
			return fmt.Errorf("there is no mutant %s", c.ID)
		}
		failed, err := b.failsWith(ctx, dir, r, m)
		if err != nil {
			return err
		}
		r.checked++
		if failed {
			r.killed++
		} else {
			fmt.Fprintf(os.Stderr, "%s: %s:%d %s (%s) is not killed as a plain edit\n", r.Package.Package, m.File, m.Line, m.Description, m.ID)
		}
	}
	return nil
}

// sample draws mutants, and adds those that are killed by fuel.
func (b *bench) sample(list []suggestion.Mutant) (sample []suggestion.Mutant) {
	rand.New(rand.NewPCG(b.seed, 0)).Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for i, m := range list {
		if b.check > 0 && (i < b.check || m.Kind == oracle.Fuel.String()) {
			sample = append(sample, m)
		}
	}
	return sample
}

// closed lists the mutants of all cases, each with the tests that are to kill it.
func closed(cases []suggestion.Case) (list []suggestion.Mutant) {
	for _, c := range cases {
		list = append(list, c.Closes...)
	}
	return list
}

// failsWith reports whether the written tests fail with a mutant as a plain edit.
func (b *bench) failsWith(ctx context.Context, dir string, r *row, m report.Mutant) (bool, error) {
	path := filepath.Join(moduleOf(dir, slices.Concat(r.Written, r.Extended)), filepath.FromSlash(m.File))
	src, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	edited, err := arena.Edit(src, m.Line, m.Column, m.Original, m.Replacement)
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	work, err := os.MkdirTemp(b.work, "edit")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	flag, err := gotool.OverlayFlag(work, map[string][]byte{path: edited})
	if err != nil {
		return false, err
	}
	var names []string
	for _, c := range r.Cases {
		names = append(names, c.Test)
	}
	slices.Sort(names)
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1", "-timeout=20s", "-run=^("+strings.Join(slices.Compact(names), "|")+")$", flag, ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if bytes.Contains(out, []byte("[build failed]")) {
		return false, fmt.Errorf("mutant %s does not compile: %s", m.ID, arena.Tail(out))
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return false, err
	}
	return err != nil, ctx.Err()
}

// moduleOf is the directory of the module that a package is in: written files are relative
// to it.
func moduleOf(dir string, written []string) string {
	for range strings.Count(written[0], "/") {
		dir = filepath.Dir(dir)
	}
	return dir
}
