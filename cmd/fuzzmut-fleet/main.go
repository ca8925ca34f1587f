// Fuzzmut-fleet divides fuzzing, tests of mutants and triage among machines: fuzzmut fleet starts it.
// It is a separate module, so that fuzzmut needs nothing of NATS.
//
// A server has a job of slices: executions of a fuzz test with a seed, a part of the mutants for unit
// tests, or one for failing inputs. They are in a work-queue stream of NATS JetStream, one subject for
// each test binary. A worker takes one, runs fuzzmut on it in a copy of its tree, and leaves the files
// of its shared directory in an object store. A slice counts when its key in a key-value bucket is
// created, which happens once. The server puts the files of all that count into its shared directory.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// exit codes, as fuzzmut has them.
const (
	usage       = 2
	interrupted = 130
)

// commands are what the first argument names.
var commands = map[string]func(ctx context.Context, args []string, out io.Writer) error{
	"serve":  serve,
	"join":   join,
	"status": status,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// parse reads the flags of a command: an error is one line.
func parse(set *flag.FlagSet, args []string) error {
	var text bytes.Buffer
	set.SetOutput(&text)
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Stderr.Write(text.Bytes()) //nolint:errcheck // there is nobody else to say it to
	case err != nil:
		return fmt.Errorf("%w; fuzzmut help fleet lists the flags of %s", err, strings.TrimPrefix(set.Name(), "fuzzmut fleet "))
	}
	return err
}

// run runs a command, and returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	err := errors.New("fuzzmut fleet takes a command: serve, join or status; see fuzzmut help fleet")
	if len(args) > 0 {
		if command := commands[args[0]]; command != nil {
			err = command(ctx, args[1:], out)
		} else {
			err = fmt.Errorf("fuzzmut fleet has no command %q: there are serve, join and status", args[0])
		}
	}
	var code exitError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &code) && err == error(code):
		return int(code)
	case ctx.Err() != nil:
		fmt.Fprintln(errs, "fuzzmut: interrupted: what counts is kept; the same command goes on with it")
		return interrupted
	}
	fmt.Fprintln(errs, "fuzzmut:", err)
	return usage
}
