package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/runlog"
)

// MemoryLimit bounds the address space, in bytes, of each process of stock fuzzing,
// which sets no limit. A Go program reserves about a gigabyte of it without using it.
const MemoryLimit = 4 << 30

// Outcome is the result of a contender: the entries that it leaves, and what they
// cost.
type Outcome struct {
	Dir        string           // holds the entries that it has found: Go's fuzz cache
	Written    *report.FuzzTest // of fuzzmut: what it says of those that it has chosen
	Executions int64            // of the original
	FuzzCPU    time.Duration    // of cpu, until fuzzing ended
	CPU        time.Duration    // of the fuzzer and its workers; builds left out
	Wall       time.Duration
	Fuzzed     time.Duration // of wall, spent fuzzing
	Failing    int           // failing inputs, or buckets of them
}

// process is a command that was run, and what it used.
type process struct {
	Stdout, Stderr []byte
	CPU, Wall      time.Duration // of all that it started and waited for, too
}

// AnyCore leaves it to the system where a command runs.
const AnyCore = -1

// pin is what goes before a command so that it runs on one processor, where the
// system has taskset.
func pin(core int) []string {
	path, err := exec.LookPath("taskset")
	if err != nil || core == AnyCore {
		return nil
	}
	return []string{path, "-c", strconv.Itoa(core)}
}

// Run runs a command on one processor. What the command itself reports as an error
// comes with its output.
func Run(ctx context.Context, core int, dir string, args ...string) (process, error) {
	args = append(pin(core), args...)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	if core != AnyCore {
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	}
	cmd.WaitDelay = 10 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	err := cmd.Run()
	p := process{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), Wall: time.Since(begin)}
	if cmd.ProcessState != nil {
		p.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", strings.Join(args, " "), err, Tail(p.Stdout), Tail(p.Stderr))
	}
	return p, err
}

// Tail returns the end of a command's output.
func Tail(out []byte) []byte {
	const most = 2000
	return out[max(0, len(out)-most):]
}

// FuzzStock fuzzes with the binary that go test -fuzz would build and run. It is
// started again when it has stopped at a failing input, until its time is used
// up; what it costs to read its cache again is its own. crashed, which may be
// nil, is shown each failing input and the output that tells of it.
func FuzzStock(ctx context.Context, core int, binary, dir, fuzz string, budget time.Duration, minimise string,
	crashed func(out Outcome, failing []string, text []byte),
) (Outcome, error) {
	cache := filepath.Join(dir, "cache")
	out := Outcome{Dir: filepath.Join(cache, fuzz)}
	args := []string{
		"sh", "-c", `ulimit -v "$1"; shift; exec "$@"`, "sh", strconv.Itoa(MemoryLimit >> 10),
		binary, "-test.run=^$", "-test.fuzz=^" + fuzz + "$", "-test.fuzzcachedir=" + cache, "-test.parallel=1",
	}
	if minimise != "" {
		args = append(args, "-test.fuzzminimizetime="+minimise)
	}
	for idle := 0; ; {
		left := budget - out.Wall
		// What is too short to read the cache again finds nothing.
		if left < budget/100 {
			break
		}
		p, err := Run(ctx, core, dir, append(args, "-test.fuzztime="+left.String())...)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.CPU += p.CPU
		out.Wall += p.Wall
		text := slices.Concat(p.Stderr, p.Stdout)
		n, progress := stockExecutions(text)
		if !progress {
			return out, errors.Join(err, fmt.Errorf("go test -fuzz prints no progress:\n%s", Tail(text)))
		}
		out.Executions += n
		failing, serr := setAside(filepath.Join(dir, "testdata", "fuzz", fuzz), filepath.Join(dir, "failing"))
		if serr != nil {
			return out, serr
		}
		out.Failing += len(failing)
		if len(failing) > 0 && crashed != nil {
			crashed(out, failing, text)
		}
		if err == nil || len(failing) > 0 {
			continue
		}
		// An entry in the cache can stop it as soon as it starts. Near the end of
		// its time it may fail for no reason (golang/go#75804).
		if name := stockBadEntry.FindSubmatch(text); name != nil {
			if rerr := os.Remove(filepath.Join(out.Dir, string(name[1]))); rerr == nil {
				out.Failing++
				continue
			}
		}
		if idle++; idle > 3 {
			return out, err
		}
	}
	out.Fuzzed, out.FuzzCPU = out.Wall, out.CPU
	return out, nil
}

var (
	stockStatus   = regexp.MustCompile(`fuzz: elapsed: (\S+), (?:execs: (\d+) |gathering|testing|minimizing)`)
	stockBadEntry = regexp.MustCompile(`failure while testing seed corpus entry: \w+/(\S+)`)
)

// stockExecutions reads how many inputs go test -fuzz says it has run.
func stockExecutions(out []byte) (n int64, ok bool) {
	for _, m := range stockStatus.FindAllSubmatch(out, -1) {
		ok = true
		if len(m[2]) > 0 {
			n, _ = strconv.ParseInt(string(m[2]), 10, 64) // digits
		}
	}
	return n, ok
}

// setAside moves the files of a directory to another, where nobody looks for
// them, and returns their new paths.
func setAside(from, to string) ([]string, error) {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range files {
		path := filepath.Join(to, f.Name())
		if err := os.Rename(filepath.Join(from, f.Name()), path); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// FuzzOurs fuzzes with fuzzmut.
func FuzzOurs(ctx context.Context, core int, command, gocache string, t Target, filter string, seed int, budget time.Duration) (Outcome, error) {
	r, err := RunFuzzmut(ctx, core, command, t, "fuzz", "-fuzztime="+budget.String(), "-filter="+filter,
		"-seed="+strconv.Itoa(seed), "-corpus="+filepath.Join(t.Dir, "written"))
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{
		Written: r, Executions: r.Executions, Failing: len(r.Crashes),
		CPU: seconds(r.CPUSeconds), FuzzCPU: seconds(r.FuzzCPUSeconds), Wall: seconds(r.WallSeconds), Fuzzed: seconds(float64(r.Executions) / r.ExecsPerSecond),
	}
	out.Dir, err = corpus.CacheDir(gocache, r.Package, t.Fuzz)
	return out, err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// ReadLog reads what the command wrote with -log: a series for each fuzz test.
func ReadLog(file string) ([]runlog.Series, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	series, err := runlog.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return series, nil
}

// RunFuzzmut runs the command on a target and returns what it reports, if it is
// a result: failing inputs are one.
func RunFuzzmut(ctx context.Context, core int, command string, t Target, job string, flags ...string) (*report.FuzzTest, error) {
	file := filepath.Join(t.Dir, "result.json")
	args := append([]string{command, job, "-q", "-parallel=1", "-fuzz=^" + t.Fuzz + "$", "-mutate=" + strings.Join(t.Mutate, ","), "-json=" + file}, flags...)
	_, err := Run(ctx, core, t.Dir, append(args, ".")...)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, err
	}
	data, rerr := os.ReadFile(file)
	if rerr != nil {
		return nil, errors.Join(err, rerr)
	}
	var r report.Report
	if jerr := json.Unmarshal(data, &r); jerr != nil || len(r.Tests) != 1 {
		return nil, fmt.Errorf("%s: unexpected result: %v", t.Name, jerr)
	}
	return &r.Tests[0], nil
}
