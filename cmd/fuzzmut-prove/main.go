// Fuzzmut-prove holds the rewriter against code that nobody here wrote: the
// modules of testdata/targets/prove.txt and packages of the Go tree. It is run by
// the prove targets of the Makefile, from the repository's root:
//
//	fuzzmut-prove dormant [-traced=false] [flags] [name ...]
//	fuzzmut-prove schemata [-n 200] [-survivors -1] [-seed 1] [flags] [name ...]
//	fuzzmut-prove verdicts [-n 0] [-seed 1] [flags] [name ...]
//
// dormant runs each package's own tests on the rewritten package with no mutant
// active, once as it is run and once with every function in its mutable body, and
// compares the result of every test with that of the package as it is. Code that is
// left out because it does not compile after rewriting fails the proof.
//
// schemata has all mutants judged as fuzzmut test does it. It compiles a sample of
// them alone, each as a plain edit of the source, and compares what the tests say of
// it with the verdict. And it runs every mutant that no test kills once more, active
// from the start of the process, which the tests must pass: that shows what the
// filters before a verdict have left out. A package without tests is left out. What
// comes out otherwise when it is run again is unsteady, and no difference.
//
// verdicts runs fuzzmut test as a user does, and once more with -isolate, part by part, where
// each mutant has a separate process and all tests. It counts the mutants that are killed
// in one of the two only. With -work, what is there from an earlier run of the proof is used.
//
// All print a table, and end with exit code 1 if there is a difference. A name
// selects the packages whose path contains it.
//
// Processor time is that of the go command and of all that it starts.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/fuzzmut/fuzzmut/instrument/operator"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzzmut-prove:", err)
		os.Exit(1)
	}
}

// prover is what the proofs share.
type prover struct {
	work      string
	operators []*operator.Operator
	units     []*unit
	keep      bool              // copies of modules that are there are used
	traced    bool              // dormant runs the tests in the mutable bodies, too
	fetched   map[string]string // directories of copied modules
}

func run(ctx context.Context, args []string) (err error) {
	if len(args) > 0 && args[0] == "measure" {
		return measure(args[1:])
	}
	if len(args) == 0 || !slices.Contains([]string{"dormant", "schemata", "verdicts"}, args[0]) {
		return errors.New("usage: fuzzmut-prove dormant|schemata|verdicts [flags] [name ...]")
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	list := fs.String("list", "testdata/targets/prove.txt", "`file` with the modules")
	ops := fs.String("operators", "all", "as for fuzzmut")
	work := fs.String("work", "", "`directory` for copies and builds, kept; default a temporary one")
	var s sample
	traced := true
	var alone isolation
	if args[0] == "verdicts" {
		fs.IntVar(&alone.n, "n", 0, "mutants of each package to run alone, about; 0: all")
		fs.Uint64Var(&alone.seed, "seed", 1, "of the sample")
		fs.IntVar(&alone.parallel, "parallel", 2, "processes at a time")
	}
	if args[0] == "dormant" {
		fs.BoolVar(&traced, "traced", true, "run the tests in the mutable bodies, too, which takes many times as long")
	}
	if args[0] == "schemata" {
		fs.IntVar(&s.n, "n", 200, "mutants for each module")
		fs.Uint64Var(&s.seed, "seed", 1, "of the sample")
		fs.IntVar(&s.parallel, "parallel", 2, "builds and test runs at a time")
		fs.IntVar(&s.survivors, "survivors", -1, "survivors of each package to run active from the start; negative: all")
	}
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	if *work != "" {
		if *work, err = filepath.Abs(*work); err != nil {
			return err
		}
	}
	p := &prover{work: *work, traced: traced, fetched: make(map[string]string)}
	if p.operators, err = operator.ByNames(*ops); err != nil {
		return err
	}
	if p.units, err = readList(*list, fs.Args()); err != nil {
		return err
	}
	if p.work == "" {
		if p.work, err = os.MkdirTemp("", "fuzzmut-prove-"); err != nil {
			return err
		}
		defer os.RemoveAll(p.work)
	}
	switch args[0] {
	case "dormant":
		return p.dormant(ctx)
	case "verdicts":
		p.keep = *work != ""
		return p.verdicts(ctx, alone, *ops)
	}
	return p.schemata(ctx, s)
}
