// Fuzzmut-bench measures fuzzmut against the stock tools on the real packages of
// testdata/targets, and against other mutation testers on modules as the module
// proxy serves them, and prints tables. It is run by the bench targets of the
// Makefile, from the repository's root:
//
//	fuzzmut-bench corpus [-time 60s] [-n 200] [-seed 1] [target ...]
//	fuzzmut-bench crashes [-time 60s] [-reps 3] [-data dir] [module ...]
//	fuzzmut-bench engine [-time 5s] [-reps 3] [target ...]
//	fuzzmut-bench faults [-n 1] [-seed 1] [-parallel 2] [-keep dir] [row or kind ...]
//	fuzzmut-bench fuzz [-time 20s] [-stock-time 20s] [-reps 5] [-filters a,b] [-o file [-resume]] [target ...]
//	fuzzmut-bench fuzz -print -o file
//	fuzzmut-bench golden [-execs 20000] [-n 0] [-parallel 2] [target ...]
//	fuzzmut-bench ifc [-machine stack] [-reps 10] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench magic [-seeds 20] [-execs 100000] [-stock 1700000]
//	fuzzmut-bench met [-time 60s] [-execs n] [-replays 6] [-v] [-data dir] [module ...]
//	fuzzmut-bench mutation [-reps 3] [-peers=false]
//	fuzzmut-bench properties [-reps 10] [-workloads a,b] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench pruning [-time 5s] [-inputs 20] [target ...]
//	fuzzmut-bench scaling [-time 5s] [-reps 3]
//	fuzzmut-bench taming [-data dir]
//	fuzzmut-bench triage [-operators a,b] [-o dir [-print]] [module ...]
//	fuzzmut-bench wasm [-reps 10] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench wasm -check 1000000
//
// Every figure of engine and mutation is a median over the repetitions, and every
// ratio is taken within one repetition, in which the two sides run one after the
// other: the machine's speed may drift. All fuzzing has one worker and, where the
// system has taskset, one processor; fuzz runs several targets at a time, each on
// a processor of its own. Runs of mutation take what processors there are, and tell
// the processor time of all processes. The tables of fuzz say what they show.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/corpora"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashes"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/fuzzing"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/mutation"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/speed"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/triage"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/values"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzmut-bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "corpus":
			return corpora.RunCorpus(args[1:])
		case "crashes":
			return crashes.RunCrashes(args[1:])
		case "engine":
			return speed.RunEngine(args[1:])
		case "faults":
			return runFaults(args[1:])
		case "fuzz":
			return fuzzing.RunFuzz(args[1:])
		case "golden":
			return corpora.RunGolden(args[1:])
		case "ifc":
			return values.RunIFC(args[1:])
		case "magic":
			return fuzzing.RunMagic(args[1:])
		case "met":
			return crashes.RunMet(args[1:])
		case "mutation":
			return mutation.RunMutation(args[1:])
		case "properties":
			return values.RunProperties(args[1:])
		case "pruning":
			return speed.RunPruning(args[1:])
		case "scaling":
			return speed.RunScaling(args[1:])
		case "taming":
			return triage.RunTaming(args[1:])
		case "triage":
			return triage.RunTriage(args[1:])
		case "wasm":
			return values.RunWasm(args[1:])
		}
	}
	return errors.New("usage: fuzzmut-bench corpus|crashes|engine|faults|fuzz|golden|ifc|magic|met|mutation|properties|pruning|scaling|taming|triage|wasm [flags]; the package comment tells more")
}
