package main

import (
	"errors"
	"os"
	"os/exec"

	"github.com/fuzzmut/fuzzmut/fuzzmut/panics"
	"github.com/fuzzmut/fuzzmut/fuzzmut/run/exit"
)

// The program that knows NATS, and how to get it.
const (
	fleetProgram = "fuzzmut-fleet"
	fleetInstall = "go install github.com/fuzzmut/fuzzmut/cmd/fuzzmut-fleet@latest"
	// envFleetCommand tells it which fuzzmut to run.
	envFleetCommand = "FUZZMUT_COMMAND"
)

func fleetCommand() command {
	return command{
		name: "fleet", args: "command", summary: "divide fuzzing, tests and triage among machines", topic: "fleet",
		commands: []command{
			{
				name: "serve", args: "-share dir [flags] [packages]", summary: "have workers fuzz, test or triage, and collect what they find", topic: "fleet",
				examples: []example{
					{"fuzzmut fleet serve -share ../found ./...", "workers of this machine, at 127.0.0.1:4233"},
					{"fuzzmut fleet serve -share ../found -job test ./...", "mutants against unit tests"},
					{"fuzzmut fleet serve -share ../found -listen :4233 -config nats.conf ./...", "of other machines, with TLS"},
				},
				flags: newHandedOver, run: handOver("serve"),
			},
			{
				name: "join", args: "-key key URL [flags] [packages]", summary: "do what a server asks for", topic: "fleet",
				examples: []example{{"fuzzmut fleet join -key KEY nats://127.0.0.1:4233 ./...", "in a checkout of the same revision"}},
				flags:    newHandedOver, run: handOver("join"),
			},
			{
				name: "status", args: "URL", summary: "show how far a server's job is", topic: "fleet",
				examples: []example{{"fuzzmut fleet status nats://127.0.0.1:4233", "slices, workers, kills"}},
				flags:    newHandedOver, run: handOver("status"),
			},
		},
	}
}

// newHandedOver returns the flags of a command whose arguments another program reads.
func newHandedOver(command string) *flags {
	f := newArguments(command)
	f.raw = true
	return f
}

// handOver has the program that knows NATS run a command.
func handOver(name string) func(t *tool, f *flags) error {
	return func(t *tool, f *flags) error {
		path, err := exec.LookPath(fleetProgram)
		if err != nil {
			return usageError("fuzzmut fleet needs %s: get it with %s", fleetProgram, fleetInstall)
		}
		self, err := os.Executable()
		if err != nil {
			return usageError("%w", err)
		}
		cmd := exec.Command(path, append([]string{name}, f.args...)...)
		cmd.Env = append(os.Environ(), envFleetCommand+"="+self)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = t.stdin, t.stdout, t.stderr
		return t.attend(cmd)
	}
}

// attend runs a program to its end, which an interrupt brings about.
func (t *tool) attend(cmd *exec.Cmd) error {
	signals, release := notifyInterrupts()
	defer release()
	if err := cmd.Start(); err != nil {
		return usageError("%s can't be started: %w; install it again with %s", cmd.Path, err, fleetInstall)
	}
	ended := make(chan struct{})
	go func() {
		err := panics.Do(func() error {
			for {
				select {
				case <-ended:
					return nil
				case <-signals:
					cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
				}
			}
		})
		t.complain(err)
	}()
	err := cmd.Wait()
	close(ended)
	var status *exec.ExitError
	if !errors.As(err, &status) {
		return err
	}
	return &exit.Error{Code: exit.Code(status.ExitCode()), Err: errSaid{}}
}

// errSaid is an error that another program has printed.
type errSaid struct{}

func (errSaid) Error() string { return fleetProgram + " has ended with an error" }
