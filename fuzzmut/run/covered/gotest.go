package covered

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"

	"github.com/fuzzmut/fuzzmut/instrument/gotool"
)

// output is what go test -json prints.
type output struct {
	text strings.Builder             // as go test prints it without -json
	ran  map[string]int              // entries of fuzz tests that were run, by the name of the fuzz test
	logs map[string]*strings.Builder // by the name of the test
}

// goTest runs go test on a package.
func goTest(ctx context.Context, tool *gotool.Toolchain, flags []string, pkg string) (*output, error) {
	cmd := gotool.GoCommand(ctx, tool.Command, append(append([]string{"test"}, flags...), pkg)...)
	cmd.Dir, cmd.Env = tool.Dir, tool.Env
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	err := cmd.Run()
	return readOutput(printed.Bytes()), err
}

// readOutput reads events, a line each. Lines that are none are taken as text: what the go
// command itself says is.
func readOutput(printed []byte) *output {
	out := &output{ran: make(map[string]int), logs: make(map[string]*strings.Builder)}
	for line := range bytes.Lines(printed) {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(line, &event) != nil {
			out.text.Write(line)
			continue
		}
		out.text.WriteString(event.Output)
		if out.logs[event.Test] == nil {
			out.logs[event.Test] = new(strings.Builder)
		}
		out.logs[event.Test].WriteString(event.Output)
		if fuzz, entry, ok := strings.Cut(event.Test, "/"); ok && event.Action == "run" && !strings.ContainsRune(entry, '/') {
			out.ran[fuzz]++
		}
	}
	return out
}

// firstLine is the line that says most, or the error of the command.
func (o *output) firstLine(err error) string {
	if errors.Is(err, exec.ErrNotFound) {
		return "the go command is not in PATH"
	}
	for line := range strings.Lines(o.text.String()) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- PASS") {
			return line
		}
	}
	if err == nil {
		return "it says nothing of it"
	}
	return err.Error()
}
