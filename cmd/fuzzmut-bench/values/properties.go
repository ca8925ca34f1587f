package values

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// properties measures how soon strategies, and others, find the faults of the workloads
// in testdata/properties.
type properties struct {
	workloads  string
	strategies string
	reps       int
	tests      int
	time       time.Duration
	faults     string
	out        string
	print      bool

	work string
	// programs are the test binaries that make runs of what is not a strategy of
	// package search.
	programs map[string]string
	lab      *arena.Lab // for the engine
}

// contestants are compared with the strategies of package search: the packages
// whose tests they are, and how they are run.
var contestants = map[string]struct {
	dir     string
	fuzz    bool // below go test -fuzz
	rapid   bool
	test    string // with nothing set; "" for TestProperty, for which there are flags
	machine bool   // for operations only
}{
	"fuzz":          {dir: "fuzz", fuzz: true},
	"rapid":         {dir: "rapid", rapid: true},
	"rapid-bounded": {dir: "rapid", rapid: true},
	"rapid-fuzz":    {dir: "rapid", fuzz: true, rapid: true},

	"gen":           {dir: "rapid", rapid: true, test: "TestGen"},
	"machine":       {dir: "rapid", rapid: true, test: "TestOwnMachine", machine: true},
	"rapid-default": {dir: "rapid", rapid: true, test: "TestProperty"},
	"rapid-machine": {dir: "rapid", rapid: true, test: "TestMachine", machine: true},
}

// faultsOf is the number of faults of each workload.
var faultsOf = map[string]int{
	"bst": 9, "bst-ops": 9, "rbt": 16, "rbt-ops": 16, "stlc": 10,
	"btree": 3, "deque": 3, "cache": 3, "match": 3, "json": 3, "stack": 20, "register": 33,
}

// machines are the workloads that are tested as sequences of operations, too.
var machines = map[string]bool{"btree": true, "deque": true, "cache": true, "rbt-ops": true}

// RunProperties prints how soon the faults in testdata/properties are found.
func RunProperties(args []string) error {
	fs := flag.NewFlagSet("properties", flag.ContinueOnError)
	b := &properties{programs: make(map[string]string)}
	fs.StringVar(&b.workloads, "workloads", "bst,bst-ops,rbt,rbt-ops,stlc", "workloads")
	fs.StringVar(&b.strategies, "strategies", "default,derived,fuzzmut,fuzz,rapid,rapid-bounded,rapid-fuzz",
		"strategies of package search, and fuzzmut, fuzz, rapid, rapid-bounded and rapid-fuzz")
	fs.IntVar(&b.reps, "reps", 10, "runs of each fault and strategy")
	fs.IntVar(&b.tests, "tests", 100_000, "tests of a run at most")
	fs.DurationVar(&b.time, "time", 10*time.Second, "processor time of a run at most; ten times that by the clock")
	fs.StringVar(&b.faults, "faults", "", "numbers of faults, separated by commas; all if empty")
	fs.StringVar(&b.out, "o", "", "file for the results of the runs, one JSON object a line")
	fs.BoolVar(&b.print, "print", false, "only print the tables of -o")
	if err := fs.Parse(args); err != nil {
		return err
	}
	return b.tables()
}

// RunDefaults prints how many runs find faults in which nothing is set, as users run
// what they have written: fuzzmut.Gen and Machine, and rapid with its derived generators
// and its state machine.
func RunDefaults(args []string) error {
	fs := flag.NewFlagSet("defaults", flag.ContinueOnError)
	b := &properties{programs: make(map[string]string), tests: 1 << 30}
	fs.StringVar(&b.workloads, "workloads", "btree,deque,cache,match,json,bst,rbt,rbt-ops,stlc,stack,register", "workloads")
	fs.StringVar(&b.strategies, "strategies", "gen,machine,rapid-default,rapid-machine", "what makes the runs")
	fs.IntVar(&b.reps, "reps", 20, "runs of each fault")
	fs.DurationVar(&b.time, "time", time.Second, "processor time of a run at most")
	fs.StringVar(&b.faults, "faults", "1,2,3", "numbers of faults, separated by commas; all if empty")
	fs.StringVar(&b.out, "o", "", "file for the results of the runs, one JSON object a line")
	fs.BoolVar(&b.print, "print", false, "only print the tables of -o")
	if err := fs.Parse(args); err != nil {
		return err
	}
	return b.tables()
}

