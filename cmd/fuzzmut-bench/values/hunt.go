// Package values measures how soon faults are found by inputs that are values of Go
// types: with fuzzmut's strategies, and with property-based testing libraries.
package values

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// faultHunt measures how soon the strategies for structured inputs find faults.
type faultHunt struct {
	machine    string // what has the faults
	strategies string
	reps       int
	tests      int
	time       float64
	faults     string
	out        string
	print      bool
	build      func(work string) (binary string, err error) // builds the program that makes runs
}

// flags has a set of flags fill in h.
func (h *faultHunt) flags(fs *flag.FlagSet, strategies string) {
	fs.StringVar(&h.strategies, "strategies", strategies, "strategies to compare")
	fs.IntVar(&h.reps, "reps", 10, "runs of each fault and strategy")
	fs.IntVar(&h.tests, "tests", 3_000_000, "tests of a run at most")
	fs.Float64Var(&h.time, "time", 60, "seconds of processor time of a run at most")
	fs.StringVar(&h.faults, "faults", "", "numbers of faults, separated by commas, -1 for none; all if empty")
	fs.StringVar(&h.out, "o", "", "file for the results of the runs, one JSON object a line")
	fs.BoolVar(&h.print, "print", false, "only print the tables of -o")
}

// run makes the runs and prints a table of each measure.
func (h *faultHunt) run() error {
	if h.print {
		return h.printFile()
	}
	work, err := os.MkdirTemp("", "fuzzmut-"+h.machine)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := h.build(work)
	if err != nil {
		return err
	}
	var all []huntRun
	for _, strategy := range strings.Split(h.strategies, ",") {
		for _, fault := range strings.Split(orDefault(h.faults, "0"), ",") {
			cmd := exec.Command(binary, "-machine", h.machine, "-strategy", strategy, "-fault", fault,
				"-reps", fmt.Sprint(h.reps), "-tests", fmt.Sprint(h.tests), "-time", fmt.Sprint(h.time))
			cmd.Stderr = os.Stderr
			text, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("strategy %s, fault %s: %w", strategy, fault, err)
			}
			runs, err := parseHunt(text)
			if err != nil {
				return err
			}
			all = append(all, runs...)
		}
		fmt.Fprintf(os.Stderr, "%s: done\n", strategy)
	}
	if h.out != "" {
		if err := writeHunt(h.out, all); err != nil {
			return err
		}
	}
	printHunt(os.Stdout, h.machine, all)
	return nil
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// writeHunt writes the results of runs to a file.
func writeHunt(path string, all []huntRun) error {
	var text strings.Builder
	for _, r := range all {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return os.WriteFile(path, []byte(text.String()), 0o666)
}

func (h *faultHunt) printFile() error {
	runs, err := readHunt(h.out)
	if err != nil {
		return err
	}
	printHunt(os.Stdout, h.machine, runs)
	return nil
}

// readHunt reads the results of runs from a file.
func readHunt(path string) ([]huntRun, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	runs, err := parseHunt(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return runs, nil
}
