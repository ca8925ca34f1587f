package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// ifc measures how soon the strategies for structured inputs find the faults of the
// machines in testdata/ifc.
type ifc struct {
	machine    string
	strategies string
	reps       int
	tests      int
	time       float64
	faults     string
	out        string
	print      bool
}

func runIFC(args []string) error {
	fs := flag.NewFlagSet("ifc", flag.ContinueOnError)
	b := &ifc{}
	fs.StringVar(&b.machine, "machine", "stack", "stack or register")
	fs.StringVar(&b.strategies, "strategies", "derived,blind,bytes,fuzzchick,mutagen,default,by-hand", "strategies to compare")
	fs.IntVar(&b.reps, "reps", 10, "runs of each fault and strategy")
	fs.IntVar(&b.tests, "tests", 3_000_000, "tests of a run at most")
	fs.Float64Var(&b.time, "time", 60, "seconds of processor time of a run at most")
	fs.StringVar(&b.faults, "faults", "", "numbers of faults, separated by commas; all if empty")
	fs.StringVar(&b.out, "o", "", "file for the results of the runs, one JSON object a line")
	fs.BoolVar(&b.print, "print", false, "only print the tables of -o")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if b.print {
		return b.printFile()
	}
	return b.run()
}

// run makes the runs and prints a table of each measure.
func (b *ifc) run() error {
	work, err := os.MkdirTemp("", "fuzzmut-ifc")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := buildIFC(work)
	if err != nil {
		return err
	}
	var all []ifcRun
	for _, strategy := range strings.Split(b.strategies, ",") {
		for _, fault := range strings.Split(orDefault(b.faults, "0"), ",") {
			cmd := exec.Command(binary, "-machine", b.machine, "-strategy", strategy, "-fault", fault,
				"-reps", fmt.Sprint(b.reps), "-tests", fmt.Sprint(b.tests), "-time", fmt.Sprint(b.time))
			cmd.Stderr = os.Stderr
			text, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("strategy %s, fault %s: %w", strategy, fault, err)
			}
			runs, err := parseIFC(text)
			if err != nil {
				return err
			}
			all = append(all, runs...)
		}
		fmt.Fprintf(os.Stderr, "%s: done\n", strategy)
	}
	if b.out != "" {
		if err := b.write(all); err != nil {
			return err
		}
	}
	printIFC(os.Stdout, b.machine, all)
	return nil
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (b *ifc) write(all []ifcRun) error {
	var text strings.Builder
	for _, r := range all {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return os.WriteFile(b.out, []byte(text.String()), 0o666)
}

func (b *ifc) printFile() error {
	text, err := os.ReadFile(b.out)
	if err != nil {
		return err
	}
	runs, err := parseIFC(text)
	if err != nil {
		return fmt.Errorf("%s: %w", b.out, err)
	}
	printIFC(os.Stdout, b.machine, runs)
	return nil
}

// traced are the files of the machines that are traced: what is tested, and the
// property, but not what draws inputs.
var traced = map[string][]string{
	"stack":    {"machine.go", "rules.go", "property.go"},
	"register": {"machine.go", "step.go", "rules.go", "property.go"},
}

// buildIFC builds the program that makes runs, with calls of package trace at the
// start of each block of the machines.
func buildIFC(work string) (binary string, err error) {
	replace := make(map[string]string)
	for _, machine := range []string{"stack", "register"} {
		block := 0
		for _, name := range traced[machine] {
			path, err := filepath.Abs(filepath.Join("testdata", "ifc", machine, name))
			if err != nil {
				return "", err
			}
			to := filepath.Join(work, machine+"_"+name)
			n, err := traceFile(path, to, block)
			if err != nil {
				return "", err
			}
			block += n
			replace[path] = to
		}
	}
	overlay := filepath.Join(work, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return "", err
	}
	binary = filepath.Join(work, "run")
	return binary, command("go", "build", "-overlay", overlay, "-o", binary, "./testdata/ifc/run")
}

func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

var (
	counter     = regexp.MustCompile(`FuzzmutTrace\.Count\[(\d+)\]\+\+`)
	packageLine = regexp.MustCompile(`(?m)^package \w+`)
)

// traceFile writes a copy of a Go file with a call at the start of each block, from
// the number block on, and returns how many there are. The blocks are those that go
// tool cover counts.
func traceFile(path, to string, block int) (n int, err error) {
	out, err := exec.Command("go", "tool", "cover", "-mode=count", "-var=FuzzmutTrace", path).Output()
	if err != nil {
		return 0, fmt.Errorf("go tool cover %s: %w", path, err)
	}
	text := counter.ReplaceAllStringFunc(string(out), func(s string) string {
		n++
		return fmt.Sprintf("trace.Hit(%d)", block+n-1)
	})
	head := packageLine.FindStringIndex(text)
	text = text[:head[1]] + `; import "github.com/fuzzmut/fuzzmut/testdata/hunt/trace"; func init() { trace.Used = max(trace.Used, ` + fmt.Sprint(block+n) + `) }` + text[head[1]:]
	// The declaration of the counters, which nothing uses any more.
	if i := strings.Index(text, "var FuzzmutTrace = struct"); i >= 0 {
		text = text[:i]
	}
	return n, os.WriteFile(to, []byte(text), 0o666)
}