// tables makes the runs, or reads them, and prints them.
func (b *properties) tables() error {
	var runs []huntRun
	var err error
	if b.print {
		runs, err = readHunt(b.out)
	} else {
		runs, err = b.run()
	}
	if err != nil {
		return err
	}
	for _, w := range strings.Split(b.workloads, ",") {
		printProperties(os.Stdout, w, slices.DeleteFunc(slices.Clone(runs), func(r huntRun) bool { return r.Machine != w }))
	}
	return nil
}

// run makes all runs.
func (b *properties) run() (all []huntRun, err error) {
	if b.work, err = os.MkdirTemp("", "fuzzmut-properties"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.work)
	strategies := strings.Split(b.strategies, ",")
	if slices.ContainsFunc(strategies, func(s string) bool { return contestants[s].rapid }) {
		if out, err := exec.Command("go", "-C", propertiesDir("rapid"), "mod", "download", "pgregory.net/rapid").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "pgregory.net/rapid is left out, as the module proxy does not serve it: %s\n", strings.TrimSpace(string(out)))
			strategies = slices.DeleteFunc(strategies, func(s string) bool { return contestants[s].rapid })
		}
	}
	searches := slices.ContainsFunc(strategies, func(s string) bool { _, ok := contestants[s]; return !ok && s != engineStrategy })
	searcher := ""
	if searches {
		searcher, err = buildTraced(b.work, propertiesDir(""), tracedProperties, "./testdata/properties/run")
	}
	if err != nil {
		return nil, err
	}
	for _, strategy := range strategies {
		if strategy == engineStrategy {
			if err := b.buildEngine(context.Background()); err != nil {
				return nil, err
			}
		}
		if _, ok := contestants[strategy]; ok {
			if _, err := b.program(strategy); err != nil {
				return nil, err
			}
		}
	}
	for _, strategy := range strategies {
		for _, workload := range strings.Split(b.workloads, ",") {
			if contestants[strategy].machine && !machines[workload] {
				continue
			}
			for _, fault := range strings.Split(orDefault(b.faults, "0"), ",") {
				runs, err := b.runsOf(searcher, strategy, workload, fault)
				if err != nil {
					return nil, fmt.Errorf("strategy %s, %s, fault %s: %w", strategy, workload, fault, err)
				}
				all = append(all, runs...)
				if b.out != "" { // each time: the next may fail
					if err := writeHunt(b.out, all); err != nil {
						return nil, err
					}
				}
			}
			fmt.Fprintf(os.Stderr, "%s, %s: done\n", strategy, workload)
		}
	}
	return all, nil
}

func propertiesDir(name string) string { return filepath.Join("testdata", "properties", name) }

// tracedProperties are the files of the workloads that are traced.
var tracedProperties = map[string][]string{
	"bst": {"bst.go", "property.go"}, "rbt": {"rbt.go", "property.go"}, "stlc": {"stlc.go", "property.go"},
}

// runsOf makes the runs of one strategy at one fault, or for "0" at all.
func (b *properties) runsOf(searcher, strategy, workload, fault string) (runs []huntRun, err error) {
	if _, ok := contestants[strategy]; !ok && strategy != engineStrategy {
		cmd := exec.Command(searcher, "-machine", workload, "-strategy", strategy, "-fault", fault,
			"-reps", fmt.Sprint(b.reps), "-tests", fmt.Sprint(b.tests), "-time", fmt.Sprint(b.time.Seconds()))
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, err
		}
		return parseHunt(text)
	}
	var n int
	if _, err := fmt.Sscan(fault, &n); err != nil {
		return nil, err
	}
	first, last := n, n
	if n == 0 {
		first, last = 1, faultsOf[workload]
	}
	for f := first; f <= last; f++ {
		for seed := 1; seed <= b.reps; seed++ {
			var r *huntRun
			if strategy == engineStrategy {
				r, err = b.guided(workload, f, uint64(seed))
			} else {
				r, err = b.contest(strategy, workload, f, uint64(seed))
			}
			if err != nil {
				return nil, err
			}
			runs = append(runs, *r)
		}
	}
	return runs, nil
}

