// Fuzzmut-bench measures fuzzmut against the stock tools on the real packages of
// testdata/targets, and against other mutation testers on modules as the module
// proxy serves them, and prints tables. It is run by the bench targets of the
// Makefile, from the repository's root:
//
//	fuzzmut-bench corpus [-time 60s] [-n 200] [-seed 1] [target ...]
//	fuzzmut-bench cost [-time 60s] [-seed 1] [report ...]
//	fuzzmut-bench crashes [-time 60s] [-reps 3] [-data dir] [module ...]
//	fuzzmut-bench defaults [-reps 20] [-workloads a,b] [-faults 1,2,3] [-o file [-print]]
//	fuzzmut-bench diff [-time 60s] [-parallel 2] [-seed 1] [-plain=false] [-keep dir] [-data dir] [pair ...]
//	fuzzmut-bench diff-mutants [-time 20s] [-n 50] [-late 0] [-parallel 2] [-seed 1] [-keep dir] [module@version ...]
//	fuzzmut-bench engine [-time 5s] [-reps 3] [target ...]
//	fuzzmut-bench faults [-n 1] [-seed 1] [-parallel 2] [-keep dir] [row or kind ...]
//	fuzzmut-bench fleet [-runs 4] [-execs 4000] [-killing 30s] [-only jobs] [-every 2s] [calc|semver ...]
//	fuzzmut-bench fuzz [-time 20s] [-stock-time 20s] [-reps 5] [-filters a,b] [-o file [-resume]] [target ...]
//	fuzzmut-bench fuzz -print -o file
//	fuzzmut-bench golden [-execs 20000] [-n 0] [-parallel 2] [target ...]
//	fuzzmut-bench hour [-write] [session ...]
//	fuzzmut-bench ifc [-machine stack] [-reps 10] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench latency [-times 10s] [-cached 0,200,2000] [-unbounded 2m] [-reps 3] [target ...]
//	fuzzmut-bench magic [-seeds 20] [-execs 100000] [-stock 1700000]
//	fuzzmut-bench memory [-time 15s] [-seeds 3] [-marks 5] [package or module@version ...]
//	fuzzmut-bench met [-time 60s] [-execs n] [-replays 6] [-v] [-data dir] [module ...]
//	fuzzmut-bench mutation [-reps 3] [-peers=false]
//	fuzzmut-bench properties [-reps 10] [-workloads a,b] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench pruning [-time 5s] [-inputs 20] [target ...]
//	fuzzmut-bench ranking [-command file] [-results dir] [-data dir] [a|b ...]
//	fuzzmut-bench ranking -draw [-seed 1] [-n 10] [-results dir] module@version ...
//	fuzzmut-bench refactorings [-execs 5000] [-seed 1] [module ...]
//	fuzzmut-bench scaling [-time 5s] [-reps 3]
//	fuzzmut-bench suggest [-oracles] [-time 60s] [-seed 1] [-check 30] [package|module@version ...]
//	fuzzmut-bench taming [-data dir]
//	fuzzmut-bench triage [-operators a,b] [-o dir [-print]] [module ...]
//	fuzzmut-bench wasm [-reps 10] [-strategies a,b] [-o file [-print]]
//	fuzzmut-bench wasm -check 1000000
//
// Every figure of engine and mutation is a median over the repetitions, and every
// ratio is taken within one repetition, in which the two sides run one after the
// other: the machine's speed may drift. All fuzzing has one worker and, where the
// system has taskset, one processor; fuzz runs several targets at a time, each on
// its own processor. Runs of mutation take what processors there are, and tell
// the processor time of all processes. The tables of fuzz say what they show.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/corpora"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/cost"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/crashes"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/diff"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/fleet"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/fuzzing"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/hour"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/latency"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/memory"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/mutation"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/ranking"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/speed"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/suggest"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/triage"
	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/values"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzmut-bench:", err)
		os.Exit(1)
	}
}

// benches lists the measurements by name. The package comment has their flags.
var benches = []struct {
	name string
	run  func(args []string) error
}{
	{"corpus", corpora.RunCorpus},
	{"cost", cost.RunCost},
	{"crashes", crashes.RunCrashes},
	{"defaults", values.RunDefaults},
	{"diff", diff.RunDiff},
	{"diff-mutants", diff.RunMutants},
	{"engine", speed.RunEngine},
	{"faults", runFaults},
	{"fleet", fleet.RunFleet},
	{"fuzz", fuzzing.RunFuzz},
	{"golden", corpora.RunGolden},
	{"hour", hour.RunHour},
	{"ifc", values.RunIFC},
	{"latency", latency.RunLatency},
	{"magic", fuzzing.RunMagic},
	{"memory", memory.RunMemory},
	{"met", crashes.RunMet},
	{"mutation", mutation.RunMutation},
	{"properties", values.RunProperties},
	{"pruning", speed.RunPruning},
	{"ranking", ranking.RunRanking},
	{"refactorings", corpora.RunRefactorings},
	{"scaling", speed.RunScaling},
	{"suggest", suggest.RunSuggest},
	{"taming", triage.RunTaming},
	{"triage", triage.RunTriage},
	{"wasm", values.RunWasm},
}

func run(args []string) error {
	var names []string
	for _, b := range benches {
		if len(args) > 0 && b.name == args[0] {
			return b.run(args[1:])
		}
		names = append(names, b.name)
	}
	return fmt.Errorf("usage: fuzzmut-bench %s [flags]; the package comment tells more", strings.Join(names, "|"))
}
