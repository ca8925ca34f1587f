package fuzz

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fuzzmut/fuzzmut/corpus"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine"
	"github.com/fuzzmut/fuzzmut/fuzzmut/engine/evaluate"
	"github.com/fuzzmut/fuzzmut/fuzzmut/record/report"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/campaign"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/project"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/trial"
	"github.com/fuzzmut/fuzzmut/instrument/overlay"
	"github.com/fuzzmut/fuzzmut/instrument/rt/wire"
	"github.com/fuzzmut/fuzzmut/instrument/system"
)

// fuzzNative lets the stock engine, `go test -fuzz`, grow the corpus of the
// rewritten package. Each kill raises its own coverage counter, so that the
// stock engine keeps the input that made it. It stops at the first failing input,
// as always.
func fuzzNative(ctx context.Context, c *campaign.Campaign) error {
	cache, err := c.Trial.CacheDir()
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	if c.Trial.Project.Options.DryRun {
		cache = filepath.Join(c.Trial.Project.WorkDir, "fuzzcache", c.Trial.Test.Name)
	}
	log := filepath.Join(c.Trial.Project.WorkDir, "kills-"+c.Trial.Test.Name+".jsonl")
	config := filepath.Join(c.Trial.Project.WorkDir, "native-"+c.Trial.Test.Name+".json")
	data, err := json.Marshal(c.Trial.Engine.NativeConfig(log))
	if err != nil {
		return exit.Errorf(exit.Internal, "%w", err)
	}
	if err := os.WriteFile(config, data, 0o600); err != nil {
		return exit.Errorf(exit.Usage, "%w", err)
	}
	c.Trial.Phase("fuzzing for %v with go test -fuzz, %s", c.Trial.Project.Options.FuzzTime,
		report.Plural(c.Trial.Project.Options.Parallel, "worker"))
	begin := time.Now()
	n := &nativeRun{trial: c.Trial, begin: begin}
	err = n.run(ctx, config, filepath.Dir(cache))
	c.SetFuzzed(begin)
	c.Trial.Engine.Note(n.execs)
	if err != nil {
		return err
	}
	if err := collectNative(ctx, c.Trial, cache, n.crashers); err != nil {
		return err
	}
	if kills, err := engine.NativeKills(log); err == nil {
		c.Trial.Note("the stock engine ran %d inputs; %s found", n.execs, report.Plural(len(kills), "kill"))
	}
	return c.Settle(ctx)
}

// nativeRun is one run of the stock engine.
type nativeRun struct {
	trial    *trial.Trial
	begin    time.Time
	execs    int64
	crashers []string // files that the stock engine has written
}

// stockGrace is how long the go command may take to end after SIGINT.
const stockGrace = 10 * time.Second

