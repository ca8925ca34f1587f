package main

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/faults"
)

func runFaults(args []string) error {
	set := flag.NewFlagSet("faults", flag.ContinueOnError)
	cfg := faults.Config{Trees: filepath.Join("testdata", "trees"), Out: os.Stdout, Log: os.Stderr}
	set.Uint64Var(&cfg.Seed, "seed", 1, "determines what is harmed, and when, as far as time can be")
	set.Float64Var(&cfg.N, "n", 1, "times the usual counts")
	set.IntVar(&cfg.Slots, "parallel", 2, "runs at a time")
	set.StringVar(&cfg.Keep, "keep", filepath.Join(os.TempDir(), "fuzzmut-faults-kept"), "directory for runs that went wrong")
	set.StringVar(&cfg.Command, "command", "", "a built fuzzmut; \"\" builds it")
	if err := set.Parse(args); err != nil {
		return err
	}
	cfg.Rows = set.Args()
	ctx, stop := arena.Interruptible()
	defer stop()
	return faults.Run(ctx, cfg)
}
