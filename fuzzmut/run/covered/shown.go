package covered

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// ShowVariable has fuzzmut.Fuzz log the value of every input. With ShowPlanned no input is run: of a sequence of calls
// nobody knows then what they return.
const (
	ShowVariable = "FUZZMUT_SHOW"
	ShowPlanned  = "planned"
)

// beforeValue is what the log of fuzzmut.Fuzz says before the value.
const beforeValue = "the input is\n"

// Values runs the corpora with go test and returns the values that inputs stand for, as Go source,
// by import path and the name of the test of the entry, as FuzzX/seed#0. Inputs that are no
// values of fuzzmut.Fuzz have none.
func (c *Corpora) Values(ctx context.Context, workDir string) (map[string]map[string]string, error) {
	values := make(map[string]map[string]string)
	for i, p := range c.packages {
		dir := filepath.Join(workDir, "shown", strconv.Itoa(i))
		seeds := filepath.Join(dir, "seeds")
		if err := p.lay(seeds); err != nil {
			return nil, exit.Errorf(exit.Usage, "-tyche: %w", err)
		}
		flags, err := p.plainFlags(dir, seeds)
		if err != nil {
			return nil, err
		}
		tool := *p.loaded.Toolchain
		tool.Env = append(tool.Env[:len(tool.Env):len(tool.Env)], ShowVariable+"=1")
		out, failed := goTest(ctx, &tool, flags, p.loaded.Test.ImportPath)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if less := p.less(out); less != "" {
			return nil, exit.Errorf(exit.Usage, "-tyche: go test runs %s: %s", less, out.firstLine(failed))
		}
		values[p.loaded.Test.ImportPath] = out.values()
	}
	return values, nil
}

// values finds the values in the logs of tests.
func (o *output) values() map[string]string {
	values := make(map[string]string)
	for test, log := range o.logs {
		if v := ValueIn(log.String()); v != "" {
			values[test] = v
		}
	}
	return values
}

// ValueIn finds the first value in the log of a test, "" if there is none.
func ValueIn(log string) string {
	_, after, _ := strings.Cut(log, beforeValue)
	return value(after)
}

// value is the text that a log begins with, as package testing indents it.
func value(log string) string {
	const indent = "        "
	var lines []string
	for line := range strings.Lines(log) {
		text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), indent)
		if !ok {
			break
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}
