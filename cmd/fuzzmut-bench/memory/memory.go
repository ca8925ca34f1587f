// Package memory measures what memory all processes of a run of fuzzmut take together.
package memory

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fuzzmut/fuzzmut/cmd/fuzzmut-bench/arena"
)

// every is the time between two looks at the processes.
const every = 100 * time.Millisecond

// bench runs packages and looks at the memory of the processes.
type bench struct {
	work, command string
	time          time.Duration
	seeds         int
	marks         int // how often a run's memory is printed
	out           io.Writer
}

// RunMemory prints the most memory that the processes of a run have had, on packages
// of the standard library or of modules: a name as encoding/csv, or
// github.com/tidwall/gjson@v1.20.0.
func RunMemory(args []string) error {
	set := flag.NewFlagSet("memory", flag.ContinueOnError)
	b := &bench{out: os.Stdout}
	set.DurationVar(&b.time, "time", 15*time.Second, "of fuzzing, for each fuzz test")
	set.IntVar(&b.seeds, "seeds", 3, "runs of each package")
	set.IntVar(&b.marks, "marks", 5, "how many samples of a run the table shows")
	if err := set.Parse(args); err != nil {
		return err
	}
	if _, err := pss(os.Getpid()); err != nil {
		return fmt.Errorf("the bench of memory reads /proc/PID/smaps_rollup, as Linux has it: %w", err)
	}
	names := set.Args()
	if len(names) == 0 {
		names = []string{"encoding/csv"}
	}
	ctx, stop := arena.Interruptible()
	defer stop()
	var err error
	if b.work, err = os.MkdirTemp("", "fuzzmut-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if b.command, err = arena.BuildFuzzmut(b.work); err != nil {
		return err
	}
	return b.table(ctx, names)
}

func (b *bench) table(ctx context.Context, names []string) error {
	fmt.Fprintf(b.out, "%s; %v of fuzzing with two workers; proportional set size, looked at every %v, compilers left out\n\n",
		arena.Machine(), b.time, every)
	tw := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "package\tseed\tseconds\tpeak MB\tat evenly spaced times\t")
	for _, name := range names {
		dir, pattern, err := b.place(name)
		if err != nil {
			return err
		}
		for seed := 1; seed <= b.seeds; seed++ {
			s, err := b.run(ctx, dir, pattern, seed)
			if err != nil {
				return err
			}
			fmt.Fprintf(tw, "%s\t%d\t%.0f\t%d\t%s\t\n", name, seed, s.took.Seconds(), s.peak>>20, s.spaced(b.marks))
		}
	}
	return tw.Flush()
}

// place returns a directory to run fuzzmut in for the package, and its pattern.
func (b *bench) place(name string) (dir, pattern string, err error) {
	dir = filepath.Join(b.work, "module", strings.NewReplacer("/", "_", "@", "_").Replace(name))
	if module, _, versioned := strings.Cut(name, "@"); versioned {
		return dir, ".", arena.CopyModule(b.work, name, dir)
	} else if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", "", err
	} else {
		return dir, module, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module memory\n\ngo 1.26\n"), 0o666)
	}
}

// samples are the looks at one run.
type samples struct {
	took time.Duration
	peak int64   // bytes
	all  []int64 // bytes, in order
}

// spaced shows n of the samples, in MB.
func (s *samples) spaced(n int) string {
	var list []string
	for i := range min(n, len(s.all)) {
		list = append(list, strconv.FormatInt(s.all[(i+1)*len(s.all)/(n+1)]>>20, 10))
	}
	return strings.Join(list, " ")
}

func (b *bench) run(ctx context.Context, dir, pattern string, seed int) (*samples, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, b.command, "-n", "-q", "-seed", strconv.Itoa(seed), "-fuzztime", b.time.String(), "-parallel", "2", pattern)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	s := &samples{}
	for tick := time.Tick(every); ; {
		select {
		case err := <-ended:
			s.took = time.Since(start)
			// Exit code 1 is no error here: the run has found failing inputs.
			if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 || len(s.all) == 0 {
				return nil, fmt.Errorf("fuzzmut on %s: %w\n%s", pattern, err, out.Bytes())
			}
			return s, nil
		case <-tick:
			if n := memoryOf(cmd.Process.Pid); n > 0 {
				s.all = append(s.all, n)
				s.peak = max(s.peak, n)
			}
		}
	}
}

// compilers are commands of the Go toolchain, whose memory is not fuzzmut's.
var compilers = map[string]bool{"go": true, "compile": true, "link": true, "asm": true, "cgo": true, "buildid": true, "vet": true}

// memoryOf sums up the memory of a process and all that it has started, in bytes. A
// process that has ended meanwhile counts nothing.
func memoryOf(root int) int64 {
	children := make(map[int][]int)
	names := make(map[int]string)
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue
		}
		if name, parent, ok := parseStat(string(stat)); ok {
			children[parent] = append(children[parent], pid)
			names[pid] = name
		}
	}
	var sum func(pid int) int64
	sum = func(pid int) (n int64) {
		if !compilers[names[pid]] {
			n, _ = pss(pid)
		}
		for _, child := range children[pid] {
			n += sum(child)
		}
		return n
	}
	return sum(root)
}

// parseStat returns the name and the parent of a process, of the text of its
// /proc/PID/stat: the name stands in parentheses and may hold any byte.
func parseStat(stat string) (name string, parent int, ok bool) {
	from, to := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if from < 0 || to < from {
		return "", 0, false
	}
	fields := strings.Fields(stat[to+1:])
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return stat[from+1 : to], parent, err == nil
}

// pss returns the proportional set size of a process in bytes: its own pages, and of
// shared ones its part.
func pss(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Pss:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("no line Pss: for process %d", pid)
}
