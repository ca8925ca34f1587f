// Package fleet measures what processes have from each other's finds: by a directory that they
// share.
package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
)

// target is a fuzz test.
type target struct {
	name, fuzz string
	module     string // as the proxy knows it; "" is a tree of testdata
	tree       string
}

// targets are small: what is compared are sets, not speed.
var targets = []target{
	{name: "calc", fuzz: "FuzzEval", tree: "testdata/trees/calc"},
	{name: "semver", fuzz: "FuzzNewVersion", module: "github.com/Masterminds/semver/v3@v3.4.0"},
	{name: "semver", fuzz: "FuzzNewConstraint", module: "github.com/Masterminds/semver/v3@v3.4.0"},
}

// bench is one call of RunFleet.
type bench struct {
	work, command string
	runs          int
	execs         int64
	killing       time.Duration
	every         time.Duration
	slices        int
	out           io.Writer
}

// RunFleet prints, for some fuzz tests, what runs kill alone and what their union is, what the
// shared directory has that they leave, and with how much of it another run begins; then what is
// lost when processes that use one directory are killed; then whether the jobs of fleets have
// the results of the same slices alone, also when workers and servers are killed, a network is cut or
// a disk is full; then what fleets of one, two and four workers take, what a slice costs the server, and
// by simulation what larger fleets would take.
func RunFleet(args []string) (err error) {
	set := flag.NewFlagSet("fleet", flag.ContinueOnError)
	b := &bench{out: os.Stdout}
	set.IntVar(&b.runs, "runs", 4, "that leave what they find, each with another seed")
	set.Int64Var(&b.execs, "execs", 4000, "of each run")
	set.DurationVar(&b.killing, "killing", 30*time.Second, "how long processes that use one directory are killed, for each fuzz test; 0: none is")
	set.DurationVar(&b.every, "every", 2*time.Second, "how often a worker of a fleet is killed; it has to take no longer for a slice")
	set.IntVar(&b.slices, "slices", 24, "of a job: it has to last longer than a network is cut")
	only := set.String("only", "", "one of the `tables` share, killing, jobs and workers; default: all")
	if err := set.Parse(args); err != nil {
		return err
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.command, err = arena.BuildFuzzmut(b.work); err != nil {
		return err
	}
	if *only == "" || *only == "share" {
		if err := b.table(ctx, set.Args()); err != nil {
			return err
		}
	}
	if b.killing > 0 && (*only == "" || *only == "killing") {
		if err := b.killedTable(ctx, set.Args()); err != nil {
			return err
		}
	}
	if *only != "" && *only != "jobs" && *only != "workers" {
		return nil
	}
	if err := buildFleet(b.work); err != nil {
		return err
	}
	if *only != "workers" {
		if err := b.jobTable(ctx, set.Args()); err != nil {
			return err
		}
	}
	if *only == "jobs" {
		return nil
	}
	return b.workerTable(ctx, set.Args())
}

func (b *bench) table(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "%s; %d runs of %d executions with one worker each\n\n", arena.Machine(), b.runs, b.execs)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "fuzz test\teach alone\tunion\tdirectory\tequal\tlost\tnext run: at 0 executions\tat its end\talone at its end\t")
	for _, t := range chosen(names) {
		r, err := b.measure(ctx, t)
		if err != nil {
			return fmt.Errorf("%s %s: %w", t.name, t.fuzz, err)
		}
		fmt.Fprintf(tw, "%s %s\t%v\t%d\t%d\t%v\t%d\t%d\t%d\t%d\t\n", t.name, t.fuzz, r.alone, len(r.union), len(r.directory), maps.Equal(r.union, r.directory),
			r.lost(), r.next[0], r.next[1], r.fresh)
	}
	return tw.Flush()
}

// chosen are the targets of some names; of none: all.
func chosen(names []string) (list []target) {
	for _, t := range targets {
		if len(names) == 0 || slices.Contains(names, t.name) {
			list = append(list, t)
		}
	}
	return list
}

