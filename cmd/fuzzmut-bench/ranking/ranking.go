// Package ranking measures whether the survivors that "fuzzmut test" shows first are worth
// a test, against labels.
package ranking

import (
	"bytes"
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

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// bench are the flags.
type bench struct {
	data    string
	draw    bool
	seed    uint64
	n       int
	work    string
	command string
	results string
	again   bool
	out     io.Writer
}

// RunRanking prints a table for each set of labels.
func RunRanking(args []string) error {
	set := flag.NewFlagSet("ranking", flag.ContinueOnError)
	b := &bench{out: os.Stdout}
	set.StringVar(&b.data, "data", filepath.Join("testdata", "ranking"), "directory of the labels")
	set.StringVar(&b.command, "command", "", "a built fuzzmut, to compare two of them; \"\" builds it")
	set.StringVar(&b.results, "results", "", "directory for the JSON of each module, where what is there is not run again; \"\" keeps none")
	set.BoolVar(&b.again, "again", false, "put survivors in the order that this program gives them, whatever -command or the results say")
	set.BoolVar(&b.draw, "draw", false, "print survivors to label of the modules named, as module@version, in place of the tables")
	set.Uint64Var(&b.seed, "seed", 1, "of the survivors that are drawn")
	set.IntVar(&b.n, "n", 10, "survivors that are drawn of each module")
	if err := set.Parse(args); err != nil {
		return err
	}
	names := set.Args()
	if b.draw && len(names) == 0 {
		return errors.New("-draw needs modules, as module@version")
	}
	if !b.draw && len(names) == 0 {
		names = []string{"a", "b", "c"}
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if err := b.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.draw {
		return b.drawAll(ctx, names)
	}
	for _, name := range names {
		if err := b.set(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the directories and the command.
func (b *bench) prepare() (err error) {
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench"); err != nil {
		return err
	}
	if b.results != "" {
		if err := os.MkdirAll(b.results, 0o777); err != nil {
			return err
		}
	}
	if b.command == "" {
		b.command, err = arena.BuildFuzzmut(b.work)
		return err
	}
	b.command, err = filepath.Abs(b.command)
	return err
}

// drawAll prints survivors of modules as labels that lack the label.
func (b *bench) drawAll(ctx context.Context, modules []string) error {
	var drawn []Label
	for _, module := range modules {
		mutants, err := b.mutants(ctx, module)
		if err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
		for _, m := range Draw(mutants, b.seed, b.n) {
			drawn = append(drawn, Label{
				Module: module, Package: m.Package, ID: m.ID, File: m.File, Line: m.Line,
				Operator: m.Operator, Description: m.Description, Drawn: true,
			})
		}
	}
	out := json.NewEncoder(b.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "\t")
	return out.Encode(drawn)
}

// set prints the tables of one set of labels.
func (b *bench) set(ctx context.Context, name string) error {
	labels, err := ReadLabels(filepath.Join(b.data, "labels-"+name+".json"))
	if err != nil {
		return err
	}
	var all []Module
	for _, module := range modules(labels) {
		mutants, err := b.mutants(ctx, module)
		if err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
		if b.again {
			order(mutants)
		}
		all = append(all, Judge(module, labels, mutants))
	}
	write(b.out, name, all)
	return nil
}

// order ranks the survivors of a module.
func order(mutants []report.Mutant) {
	for i := range mutants {
		mutants[i].Rank = 0
	}
	for i, m := range report.RankSurvivors(mutants) {
		m.Rank = i + 1
	}
}

// mutants runs the tests of the package in the root of a module with its mutants.
func (b *bench) mutants(ctx context.Context, module string) ([]report.Mutant, error) {
	key := strings.NewReplacer("/", "_", "@", "_").Replace(module)
	root, file := filepath.Join(b.work, key), filepath.Join(b.work, key+".json")
	if b.results != "" {
		file = filepath.Join(b.results, key+".json")
		if mutants, err := readMutants(file); !errors.Is(err, os.ErrNotExist) {
			return mutants, err
		}
	}
	if err := arena.CopyModule(b.work, module, root); err != nil {
		return nil, err
	}
	if err := withGoMod(ctx, module, root); err != nil {
		return nil, err
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.command, "test", "-q", "-json", file, ".")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("fuzzmut test: %w: %s", errors.Join(err, ctx.Err()), arena.Tail(out))
	}
	return readMutants(file)
}

func readMutants(file string) ([]report.Mutant, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var r struct {
		Mutants []report.Mutant `json:"mutants"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to have it written again", file, err)
	}
	return r.Mutants, nil
}

// withGoMod gives a module from before modules its go.mod.
func withGoMod(ctx context.Context, module, root string) error {
	if _, err := os.Stat(filepath.Join(root, "go.mod")); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	path, _, _ := strings.Cut(module, "@")
	cmd := exec.CommandContext(ctx, "go", "mod", "init", path)
	cmd.Dir = root
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go mod init %s: %w: %s", path, err, arena.Tail(out.Bytes()))
	}
	return nil
}