// program builds the test binary of a contestant.
func (b *properties) program(strategy string) (string, error) {
	c := contestants[strategy]
	name := c.dir
	args := []string{"-C", propertiesDir(c.dir), "test", "-c"}
	if c.fuzz {
		name += "-fuzz"
		args = append(args, "-fuzz=^FuzzProperty$")
	}
	if b.programs[name] != "" {
		return b.programs[name], nil
	}
	path := filepath.Join(b.work, name)
	if err := command("go", append(args, "-o", path, ".")...); err != nil {
		return "", err
	}
	b.programs[name] = path
	return path, nil
}

// outOfTime says whether a process was ended since it had used its time: as Go's runtime
// says it, and go test -fuzz of a worker.
func outOfTime(output []byte) bool {
	return bytes.Contains(output, []byte("SIGXCPU")) || bytes.Contains(output, []byte("fuzzing process hung or terminated unexpectedly"))
}

// killed says whether the system has ended a process before it could report anything.
func killed(err error) bool { return err != nil && strings.Contains(err.Error(), "signal: killed") }

// contestEnv is what package contest reads.
func (b *properties) contestEnv(out, strategy, workload string, fault int) []string {
	return []string{
		"CONTEST_OUT=" + out, "CONTEST_WORKLOAD=" + workload, "CONTEST_STRATEGY=" + strategy,
		fmt.Sprintf("CONTEST_FAULT=%d", fault), fmt.Sprintf("CONTEST_TESTS=%d", b.tests), "CONTEST_TIME=" + b.time.String(),
	}
}

// contest makes one run of a contestant. The run ends by itself when it has found the
// fault, made its tests, or used its time. If it does not end, it is killed.
func (b *properties) contest(strategy, workload string, fault int, seed uint64) (*huntRun, error) {
	program, err := b.program(strategy)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(b.work, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"-test.run=^TestProperty$", fmt.Sprintf("-rapid.checks=%d", b.tests), fmt.Sprintf("-rapid.seed=%d", seed), "-rapid.nofailfile"}
	if test := contestants[strategy].test; test != "" {
		args = []string{"-test.run=^" + test + "$", "-test.timeout=0"}
	}
	if contestants[strategy].fuzz {
		args = []string{
			"-test.run=^$", "-test.fuzz=^FuzzProperty$", "-test.fuzzcachedir=" + dir, "-test.parallel=1",
			"-test.fuzztime=" + (10 * b.time).String(), "-test.fuzzminimizetime=1x",
		}
	}
	out := filepath.Join(dir, "result.json")
	ctx, cancel := context.WithTimeout(context.Background(), 10*b.time+time.Second)
	defer cancel()
	// Drawing a value may not end: then the system ends the process.
	limit := fmt.Sprint(int(b.time.Seconds()) + 2)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -t "$0" && exec "$@"`, limit, program}, args...)...)
	cmd.Dir = dir
	child := system.NewChild(cmd) // with the engine's workers
	cmd.Cancel = func() error { child.Kill(); return nil }
	cmd.Env = append(os.Environ(), "GOCACHE=off") // where failing values would be kept
	cmd.Env = append(cmd.Env, b.contestEnv(out, strategy, workload, fault)...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	runErr := child.Run()
	r := &huntRun{Machine: workload, Strategy: strategy, Fault: fault}
	data, err := os.ReadFile(out)
	switch {
	case err == nil:
		err = json.Unmarshal(data, r)
	case errors.Is(err, fs.ErrNotExist) && (ctx.Err() != nil || runErr == nil || outOfTime(text.Bytes()) || killed(runErr)):
		err = nil // not one test was made
	default:
		err = fmt.Errorf("no result: %w\n%s", errors.Join(runErr, err), text.Bytes())
	}
	r.Seed = seed
	if ps := cmd.ProcessState; ps != nil {
		r.Seconds = (ps.UserTime() + ps.SystemTime()).Seconds() // of the workers, too
	}
	return r, err
}