// row is what was measured for one fuzz test.
type row struct {
	alone     []int           // mutants killed by each run
	union     map[string]bool // of the runs without a directory
	directory map[string]bool // what the inputs of all directories kill together
	next      [2]int          // killed by a run that begins with them, before its first input and in the end
	fresh     int             // by the same run without them
}

// lost counts the mutants of the union that the directory does not kill.
func (r *row) lost() (n int) {
	for id := range r.union {
		if !r.directory[id] {
			n++
		}
	}
	return n
}

// measure does the runs. Each has a separate directory; they are put together as rsync would.
func (b *bench) measure(ctx context.Context, t target) (*row, error) {
	tree := filepath.Join(b.work, t.name)
	if err := b.place(t, tree); err != nil {
		return nil, err
	}
	r, all := &row{union: make(map[string]bool)}, filepath.Join(b.work, t.name+t.fuzz)
	for seed := 1; seed <= b.runs; seed++ {
		killed, err := b.run(ctx, t, tree, "", seed, "")
		if err != nil {
			return nil, err
		}
		r.alone = append(r.alone, len(killed))
		maps.Copy(r.union, killed)
		dir := all + strconv.Itoa(seed)
		if _, err := b.run(ctx, t, tree, "", seed, dir); err != nil {
			return nil, err
		}
		if err := copyNew(os.DirFS(dir), all); err != nil {
			return nil, err
		}
	}
	var err error
	if r.directory, err = b.fuzzmut(ctx, tree, "score", "-share", all, "-fuzz", "^"+t.fuzz+"$", "-parallel", "1"); err != nil {
		return nil, err
	}
	return r, b.another(ctx, t, tree, all, r)
}

// another does a run that begins with the directory, and the same without.
func (b *bench) another(ctx context.Context, t target, tree, all string, r *row) error {
	log := filepath.Join(b.work, "log")
	killed, err := b.run(ctx, t, tree, log, b.runs+1, all)
	if err != nil {
		return err
	}
	series, err := arena.ReadLog(log) // of one fuzz test, with at least one point
	if err != nil {
		return err
	}
	r.next = [2]int{series[0].Points[0].Killed, len(killed)}
	killed, err = b.run(ctx, t, tree, "", b.runs+1, "")
	r.fresh = len(killed)
	return err
}

// place makes a copy of a target.
func (b *bench) place(t target, tree string) error {
	if _, err := os.Stat(tree); err == nil {
		return nil
	}
	if t.module != "" {
		return arena.CopyModule(b.work, t.module, tree)
	}
	return os.CopyFS(tree, os.DirFS(t.tree))
}

// run does one run whose entries nobody keeps, and returns the mutants that it kills.
func (b *bench) run(ctx context.Context, t target, tree, log string, seed int, share string) (map[string]bool, error) {
	entries, err := os.MkdirTemp(b.work, "corpus-")
	if err != nil {
		return nil, err
	}
	args := []string{
		"-fuzz", "^" + t.fuzz + "$", "-fuzztime", strconv.FormatInt(b.execs, 10) + "x", "-seed", strconv.Itoa(seed), "-parallel", "1",
		"-corpus", entries, "-corpus-size", "0", "-golden=false",
	}
	if log != "" {
		args = append(args, "-log", log)
	}
	if share != "" {
		args = append(args, "-share", share)
	}
	return b.fuzzmut(ctx, tree, args...)
}

// resultName is the file of bench.work that has the result of the last run.
const resultName = "result.json"

// fuzzmut runs the command, and returns the mutants that are killed in its result.
func (b *bench) fuzzmut(ctx context.Context, tree string, args ...string) (map[string]bool, error) {
	file := filepath.Join(b.work, resultName)
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, b.command, append(args, "-q", "-json", file, ".")...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = tree, &said, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("fuzzmut: %w: %s", err, said.Bytes())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rep report.Report
	if err := json.Unmarshal(data, &rep); err != nil {
		return nil, err
	}
	killed := make(map[string]bool)
	for i := range rep.Tests {
		for _, m := range rep.Tests[i].Mutants {
			if m.Status == report.Killed {
				killed[m.Package+" "+m.ID] = true
			}
		}
	}
	return killed, nil
}