func (n *nativeRun) run(ctx context.Context, config, cacheRoot string) error {
	t := n.trial
	args, env, dir, err := overlay.TestArgs(ctx, t.Package.Overlay, "-run=^$", "-fuzz=^"+t.Test.Name+"$",
		"-fuzztime="+t.Project.Options.FuzzTime.String(), "-parallel="+strconv.Itoa(t.Project.Options.Parallel))
	if err != nil {
		return exit.AsUsage(err)
	}
	if t.Project.Options.DryRun {
		args = append(args, "-args", "-test.fuzzcachedir="+cacheRoot)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(env[:len(env):len(env)], wire.EnvNative+"="+config)
	tool := system.NewTool(cmd)
	cmd.WaitDelay = stockGrace
	out, w, err := os.Pipe()
	if err != nil {
		return exit.Errorf(exit.Usage, "starting go test: %w", err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := tool.Start(); err != nil {
		w.Close()
		out.Close()
		return exit.Errorf(exit.Usage, "starting go test: %w", err)
	}
	w.Close()
	text := n.follow(out)
	out.Close()
	err = tool.Wait()
	var ended *exec.ExitError
	switch {
	case err == nil, ctx.Err() != nil, len(n.crashers) > 0, strings.Contains(text, "context deadline exceeded"):
		// The last is golang/go#75804: the end of the time budget reported as a
		// failure.
		return nil
	case errors.As(err, &ended):
		return exit.Errorf(exit.Baseline, "go test -fuzz=%s fails:\n%s", t.Test.Name, strings.TrimSpace(text))
	}
	return exit.Errorf(exit.Usage, "running go test: %w", err)
}

// The output of the stock engine is read as text: nothing else has it. go test -json wraps
// the same lines as output events, with the result of the test as the only other thing; it
// has neither the number of executions nor the file of a failing input as a member.
var (
	progressLine = regexp.MustCompile(`^fuzz: elapsed: \S+, execs: (\d+) \((\d+)/sec\)(?:, new interesting: (\d+) \(total: (\d+)\))?`)
	crashLine    = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
)

// follow reads the stock engine's output and returns the end of it.
func (n *nativeRun) follow(r io.Reader) string {
	const most = 40
	var last []string
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		if m := progressLine.FindStringSubmatch(line); m != nil {
			n.progress(m)
			continue
		}
		if m := crashLine.FindStringSubmatch(line); m != nil {
			n.crashers = append(n.crashers, filepath.Join(n.trial.Package.Program.Test.Dir, m[1]))
		}
		if last = append(last, line); len(last) > most {
			last = last[1:]
		}
	}
	io.Copy(io.Discard, r) //nolint:errcheck // a line too long: what matters is that the writer is not blocked
	return strings.Join(last, "\n")
}

func (n *nativeRun) progress(m []string) {
	n.execs, _ = strconv.ParseInt(m[1], 10, 64)
	rate, _ := strconv.ParseFloat(m[2], 64)
	st := n.trial.Engine.Status()
	added, _ := strconv.Atoi(m[3])
	total, _ := strconv.Atoi(m[4])
	n.trial.Project.Emit(project.Event{Status: &project.Status{
		Budget:  n.trial.Project.Options.FuzzTime,
		Package: n.trial.Package.Program.Test.ImportPath, Fuzz: n.trial.Test.Name, Elapsed: time.Since(n.begin),
		Execs: n.execs, ExecsPerSec: rate, Corpus: max(total, st.Corpus), Added: added,
		Killed: st.Killed, Reached: st.Reached, Mutants: st.Mutants, Covered: st.Covered, Blocks: st.Blocks, Buckets: len(n.crashers),
	}})
}

// collectNative takes over what the stock engine has left: the inputs in its
// cache, and the failing input if there is one.
func collectNative(ctx context.Context, t *trial.Trial, cache string, crashers []string) error {
	ctx = context.WithoutCancel(ctx)
	cached, _, err := corpus.ReadDir(cache, t.Types, 0)
	if err != nil {
		return exit.Errorf(exit.Usage, "Go's fuzz cache can't be read: %w", err)
	}
	var inputs []*corpus.Input
	have := make(map[string]bool)
	for _, e := range append(t.Given[:len(t.Given):len(t.Given)], t.Cached...) {
		have[e.Input.Hash()] = true
	}
	for _, e := range cached {
		if !have[e.Input.Hash()] {
			inputs = append(inputs, e.Input)
		}
	}
	for _, path := range crashers {
		data, err := os.ReadFile(path)
		if err != nil {
			return exit.Errorf(exit.Usage, "%w", err)
		}
		in, err := corpus.Decode(data)
		if err != nil {
			return exit.Errorf(exit.Usage, "%s: %w", path, err)
		}
		inputs = append(inputs, in)
		if t.Project.Options.DryRun {
			os.Remove(path)
		}
	}
	ev, err := t.Engine.Exact.Evaluate(ctx, evaluate.Query{Inputs: inputs, Select: wire.SelectAlive, Exclude: func(m uint32) bool { return t.Engine.Kills.Dead(int(m)) }})
	if err != nil {
		return t.EngineError(err)
	}
	for i, path := range crashers {
		r := ev.Results[len(inputs)-len(crashers)+i]
		if !r.Outcome.Kind.Failed() {
			t.Warn(fmt.Sprintf("go test -fuzz stopped at %s, but the original passes on it: a mutant ended its worker; the file is removed", filepath.Base(path)))
			os.Remove(path)
		}
	}
	t.Engine.Found(inputs, ev)
	return nil
}
